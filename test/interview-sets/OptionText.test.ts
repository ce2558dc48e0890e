import { assert, describe, it } from "@effect/vitest"
import { chosenOptions, type OptionText, optionText } from "../../src/interview-sets/OptionText.ts"
import { option } from "../interviews/interviewView.ts"

const titles = { en: "Yes", de: "Ja", "pt-BR": "Sim" }

describe("optionText", () => {
  it.each<[string, Parameters<typeof optionText>[0], ReadonlyArray<string>, OptionText]>([
    ["in the set's language", { ...option(1), titles }, ["de"], { title: "Ja", content: null }],
    ["whatever its region", { ...option(1), titles }, ["de-AT"], { title: "Ja", content: null }],
    ["whatever the text's region", { ...option(1), titles }, ["pt"], { title: "Sim", content: null }],
    ["in the page's, where none is said", { ...option(1), titles }, [], { title: "Yes", content: null }],
    ["in the page's, where the first has none", { ...option(1), titles }, ["cs"], { title: "Yes", content: null }],
    ["in the second", { ...option(1), titles }, ["fr", "de"], { title: "Ja", content: null }],
    ["by its title", { ...option(1), titles }, ["fr"], { title: "Option 1", content: null }],
    ["by any", { ...option(1, null), titles }, ["fr"], { title: "Yes", content: null }],
    ["by a title that is no object", { ...option(1, null), titles: "Yes" }, ["fr"], { title: "Yes", content: null }],
    [
      "past what is no text",
      { ...option(1), titles: { en: 7, fr: null } },
      ["en"],
      { title: "Option 1", content: null },
    ],
    ["past blanks", { ...option(1), titles: { en: " " } }, ["en"], { title: "Option 1", content: null }],
    ["by its content", { ...option("a", null), contents: titles }, ["de"], { title: "Ja", content: null }],
    ["by its id", option("Maybe", null), ["de"], { title: "Maybe", content: null }],
    [
      "with its content beside it",
      { ...option(1, "Yes"), content: "We help.", contents: { de: "Wir helfen." } },
      ["de"],
      { title: "Yes", content: "Wir helfen." },
    ],
  ])("%s", (_, given, languages, expected) => {
    assert.deepStrictEqual(optionText(given, languages), expected)
  })
})

describe("chosenOptions", () => {
  it("returns the options in the order of the page: by priority, null last", () => {
    const options = [
      { ...option("a") },
      { ...option("b"), priority: 2 },
      { ...option(3), priority: 1 },
      { ...option("d"), priority: 1 },
    ]
    assert.deepStrictEqual(
      chosenOptions(options, ["a", "b", "3"]).map(({ id }) => id),
      [3, "b", "a"],
    )
  })
})
