import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type EvaluationInput, evaluationResult } from "../../src/evaluations/Evaluation.ts"
import { inOwnWords, type Person, redact, redactor } from "../../src/evaluations/Redaction.ts"

const unknown: Person = { name: null, firstname: null, lastname: null, phone: null }
const ada: Person = { name: "Ada Lovelace", firstname: "Ada", lastname: "Lovelace", phone: "+44 20 7946 0958" }

/** The redacted text, with each run of redacted words as one sign. */
const shown = (person: Partial<Person>, text: string, said: ReadonlyArray<string> = []) =>
  redactor({ ...unknown, ...person }, said)(text).replaceAll(/█+(?:\s+█+)*/g, "█")

describe("a name", () => {
  it.each([
    ["Ada Lovelace", "█"],
    ["ADA LOVELACE\nLondon", "█\nLondon"],
    ["Lovelace, Ada: notes", "█: notes"],
    ["my name is ada lovelace and I code", "my name is █ and I code"],
    ["by A. Lovelace; A. K. Lovelace", "by █; A. K. █"],
    ["as for ada. Lovelace said", "as for █. █ said"],
    ["I'm Ada. I ran it.", "I'm █. I ran it."],
    ["Ada’s and Ada's engine", "█’s and █'s engine"],
    ["file ada_lovelace-cv", "file █-cv"],
    ["ada said", "█ said"],
    ["Adam and Canada, Lovelaces", "Adam and Canada, Lovelaces"],
  ])("is found in %j", (text, expected) => assert.strictEqual(shown(ada, text), expected))

  it.each([
    ["Nguyễn Văn Đức", "Nguyen Van Duc built it, Đức tested", "█ built it, █ tested"],
    ["José da Silva", "Jose, or da Silva, or JOSÉ; os da equipe", "█, or █, or █; os da equipe"],
    ["Ludwig van Beethoven", "a van for Ludwig van Beethoven", "a van for █"],
    ["Sinéad O'Connor", "I am Sinead O’Connor", "I am █"],
    ["Anna-Maria Weiß", "Anna-Maria Weiss, Anna", "█"],
    ["Jürgen Müller", "Juergen Mueller, or Jurgen Muller, or Müller, Jürgen", "█, or █, or █"],
    ["Juergen Mueller", "Jürgen Müller, not Muller", "█, not Muller"],
    ["Søren Åberg", "Soeren Aaberg or Soren Aberg", "█ or █"],
    ["Li Bo", "Li Bo, or Bo, uses BO reports", "█, or █, uses BO reports"],
    ["山田 太郎", "私は山田太郎です。太郎", "私は█です。太郎"],
    ["김철수", "김철수는 개발자입니다", "█는 개발자입니다"],
    ["Dr. Mary Major", "Dr. Major saw a major fault", "Dr. █ saw a major fault"],
    ["ada@example.com", "An example from ada@example.com", "An example from █"],
  ])("%s is found as people write it", (name, text, expected) => assert.strictEqual(shown({ name }, text), expected))

  it("that is an everyday word stays in lower case", () =>
    assert.strictEqual(
      shown({ firstname: "Will", lastname: "Baker" }, "I will ask the baker. Will Baker, or Will, will baker."),
      "I will ask the baker. █, or █.",
    ))

  it("that the requirements use as a word stays when it stands alone", () =>
    assert.strictEqual(
      shown({ name: "Ruby Turner" }, "Ruby Turner writes Ruby on Rails. Turner.", ["Knows Ruby well"]),
      "█ writes Ruby on Rails. █.",
    ))

  it.each([
    ["My name is Ruby, and I write Ruby.", "My name is █, and I write Ruby."],
    ["Ich heiße Ruby und schreibe Ruby.", "Ich heiße █ und schreibe Ruby."],
    ["Je m’appelle Ruby. Me llamo Ruby. Meu nome é Ruby.", "Je m’appelle █. Me llamo █. Meu nome é █."],
    ["the name is Ruby", "the name is Ruby"],
  ])("that the requirements use as a word is redacted where it introduces the candidate: %s", (text, expected) =>
    assert.strictEqual(shown({ name: "Ruby Turner" }, text, ["Knows Ruby well"]), expected),
  )

  it("stays alone in another inflection than the requirements have", () =>
    assert.strictEqual(
      shown({ name: "Anna Cook" }, "Cook, then head cook. Anna.", ["Cooks for 200"]),
      "Cook, then head cook. █.",
    ))

  it.each(["A\u200bda", "Love\u00adlace", "Ada\u200bLovelace", "A\u2060da L\u200dovelace"])(
    "is found with invisible characters: %j",
    (text) => assert.strictEqual(shown(ada, `By ${text}.`).replaceAll(/█[\u200b█]*/g, "█"), "By █."),
  )

  it("that is a skill leaves the skill in the line below", () =>
    assert.strictEqual(
      shown({ name: "Java Johnson" }, "Java Johnson\nJava Developer since 2016", ["Java"]),
      "█\nJava Developer since 2016",
    ))

  it("may contain the redaction character", () =>
    assert.strictEqual(shown({ name: "Name Link" }, "Link: https://a.example, Name"), "█: █, █"))

  it.each([unknown, { ...unknown, name: "" }, { ...unknown, name: " . " }])(
    "that is unknown redacts nothing",
    (person) => assert.strictEqual(shown(person, "Ada wrote this. A. B."), "Ada wrote this. A. B."),
  )
})

describe("contacts", () => {
  it.each([
    ["write to ada.l+x@mail.example.co.uk.", "write to █."],
    ["<müller@bücher.example>", "<█>"],
    ["ada (at) example (dot) com", "█"],
    ["ada[at]example[dot]com", "█"],
    ["see https://ada.example/cv?x=1, or www.ada.example.", "see █, or █."],
    ["linkedin.com/in/ada-l · GitHub.com/ada · de.linkedin.com/in/a", "█ · █ · █"],
    ["ada.github.io and Telegram: @ada_l", "█ and Telegram: █"],
    ["+44 20 7946 0958", "█"],
    ["+49 (0) 170/123 45 67", "█"],
    ["0049 170 1234567.", "█."],
    ["Tel: 555 0199", "Tel: █"],
    ["điện thoại: 090 123 4567", "điện thoại: █"],
    ["06 12 34 56 78", "█"],
    ["(0171) 2345678", "█"],
    ["(555) 123-4567 or 555.123.4567", "█ or █"],
  ])("%j", (text, expected) => assert.strictEqual(shown({}, text), expected))

  it.each(["020 7946 0958", "2079460958", "(020) 79-46-09-58"])("the known number as %s", (text) =>
    assert.strictEqual(shown(ada, `call ${text}!`), "call █!"),
  )

  it.each([
    "from 01/2015 - 03/2018 and 01.02.2015-03.04.2016, 2015-03-01",
    "2015 - 2019, 1998–2003",
    "grew by +5 000 000 users to 12 000 000, or 1.000.000.000",
    "0.5 0.75 0.875, 10.0.0.1, 192.168.100.200, v1.2.3",
    "ISO 27001 and RFC 9457, port 5432, 100 200 300",
    "@Transactional and @effect/sql with Node.js and ASP.NET on x.y",
    "reads user@host from a@b",
    "netflix.com/jobs is an example.com/path",
  ])("leaves %j", (text) => assert.strictEqual(shown(ada, text), text))
})

describe("redactor", () => {
  it("takes linear time for any text", () => {
    const hostile = [
      "a@",
      "a\u200b",
      "my name is ",
      "0 1",
      "+1 ",
      "1.",
      "Ada ",
      "A. ",
      "www.",
      "x.com/",
      "(at)",
      "█ ",
      "é\u0301",
    ]
    for (const piece of hostile) {
      const text = piece.repeat(200_000 / piece.length)
      assert.strictEqual(redactor(ada, [])(text).length, text.length)
    }
  })

  it("is idempotent", () => {
    const once = redactor(ada, [])("Ada Lovelace, ada@example.com, +44 20 7946 0958, https://ada.example")
    assert.strictEqual(once, "███ ████████, ███████████████, ███ ██ ████ ████, ███████████████████")
    assert.strictEqual(redactor(ada, [])(once), once)
  })

  it.prop("keeps the position of every character for any name", [Schema.String, Schema.String], ([text, name]) => {
    const covered = redactor({ ...unknown, name }, [])(text)
    assert.strictEqual(covered.length, text.length)
    for (const [i, unit] of covered.split("").entries()) if (unit !== "█") assert.strictEqual(unit, text[i])
  })
})

const inputOf = (text: string, requirement = "PostgreSQL"): EvaluationInput => ({
  interview_title: "Backend Engineer",
  position: null,
  language: null,
  requirements: [{ id: "a", title: requirement, content: null, hint: null, cfg_importance_id: 273 }],
  sources: [{ source: "cv", question_id: null, question: null, text }],
})

describe("inOwnWords", () => {
  it("restores the candidate's words in quotes", () => {
    const input = writtenInput
    const seen = redact(input, ada)
    const [source] = seen.sources
    const quote = source?.text.split("\n")[1] ?? ""
    assert.notInclude(quote, "Ada")
    const result = evaluationResult(seen, {
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
    assert.deepStrictEqual(inOwnWords(result, input, seen).strengths, [
      "PostgreSQL: “Ada ran PostgreSQL at ada@example.com.”",
      "███ “knows” “Ada”",
    ])
    assert.deepStrictEqual(
      inOwnWords(result, input, seen).criteria[0]?.evidence.map((one) => one.quote),
      ["Ada ran PostgreSQL at ada@example.com."],
    )
  })
})

const writtenInput = inputOf("Ada Lovelace\nAda ran PostgreSQL at ada@example.com.\n")
