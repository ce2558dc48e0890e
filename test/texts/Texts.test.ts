/** Checks the catalogues: all keys and placeholders, and no English in translations. */
import { assert, describe, it } from "@effect/vitest"
import type { Plural } from "../../src/texts/en.ts"
import { catalogues, type Language, languageNames, languageOf, textsOf } from "../../src/texts/Texts.ts"

const languages = Object.keys(catalogues) as Array<Language>
const translated = languages.filter((language) => language !== "en")

type Texts = (typeof catalogues)[Language]

const entriesOf = (texts: Texts): ReadonlyArray<readonly [key: string, text: string | Plural]> =>
  Object.entries(texts).flatMap(([section, all]) =>
    Object.entries<string | Plural>(all).map(([key, text]) => [`${section}.${key}`, text] as const),
  )

/** The texts of a language by key, such as `mail.greeting`, of counted ones the form for most numbers. */
const textsIn = (language: Language): ReadonlyMap<string, string> =>
  new Map(
    entriesOf(catalogues[language]).map(([key, text]) => [key, typeof text === "string" ? text : text.other] as const),
  )

/** Texts with plural forms, by key. */
const pluralsIn = (language: Language): ReadonlyMap<string, Plural> =>
  new Map(entriesOf(catalogues[language]).flatMap(([key, text]) => (typeof text === "string" ? [] : [[key, text]])))

const namesIn = (text: string | undefined) => (text?.match(/\{\w*\}/g) ?? []).toSorted()

/** English words that no translation contains. */
const english =
  /(?<!\p{L})(the|you|yours?|this|and|with|until|please|from|more|time|hello|answer|answers|reminder|interview invitation|is|are|not|of|can|it|what|that|have|choose)(?!\p{L})/iu

/** Of these, words of the language itself. */
const ownWords: Partial<Record<Language, ReadonlyArray<string>>> = { nl: ["is", "of"] }

/** Texts that are the same as in English. */
const alike = [
  "fr page.questionCount",
  "fr spoken.microphone",
  "nl spoken.camera",
  "vi spoken.camera",
  "fr ratingNotice.important",
  ...["fr", "it", "pl", "vi"].map((language) => `${language} ratingNotice.keptCv`),
]

describe("catalogues", () => {
  it("have a name in their language", () => {
    assert.sameMembers(
      languageNames.map(([language]) => language),
      languages,
    )
  })

  it.each(languages)("%s has all keys and placeholders", (language) => {
    const [texts, model] = [textsIn(language), textsIn("en")]
    assert.isAbove(model.size, 15)
    assert.sameMembers([...texts.keys()], [...model.keys()])
    for (const [key, text] of texts) {
      assert.deepStrictEqual(namesIn(text), namesIn(model.get(key)), key)
      assert.strictEqual(text, text.trim(), key)
      assert.isNotEmpty(text, key)
      assert.strictEqual(text, text.normalize("NFC"), key)
      assert.notMatch(text, /[<>]|&\w+;|\{[^}]*$|TODO/, key)
    }
  })

  it.each(translated)("%s is not English", (language) => {
    const model = textsIn("en")
    for (const [key, text] of textsIn(language)) {
      if (!alike.includes(`${language} ${key}`)) assert.notStrictEqual(text, model.get(key), key)
      const found = text.replaceAll(/\{\w+\}/g, "").match(new RegExp(english, "giu")) ?? []
      assert.deepStrictEqual(
        found.filter((word) => ownWords[language]?.includes(word.toLowerCase()) !== true),
        [],
        key,
      )
    }
  })

  it.each(languages)("%s has each plural form that a whole number needs, with the placeholders", (language) => {
    const rules = new Intl.PluralRules(language)
    const needed = new Set(Array.from({ length: 1_000 }, (_, count) => rules.select(count)))
    const model = pluralsIn("en")
    for (const [key, plural] of pluralsIn(language)) {
      assert.sameMembers(Object.keys(plural), [...needed.add("other")], key)
      // "one question" needs no number
      const withoutCount = (text: string | undefined) => namesIn(text).filter((name) => name !== "{count}")
      for (const text of Object.values(plural)) {
        assert.deepStrictEqual(withoutCount(text), withoutCount(model.get(key)?.other), key)
        assert.strictEqual(text, text.trim().normalize("NFC"), key)
        assert.isNotEmpty(text, key)
      }
    }
  })

  it("recognizes English in all English texts of more than five words", () => {
    for (const [key, text] of textsIn("en")) {
      if (text.split(" ").length > 5 || key.startsWith("mail."))
        assert.match(text.replaceAll(/\{\w+\}/g, ""), english, key)
    }
  })
})

describe("languageOf", () => {
  it.each([
    [["de"], "de"],
    [["cs", "vi", "de"], "vi"],
    [["pt-BR"], "pt"],
    [["FR"], "fr"],
    [["cs"], "en"],
    [["toString", "__proto__"], "en"],
    [[], "en"],
  ] as const)("of %j is %s", (tags, language) => {
    assert.strictEqual(languageOf(tags), language)
  })
})

describe("textsOf", () => {
  it("fills in values, also with braces, unchanged", () => {
    const { pieces, say } = textsOf("en", "mail")
    assert.strictEqual(say("greeting", { name: "{deadline} $& {name}" }), "Hello {deadline} $& {name},")
    assert.strictEqual(say("open"), "Open the interview")
    assert.deepStrictEqual(pieces("greeting", { name: 7 }), ["Hello ", 7, ","])
    // @ts-expect-error a value is missing
    assert.strictEqual(say("greeting"), "Hello {name},")
  })
  it.each([
    ["en", 1, "1 question"],
    ["en", 1_000, "1,000 questions"],
    ["vi", 1, "1 câu hỏi"],
    ["pl", 2, "2 pytania"],
    ["pl", 12, "12 pytań"],
    ["pl", 22, "22 pytania"],
    ["uk", 21, "21 запитання"],
    ["uk", 25, "25 запитань"],
    ["ar", 2, "سؤالان"],
    ["ar", 3, "3 أسئلة"],
    ["ar", 11, "11 سؤالًا"],
    ["ar", 100, "100 سؤال"],
  ] as const)("in %s writes %i in its plural form: %s", (language, count, text) => {
    assert.strictEqual(textsOf(language, "page").counted("questionCount", count), text)
  })

  it("fills in other values beside the number", () => {
    const { counted, countedPieces } = textsOf("en", "notice")
    assert.match(counted("improve", 2, { until: "noon" }), /Until noon .* up to 2 times/)
    assert.include(countedPieces("improve", 2, { until: 12 }), 12)
  })
})
