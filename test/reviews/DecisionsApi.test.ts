/** Decisions, stages and comments over the API: rules, versions, requests at once, events, audit log, other organizations. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { People } from "../../src/privacy/People.ts"
import { Comments } from "../../src/reviews/Comments.ts"
import { Decisions } from "../../src/reviews/Decisions.ts"
import { HiringStages } from "../../src/reviews/HiringStages.ts"
import { CommentId, HiringStageId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import * as Contract from "../support/Contract.ts"
import * as Dossier from "../support/Dossier.ts"
import * as Members from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import { many } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Workspace from "../support/Workspace.ts"

const base = "/company/integration/hiring/submissions"

interface Standing {
  readonly decision: { readonly decision: string | null; readonly reason: string | null; readonly decided_by: unknown }
  readonly decision_version: number
  readonly stage: { readonly id: string; readonly name: string } | null
  readonly stage_version: number
}

const begin = Effect.gen(function* () {
  const organization = yield* Scenario.organization()
  const { id: keyId, key } = yield* Api.keyOf(organization.id, { name: "ATS" })
  const invited = yield* Scenario.invited(organization)
  const submission = invited.subject.submission_id
  const email = `${randomUUID().slice(0, 8)}@acme.example`
  const rita = Members.viewer(organization.id, yield* Workspace.member(organization.id, email, "owner"))
  const post = (path: string, json: object, headers = {}) =>
    Api.call("POST", `${base}/${submission}/${path}/v1`, { key, json, headers })
  const done = Effect.fnUntraced(function* (path: string, json: object, headers = {}) {
    const answer = yield* post(path, json, headers)
    assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
    return (answer.body as { readonly results: Standing }).results
  })
  const refused = Effect.fnUntraced(function* (path: string, json: object) {
    return Contract.problem(yield* post(path, json), 409, "conflict").detail
  })
  const detail = Api.results<Standing>(200, "GET", Api.paths.detail(submission), { key })
  const stageOf = Effect.fnUntraced(function* (name: string, decision: "advance" | "hold" | "reject" | null) {
    const id = HiringStageId.make(randomUUID())
    yield* (yield* HiringStages).add(rita, id, { name, decision })
    return id
  })
  const author = { id: keyId, name: "API key ATS", type: "api_key" }
  return { organization, key, invited, submission, rita, post, done, refused, detail, stageOf, author }
})

const eventsOf = Effect.fnUntraced(function* (submission: string, type: string) {
  const { sql } = yield* Database
  const rows = yield* sql<{ status: string; body: string }>`
    select status, body from webhook_event where event_type = ${type} and body like ${`%${submission}%`} order by xid, seq`
  return rows.map(({ body, status }) => ({ status, data: JSON.parse(body).data as Record<string, unknown> }))
})

const auditOf = Effect.fnUntraced(function* (submission: string) {
  const { sql } = yield* Database
  return yield* sql<{ action: string; name: string | null; member_id: string | null }>`
    select l.action, k.name, l.member_id from audit_log l left join api_key k on k.prefix = l.api_key
    where l.record_id = ${submission} order by l.id`
})

layer(Api.layer({ evaluate: Pod.strong }), { excludeTestServices: true })("a decision over the API", (it) => {
  it.effect("is in the answer, the submission, the event, the audit log and the record, with the API key", () =>
    Effect.gen(function* () {
      const { author, detail, done, submission } = yield* begin
      const { decision, decision_version } = yield* done("decision", {
        decision: "reject",
        reason: " No SQL. ",
        version: 0,
      })
      assert.deepInclude(decision, { decision: "reject", reason: "No SQL.", decided_by: author })
      assert.strictEqual(decision_version, 1)
      assert.deepInclude(yield* detail, { decision, decision_version })
      const [event] = yield* eventsOf(submission, "submission.decision.update")
      assert.strictEqual(event?.status, "reject")
      assert.deepInclude(event?.data, { reason: "No SQL.", decided_by: author })
      assert.deepStrictEqual(
        (yield* auditOf(submission)).map((entry) => ({ ...entry })),
        [{ action: "submission.decide", name: "ATS", member_id: null }],
      )
      const { sql } = yield* Database
      const [entry] = yield* sql<{ content: { after: unknown }; unread: boolean }>`
        select r.content, b.decided_unread as unread from record_entry r join submission b on b.id = r.submission_id
        where r.submission_id = ${submission}::uuid and r.kind = 'decision'`
      assert.deepStrictEqual(entry?.content.after, { decision: "reject", reason: "No SQL.", decided_by: author })
      assert.isTrue(entry?.unread)
    }),
  )

  it.effect("is undone once, and cleared", () =>
    Effect.gen(function* () {
      const { detail, done, refused } = yield* begin
      yield* done("decision", { decision: "hold", version: 0 })
      yield* done("decision", { decision: "advance", version: 1 })
      assert.strictEqual((yield* done("decision/undo", { version: 2 })).decision.decision, "hold")
      assert.include(yield* refused("decision/undo", { version: 3 }), "no decision to undo")
      assert.include(yield* refused("decision/undo", { version: 2 }), "has changed")
      const cleared = yield* done("decision", { decision: null, reason: "ignored", version: 3 })
      assert.deepInclude(cleared.decision, { decision: null, reason: null })
      assert.deepInclude(yield* detail, { decision_version: 4 })
    }),
  )

  it.effect("of a member is undone by the version that names it, and by no earlier one", () =>
    Effect.gen(function* () {
      const { author, done, refused, rita, submission } = yield* begin
      yield* done("decision", { decision: "hold", reason: "Wait.", version: 0 })
      yield* (yield* Decisions).decide(rita, submission, 1, { decision: "reject", reason: "No." })
      assert.include(yield* refused("decision/undo", { version: 1 }), "has changed")
      const { decision, decision_version } = yield* done("decision/undo", { version: 2 })
      assert.deepInclude(decision, { decision: "hold", reason: "Wait.", decided_by: author })
      assert.strictEqual(decision_version, 3)
    }),
  )

  it.effect("is made in an archived set, too", () =>
    Effect.gen(function* () {
      const { done, key, organization, stageOf } = yield* begin
      const set = `/company/integration/hiring/interview-sets/v1/${organization.set.id}`
      yield* Api.results(200, "POST", `${set}/archive`, { key })
      assert.strictEqual((yield* done("decision", { decision: "hold", version: 0 })).decision.decision, "hold")
      const stage_id = yield* stageOf("A call", null)
      assert.strictEqual((yield* done("stage", { stage_id, version: 0, decision_version: 1 })).stage?.id, stage_id)
    }),
  )

  it.effect("is refused after a member's decision, and does not overwrite it", () =>
    Effect.gen(function* () {
      const { detail, refused, rita, submission } = yield* begin
      yield* (yield* Decisions).decide(rita, submission, 0, { decision: "advance", reason: "Good." })
      const before = yield* detail
      assert.include(yield* refused("decision", { decision: "reject", version: 0 }), "read the submission")
      assert.deepStrictEqual(yield* detail, before)
      assert.lengthOf(yield* auditOf(submission), 1)
    }),
  )

  it.effect("of ten different ones at once, one succeeds; ten equal ones all succeed, with one event", () =>
    Effect.gen(function* () {
      const { post, submission } = yield* begin
      let n = 0
      const different = Effect.suspend(() =>
        post("decision", { decision: "hold", reason: `Reason ${n++}`, version: 0 }),
      )
      const statuses = (yield* many(different)).map(({ status }) => status).toSorted()
      assert.deepStrictEqual(statuses, [200, ...Array.from({ length: 9 }, () => 409)])
      const equal = yield* many(post("decision", { decision: "advance", version: 1 }))
      assert.deepStrictEqual([...new Set(equal.map(({ status }) => status))], [200])
      assert.lengthOf(yield* eventsOf(submission, "submission.decision.update"), 2)
    }),
  )

  it.effect("replays an Idempotency-Key without a change", () =>
    Effect.gen(function* () {
      const { detail, done, post } = yield* begin
      const headers = { "idempotency-key": "decide-1" }
      const first = yield* done("decision", { decision: "hold", version: 0 }, headers)
      yield* done("decision", { decision: "advance", version: 1 })
      const again = yield* post("decision", { decision: "hold", version: 0 }, headers)
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      assert.deepStrictEqual((again.body as { results: Standing }).results, first)
      assert.deepInclude((yield* detail).decision, { decision: "advance" })
    }),
  )

  it.effect("on a score with warnings needs confirm_warnings to advance and reject", () =>
    Effect.gen(function* () {
      const { detail, done, invited, refused, stageOf } = yield* begin
      yield* Scenario.completed(invited, "I ran PostgreSQL.")
      yield* Dossier.evaluateAll
      const before = yield* detail
      for (const decision of ["advance", "reject"] as const) {
        const stage_id = yield* stageOf(decision, decision)
        for (const confirm_warnings of [undefined, null, false]) {
          const decided = yield* refused("decision", { decision, version: 0, confirm_warnings })
          const stage = { stage_id, version: 0, decision_version: 0, confirm_warnings }
          for (const text of [decided, yield* refused("stage", stage)]) assert.match(text, /too few.*confirm_warnings/)
        }
      }
      assert.deepStrictEqual(yield* detail, before)
      yield* done("decision", { decision: "hold", version: 0 })
      const confirmed = { decision: "advance", version: 1, confirm_warnings: true }
      assert.strictEqual((yield* done("decision", confirmed)).decision.decision, "advance")
      const rejecting = yield* stageOf("No", "reject")
      const moved = { stage_id: rejecting, version: 0, decision_version: 2, confirm_warnings: true }
      assert.strictEqual((yield* done("stage", moved)).decision.decision, "reject")
    }),
  )

  it.effect("reports bad input with pointers, and takes no version of another type", () =>
    Effect.gen(function* () {
      const { detail, post } = yield* begin
      const before = yield* detail
      const errorsOf = Effect.fnUntraced(function* (json: object) {
        const answer = yield* post("decision", json)
        return Contract.problem(answer, 422, "validation_failed").errors?.map(
          ({ code, pointer }) => `${pointer} ${code}`,
        )
      })
      assert.deepStrictEqual(yield* errorsOf({}), ["#/decision required", "#/version required"])
      assert.deepStrictEqual(yield* errorsOf({ decision: "maybe", version: -1, reason: "x".repeat(2001) }), [
        "#/decision not_one_of",
        "#/reason too_long",
        "#/version out_of_range",
      ])
      assert.deepStrictEqual(yield* errorsOf({ decision: "hold", version: "0" }), ["#/version wrong_type"])
      assert.deepStrictEqual(yield* errorsOf({ decision: "hold", version: null }), ["#/version wrong_type"])
      assert.deepStrictEqual(yield* detail, before)
    }),
  )

  it.effect("is refused for an erased candidate and for another organization's", () =>
    Effect.gen(function* () {
      const { invited, organization, refused, submission } = yield* begin
      const other = yield* begin
      for (const path of ["decision", "decision/undo", "stage"]) {
        const json = { decision: "hold", version: 0, stage_id: null, decision_version: 0 }
        const answer = yield* Api.call("POST", `${base}/${submission}/${path}/v1`, { key: other.key, json })
        Contract.problem(answer, 404, "not_found")
      }
      const unknown = { stage_id: randomUUID(), version: 0, decision_version: 0 }
      const answer = yield* Api.call("POST", `${base}/${submission}/stage/v1`, { key: other.key, json: unknown })
      Contract.problem(answer, 404, "not_found")
      yield* (yield* People).erase(operator(organization.id), invited.subject.candidate_id)
      const json = { decision: "advance", version: 0, stage_id: null, decision_version: 0 }
      for (const path of ["decision", "decision/undo", "stage"]) assert.include(yield* refused(path, json), "erased")
    }),
  )
})

layer(Api.layer(), { excludeTestServices: true })("a stage over the API", (it) => {
  it.effect("is changed by its version, with its decision, events and audit entries of the API key", () =>
    Effect.gen(function* () {
      const { author, detail, done, key, refused, stageOf, submission } = yield* begin
      const call = yield* stageOf("A call", null)
      const offer = yield* stageOf("An offer", "advance")
      const stages = yield* Api.results<ReadonlyArray<Api.Row>>(200, "GET", "/company/integration/hiring/stages/v1", {
        key,
      })
      assert.deepStrictEqual(stages.slice(-2), [
        { id: call, name: "A call", decision: null },
        { id: offer, name: "An offer", decision: "advance" },
      ])
      const moved = yield* done("stage", { stage_id: call.toUpperCase(), version: 0, decision_version: 0 })
      assert.deepInclude(moved, { stage: { id: call, name: "A call" }, stage_version: 1, decision_version: 0 })
      assert.include(yield* refused("stage", { stage_id: offer, version: 0, decision_version: 0 }), "has changed")
      assert.include(yield* refused("stage", { stage_id: offer, version: 1, decision_version: 1 }), "has changed")
      const offered = yield* done("stage", { stage_id: offer, version: 1, decision_version: 0 })
      assert.deepInclude(offered.decision, { decision: "advance", decided_by: author })
      const again = yield* done("stage", { stage_id: offer, version: 0, decision_version: 0 })
      assert.deepStrictEqual(again, offered)
      const out = yield* done("stage", { stage_id: null, version: 2, decision_version: 1 })
      assert.isNull(out.stage)
      assert.deepStrictEqual(out.decision, offered.decision)
      assert.deepInclude(yield* detail, { stage: null, stage_version: 3, decision_version: 1 })
      const events = yield* eventsOf(submission, "submission.stage.update")
      assert.deepStrictEqual(
        events.map(({ data, status }) => [status, data["moved_by"]]),
        [
          ["moved", author],
          ["moved", author],
          ["left", author],
        ],
      )
      assert.deepStrictEqual(
        (yield* auditOf(submission)).map(({ action, name }) => [action, name]),
        [
          ["submission.move", "ATS"],
          ["submission.move", "ATS"],
          ["submission.decide", "ATS"],
          ["submission.move", "ATS"],
        ],
      )
    }),
  )

  it.effect("that is unknown, archived or another organization's gets 422", () =>
    Effect.gen(function* () {
      const { done, post, rita, stageOf } = yield* begin
      const theirs = yield* (yield* begin).stageOf("Theirs", null)
      const gone = yield* stageOf("Gone", null)
      yield* (yield* HiringStages).archive(rita, gone, undefined)
      for (const stage_id of [theirs, gone, randomUUID()]) {
        const answer = yield* post("stage", { stage_id, version: 0, decision_version: 0 })
        const [error] = Contract.problem(answer, 422, "validation_failed").errors ?? []
        assert.deepInclude(error, { pointer: "#/stage_id", code: "not_found" })
      }
      assert.isNull((yield* done("stage", { stage_id: null, version: 0, decision_version: 0 })).stage)
    }),
  )
})

layer(Api.layer(), { excludeTestServices: true })("comments over the API", (it) => {
  it.effect("are listed in pages, newest first, with their authors, and not for another organization", () =>
    Effect.gen(function* () {
      const { key, rita, submission } = yield* begin
      const comments = yield* Comments
      for (const text of ["First", "Second", "Third"]) {
        yield* comments.add(rita, submission, { id: CommentId.make(randomUUID()), question: null, text })
      }
      const path = `${base}/${submission}/comments/v1`
      const page = Effect.fnUntraced(function* (query: string) {
        const { body, status } = yield* Api.call("GET", `${path}?${query}`, { key })
        assert.strictEqual(status, 200, JSON.stringify(body))
        return body as { results: ReadonlyArray<Api.Row>; next_cursor: string | null }
      })
      const first = yield* page("limit=2")
      assert.deepStrictEqual(
        first.results.map(({ text }) => text),
        ["Third", "Second"],
      )
      assert.deepInclude(first.results[0], {
        author: { id: rita.id, name: rita.email },
        question_id: null,
        changed_at: null,
      })
      const second = yield* page(`limit=2&cursor=${first.next_cursor}`)
      assert.deepStrictEqual(
        second.results.map(({ text }) => text),
        ["First"],
      )
      assert.isNull(second.next_cursor)
      const { key: other } = yield* begin
      Contract.problem(yield* Api.call("GET", path, { key: other }), 404, "not_found")
    }),
  )
})
