/** Moves of candidates between stages: decisions of stages, stale moves, undo, events, archived stages, the API. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { People } from "../../src/privacy/People.ts"
import { Decisions } from "../../src/reviews/Decisions.ts"
import { HiringStages } from "../../src/reviews/HiringStages.ts"
import { type MoveTarget, StageMoves } from "../../src/reviews/StageMoves.ts"
import { Submissions } from "../../src/submissions/Submissions.ts"
import { HiringStageId } from "../../src/values/Ids.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import * as Members from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import { many, overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Workspace from "../support/Workspace.ts"

const begin = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const candidate = yield* Scenario.invited(yield* Scenario.organization())
  const { organization, subject } = candidate
  const rita = Members.viewer(organization, yield* Workspace.member(organization, "rita@acme.example", "owner"))
  const otto = Members.viewer(organization, yield* Workspace.member(organization, "otto@acme.example", "owner"))
  const submission = subject.submission_id
  const hiringStages = yield* HiringStages
  const stageMoves = yield* StageMoves
  const submissions = yield* Submissions
  const [call, onSite, offer] = yield* hiringStages.list(rita)
  assert(call !== undefined && onSite !== undefined && offer !== undefined)
  const add = Effect.fnUntraced(function* (name: string, decision: "advance" | "hold" | "reject" | null, id: string) {
    const stage = HiringStageId.make(`0190b5a2-7c1e-7def-8abc-00000000000${id}`)
    yield* hiringStages.add(rita, stage, { name, decision })
    return stage
  })
  const read = Effect.map(submissions.detail(operator(organization), submission), ({ decision, stage }) => ({
    stage: stage?.name ?? null,
    decision: decision.decision,
  }))
  return { candidate, organization, rita, otto, submission, hiringStages, stageMoves, call, onSite, offer, add, read }
})

const to = (id: HiringStageId): MoveTarget => ({ _tag: "Stage", id })
const seen = (changes: number, decisionChanges = 0) => ({ changes, decisionChanges })

const reasonOf = <A>(result: Result.Result<A, { readonly _tag: string }>) =>
  Result.isFailure(result) ? result.failure._tag : undefined

const published = Effect.gen(function* () {
  const { sql } = yield* Database
  const rows = yield* sql<{ name: string; body: string }>`
    select event_type || '.' || status as name, body from webhook_event where event_type like 'submission.%' order by xid, seq`
  return rows.map(({ body, name }) => ({ name, data: JSON.parse(body).data }))
})

describe("a move", () => {
  it.effect("is in the detail, in an event, in the audit log, and can be undone", () =>
    Effect.gen(function* () {
      const { call, onSite, organization, otto, read, rita, stageMoves, submission } = yield* begin
      yield* stageMoves.move(rita, submission, seen(0), to(call.id))
      assert.deepStrictEqual(yield* read, { stage: "Phone call", decision: null })
      const moved = yield* stageMoves.move(otto, submission, seen(1), to(onSite.id))
      assert.deepStrictEqual(moved, {
        submission,
        changes: 2,
        from: { id: call.id, name: "Phone call" },
        decisionChanges: undefined,
      })
      yield* stageMoves.undo(otto, submission, { changes: 2, decisionChanges: undefined, from: call.id })
      assert.deepStrictEqual(yield* read, { stage: "Phone call", decision: null })
      yield* stageMoves.move(rita, submission, seen(3), { _tag: "Column", column: "invited" })
      assert.deepStrictEqual(yield* read, { stage: null, decision: null })
      const events = yield* published
      assert.deepStrictEqual(
        events.map(({ data, name }) => [name, data.previous_stage?.name, data.stage?.name]),
        [
          ["submission.stage.update.moved", undefined, "Phone call"],
          ["submission.stage.update.moved", "Phone call", "On site"],
          ["submission.stage.update.moved", "On site", "Phone call"],
          ["submission.stage.update.left", "Phone call", undefined],
        ],
      )
      assert.deepInclude(events[1]?.data, {
        submission_id: submission,
        interview_name: "Backend Engineer",
        moved_by: { id: otto.id, name: "otto@acme.example" },
        moved_at: "2026-01-01T00:00:00.000Z",
      })
      const { sql } = yield* Database
      const log = yield* sql<{ detail: unknown }>`
        select detail from audit_log where organization_id = ${organization}::int and action = 'submission.move' order by id`
      assert.deepStrictEqual(log[1]?.detail, { before: { stage: "Phone call" }, after: { stage: "On site" } })
      assert.lengthOf(log, 4)
    }).pipe(Pod.provide()),
  )

  it.effect("makes the decision of its stage, clears a rejection, and an undo restores both", () =>
    Effect.gen(function* () {
      const { add, call, read, rita, stageMoves, submission } = yield* begin
      const hired = yield* add("Hired", "advance", "1")
      const refused = yield* add("Not now", "reject", "2")
      yield* stageMoves.move(rita, submission, seen(0), to(hired))
      assert.deepStrictEqual(yield* read, { stage: "Hired", decision: "advance" })
      yield* stageMoves.move(rita, submission, seen(1, 1), to(refused))
      assert.deepStrictEqual(yield* read, { stage: "Not now", decision: "reject" })
      const { changes, decisionChanges } = yield* stageMoves.move(rita, submission, seen(2, 2), to(call.id))
      assert.deepStrictEqual(yield* read, { stage: "Phone call", decision: null })
      yield* stageMoves.undo(rita, submission, { changes, decisionChanges, from: refused })
      assert.deepStrictEqual(yield* read, { stage: "Not now", decision: "reject" })
      yield* stageMoves.move(rita, submission, seen(4, 4), { _tag: "Column", column: "invited" })
      assert.deepStrictEqual(yield* read, { stage: null, decision: null })
      yield* stageMoves.move(rita, submission, seen(5, 5), { _tag: "Reject", reason: "Salary" })
      assert.deepStrictEqual(yield* read, { stage: null, decision: "reject" })
      assert.deepStrictEqual(
        (yield* published).map(({ name }) => name.replace(/^submission\.|\.update/g, "")),
        [
          ...["stage.moved", "decision.advance", "stage.moved", "decision.reject", "stage.moved", "decision.cleared"],
          ...["stage.moved", "decision.reject", "stage.left", "decision.cleared", "decision.reject"],
        ],
      )
    }).pipe(Pod.provide()),
  )

  it.effect("is refused when outdated, of a foreign or archived stage, without access, and for an erased person", () =>
    Effect.gen(function* () {
      const { call, candidate, hiringStages, onSite, organization, otto, read, rita, stageMoves, submission } =
        yield* begin
      const result = (...given: Parameters<typeof stageMoves.move>) =>
        Effect.map(Effect.result(stageMoves.move(...given)), reasonOf)
      yield* stageMoves.move(rita, submission, seen(0), to(call.id))
      assert.strictEqual(yield* result(otto, submission, seen(0), to(onSite.id)), "Conflict")
      assert.strictEqual(yield* result(otto, submission, seen(1), to(call.id)), "Conflict")
      assert.strictEqual(yield* result(otto, submission, seen(1), { _tag: "Column", column: "to_review" }), "Conflict")
      yield* (yield* Decisions).decide(rita, submission, 0, { decision: "reject", reason: "" })
      assert.strictEqual(yield* result(otto, submission, seen(1), to(onSite.id)), "Conflict")
      const other = yield* Scenario.organization({}, "Other")
      const stranger = Members.viewer(other.id, yield* Workspace.member(other.id, "eve@other.example", "owner"))
      const [foreign] = yield* hiringStages.list(stranger)
      assert(foreign !== undefined)
      assert.strictEqual(yield* result(otto, submission, seen(1, 1), to(foreign.id)), "Conflict")
      assert.strictEqual(yield* result(stranger, submission, seen(1, 1), to(foreign.id)), "NotFound")
      assert.strictEqual(
        yield* result({ ...otto, role: "recruiter" }, submission, seen(1, 1), to(onSite.id)),
        "NotAllowed",
      )
      yield* hiringStages.archive(rita, onSite.id, undefined)
      assert.strictEqual(yield* result(otto, submission, seen(1, 1), to(onSite.id)), "Conflict")
      assert.deepStrictEqual(yield* read, { stage: "Phone call", decision: "reject" })
      yield* (yield* People).erase(operator(organization), candidate.subject.candidate_id)
      assert.strictEqual(yield* result(otto, submission, seen(1, 1), { _tag: "Column", column: "invited" }), "Conflict")
      assert.lengthOf(yield* published, 2)
    }).pipe(Pod.provide()),
  )

  it.effect("by several members at once is one move and one event", () =>
    Effect.gen(function* () {
      const { call, onSite, otto, rita, stageMoves, submission } = yield* begin
      const results = yield* Effect.all(
        [rita, otto].map((one) =>
          many(Effect.result(stageMoves.move(one, submission, seen(0), to(one === rita ? call.id : onSite.id)))),
        ),
        { concurrency: "unbounded" },
      )
      assert.lengthOf(results.flat().filter(Result.isSuccess), 1)
      assert.lengthOf(yield* published, 1)
    }).pipe(Pod.provide()),
  )

  it.effect("to a stage that is being archived waits, and is refused", () =>
    Effect.gen(function* () {
      const { call, hiringStages, read, rita, stageMoves, submission } = yield* begin
      const moved = yield* overtaken(
        hiringStages.archive(rita, call.id, undefined),
        stageMoves.move(rita, submission, seen(0), to(call.id)),
      )
      assert.strictEqual(reasonOf(moved), "Conflict")
      assert.deepStrictEqual(yield* read, { stage: null, decision: null })
    }).pipe(Pod.provide()),
  )

  it.effect("is delivered only to endpoints that name it", () =>
    Effect.gen(function* () {
      const { call, organization, rita, stageMoves, submission } = yield* begin
      const endpoints = yield* Endpoints
      const url = "https://receiver.example/hook"
      yield* endpoints.create(operator(organization), { name: "default", url })
      for (const event of ["submission.stage.update", "submission.stage.update.left"]) {
        yield* endpoints.create(operator(organization), { name: event, url, events: [event] })
      }
      yield* stageMoves.move(rita, submission, seen(0), to(call.id))
      yield* stageMoves.move(rita, submission, seen(1), { _tag: "Column", column: "invited" })
      const { sql } = yield* Database
      const rows = yield* sql<{ name: string; status: string }>`
        select p.name, e.status from webhook_delivery d join webhook_endpoint p on p.id = d.endpoint_id
          join webhook_event e on e.id = d.event_id
        where e.event_type = 'submission.stage.update' order by p.name, d.id`
      assert.deepStrictEqual(
        rows.map(({ name, status }) => `${name} ${status}`),
        ["submission.stage.update moved", "submission.stage.update left", "submission.stage.update.left left"],
      )
    }).pipe(Pod.provide()),
  )
})

describe("a stage", () => {
  it.effect("has a name of its own, which an archived stage frees", () =>
    Effect.gen(function* () {
      const { add, call, hiringStages, rita } = yield* begin
      assert.strictEqual(reasonOf(yield* Effect.result(add(" PHONE CALL ", null, "1"))), "Invalid")
      assert.strictEqual(reasonOf(yield* Effect.result(add(" ", null, "1"))), "Invalid")
      assert.strictEqual(reasonOf(yield* Effect.result(add("x".repeat(61), null, "1"))), "Invalid")
      yield* hiringStages.archive(rita, call.id, undefined)
      yield* add("Phone call", null, "1")
      yield* add("Phone call", null, "1")
      assert.deepStrictEqual(
        (yield* hiringStages.list(rita)).map(({ name }) => name),
        ["On site", "Offer", "Phone call"],
      )
    }).pipe(Pod.provide()),
  )

  it.effect("gives its candidates to another stage when it is archived, with an event for each", () =>
    Effect.gen(function* () {
      const {
        add,
        call,
        candidate,
        hiringStages,
        offer,
        onSite,
        organization,
        otto,
        read,
        rita,
        stageMoves,
        submission,
      } = yield* begin
      const second = yield* Scenario.invited({ id: organization, set: candidate.set }, "bo@example.com")
      for (const id of [submission, second.subject.submission_id]) {
        yield* stageMoves.move(rita, id, seen(0), to(call.id))
      }
      const hired = yield* add("Hired", "advance", "1")
      assert.strictEqual(reasonOf(yield* Effect.result(hiringStages.archive(rita, call.id, hired))), "Conflict")
      assert.strictEqual(reasonOf(yield* Effect.result(hiringStages.archive(rita, call.id, call.id))), "Conflict")
      // a role that may not move them, if Permissions.ts should ever let it archive stages
      const reader = { ...otto, role: "recruiter" } as const
      assert.strictEqual(reasonOf(yield* Effect.result(hiringStages.archive(reader, call.id, onSite.id))), "Conflict")
      assert.deepStrictEqual(yield* read, { stage: "Phone call", decision: null })
      assert.strictEqual(yield* hiringStages.archive(rita, call.id, onSite.id), 2)
      assert.deepStrictEqual(yield* read, { stage: "On site", decision: null })
      assert.strictEqual(yield* hiringStages.archive(rita, onSite.id, undefined), 2)
      assert.deepStrictEqual(yield* read, { stage: null, decision: null })
      assert.strictEqual(yield* hiringStages.archive(rita, offer.id, undefined), 0)
      assert.lengthOf(yield* published, 6)
    }).pipe(Pod.provide()),
  )
})
