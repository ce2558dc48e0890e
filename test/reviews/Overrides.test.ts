/** Overrides: overridden scores and repeated evaluations. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Result } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { type Evaluator, EvaluatorUnavailable } from "../../src/evaluations/Evaluator.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { People } from "../../src/privacy/People.ts"
import { Overrides } from "../../src/reviews/Overrides.ts"
import { Submissions } from "../../src/submissions/Submissions.ts"
import { MemberId, type OrganizationId, SubmissionId } from "../../src/values/Ids.ts"
import { Conflict, Invalid, NotFound } from "../../src/values/Problem.ts"
import * as Cvs from "../support/Cvs.ts"
import * as Members from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import { many, overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"

const round = Effect.flatMap(EvaluationQueue, ({ queue }) => runOnce(queue))
const unknown = "0190b5a2-7c1e-7def-8abc-0123456789ab"
const reason = "She explained the query plan in the call."

/** A recruiter of the organization, by default without a name. */
const member = Effect.fnUntraced(function* (organization: OrganizationId, email: string, name: string | null = null) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ id: string }>`
    insert into member (id, organization_id, email, name, role)
    values (gen_random_uuid(), ${organization}::int, ${email}, ${name}, 'recruiter') returning id`
  return Members.viewer(organization, { id: MemberId.make(row?.id ?? ""), email }, "recruiter", name)
}, Effect.orDie)

/** An evaluated candidate and a recruiter. */
const begin = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const candidate = yield* Scenario.invited(yield* Scenario.organization())
  yield* Scenario.completed(candidate)
  yield* round
  const { organization, subject } = candidate
  const service = yield* Overrides
  const recruiter = yield* member(organization, "rita@acme.example", "Rita")
  const submission = subject.submission_id
  const detail = Effect.flatMap(Submissions, (submissions) => submissions.detail(operator(organization), submission))
  const reviewed = { submission, evaluation_type: "interview" } as const
  return { candidate, organization, service, recruiter, submission, detail, reviewed }
})

const overrides = (detail: Effect.Success<Effect.Success<typeof begin>["detail"]>) =>
  detail.evaluations.map(({ evaluation_type, override }) => [evaluation_type, override] as const)

const audit = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql`
    select organization_id, member_id, action, record_type, record_id, detail, created_at from audit_log
    where action <> 'organization.create' order by id`
})

const failure = <A, E>(result: Result.Result<A, E>) => (Result.isFailure(result) ? result.failure : undefined)

describe("an override", () => {
  it.effect("keeps the evaluator's score, can be changed and withdrawn, and is in the audit log", () =>
    Effect.gen(function* () {
      const { detail, organization, recruiter, reviewed, service, submission } = yield* begin
      const before = yield* detail
      yield* TestClock.adjust("1 hour")
      yield* service.override(recruiter, { ...reviewed, score: 9.3, reason: `  ${reason} ` })
      const own = {
        score: 9.3,
        reason,
        member: { id: recruiter.id, name: "Rita" },
        at: "2026-01-01T01:00:00.000Z",
      }
      const after = yield* detail
      assert.deepStrictEqual(overrides(after), [["interview", own]])
      const without = after.evaluations.map((evaluation) => ({ ...evaluation, override: null }))
      assert.deepStrictEqual({ ...after, evaluations: without }, before, "nothing else changes")

      const other = yield* member(organization, "otto@acme.example")
      yield* service.override(other, { ...reviewed, score: 0, reason })
      const second = { ...own, score: 0, member: { id: other.id, name: "otto@acme.example" } }
      assert.deepStrictEqual(overrides(yield* detail), [["interview", second]])
      yield* service.withdrawOverride(recruiter, reviewed)
      yield* service.withdrawOverride(recruiter, reviewed)
      assert.deepStrictEqual(yield* detail, before)

      const { sql } = yield* Database
      const [evaluation] = yield* sql<{ id: string }>`select id from evaluation`
      const change = (member_id: string, from: typeof own | null, to: typeof own | null) => ({
        organization_id: organization,
        member_id,
        action: "evaluation.override",
        record_type: "evaluation",
        record_id: evaluation?.id,
        detail: { submission_id: submission, evaluation_type: "interview", before: from, after: to },
        created_at: new Date(Date.UTC(2026, 0, 1, 1)),
      })
      assert.deepStrictEqual(yield* audit, [
        change(recruiter.id, null, own),
        change(other.id, own, second),
        change(recruiter.id, second, null),
      ])
      assert.strictEqual((yield* Scenario.dataOf("interview.evaluation.update")).length, 1)
    }).pipe(Pod.provide()),
  )

  it.effect("survives another evaluation of the same text only", () =>
    Effect.gen(function* () {
      const { candidate, detail, recruiter, reviewed, service, submission } = yield* begin
      yield* Cvs.read(candidate)
      yield* round
      for (const [i, evaluation_type] of (["cv", "interview", "holistic"] as const).entries()) {
        yield* service.override(recruiter, { ...reviewed, evaluation_type, score: i, reason })
      }
      const scores = Effect.map(detail, (one) => overrides(one).map(([type, own]) => `${type} ${own?.score}`))
      const all = ["cv 0", "holistic 2", "interview 1"]
      assert.deepStrictEqual(yield* scores, all)
      yield* TestClock.adjust("1 hour")
      yield* service.evaluateAgain(recruiter, submission)
      assert.strictEqual(yield* round, 2)
      assert.deepStrictEqual(yield* scores, all)
      yield* service.withdrawOverride(recruiter, reviewed)
      yield* TestClock.adjust("1 hour")
      yield* service.evaluateAgain(recruiter, submission)
      yield* round
      assert.deepStrictEqual(yield* scores, [...all.slice(0, 2), "interview undefined"])
      yield* TestClock.adjust("1 hour")
      yield* Cvs.read(candidate, "Another CV.")
      yield* round
      assert.deepStrictEqual(yield* scores, ["cv undefined", "holistic undefined", "interview undefined"])
    }).pipe(Pod.provide()),
  )

  it.effect("is refused for an invalid score, a missing reason or another organization's submission", () =>
    Effect.gen(function* () {
      const { candidate, organization, recruiter, reviewed, service } = yield* begin
      const of = (changes: object, by = recruiter) =>
        Effect.result(service.override(by, { ...reviewed, score: 5, reason, ...changes }))
      const faults = (error: unknown) =>
        error instanceof Invalid ? error.errors.map(({ code, pointer }) => [pointer, code]) : error
      assert.deepStrictEqual(faults(failure(yield* of({ score: 10.1, reason: "no" }))), [
        ["#/score", "out_of_range"],
        ["#/reason", "too_short"],
      ])
      const missing = (record: string) => new NotFound({ record })
      assert.deepStrictEqual(failure(yield* of({ evaluation_type: "cv" })), missing("evaluation"))
      assert.deepStrictEqual(failure(yield* of({ submission: SubmissionId.make(unknown) })), missing("evaluation"))
      assert.deepStrictEqual(failure(yield* of({}, { ...recruiter, id: MemberId.make(unknown) })), missing("member"))
      const { id: theirs } = yield* Scenario.organization({}, "Theirs")
      const stranger = yield* member(theirs, "sam@theirs.example")
      assert.deepStrictEqual(failure(yield* of({}, { ...stranger, organizationId: organization })), missing("member"))
      for (const step of [
        service.override(stranger, { ...reviewed, score: 5, reason }),
        service.withdrawOverride(stranger, reviewed),
      ]) {
        assert.deepStrictEqual(failure(yield* Effect.result(step)), missing("evaluation"))
      }
      assert.deepStrictEqual(
        failure(yield* Effect.result(service.evaluateAgain(stranger, candidate.subject.submission_id))),
        missing("submission"),
      )
      assert.strictEqual(yield* service.evaluateUnanswered(operator(theirs), new Date(0)), 0)
      assert.deepStrictEqual(yield* audit, [])
    }).pipe(Pod.provide()),
  )

  it.effect("is refused for an erased person, also when it waits for the erasure, and can be withdrawn", () =>
    Effect.gen(function* () {
      const { candidate, detail, organization, recruiter, reviewed, service, submission } = yield* begin
      yield* service.override(recruiter, { ...reviewed, score: 9, reason })
      const erase = (yield* People).erase(operator(organization), candidate.subject.candidate_id)
      const again = service.override(recruiter, { ...reviewed, score: 8, reason: "Ada Lovelace explained it." })
      const erased = new Conflict({ reason: "the candidate's personal data were erased" })
      assert.deepStrictEqual(failure(yield* overtaken(erase, again)), erased)
      assert.deepStrictEqual(failure(yield* Effect.result(again)), erased)
      assert.notInclude(JSON.stringify([yield* detail, yield* audit]), "Lovelace")
      // another evaluation would replace the score, which is kept for statistics
      assert.instanceOf(
        failure(yield* Effect.result(service.evaluateAgain(operator(organization), submission))),
        Conflict,
      )
      yield* service.withdrawOverride(recruiter, reviewed)
      assert.deepStrictEqual(overrides(yield* detail), [["interview", null]])
    }).pipe(Pod.provide()),
  )

  it.effect("is not lost to an evaluation that ends concurrently", () =>
    Effect.gen(function* () {
      const { detail, recruiter, reviewed, service, submission } = yield* begin
      const { queue } = yield* EvaluationQueue
      yield* TestClock.adjust("1 hour")
      yield* service.evaluateAgain(recruiter, submission)
      const outcomes = yield* Effect.flatMap(queue.claim(1), Effect.forEach(queue.perform))
      yield* overtaken(service.override(recruiter, { ...reviewed, score: 9, reason }), queue.settle(outcomes))
      assert.deepStrictEqual(
        overrides(yield* detail).map(([, own]) => own?.score),
        [9],
      )
      yield* TestClock.adjust("1 hour")
      yield* service.evaluateAgain(recruiter, submission)
      const later = yield* Effect.flatMap(queue.claim(1), Effect.forEach(queue.perform))
      yield* overtaken(queue.settle(later), service.override(recruiter, { ...reviewed, score: 8, reason }))
      assert.deepStrictEqual(
        overrides(yield* detail).map(([, own]) => own?.score),
        [8],
      )
    }).pipe(Pod.provide()),
  )
})

describe("evaluating again", () => {
  it.effect("queues what exists once, notes it, and adds a row beside the old one", () =>
    Effect.gen(function* () {
      const { candidate, organization, recruiter, service, submission } = yield* begin
      const { sql } = yield* Database
      const pod = Context.get(yield* Pod.start(), Overrides)
      const results = yield* Effect.all(
        [service, pod].map((one) => many(Effect.exit(one.evaluateAgain(recruiter, submission)))),
        { concurrency: "unbounded" },
      )
      const queued = results.flat().filter(Exit.isSuccess)
      assert.deepStrictEqual(
        queued.map(({ value }) => value),
        [["interview"]],
      )
      assert.deepStrictEqual(
        failure(yield* Effect.result(service.evaluateAgain(recruiter, submission))),
        new Conflict({ reason: "the submission is being evaluated already" }),
      )
      assert.strictEqual(yield* round, 1)
      yield* Cvs.read(candidate)
      yield* round
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* service.evaluateAgain(operator(organization), submission), ["cv", "interview"])
      assert.strictEqual(yield* round, 2)
      assert.deepStrictEqual(
        yield* sql`select evaluation_type, count(*)::int as count from evaluation group by 1 order by 1`,
        [
          { evaluation_type: "cv", count: 2 },
          { evaluation_type: "holistic", count: 2 },
          { evaluation_type: "interview", count: 3 },
        ],
      )
      const entry = { organization_id: organization, record_type: "submission", record_id: submission }
      const noted = (yield* audit).map(({ created_at: _, ...one }) => one)
      assert.deepStrictEqual(noted, [
        { ...entry, action: "submission.evaluate_again", member_id: recruiter.id, detail: { types: ["interview"] } },
        { ...entry, action: "submission.evaluate_again", member_id: null, detail: { types: ["cv", "interview"] } },
      ])
    }).pipe(Pod.provide()),
  )

  it.effect("fails when nothing was submitted or read", () =>
    Effect.gen(function* () {
      const { candidate, organization, service } = yield* begin
      const invited = yield* Scenario.invited({ id: organization, set: candidate.set }, "bo@example.com")
      const again = Effect.result(service.evaluateAgain(operator(organization), invited.subject.submission_id))
      const nothing = new Conflict({
        reason: "there is nothing to evaluate: no readable CV and no submitted answers",
      })
      assert.deepStrictEqual(failure(yield* again), nothing)
      yield* Cvs.read(invited, null)
      yield* round
      assert.deepStrictEqual(failure(yield* again), nothing)
      yield* (yield* Interviews).start(invited.token)
      assert.deepStrictEqual(failure(yield* again), nothing)
    }).pipe(Pod.provide()),
  )

  let away: ReadonlyArray<string> = []
  const evaluate: Evaluator["Service"]["evaluate"] = (input) =>
    away.includes(input.sources[0]?.source ?? "")
      ? Effect.fail(new EvaluatorUnavailable({ reason: "refused", retryable: false }))
      : Pod.strong(input)

  it.effect("queues only what failed since a time because the evaluator was unavailable, of one organization", () =>
    Effect.gen(function* () {
      away = []
      const { organization, service, submission, ...first } = yield* begin
      const { sql } = yield* Database
      const { set } = first.candidate
      const noRequirements = yield* Scenario.organization({ iai_requirements: [] }, "Other")
      yield* Scenario.completed(yield* Scenario.invited(noRequirements))
      const of = Effect.fnUntraced(function* (email: string) {
        const candidate = yield* Scenario.invited({ id: organization, set }, email)
        yield* Scenario.completed(candidate)
        yield* Cvs.read(candidate)
        while ((yield* round) > 0);
        return candidate.subject.submission_id
      })
      away = ["answer"]
      const early = yield* of("early@example.com")
      yield* TestClock.adjust("1 hour")
      const since = new Date(Date.UTC(2026, 0, 1, 1))
      const answers = yield* of("answers@example.com")
      away = ["answer", "cv"]
      const both = yield* of("both@example.com")
      away = []
      yield* TestClock.adjust("1 hour")
      // an earlier CV than the evaluated one
      yield* sql`update submission set cv_deleted_at = created_at - interval '1 day' where id = ${both}::uuid`
      assert.strictEqual(yield* service.evaluateUnanswered(operator(organization), since), 3)
      const queued = sql`select submission_id, evaluation_type from evaluation where state = 'queued' order by 1, 2`
      assert.sameDeepMembers(
        [...(yield* queued)],
        [
          { submission_id: answers, evaluation_type: "interview" },
          { submission_id: both, evaluation_type: "cv" },
          { submission_id: both, evaluation_type: "interview" },
        ],
      )
      assert.strictEqual(yield* service.evaluateUnanswered(operator(organization), since), 0, "they are on their way")
      while ((yield* round) > 0);
      assert.strictEqual(yield* service.evaluateUnanswered(operator(organization), since), 0, "they have a score")
      const detail = Effect.fnUntraced(function* (id: typeof submission) {
        return (yield* (yield* Submissions).detail(operator(organization), id)).score_status
      })
      assert.strictEqual(yield* detail(both), "scored")
      assert.strictEqual(yield* service.evaluateUnanswered(operator(organization), new Date(0)), 1)
      while ((yield* round) > 0);
      assert.strictEqual(yield* detail(early), "scored")
    }).pipe(Pod.provide({ evaluate })),
  )

  it.effect("leaves evaluations that fail meanwhile to the next call", () =>
    Effect.gen(function* () {
      away = ["answer"]
      const { organization, service } = yield* begin
      const { sql } = yield* Database
      yield* sql`update evaluation set evaluated_at = evaluated_at + interval '1 second'`
      assert.strictEqual(yield* service.evaluateUnanswered(operator(organization), new Date(0)), 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* service.evaluateUnanswered(operator(organization), new Date(0)), 1)
    }).pipe(Pod.provide({ evaluate })),
  )

  it.effect("queues everything once in concurrent calls", () =>
    Effect.gen(function* () {
      away = []
      const { organization, service } = yield* begin
      const { sql } = yield* Database
      const some = 1100
      yield* sql`
        with b as (
          insert into submission select (b).* from (
            select jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid())) as b
            from submission b cross join generate_series(1, ${some}::int)) all_of
          returning *
        )
        insert into evaluation select (e).* from (
          select jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'submission_id', b.id, 'error', 'refused')) as e
          from evaluation e cross join b) all_of`
      const pod = Context.get(yield* Pod.start({ evaluate }), Overrides)
      const counts = yield* Effect.all(
        [service, pod].map((one) => one.evaluateUnanswered(operator(organization), new Date(0))),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(
        counts.reduce((a, b) => a + b),
        some,
      )
      assert.deepStrictEqual(
        yield* sql`
          select count(*)::int as count, count(distinct submission_id)::int as submissions from evaluation where state = 'queued'`,
        [{ count: some, submissions: some }],
      )
    }).pipe(Pod.provide({ evaluate })),
  )
})
