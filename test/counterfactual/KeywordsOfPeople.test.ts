/** The keyword evaluator rates words for women like those for men. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { articles, genderedNouns, germanEndings } from "../../src/counterfactual/genderedWords.ts"
import { swapped } from "../../src/counterfactual/Swap.ts"
import type { Language } from "../../src/evaluations/keyword/Language.ts"
import { contentStem, mentionsIn, wordsOf } from "../../src/evaluations/keyword/Text.ts"
import { keywordEvaluator } from "../support/Computation.ts"
import { cv, inputOf, requirement, resultOf } from "../support/Keywords.ts"

const languages = ["en", "de", "fr", "es", "pt"] as const satisfies ReadonlyArray<Language>

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** The lexicon's names of a word, and whether it carries meaning. */
const readingOf = (word: string, language: Language) => {
  const words = wordsOf(capital(word))
  return {
    names: mentionsIn(words).map(({ name }) => name),
    isContent: words.map((one) => contentStem(one, language) !== null),
  }
}

const german = germanEndings.split(" ").flatMap((ending) => {
  const base = ending.replace(/e$/, "")
  return [`${ending}/${base}in`, `${ending}/${base}innen`]
})

const pairsOf = (language: Language): ReadonlyArray<string> => [
  ...genderedNouns[language].split(/\s+/),
  ...(language === "de" ? german : []),
]

describe("words for women and men", () => {
  it.each(languages)("have the same names and weight in the lexicon: %s", (language) => {
    assert.isAbove(pairsOf(language).length, 40)
    for (const pair of pairsOf(language)) {
      const [male = "", female = ""] = pair.split("/")
      assert.deepStrictEqual(readingOf(female, language), readingOf(male, language), pair)
    }
  })

  it("have articles in four languages", () => {
    assert.deepStrictEqual(Object.keys(articles), ["de", "fr", "es", "pt"])
  })
})

layer(keywordEvaluator)("the keyword evaluator", (test) => {
  test.effect.each([
    ["en", "Cares for people with dementia", "A daughter shouted that nobody cared for her mother with dementia."],
    ["de", "Bäcker", "Ich war sechs Jahre Bäckerin bei einem Betrieb und habe jede Nacht Brote gebacken."],
    ["fr", "Développeur", "J'ai été développeuse dans une banque pendant six ans et j'ai écrit des services."],
    ["es", "Desarrollador", "Fui desarrolladora en un banco durante seis años y escribí servicios de pago."],
    ["pt", "Cozinheiro", "Fui cozinheira em um restaurante durante seis anos e fiz os pratos do dia."],
  ] as const)("rates both alike: %s, %s", ([language, title, text]) =>
    Effect.gen(function* () {
      const part = {
        input: inputOf([requirement(title)], [cv(text)], language),
        person: { name: null, firstname: null, lastname: null, phone: null },
      }
      const male = swapped("male", [part], 2026)?.parts[0]?.input ?? assert.fail("nothing was swapped")
      const [one, other] = [yield* resultOf(part.input), yield* resultOf(male)]
      assert.strictEqual(one.score, other.score)
      assert.isAbove(one.score ?? 0, 1.3)
    }),
  )
})
