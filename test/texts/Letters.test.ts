/** The texts of emails about a decision with which an organization begins. */
import { assert, describe, it } from "@effect/vitest"
import { letterDecisions, letterErrors } from "../../src/invitations/FollowUp.ts"
import { fillTokens } from "../../src/invitations/Invitation.ts"
import { letterTexts } from "../../src/texts/Letters.ts"
import { type Language, languageNames } from "../../src/texts/Texts.ts"

const all = languageNames.flatMap(([language]) =>
  letterDecisions.map((decision) => ({ language, decision, ...letterTexts[language][decision] })),
)

/** Around the title of the interview. */
const quotes: Readonly<Record<Language, string>> = {
  en: "“{{interview}}”",
  de: "„{{interview}}“",
  fr: "«\u00a0{{interview}}\u00a0»",
  es: "«{{interview}}»",
  pt: "«{{interview}}»",
  vi: "“{{interview}}”",
  it: "«{{interview}}»",
  nl: "‘{{interview}}’",
  pl: "„{{interview}}”",
  ja: "「{{interview}}」",
  ko: "“{{interview}}”",
  zh: "“{{interview}}”",
  ar: "«{{interview}}»",
  hi: "“{{interview}}”",
  tr: "“{{interview}}”",
  uk: "«{{interview}}»",
}

describe("the suggested texts of emails about a decision", () => {
  it.each(all)("can be sent in $language ($decision), with the quotation marks and spaces of the language", (one) => {
    const { language, subject, text } = one
    assert.deepStrictEqual(letterErrors({ subject, text }), [])
    assert.include(text, quotes[language])
    assert.match(text, /\n\{\{organization\}\}$/)
    assert.notMatch(`${subject}${text}`, /["']| {2}|\n\n\n/)
    const isFrench = language === "fr"
    // French has a no-break space before : ; ? ! and », other languages none
    assert.notMatch(`${subject}${text}`, isFrench ? /[^\u00a0][:;?!»]/u : /[\s\u00a0][:;?!,.»]/u)
  })

  it.each(all)("greet a candidate without a name in $language ($decision)", ({ text }) => {
    const values = { name: "", firstname: "", lastname: "", interview: "Test", organization: "Acme", deadline: "" }
    assert.match(fillTokens(text, values).split("\n")[0] ?? "", /^[\p{Lu}\p{Lo}][\p{L}\p{M} ]+[,:،：!]?$/u)
  })
})
