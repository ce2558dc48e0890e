import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  type Criterion,
  clip,
  type EvaluationInput,
  EvaluationResult,
  type EvaluatorOutput,
  type Evidence,
  evaluationResult,
  narrate,
  notScored,
  type Rating,
} from "../../src/evaluations/Evaluation.ts"
import { combineHolistic } from "../../src/evaluations/Holistic.ts"

const text = "I ran the billing database for three years.\nWe moved it to PostgreSQL 16."

const input: EvaluationInput = {
  interview_title: "Backend",
  position: null,
  language: null,
  requirements: [
    { id: "a", title: "PostgreSQL", content: null, hint: null, cfg_importance_id: 273 },
    { id: "b", title: " ", content: "Leads a team", hint: null, cfg_importance_id: 999 },
    { id: "c", title: null, content: null, hint: null, cfg_importance_id: null },
  ],
  sources: [
    { source: "answer", question_id: "q1", question: "Which database?", text },
    { source: "cv", question_id: null, question: null, text: "Lead of four people." },
  ],
}

const quoted = (quote: string, source: Evidence["source"] = "answer", question_id: string | null = "q1"): Evidence => ({
  quote,
  source,
  question_id,
})

const outputOf = (ratings: ReadonlyArray<Rating>): EvaluatorOutput => ({
  evaluator: "test/1",
  model: null,
  ratings,
  summary: "said so",
  strengths: ["strength"],
  gaps: ["gap"],
  recommendations: ["ask"],
  raw: null,
})

const full = (evidence: ReadonlyArray<Evidence>, requirement_id = "a"): Rating => ({
  requirement_id,
  level: "full",
  rationale: "because",
  evidence,
})

const criteriaFor = (...ratings: ReadonlyArray<Rating>) => evaluationResult(input, outputOf(ratings)).criteria

describe("evaluationResult", () => {
  it("scores the rated requirements and keeps the evaluator's prose", () => {
    const ratings: ReadonlyArray<Rating> = [
      full([quoted("We moved it to PostgreSQL 16.")]),
      { requirement_id: "b", level: "weak", rationale: "a little", evidence: [quoted("Lead of four", "cv", null)] },
      { requirement_id: "c", cannot_evaluate: "empty" },
    ]
    const result = evaluationResult(input, outputOf(ratings))
    assert.strictEqual(result.score, 8.5)
    assert.strictEqual(result.score_status, "scored")
    assert.strictEqual(result.summary, "said so")
    assert.deepStrictEqual(
      result.criteria.map(({ title, cfg_importance_id, weight, score, score_status }) => [
        title,
        cfg_importance_id,
        weight,
        score,
        score_status,
      ]),
      [
        ["PostgreSQL", 273, 4, 10, "scored"],
        ["Leads a team", 244, 1, 2.5, "scored"],
        ["Requirement 3", 244, 1, null, "cannot_evaluate"],
      ],
    )
    const json: unknown = JSON.parse(JSON.stringify(result))
    assert.deepStrictEqual(Schema.decodeUnknownSync(EvaluationResult)(json), result)
  })

  it.each([
    quoted("We moved it to Oracle."),
    quoted("we moved it to PostgreSQL 16."),
    quoted("We moved it to PostgreSQL 16.", "cv", null),
    quoted("We moved it to PostgreSQL 16.", "answer", "q2"),
    quoted(""),
    quoted(".\n"),
  ])("gives no credit for a quote that is not in its source: %j", (evidence) => {
    const [criterion] = criteriaFor(full([evidence]))
    assert.strictEqual(criterion?.score, 0)
    assert.isEmpty(criterion?.evidence)
    assert.notStrictEqual(criterion?.rationale, "because")
  })

  it("keeps verbatim quotes, once each and at most five", () => {
    const words = ["billing", "database", "three", "years", "moved", "PostgreSQL"].map((word) => quoted(word))
    const [criterion] = criteriaFor(full([quoted("invented"), quoted("billing"), ...words]))
    assert.strictEqual(criterion?.score, 10)
    assert.deepStrictEqual(criterion?.evidence, words.slice(0, 5))
  })

  it("takes a score between the levels only where it is nearest to the rating's level", () => {
    const scoreOf = (level: "none" | "strong", score: number) =>
      criteriaFor({ requirement_id: "a", level, score, rationale: "", evidence: [quoted("I ran")] })[0]?.score
    assert.strictEqual(scoreOf("strong", 8.26), 8.3)
    assert.strictEqual(scoreOf("strong", 6.25), 6.3)
    for (const score of [0, 6.2, 8.8, 10, 11, -1, Number.NaN, Number.POSITIVE_INFINITY])
      assert.strictEqual(scoreOf("strong", score), 7.5, String(score))
    assert.strictEqual(scoreOf("none", 0.46), 0.5)
    for (const score of [1.3, 9]) assert.strictEqual(scoreOf("none", score), 0)
  })

  it("takes the first rating of a requirement and ignores unknown requirements", () => {
    const [criterion, other] = criteriaFor(
      { requirement_id: "a", level: "none", rationale: "", evidence: [] },
      full([quoted("billing")]),
      full([quoted("billing")], "unknown"),
    )
    assert.strictEqual(criterion?.score, 0)
    assert.strictEqual(other?.score_status, "cannot_evaluate")
  })

  it("warns if requirements with less than half of the weight were rated", () => {
    const warningsFor = (...ids: ReadonlyArray<string>) =>
      evaluationResult(input, outputOf(ids.map((id) => full([quoted("billing")], id)))).warnings
    const message = "Only 2 of 3 requirements could be rated. The score does not cover the others."
    assert.deepStrictEqual(warningsFor("b", "c"), [{ code: "few_rated", message }])
    assert.isUndefined(warningsFor("a"))
    assert.isUndefined(warningsFor())
  })

  it("removes what Postgres cannot store from an evaluator's prose", () => {
    const output = { ...outputOf([full([quoted("billing")])]), summary: "a\0b\ud800c" }
    assert.strictEqual(evaluationResult(input, output).summary, "ab\ufffdc")
  })

  it("ignores ratings and prose when there is no text", () => {
    const sources = [{ source: "cv" as const, question_id: null, question: null, text: " …\n" }]
    const result = evaluationResult({ ...input, sources }, outputOf([full([quoted("…", "cv", null)])]))
    assert.strictEqual(result.score_status, "cannot_evaluate")
    assert.isNull(result.score)
    assert.isEmpty(result.strengths)
    assert.notStrictEqual(result.summary, "said so")
  })

  it("is not_scored without requirements or with an unavailable evaluator", () => {
    const empty = evaluationResult({ ...input, requirements: [] }, outputOf([]))
    const unavailable = notScored(input)
    for (const { score, score_status } of [empty, unavailable]) {
      assert.isNull(score)
      assert.strictEqual(score_status, "not_scored")
    }
    assert.strictEqual(unavailable.criteria.length, 3)
    assert.match(unavailable.summary, /unavailable/)
  })
})

describe("combineHolistic", () => {
  const criterion = (id: string, score: number | null, quotes: ReadonlyArray<Evidence> = []): Criterion => ({
    requirement_id: id,
    title: id,
    cfg_importance_id: 245,
    weight: 2,
    score,
    score_status: score === null ? "cannot_evaluate" : "scored",
    rationale: `rated ${score}`,
    evidence: quotes,
  })
  const result = (...criteria: ReadonlyArray<Criterion>): EvaluationResult => ({
    ...narrate(criteria),
    score: null,
    score_status: "scored",
    criteria,
  })
  const fromCv = quoted("CV line", "cv", null)
  const said = quoted("said aloud")

  it("takes the better supported rating of each requirement, with the quotes of both", () => {
    const combined = combineHolistic(
      result(criterion("a", 10, [fromCv]), criterion("b", 2.5, [fromCv]), criterion("c", null), criterion("d", 5)),
      result(criterion("a", 2.5, [said]), criterion("b", 7.5, [said]), criterion("c", 5, [said]), criterion("e", null)),
    )
    assert.deepStrictEqual(
      combined.criteria.map(({ requirement_id, score }) => [requirement_id, score]),
      [
        ["a", 10],
        ["b", 7.5],
        ["c", 5],
        ["e", null],
        ["d", 5],
      ],
    )
    assert.deepStrictEqual(combined.criteria[0]?.evidence, [fromCv, said])
    assert.deepStrictEqual(combined.criteria[1]?.evidence, [said, fromCv])
    assert.strictEqual(combined.criteria[0]?.rationale, "CV: rated 10")
    assert.strictEqual(combined.score, 6.9)
  })

  it("is never below either score", () => {
    const cv = result(criterion("a", 10), criterion("b", 0))
    const interview = result(criterion("a", 0), criterion("b", 7.5))
    assert.strictEqual(combineHolistic(cv, interview).score, 8.8)
    assert.strictEqual(combineHolistic(interview, cv).score, 8.8)
  })

  it("lists no gap that the other evaluation supports", () => {
    const { gaps, strengths } = combineHolistic(result(criterion("a", 0)), result(criterion("a", 10, [said])))
    assert.isEmpty(gaps)
    assert.deepStrictEqual(strengths, ["a: “said aloud”"])
  })

  it("says when only one of them has a score, in the summary and as a warning", () => {
    const scored = { ...result(criterion("a", 5, [said])), score: 5 }
    const none = { ...result(criterion("a", null)), score_status: "cannot_evaluate" as const }
    for (const [combined, message] of [
      [combineHolistic(none, scored), "This rests on the interview alone: the CV has no score."],
      [combineHolistic(scored, none), "This rests on the CV alone: the interview has no score."],
    ] as const) {
      assert.isTrue(combined.summary.endsWith(`\n${message}`))
      assert.deepStrictEqual(combined.warnings, [{ code: "one_part_scored", message }])
    }
    for (const one of [scored, none]) {
      assert.notMatch(combineHolistic(one, one).summary, /alone/)
      assert.isUndefined(combineHolistic(one, one).warnings)
    }
  })

  it("has the warnings of both, but not that one of them rated few requirements that the other rated", () => {
    const few = { code: "few_rated" as const, message: "Only 1 of 2 requirements could be rated." }
    const short = { code: "short_cv" as const, message: "The CV has 7 words." }
    const rated = { ...result(criterion("a", 5, [said]), criterion("b", 5)), warnings: [short] }
    const partly = { ...result(criterion("a", null), criterion("b", 5)), warnings: [few] }
    assert.deepStrictEqual(combineHolistic(rated, partly).warnings, [short])
  })

  it("has no score when neither has one", () => {
    const both = combineHolistic(result(criterion("a", null)), notScored(input))
    assert.strictEqual(both.score_status, "cannot_evaluate")
    assert.strictEqual(combineHolistic(notScored(input), notScored(input)).score_status, "not_scored")
    assert.strictEqual(combineHolistic(result(), result()).score_status, "not_scored")
  })
})

describe("narrate", () => {
  it("lists the heaviest gap first", () => {
    const { gaps, recommendations } = evaluationResult(input, {
      ...outputOf([]),
      ...narrate(
        criteriaFor(
          { requirement_id: "b", level: "none", rationale: "", evidence: [] },
          { requirement_id: "a", level: "none", rationale: "", evidence: [] },
        ),
      ),
      ratings: [{ requirement_id: "a", level: "none", rationale: "", evidence: [] }],
    })
    assert.deepStrictEqual(gaps, [
      "PostgreSQL (Must Have): no support found",
      "Leads a team (Good To Have): no support found",
    ])
    assert.match(recommendations[0] ?? "", /PostgreSQL/)
  })

  it("asks about the whole requirement", () => {
    const title = "Has led the on-call rotation of a team with at least twelve engineers through two large migrations"
    const criteria = criteriaFor({ requirement_id: "a", level: "none", rationale: "", evidence: [] })
    const { recommendations } = narrate(criteria.map((one) => ({ ...one, title })))
    assert.include(recommendations[0] ?? "", title)
  })
})

describe("clip", () => {
  it("cuts at the last blank, else between code points", () => {
    assert.strictEqual(clip("one two three", 9), "one two")
    assert.strictEqual(clip("one two three", 7), "one two")
    assert.strictEqual(clip("one two", 7), "one two")
    assert.strictEqual(clip("😀😀😀", 2), "😀😀")
  })

  const length = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 }))
  it.prop("is a prefix, not empty, and within the length", [Schema.NonEmptyString, length], ([whole, limit]) => {
    const cut = clip(whole, limit)
    assert.isTrue(whole.startsWith(cut))
    assert.isAtLeast(cut.length, 1)
    assert.isAtMost([...cut].length, limit)
  })
})
