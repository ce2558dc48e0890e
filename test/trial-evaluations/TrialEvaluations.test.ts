import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { type EvaluationRequirement, notScored } from "../../src/evaluations/Evaluation.ts"
import { Evaluator, EvaluatorUnavailable } from "../../src/evaluations/Evaluator.ts"
import type { InterviewSet } from "../../src/interview-sets/InterviewSet.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { changeOf, type EvaluatedSubmission, resultOf } from "../../src/trial-evaluations/TrialEvaluation.ts"
import { TrialEvaluations, type TrialPlan } from "../../src/trial-evaluations/TrialEvaluations.ts"
import * as Computation from "../support/Computation.ts"
import * as Cvs from "../support/Cvs.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import { byTitle, evaluateAll, evaluated } from "./evaluated.ts"

const both = "I ran PostgreSQL on Kubernetes."
const one = "I ran PostgreSQL for years."
const neither = "I baked bread."

const requirementsOf = (set: InterviewSet): ReadonlyArray<EvaluationRequirement> =>
  set.iai_requirements.map(({ cfg_importance_id, content, hint, id, title }) => ({
    id,
    title,
    content,
    hint,
    cfg_importance_id,
  }))

const submissionsOf = Effect.fnUntraced(function* ({
  id,
  set,
}: {
  id: Parameters<typeof Scenario.invited>[0]["id"]
  set: InterviewSet
}) {
  const trials = yield* TrialEvaluations
  return [...(yield* Stream.runCollect(trials.submissions(id, set.id)))]
})

const scoresUnder = Effect.fnUntraced(function* (submissions: ReadonlyArray<EvaluatedSubmission>, plan: TrialPlan) {
  const trials = yield* TrialEvaluations
  return yield* Effect.forEach(submissions, (submission) =>
    Effect.map(trials.evaluate(submission, plan), ({ result }) => result.score),
  )
})

const storedScores = (submissions: ReadonlyArray<EvaluatedSubmission>) =>
  submissions.map(({ parts }) => resultOf(parts)?.score)

const counting = () => {
  const calls = { count: 0 }
  const evaluate: Evaluator["Service"]["evaluate"] = (input) => {
    calls.count += 1
    return byTitle(input)
  }
  return { calls, evaluate }
}

const byKeywords: Evaluator["Service"]["evaluate"] = (input) =>
  Effect.flatMap(Evaluator, ({ evaluate }) => evaluate(input)).pipe(Effect.provide(Computation.keywordEvaluator))

const databaseState = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql`
    select (select jsonb_agg(to_jsonb(e) order by e.id) from evaluation e) as evaluations,
      (select jsonb_agg(to_jsonb(k) order by k.submission_id) from submission_score k) as scores,
      (select count(*)::int from webhook_event) as events, (select count(*)::int from record_entry) as entries`
})

describe("a trial evaluation", () => {
  const weighing = counting()
  it.effect("computes scores with other weights from the stored ratings, without the evaluator", () =>
    Effect.gen(function* () {
      const { id, set } = yield* evaluated([both, one, neither])
      const before = yield* databaseState
      const submissions = yield* submissionsOf({ id, set })
      assert.deepStrictEqual(storedScores(submissions), [10, 8, 0])
      weighing.calls.count = 0
      const alike = requirementsOf(set).map((each) => ({ ...each, cfg_importance_id: 244 }))
      assert.deepStrictEqual(yield* scoresUnder(submissions, { requirements: alike }), [10, 5, 0])
      assert.strictEqual(weighing.calls.count, 0)
      assert.deepStrictEqual(yield* databaseState, before)
    }).pipe(Pod.provide({ evaluate: weighing.evaluate })),
  )

  it.effect("rates stored texts against changed requirements, and says which quotes were found and lost", () =>
    Effect.gen(function* () {
      const { id, set } = yield* evaluated([both, one, neither])
      const submissions = yield* submissionsOf({ id, set })
      const changed = requirementsOf(set).map((each, i) => (i === 0 ? { ...each, title: "bread" } : each))
      assert.deepStrictEqual(yield* scoresUnder(submissions, { requirements: changed }), [2, 0, 8])
      const trials = yield* TrialEvaluations
      const [, , last] = submissions
      const subject = yield* Effect.fromNullishOr(last)
      const before = yield* Effect.fromNullishOr(resultOf(subject.parts))
      const { criteria, ...change } = changeOf(
        before,
        (yield* trials.evaluate(subject, { requirements: changed })).result,
      )
      assert.deepStrictEqual(change, { direction: "up", before: 0, after: 8, met_before: 0, met_after: 1 })
      assert.deepStrictEqual(
        criteria.map(({ after, before: was, found, lost, outcome_after, outcome_before, title }) => [
          title,
          was,
          after,
          outcome_before,
          outcome_after,
          found.map(({ quote }) => quote),
          lost,
        ]),
        [["bread", 0, 10, "no match found", "met", ["bread"], []]],
      )
    }).pipe(Pod.provide({ evaluate: byTitle })),
  )

  it.effect("adds and removes requirements", () =>
    Effect.gen(function* () {
      const { id, set } = yield* evaluated([one])
      const submissions = yield* submissionsOf({ id, set })
      const [first] = requirementsOf(set)
      const kept = yield* Effect.fromNullishOr(first)
      const added = { ...kept, id: "00000000-0000-0000-0000-000000000001", title: "years" }
      assert.deepStrictEqual(yield* scoresUnder(submissions, { requirements: [kept] }), [10])
      assert.deepStrictEqual(yield* scoresUnder(submissions, { requirements: [added] }), [10])
      assert.deepStrictEqual(yield* scoresUnder(submissions, { requirements: [] }), [null])
    }).pipe(Pod.provide({ evaluate: byTitle })),
  )

  it.effect("combines the CV and the interview as the score does", () =>
    Effect.gen(function* () {
      const { candidates, id, set } = yield* evaluated([one])
      const candidate = yield* Effect.fromNullishOr(candidates[0])
      yield* Cvs.read(candidate, "I ran Kubernetes.")
      yield* evaluateAll
      const submissions = yield* submissionsOf({ id, set })
      assert.deepStrictEqual(storedScores(submissions), [10])
      assert.deepStrictEqual(
        submissions.flatMap(({ parts }) => parts.map(({ evaluation_type, result }) => [evaluation_type, result.score])),
        [
          ["cv", 2],
          ["interview", 8],
        ],
      )
      const { sql } = yield* Database
      assert.deepStrictEqual(yield* sql`select score::float8 as score from submission_score`, [{ score: 10 }])
      assert.deepStrictEqual(yield* scoresUnder(submissions, { evaluator: Evaluator.of({ evaluate: byTitle }) }), [10])
    }).pipe(Pod.provide({ evaluate: byTitle })),
  )

  it.effect("changes current texts and the person before it redacts them", () =>
    Effect.gen(function* () {
      const { id, set } = yield* evaluated(["I am Ada. I ran PostgreSQL."])
      const trials = yield* TrialEvaluations
      const [stored] = yield* submissionsOf({ id, set })
      assert.deepStrictEqual(
        stored?.parts.map(({ input, person }) => [input.sources[0]?.text, person]),
        [["I am ███. I ran PostgreSQL.", null]],
      )
      const { submissions } = yield* trials.read(id, set.id, { texts: "current" })
      const subject = yield* Effect.fromNullishOr(submissions[0])
      assert.deepStrictEqual(
        subject.parts.map(({ input, person }) => [input.sources[0]?.text, person?.name]),
        [["I am Ada. I ran PostgreSQL.", "Ada"]],
      )
      const seen: Array<string> = []
      const evaluator = Evaluator.of({
        evaluate: (input) => {
          seen.push(...input.sources.map(({ text }) => text))
          return byTitle(input)
        },
      })
      const { result } = yield* trials.evaluate(subject, {
        evaluator,
        change: ({ input, person }) => ({
          input: {
            ...input,
            sources: input.sources.map((source) => ({ ...source, text: source.text.replace("Ada", "Björn") })),
          },
          person: person === null ? null : { ...person, name: "Björn" },
        }),
      })
      assert.deepStrictEqual(seen, ["I am █████. I ran PostgreSQL."])
      assert.strictEqual(result.score, 8)
    }).pipe(Pod.provide({ evaluate: byTitle })),
  )

  it.effect("gives the stored scores again with the same evaluator", () =>
    Effect.gen(function* () {
      const { id, set } = yield* evaluated([both, one, neither])
      const submissions = yield* submissionsOf({ id, set })
      const evaluator = Evaluator.of({ evaluate: byKeywords })
      assert.deepStrictEqual(yield* scoresUnder(submissions, { evaluator }), storedScores(submissions))
    }).pipe(Pod.provide({ evaluate: byKeywords })),
  )

  it.effect("reads all submissions in batches, from a position, or a sample that stays the same", () =>
    Effect.gen(function* () {
      const { candidates, id, set } = yield* evaluated(Array.from({ length: 23 }, () => one))
      const trials = yield* TrialEvaluations
      const all = yield* submissionsOf({ id, set })
      assert.deepStrictEqual(
        all.map(({ submission_id }) => submission_id as string),
        candidates.map(({ subject }) => subject.submission_id as string),
      )
      assert.strictEqual(yield* trials.count(id, set.id), 23)
      const first = yield* trials.read(id, set.id)
      const rest = yield* trials.read(id, set.id, { after: first.next })
      assert.deepStrictEqual([first.submissions.length, rest.submissions.length, rest.next], [20, 3, undefined])
      const sample = yield* trials.read(id, set.id, { sample: 4 })
      assert.strictEqual(sample.submissions.length, 4)
      assert.deepStrictEqual(yield* trials.read(id, set.id, { sample: 4 }), sample)
    }).pipe(Pod.provide({ evaluate: byTitle })),
  )

  it.effect("does not read another organization's submissions, nor those without an evaluation", () =>
    Effect.gen(function* () {
      const { id, set } = yield* evaluated([one])
      yield* Scenario.invited({ id, set }, "later@example.com")
      const other = yield* Scenario.organization({}, "Other")
      const trials = yield* TrialEvaluations
      assert.strictEqual((yield* trials.read(id, set.id)).submissions.length, 1)
      assert.deepStrictEqual((yield* trials.read(other.id, set.id)).submissions, [])
      assert.strictEqual(yield* trials.count(other.id, set.id), 0)
    }).pipe(Pod.provide({ evaluate: byTitle })),
  )

  it.effect("is not computable without texts, but new weights still are", () =>
    Effect.gen(function* () {
      const { id, set } = yield* evaluated([one])
      const { sql } = yield* Database
      yield* sql`update evaluation set input = null`
      yield* sql`delete from answer`
      const submissions = yield* submissionsOf({ id, set })
      const alike = requirementsOf(set).map((each) => ({ ...each, cfg_importance_id: 244 }))
      assert.deepStrictEqual(yield* scoresUnder(submissions, { requirements: alike }), [5])
      const changed = alike.map((each) => ({ ...each, title: "bread" }))
      const failure = yield* Effect.flip(scoresUnder(submissions, { requirements: changed }))
      assert.strictEqual(failure.message, "The candidate's texts were deleted.")
    }).pipe(Pod.provide({ evaluate: byTitle })),
  )

  it.effect(
    "evaluates the current texts where no input is stored, and passes on that the evaluator is unavailable",
    () =>
      Effect.gen(function* () {
        const { id, set } = yield* evaluated([one])
        const { sql } = yield* Database
        yield* sql`update evaluation set input = null`
        const submissions = yield* submissionsOf({ id, set })
        const evaluator = Evaluator.of({ evaluate: byTitle })
        assert.deepStrictEqual(yield* scoresUnder(submissions, { evaluator }), [8])
        const down = Evaluator.of({
          evaluate: () => Effect.fail(new EvaluatorUnavailable({ reason: "overloaded", retryable: true })),
        })
        const failure = yield* Effect.flip(scoresUnder(submissions, { evaluator: down }))
        assert.strictEqual(failure._tag, "EvaluatorUnavailable")
      }).pipe(Pod.provide({ evaluate: byTitle })),
  )
})

describe("changeOf", () => {
  it("compares no score with a missing one", () => {
    const nothing = notScored({ interview_title: "", position: null, language: null, requirements: [], sources: [] })
    assert.strictEqual(changeOf(nothing, { ...nothing, score: 5 }).direction, "not_comparable")
    assert.deepStrictEqual(changeOf(nothing, nothing).criteria, [])
  })
})
