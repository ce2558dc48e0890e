import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { anonymous, inOwnWords, type Person } from "../../src/domain/Anonymity.ts"
import { type EvaluationInput, evaluationResult } from "../../src/domain/Evaluation.ts"

const ada: Person = { name: "Ada Lovelace", firstname: null, lastname: null }
const nobody: Person = { name: null, firstname: null, lastname: null }

const inputOf = (text: string, requirement = "PostgreSQL"): EvaluationInput => ({
  interview_title: "Backend Engineer",
  position: null,
  language: null,
  requirements: [{ id: "a", title: requirement, content: null, hint: null, cfg_importance_id: 273 }],
  sources: [{ source: "cv", question_id: null, question: null, text }],
})

const seen = (text: string, person: Person = ada, requirement?: string) =>
  anonymous(inputOf(text, requirement), person).sources[0]?.text.replace(/█+/g, (run) => `<${run.length}>`)

describe("anonymous", () => {
  it.each([
    ["Ada Lovelace\nEngineer", "<3> <8>\nEngineer"],
    ["ADA LOVELACE, engineer", "<3> <8>, engineer"],
    ["Lovelace's work", "<8>'s work"],
    ["Adalbert and Canada stay", "Adalbert and Canada stay"],
    ["Write to ada.l+cv@mail.example.org.", "Write to <25>."],
    ["www.linkedin.com/in/ada-l and a blog", "<25> and a blog"],
    ["Tel. +49 (30) 1234-5678, Berlin", "Tel. <18>, Berlin"],
    ["Tel. 030/1234 5678", "Tel. <13>"],
    ["Call (415) 555-2671 now", "Call <14> now"],
  ])("covers %j", (text, expected) => {
    assert.strictEqual(seen(text), expected)
  })

  it.each([
    "2015-2018 and 2019 - 2021, 01/2015 - 12/2018",
    "From 2015 to 2018 we served 1 000 000 000 requests, 300,000 a minute.",
    "Version 10.15.7, 192.168.0.1, ISO 27001:2013, -0.5 %, 0.00012 seconds",
    "PostgreSQL 9.6 to 16; grew it from 120 to 4500 shops",
    "I mentored @juniors on C++ and C#.",
  ])("leaves %j", (text) => {
    assert.strictEqual(seen(text), text)
    assert.strictEqual(seen(text, nobody), text)
  })

  it("covers what a name's parts are, not the words that they may be", () => {
    const will: Person = { name: null, firstname: "Will", lastname: "Swift" }
    assert.strictEqual(seen("Will Swift. I will write Swift.", will, "Swift"), "<4> Swift. I will write Swift.")
    assert.strictEqual(seen("Ada L. wrote", { ...nobody, name: "ada l" }), "<3> L. wrote")
    assert.strictEqual(seen("私は山田太郎です", { ...nobody, name: "山田太郎" }), "私は<4>です")
    assert.strictEqual(seen("Jean-Luc (a+b) wrote", { ...nobody, name: "Jean-Luc (a+b)" }), "<8> (a+b) wrote")
    assert.strictEqual(seen("a -- b", { ...nobody, name: "-- ''" }), "a -- b")
  })

  it.prop("keeps every place of the text, whatever the name is", [Schema.String, Schema.String], ([text, name]) => {
    const [source] = anonymous(inputOf(text), { ...nobody, name }).sources
    assert.strictEqual(source?.text.length, text.length)
    for (const [i, char] of [...(source?.text ?? "").split("")].entries()) {
      if (char !== "█") assert.strictEqual(char, text[i])
    }
  })
})

describe("inOwnWords", () => {
  it("gives quotes back as they stand in the candidate's text", () => {
    const input = inOwnWordsInput
    const told = anonymous(input, ada)
    const [source] = told.sources
    const quote = source?.text.split("\n")[1] ?? ""
    assert.notInclude(quote, "Ada")
    const result = evaluationResult(told, {
      evaluator: "test/1",
      model: null,
      raw: null,
      summary: "",
      strengths: [`PostgreSQL: “${quote}”`, "███ “knows” “███”"],
      gaps: [],
      recommendations: [],
      ratings: [
        {
          requirement_id: "a",
          level: "full",
          rationale: "",
          evidence: [{ quote, source: "cv", question_id: null }],
        },
      ],
    })
    assert.deepStrictEqual(inOwnWords(result, input, told).strengths, [
      "PostgreSQL: “Ada ran PostgreSQL at ada@example.com.”",
      "███ “knows” “Ada”",
    ])
    assert.deepStrictEqual(
      inOwnWords(result, input, told).criteria[0]?.evidence.map((one) => one.quote),
      ["Ada ran PostgreSQL at ada@example.com."],
    )
  })
})

const inOwnWordsInput = inputOf("Ada Lovelace\nAda ran PostgreSQL at ada@example.com.\n")
