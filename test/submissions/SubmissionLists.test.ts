/** Lists of submissions. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import type { CandidateEntry } from "../../src/candidates/Candidate.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { InviteRequest } from "../../src/invitations/InviteRequest.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { Submissions } from "../../src/submissions/Submissions.ts"
import { emptyReference } from "../../src/values/ExternalReference.ts"
import type { HiringStageId, SubmissionId } from "../../src/values/Ids.ts"
import * as Pod from "../support/Pod.ts"
import { assertPaging, fewRuns, firstPage, Sizes } from "../support/pages.ts"
import * as Scenario from "../support/Scenario.ts"

const ats = "0190b5a2-7c1e-7def-8abc-0123456789ab"

const begin = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const organization = yield* Scenario.organization()
  const { id, set } = organization
  const other = yield* (yield* InterviewSets).create(operator(id), { title: "Other" })
  const submissions = yield* Submissions
  const invite = Effect.fnUntraced(function* (target: typeof set, candidate: CandidateEntry) {
    const request = InviteRequest.make({ com_interview_set_id: target.id, candidates: [candidate] })
    const [result] = yield* Scenario.invite(operator(id), request)
    return yield* Effect.fromNullishOr(result?.submission)
  })
  const list = (filter: Parameters<typeof submissions.list>[1], of = id) =>
    Effect.map(submissions.list(operator(of), filter, firstPage), ({ results }) => results)
  const ids = (filter: Parameters<typeof submissions.list>[1], of = id) =>
    Effect.map(list(filter, of), (results) => new Set(results.map((one) => one.id)))
  return { organization, id, set, other, invite, submissions, list, ids }
})

/** Stores a finished evaluation; `minutes` is when it was queued. */
const evaluated = Effect.fnUntraced(function* (
  submission: SubmissionId,
  type: string,
  minutes: number,
  result: { readonly score: number | null; readonly score_status: string } | undefined,
) {
  const { sql } = yield* Database
  const whole = { summary: "", strengths: [], gaps: [], recommendations: [], criteria: [], ...result }
  const done = result !== undefined
  yield* sql`
    insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, result, evaluated_at, created_at,
      state, due_at)
    select gen_random_uuid(), organization_id, id, ${type}, 1, ${done ? JSON.stringify(whole) : null}::text::jsonb,
      case when ${done}::bool then now() end, '2026-01-01T00:00:00Z'::timestamptz + ${minutes}::int * interval '1 minute',
      case when ${done}::bool then 'done' else 'queued' end, case when ${done}::bool then null else now() end
    from submission where id = ${submission}::uuid`
})

layer(Pod.layer())("Submissions", (it) => {
  it.effect("show the candidate, the newest invitation and the time of each step", () =>
    Effect.gen(function* () {
      const { id, list, organization, set } = yield* begin
      const invited = yield* Scenario.invited(organization)
      const { candidate_id, invitation_id, submission_id } = invited.subject
      yield* TestClock.adjust("90 seconds")
      const expected = {
        id: submission_id,
        submission_url: `http://localhost:8080/submissions/${submission_id}`,
        status_text: "need_interview",
        interview_set: { id: set.id, title: "Backend Engineer", external_id: null },
        candidate: {
          id: candidate_id,
          ats_candidate_id: null,
          ...emptyReference,
          email: "ada@example.com",
          name: "Ada",
        },
        invitation: { id: invitation_id, status_text: "pending" },
        score: null,
        score_status: "not_scored",
        decision: { decision: null, reason: null, decided_by: null, decided_at: null },
        stage: null,
        decision_version: 0,
        stage_version: 0,
        has_knock_out: false,
        tags: [],
        created_at: "2026-01-01T00:00:00.000Z",
        initiated_at: null,
        started_at: null,
        completed_at: null,
        declined_at: null,
        decline_reason: null,
      }
      // the database's time
      const without = ({ updated_at, ...line }: { readonly updated_at: string }) => {
        assert.match(updated_at, /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/)
        return line
      }
      const shown = Effect.map(list({}), (lines) => lines.map(without))
      assert.deepStrictEqual<unknown>(yield* shown, [expected])
      yield* Scenario.completed(invited)
      const at = "2026-01-01T00:01:30.000Z"
      const done = { ...expected, status_text: "completed", initiated_at: at, started_at: at, completed_at: at }
      assert.deepStrictEqual<unknown>(yield* shown, [done])
      const { sql } = yield* Database
      const newer = "00000000-0000-4000-8000-000000000001"
      yield* sql`update invitation set status = 'failed' where organization_id = ${id}::int`
      yield* sql`
        insert into invitation (id, organization_id, interview_set_id, candidate_id, submission_id, email, expires_at, created_at)
        select gen_random_uuid(), organization_id, interview_set_id, candidate_id, submission_id, email, expires_at, created_at
        from invitation where organization_id = ${id}::int`
      yield* sql`
        update invitation set id = ${newer}::uuid, created_at = created_at + interval '1 microsecond'
        where organization_id = ${id}::int and status = 'pending'`
      assert.deepStrictEqual<unknown>(yield* shown, [{ ...done, invitation: { id: newer, status_text: "pending" } }])
    }),
  )

  it.effect("are filtered by the time of their last change, also of the score", () =>
    Effect.gen(function* () {
      const { ids, list, organization } = yield* begin
      const one = yield* Scenario.invited(organization)
      const other = yield* Scenario.invited(organization, "bob@example.com")
      const { sql } = yield* Database
      const age = Effect.forEach(
        ["submission", "submission_score"],
        (table) =>
          sql`update ${sql(table)} set updated_at = '2026-01-01T00:00:00Z' where organization_id = ${organization.id}::int`,
      )
      const changed = ids({ updated_since: "2026-01-01T00:00:00.001Z" })
      const { submission_id } = one.subject
      yield* age
      assert.deepStrictEqual(yield* changed, new Set())
      const both = new Set([submission_id, other.subject.submission_id])
      assert.deepStrictEqual(yield* ids({ updated_since: "2026-01-01T02:00:00+02:00" }), both)
      yield* Scenario.completed(one)
      assert.deepStrictEqual(yield* changed, new Set([submission_id]))
      yield* age
      yield* evaluated(submission_id, "interview", 2, { score: 5, score_status: "scored" })
      assert.deepStrictEqual(yield* changed, new Set([submission_id]))
      yield* age
      yield* evaluated(submission_id, "interview", 3, { score: 6, score_status: "scored" })
      assert.deepStrictEqual(yield* changed, new Set([submission_id]))
      const [line] = yield* list({ updated_since: "2026-01-01T00:00:00.001Z" })
      assert.isAbove(Date.parse(line?.updated_at ?? ""), Date.parse("2026-01-02T00:00:00Z"))
      yield* age
      yield* sql`update submission set status = status where organization_id = ${organization.id}::int`
      assert.deepStrictEqual(yield* changed, new Set())
    }),
  )

  it.effect("have their stage, and are filtered by it", () =>
    Effect.gen(function* () {
      const { id, ids, list, organization } = yield* begin
      const one = yield* Scenario.invited(organization)
      const other = yield* Scenario.invited(organization, "bob@example.com")
      const { sql } = yield* Database
      const [stage] = yield* sql<{ id: HiringStageId; name: string }>`
        select id, name from hiring_stage where organization_id = ${id}::int and name = 'Offer'`
      assert(stage !== undefined)
      yield* sql`update submission set stage_id = ${stage.id}::uuid where id = ${one.subject.submission_id}::uuid`
      const [line] = yield* list({ stage: stage.id })
      assert.deepInclude(line, { id: one.subject.submission_id, stage: { ...stage } })
      assert.deepStrictEqual(yield* ids({ stage: stage.id }), new Set([one.subject.submission_id]))
      assert.deepStrictEqual(yield* ids({ stage: "none" }), new Set([other.subject.submission_id]))
    }),
  )

  it.effect("have the time of the last change's statement, not of its transaction's start", () =>
    Effect.gen(function* () {
      const { sql, transaction } = yield* Database
      const tables = ["submission", "submission_score", "invitation", "interview_set"]
      const change = Effect.gen(function* () {
        const { id, ...organization } = yield* Scenario.organization()
        const { subject } = yield* Scenario.invited({ id, ...organization })
        yield* evaluated(subject.submission_id, "interview", 1, { score: 5, score_status: "scored" })
        const isLater = (table: string) =>
          Effect.map(
            sql<{ later: boolean }>`
              select updated_at > now() as later from ${sql(table)} where organization_id = ${id}::int`,
            (rows) => [table, ...rows.map(({ later }) => later)],
          )
        const created = yield* Effect.forEach(tables, isLater)
        // another time, so that the trigger sets it
        yield* Effect.forEach(
          tables,
          (table) =>
            sql`update ${sql(table)} set updated_at = '2026-01-01T00:00:00Z' where organization_id = ${id}::int`,
        )
        yield* sql`update submission set external_id = 'a' where organization_id = ${id}::int`
        yield* sql`update invitation set message = 'a' where organization_id = ${id}::int`
        yield* sql`update interview_set set title = 'a' where organization_id = ${id}::int`
        yield* evaluated(subject.submission_id, "interview", 2, { score: 6, score_status: "scored" })
        return [created, yield* Effect.forEach(tables, isLater)]
      })
      const expected = tables.map((table) => [table, true])
      assert.deepStrictEqual(yield* transaction(change), [expected, expected])
    }),
  )

  it.effect("have the score of the newest holistic evaluation, else interview, else cv", () =>
    Effect.gen(function* () {
      const { id, list, organization, submissions } = yield* begin
      const { subject } = yield* Scenario.invited(organization)
      const steps = [
        ["cv", 5, { score: 3.5, score_status: "scored" }, 3.5, "scored"],
        ["interview", 2, { score: 5, score_status: "scored" }, 5, "scored"],
        ["interview", 1, { score: 9, score_status: "scored" }, 5, "scored"],
        ["holistic", 3, undefined, 5, "scored"],
        ["holistic", 2, { score: null, score_status: "cannot_evaluate" }, null, "cannot_evaluate"],
        ["interview", 9, { score: 1, score_status: "scored" }, null, "cannot_evaluate"],
      ] as const
      for (const [type, minutes, result, score, score_status] of steps) {
        yield* evaluated(subject.submission_id, type, minutes, result)
        const [line] = yield* list({})
        const detail = yield* submissions.detail(operator(id), subject.submission_id)
        assert.deepInclude(line, { score, score_status })
        assert.deepInclude(detail, { score, score_status })
      }
    }),
  )

  it.effect("are filtered by set, status, candidate, ats_candidate_id, or several of them", () =>
    Effect.gen(function* () {
      const { ids, invite, list, other, set } = yield* begin
      const ada = yield* invite(set, { ats_candidate_id: ats, email: "ada@example.com" })
      const bob = yield* invite(set, { email: "Bob@Example.com" })
      const again = yield* invite(other, { ats_candidate_id: ats, email: "ada@example.com" })
      const cv = yield* invite(set, { cv_link: "https://203.0.114.7/cv.pdf" })
      const all = [ada.id, bob.id, again.id, cv.id]
      const candidate = (yield* list({ interview_set_id: other.id }))[0]?.candidate.id
      const expected: ReadonlyArray<readonly [Parameters<typeof ids>[0], ReadonlyArray<string>]> = [
        [{}, all],
        [{ interview_set_id: null, status: undefined, candidate_id: null, ats_candidate_id: null }, all],
        [{ interview_set_id: set.id.toUpperCase() }, [ada.id, bob.id, cv.id]],
        [{ status: "cv_processing" }, [cv.id]],
        [{ status: "withdrawn" }, []],
        [{ candidate_id: candidate }, [ada.id, again.id]],
        [{ ats_candidate_id: ats.toUpperCase() }, [ada.id, again.id]],
        [{ ats_candidate_id: candidate }, []],
        [{ email: "ADA@Example.com" }, [ada.id, again.id]],
        [{ email: "<ada@example.com>" }, [ada.id, again.id]],
        [{ email: "ada@example.org" }, []],
        [{ interview_set_id: set.id, email: "bob@example.com" }, [bob.id]],
        [{ interview_set_id: set.id, status: "need_interview", ats_candidate_id: ats }, [ada.id]],
      ]
      for (const [filter, found] of expected) {
        assert.deepStrictEqual(yield* ids(filter), new Set(found), JSON.stringify(filter))
      }
      const [line] = yield* list({ status: "cv_processing" })
      assert.deepInclude(line, { invitation: null })
      assert.deepInclude(line?.candidate, { email: null, name: null })
    }),
  )

  it.effect("are filtered by the address from a CV of a candidate without an address of their own", () =>
    Effect.gen(function* () {
      const { id, ids, invite, list, set } = yield* begin
      const cv = yield* invite(set, { cv_link: "https://203.0.114.7/cv.pdf" })
      const ada = yield* invite(set, { email: "ada@example.com" })
      const foreign = yield* Scenario.organization()
      const { sql } = yield* Database
      yield* sql`update candidate set cv_email = 'Ada+Jobs@CV.example' where organization_id = ${id}::int`
      const [line] = yield* list({ status: "cv_processing" })
      const email = line?.candidate.email ?? ""
      assert.strictEqual(email, "Ada+Jobs@CV.example")
      for (const asked of [email, email.toLowerCase(), email.toUpperCase()]) {
        assert.deepStrictEqual(yield* ids({ email: asked }), new Set([cv.id]), asked)
        assert.deepStrictEqual(yield* ids({ email: asked }, foreign.id), new Set(), asked)
      }
      assert.deepStrictEqual(yield* ids({ email: "ada@example.com" }), new Set([ada.id]))
      for (const part of ["", " ", "ada+jobs", "cv.example", "ada jobs@cv.example", "@", "'"]) {
        assert.deepStrictEqual(yield* ids({ email: part }), new Set(), part)
      }
    }),
  )

  it.effect.prop(
    "are read page by page without gaps or repetitions",
    [Sizes],
    ([sizes]) =>
      Effect.gen(function* () {
        const { id, invite, set, submissions } = yield* begin
        let n = 0
        const add = Effect.suspend(() => invite(set, { email: `c${n++}@example.com` }))
        yield* Effect.replicateEffect(add, 9)
        for (const filter of [{}, { interview_set_id: set.id }, { status: "need_interview" } as const]) {
          const list = (page: typeof firstPage) => submissions.list(operator(id), filter, page)
          yield* assertPaging("submission", id, list, sizes, add)
        }
        // all of one candidate
        const { sql } = yield* Database
        yield* sql`
          update submission set candidate_id = (
            select candidate_id from submission where organization_id = ${id}::int order by id limit 1)
          where organization_id = ${id}::int`
        const [first] = (yield* submissions.list(operator(id), {}, firstPage)).results
        const { candidate } = yield* Effect.fromNullishOr(first)
        const list = (page: typeof firstPage) => submissions.list(operator(id), { candidate_id: candidate.id }, page)
        yield* assertPaging("submission", id, list, sizes, Effect.void)
      }),
    fewRuns,
  )
})
