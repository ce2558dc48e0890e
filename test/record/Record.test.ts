/** The record from the fact to the verified file: sealing, pages, erasure, rotation of keys, two pods at once. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { EvaluationQueue } from "../../src/evaluations/EvaluationQueue.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import { People } from "../../src/privacy/People.ts"
import { RecordExports } from "../../src/record/RecordExports.ts"
import { verifyContent } from "../../src/record/RecordFile.ts"
import { RecordKeys } from "../../src/record/RecordKeys.ts"
import { RecordSealer } from "../../src/record/RecordSealer.ts"
import type { VerificationOptions } from "../../src/record/RecordVerification.ts"
import { Decisions } from "../../src/reviews/Decisions.ts"
import { Overrides } from "../../src/reviews/Overrides.ts"
import { CandidateId, type OrganizationId } from "../../src/values/Ids.ts"
import * as Cvs from "../support/Cvs.ts"
import * as Dossier from "../support/Dossier.ts"
import * as Members from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import { many } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import * as Workspace from "../support/Workspace.ts"

const round = Effect.flatMap(EvaluationQueue, ({ queue }) => runOnce(queue))
const sealOnce = Effect.flatMap(RecordSealer, ({ step }) => step)
const sealAll = Effect.repeat(sealOnce, { until: (sealed) => sealed === 0 })

const reason = "She explained the query plan in the call."

/** A candidate with an evaluation, an override, a decision and its undo. */
const begin = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 0, 1))
  const candidate = yield* Scenario.invited(yield* Scenario.organization())
  yield* Scenario.completed(candidate)
  yield* round
  const { organization, subject } = candidate
  const submission = subject.submission_id
  const rita = Members.viewer(organization, yield* Workspace.member(organization, "rita@acme.example", "owner"))
  const overrides = yield* Overrides
  const decisions = yield* Decisions
  yield* overrides.override(rita, { submission, evaluation_type: "interview", score: 9.3, reason })
  yield* decisions.decide(rita, submission, 0, { decision: "advance", reason: "Explains query plans." })
  yield* decisions.undo(rita, submission, 1)
  const { sql } = yield* Database
  const [row] = yield* sql<{ id: string }>`select candidate_id as id from submission where id = ${submission}::uuid`
  return { organization, submission, rita, overrides, decisions, candidate: CandidateId.make(row?.id ?? "") }
})

const textOf = (organization: OrganizationId) =>
  Effect.gen(function* () {
    const recordExports = yield* RecordExports
    return yield* Stream.mkString(yield* recordExports.exportAll(operator(organization)))
  })

const verify = (text: string, options: Partial<VerificationOptions> = {}) =>
  verifyContent(Stream.make(new TextEncoder().encode(text)), { keys: [], head: undefined, ...options })

interface Line {
  readonly entry?: {
    readonly kind: string
    readonly facts: Readonly<Record<string, unknown>>
    readonly content_hash: string | null
  }
  readonly content?: Readonly<Record<string, unknown>> | null
}

const entriesOf = (text: string): ReadonlyArray<Required<Line>> =>
  text
    .trimEnd()
    .split("\n")
    .map((line): Line => JSON.parse(line))
    .filter((line): line is Required<Line> => line.entry !== undefined)

describe("the record", () => {
  it.effect("has an entry for each evaluation, override, decision and undo, which verifies without the service", () =>
    Effect.gen(function* () {
      const { organization, overrides, rita, submission } = yield* begin
      yield* overrides.withdrawOverride(rita, { submission, evaluation_type: "interview" })
      yield* sealAll
      const text = yield* textOf(organization)
      const entries = entriesOf(text)
      assert.deepStrictEqual(
        entries.map(({ entry }) => [entry.kind, entry.facts["is_withdrawn"] ?? entry.facts["is_undo"]]),
        [
          ["evaluation", undefined],
          ["override", false],
          ["decision", false],
          ["decision", true],
          ["override", true],
        ],
      )
      const [evaluation, override, decision, undo] = entries
      assert.deepInclude(evaluation?.entry.facts, { type: "interview", attempt: 1, evaluator: "test 1", model: null })
      assert.match(String(evaluation?.content?.["input_hash"]), /^[0-9a-f]{64}$/)
      assert.isNotEmpty(evaluation?.content?.["requirements"])
      assert.deepNestedInclude(evaluation?.content, { "result.score_status": "scored" })
      assert.deepNestedInclude(override?.content, { "after.score": 9.3, "after.reason": reason })
      assert.deepNestedInclude(decision?.content, { "after.decision": "advance", "before.decision": null })
      assert.deepNestedInclude(undo?.content, { "after.decision": null, "before.decision": "advance" })
      assert.strictEqual(decision?.entry.facts["by"], rita.id)
      const { head, key } = yield* currentHead(organization)
      const result = yield* verify(text, { keys: [key], head })
      assert.deepStrictEqual(result.faults, [])
      assert.isTrue(result.isKeyNoted && result.isHeadNoted)
    }).pipe(Pod.provide()),
  )

  it.effect("holds no personal data in what is signed", () =>
    Effect.gen(function* () {
      const { organization } = yield* begin
      yield* sealAll
      const { sql } = yield* Database
      const rows = yield* sql<{
        body: string
      }>`select body from record_entry where organization_id = ${organization}::int`
      assert.lengthOf(rows, 4)
      for (const { body } of rows) assert.notMatch(body, /query plan|advance|9\.3|score|Rita|rita@/)
    }).pipe(Pod.provide()),
  )

  it.effect("has no entry of a fact that was rolled back", () =>
    Effect.gen(function* () {
      const { decisions, organization, rita, submission } = yield* begin
      const { transaction } = yield* Database
      const failed = decisions
        .decide(rita, submission, 2, { decision: "reject", reason: "" })
        .pipe(Effect.andThen(Effect.fail("rolled back" as const)), transaction, Effect.flip)
      assert.strictEqual(yield* failed, "rolled back")
      yield* sealAll
      assert.lengthOf(entriesOf(yield* textOf(organization)), 4)
    }).pipe(Pod.provide()),
  )

  it.effect("has an entry for holistic evaluations, once for each evaluation", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      const candidate = yield* Scenario.invited(yield* Scenario.organization())
      const { organization } = candidate
      yield* Cvs.read(candidate)
      yield* Scenario.completed(candidate)
      yield* Dossier.evaluateAll
      yield* Dossier.evaluateAll
      yield* sealAll
      const types = entriesOf(yield* textOf(organization)).map(({ entry }) => entry.facts["type"])
      assert.sameMembers(types, ["cv", "interview", "holistic"])
    }).pipe(Pod.provide()),
  )

  it.effect("stays valid when a person is erased, sealed or not, and has none of their contents", () =>
    Effect.gen(function* () {
      const { candidate, decisions, organization, rita, submission } = yield* begin
      yield* sealAll
      const before = yield* textOf(organization)
      // not sealed yet
      yield* decisions.decide(rita, submission, 2, { decision: "hold", reason: "Unsealed words." })
      yield* (yield* People).erase(operator(organization), candidate)
      yield* sealAll
      const { sql } = yield* Database
      const [kept] = yield* sql<{ count: number }>`
        select count(*)::int as count from record_entry where content is not null or salt is not null`
      assert.strictEqual(kept?.count, 0)
      const text = yield* textOf(organization)
      const { head, key } = yield* currentHead(organization)
      const result = yield* verify(text, { keys: [key], head })
      assert.deepStrictEqual(result.faults, [])
      assert.deepStrictEqual(result.contents, { present: 0, erased: 5 })
      assert.strictEqual(entriesOf(text).at(-1)?.entry.content_hash, null)
      assert.notMatch(text, /query plan|Unsealed words/)
      // the signed bodies are those of before
      const bodies = (one: string) => entriesOf(one).map(({ entry }) => JSON.stringify(entry))
      assert.deepStrictEqual(bodies(text).slice(0, 4), bodies(before))
    }).pipe(Pod.provide()),
  )

  it.effect("is one chain when several pods seal at once, while facts arrive", () =>
    Effect.gen(function* () {
      const { decisions, organization, rita, submission } = yield* begin
      let sealed = 0
      for (let changes = 2; changes < 12; changes++) {
        const decision = changes % 2 === 0 ? "hold" : "reject"
        const [counts] = yield* Effect.all(
          [many(sealOnce), decisions.decide(rita, submission, changes, { decision, reason: "" })],
          { concurrency: "unbounded" },
        )
        sealed += counts.reduce((sum, count) => sum + count, 0)
      }
      sealed += yield* sealOnce
      assert.strictEqual(sealed, 14)
      const text = yield* textOf(organization)
      assert.deepStrictEqual((yield* verify(text)).faults, [])
      const order = entriesOf(text).flatMap(({ content }) =>
        content?.["after"] === undefined ? [] : [content["after"]],
      )
      assert.lengthOf(order, 13)
    }).pipe(Pod.provide()),
  )

  it.effect("is left alone while another process seals it, or replaces its key", () =>
    Effect.gen(function* () {
      const { decisions, rita, submission } = yield* begin
      yield* sealAll
      yield* decisions.decide(rita, submission, 2, { decision: "hold", reason: "" })
      const { sql, transaction } = yield* Database
      const locked = yield* Deferred.make<void>()
      const released = yield* Deferred.make<void>()
      const other = yield* sql`select from record_chain for update`.pipe(
        Effect.andThen(Deferred.succeed(locked, undefined)),
        Effect.andThen(Deferred.await(released)),
        transaction,
        Effect.forkChild,
      )
      yield* Deferred.await(locked)
      assert.strictEqual(yield* sealOnce, 0)
      yield* Deferred.succeed(released, undefined)
      yield* Fiber.join(other)
      assert.strictEqual(yield* sealOnce, 1)
    }).pipe(Pod.provide()),
  )

  it.effect("has the entries in the order in which they were noted, also those with more digits", () =>
    Effect.gen(function* () {
      const { decisions, organization, rita, submission } = yield* begin
      for (const changes of [2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
        yield* decisions.decide(rita, submission, changes, {
          decision: changes % 2 === 0 ? "hold" : "reject",
          reason: "",
        })
      yield* sealAll
      const { sql } = yield* Database
      const sealed = yield* sql<{ number: number }>`
        select number::int as number from record_entry where organization_id = ${organization}::int order by record_entry.id`
      assert.isAbove(sealed.length, 11)
      assert.deepStrictEqual(
        sealed.map(({ number }) => number),
        sealed.map((_, at) => at + 1),
      )
    }).pipe(Pod.provide()),
  )

  it.effect("is valid when people are erased while their entries are sealed", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      const organization = yield* Scenario.organization()
      const rita = Members.viewer(
        organization.id,
        yield* Workspace.member(organization.id, "rita@acme.example", "owner"),
      )
      const decisions = yield* Decisions
      const people = yield* People
      const { sql } = yield* Database
      for (const name of ["ada", "grace", "alan", "edsger"]) {
        const { subject } = yield* Scenario.invited(organization, `${name}@example.com`)
        const submission = subject.submission_id
        for (const changes of [0, 1, 2, 3]) {
          const decision = changes % 2 === 0 ? "hold" : "reject"
          yield* decisions.decide(rita, submission, changes, { decision, reason: "Erased words." })
        }
      }
      const candidates = yield* sql<{ id: string }>`select id from candidate`
      const erasures = candidates.map(({ id }) => people.erase(operator(organization.id), CandidateId.make(id)))
      yield* Effect.all([...erasures, sealOnce, sealOnce], { concurrency: "unbounded" })
      yield* sealAll
      const text = yield* textOf(organization.id)
      assert.notInclude(text, "Erased words.")
      const result = yield* verify(text)
      assert.deepStrictEqual([result.isValid, result.contents], [true, { present: 0, erased: 16 }])
    }).pipe(Pod.provide()),
  )

  it.effect("goes on with a new key after a rotation, and an erased key signs nothing", () =>
    Effect.gen(function* () {
      const { decisions, organization, rita, submission } = yield* begin
      yield* sealAll
      const first = yield* currentHead(organization)
      yield* TestClock.adjust("1 hour")
      const rotated = yield* (yield* RecordKeys).rotate(organization, false)
      assert.deepInclude(rotated, { previous: first.key, isSigned: true })
      yield* decisions.decide(rita, submission, 2, { decision: "hold", reason: "" })
      yield* sealAll
      const text = yield* textOf(organization)
      for (const key of [first.key, rotated.fingerprint]) {
        const result = yield* verify(text, { keys: [key], head: first.head })
        assert.deepStrictEqual([result.isValid, result.isKeyNoted, result.isHeadNoted], [true, true, true])
      }
      const { sql } = yield* Database
      const keys = yield* sql`select private_key is null as gone from record_key order by position`
      assert.deepStrictEqual(keys, [{ gone: true }, { gone: false }])
    }).pipe(Pod.provide()),
  )

  it.effect("waits while its key cannot be decrypted, and continues with another one that is not vouched for", () =>
    Effect.gen(function* () {
      const { decisions, organization, rita, submission } = yield* begin
      yield* sealAll
      const first = yield* currentHead(organization)
      const { sql } = yield* Database
      yield* sql`update record_key set private_key = '\\x00'::bytea`
      yield* decisions.decide(rita, submission, 2, { decision: "hold", reason: "" })
      assert.strictEqual(yield* sealOnce, 0)
      const recordKeys = yield* RecordKeys
      const refused = yield* Effect.flip(recordKeys.rotate(organization, false))
      assert.match(refused.message, /record rotate-key --forget-lost/)
      const rotated = yield* recordKeys.rotate(organization, true)
      assert.isFalse(rotated.isSigned)
      assert.strictEqual(yield* sealOnce, 1)
      const text = yield* textOf(organization)
      const result = yield* verify(text, { keys: [rotated.fingerprint] })
      assert.isTrue(result.isValid)
      assert.match(result.notes.join(), /is not signed by the key before it, which was lost/)
      assert.isFalse((yield* verify(text, { keys: [first.key] })).isValid)
    }).pipe(Pod.provide()),
  )

  it.effect("is sealed although the record of another organization cannot be", () =>
    Effect.gen(function* () {
      const { organization: failing } = yield* begin
      const candidate = yield* Scenario.invited(yield* Scenario.organization({}, "Other"), "bo@example.com")
      yield* Scenario.completed(candidate)
      yield* round
      const { sql } = yield* Database
      yield* sql`
        update record_entry set content = jsonb_build_object('nested', (repeat('[', 200) || repeat(']', 200))::jsonb)
        where organization_id = ${failing}::int`
      yield* sealAll
      const waiting = yield* sql`select distinct organization_id as id from record_entry where number is null`
      assert.deepStrictEqual(waiting, [{ id: failing }])
      assert.strictEqual((yield* currentHead(candidate.organization)).head.entries, 1)
    }).pipe(Pod.provide()),
  )

  it.effect("keeps the order of facts when the clock of the database steps back", () =>
    Effect.gen(function* () {
      const { decisions, organization, rita, submission } = yield* begin
      yield* sealAll
      yield* TestClock.setTime(Date.UTC(2025, 11, 31))
      yield* decisions.decide(rita, submission, 2, { decision: "hold", reason: "" })
      yield* sealAll
      const result = yield* verify(yield* textOf(organization))
      assert.isTrue(result.isValid)
      assert.match(result.notes.join(), /1 entry was sealed at an earlier time/)
    }).pipe(Pod.provide()),
  )

  it.effect("gives a bundle of one submission, whose entries, contents and inputs are checked", () =>
    Effect.gen(function* () {
      const { candidate, organization, submission } = yield* begin
      const recordExports = yield* RecordExports
      const bundle = recordExports.bundle(operator(organization), submission)
      assert.strictEqual((yield* Effect.flip(bundle))._tag, "Conflict")
      yield* sealAll
      const text = yield* bundle
      const { key } = yield* currentHead(organization)
      const result = yield* verify(text, { keys: [key] })
      assert.deepStrictEqual(result.faults, [])
      assert.deepInclude(result, { kind: "decision", submission, entries: 4, isKeyNoted: true })
      const changes: ReadonlyArray<readonly [string, string, RegExp]> = [
        ['"score":9.3', '"score":9.4', /the content of entry 2 was changed/],
        ['"text":"', '"text":"!', /the input of evaluation .* is not the one/],
        ['"numbers":[1,', '"numbers":[', /the entries are not those/],
      ]
      for (const [from, to, fault] of changes) {
        assert.include(text, from)
        const changed = yield* verify(text.replace(from, to))
        assert.match(changed.faults.map(({ message }) => message).join(), fault)
      }
      const second = yield* verify(text + text)
      assert.match(second.faults.map(({ message }) => message).join(), /a second line/)
      yield* (yield* People).erase(operator(organization), candidate)
      const erased = yield* verify(yield* bundle)
      assert.deepStrictEqual([erased.isValid, erased.contents], [true, { present: 0, erased: 4 }])
    }).pipe(Pod.provide()),
  )

  it.effect("is exported in pages that fit, also with more entries than one", () =>
    Effect.gen(function* () {
      const { organization, submission } = yield* begin
      const { sql } = yield* Database
      yield* sql`
        insert into record_entry (organization_id, submission_id, kind, at, facts, content, salt)
        select ${organization}::int, ${submission}::uuid, 'decision', '2026-01-01', '{}', jsonb_build_object('n', i),
          sha256(i::text::bytea) from generate_series(1, 1200) i`
      yield* sealAll
      const text = yield* textOf(organization)
      // in chunks that end within lines and within characters
      const bytes = new TextEncoder().encode(text)
      const chunks = Array.from({ length: Math.ceil(bytes.length / 1013) }, (_, i) =>
        bytes.subarray(i * 1013, (i + 1) * 1013),
      )
      const result = yield* verifyContent(Stream.fromIterable(chunks), { keys: [], head: undefined })
      assert.deepStrictEqual([result.isValid, result.entries], [true, 1204])
    }).pipe(Pod.provide()),
  )
})

const currentHead = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { entries, head, keys } = yield* (yield* RecordExports).head(organization)
  return { head: { entries, hash: head ?? "" }, key: keys.at(-1) ?? "" }
})

layer(Settings.layer())("the pages of the record", (it) => {
  it.effect("show the head and download the export, for owners and admins of the organization only", () =>
    Effect.gen(function* () {
      const { admin, foreigner, organization, owner, recruiter } = yield* Settings.begin
      const browser = Settings.as(admin)
      const empty = yield* browser.get("/settings/record")
      assert.include(empty.text, "<dt>Entries</dt><dd>0</dd>")
      const refused = yield* browser.post("/settings/record/export")
      assert.strictEqual(refused.status, 409)
      assert.include(refused.text, "the record has no entries yet")

      const candidate = yield* Scenario.invited(organization)
      yield* Scenario.completed(candidate)
      yield* round
      const submission = candidate.subject.submission_id
      const path = `/submissions/${submission}/record`
      assert.include((yield* browser.get(path)).text, "1 fact waits to be sealed")
      assert.include((yield* browser.get("/settings/record")).text, "1 fact waits to be sealed")
      assert.strictEqual((yield* browser.post(`${path}/export`)).status, 409)
      yield* sealAll

      const head = yield* currentHead(organization.id)
      const { text } = yield* browser.get("/settings/record")
      assert.include(text.replaceAll("<wbr>", ""), head.head.hash)
      assert.include(text.replaceAll("<wbr>", ""), head.key)
      const file = yield* browser.post("/settings/record/export")
      assert.match(file.headers.get("content-disposition") ?? "", /^attachment; filename="record-\d+\.jsonl"/)
      assert.isTrue((yield* verify(file.text, { keys: [head.key], head: head.head })).isHeadNoted)

      assert.include((yield* browser.get(`/submissions/${submission}`)).text, `href="${path}"`)
      const page = yield* browser.get(path)
      for (const part of ["entry 1", "for the interview, by test 1", "<dt>Input hash</dt>"])
        assert.include(page.text, part)
      const bundle = yield* browser.post(`${path}/export`)
      assert.isTrue((yield* verify(bundle.text, { keys: [head.key] })).isKeyNoted)

      for (const [method, address] of [
        ["get", "/settings/record"],
        ["post", "/settings/record/export"],
        ["get", path],
        ["post", `${path}/export`],
      ] as const) {
        assert.strictEqual((yield* Settings.as(recruiter)[method](address)).status, 403, address)
      }
      assert.notInclude((yield* Settings.as(recruiter).get(`/submissions/${submission}`)).text, path)
      assert.strictEqual((yield* Settings.as(foreigner).get(path)).status, 404)
      assert.strictEqual((yield* Settings.as(foreigner).post(`${path}/export`)).status, 404)
      assert.strictEqual((yield* Settings.as(owner).get(path)).status, 200)

      const actions = (yield* Settings.audit(organization.id)).map(({ action }) => action)
      assert.includeMembers(actions, ["record.export", "submission.export_record"])
      assert.include((yield* browser.get("/settings/audit")).text, "exported the decision record")
    }),
  )

  it.effect("say in words what each entry means, with names, before its fields", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const candidate = yield* Scenario.invited(organization)
      yield* Scenario.completed(candidate)
      yield* round
      const submission = candidate.subject.submission_id
      const rita = Members.viewer(organization.id, owner)
      const decisions = yield* Decisions
      const overrides = yield* Overrides
      yield* decisions.decide(rita, submission, 0, { decision: "hold", reason: "Ask again in June." })
      yield* decisions.decide(rita, submission, 1, { decision: "advance", reason: "She passed.", knowsWarnings: true })
      const reviewed = { submission, evaluation_type: "interview" } as const
      yield* overrides.override(rita, { ...reviewed, score: 7.5, reason: "She said more in the call." })
      yield* overrides.withdrawOverride(rita, reviewed)
      yield* sealAll
      const { text } = yield* Settings.as(owner).get(`/submissions/${submission}/record`)
      const meanings = text
        .split('<section class="card record-entry"')
        .slice(1)
        .map((section) =>
          (section.split("<details")[0] ?? "")
            .replaceAll(/<[^>]+>/g, " ")
            .replaceAll(/\s+/g, " ")
            .trim(),
        )
      const parts: ReadonlyArray<ReadonlyArray<string>> = [
        [
          "7.5 out of 10 for the interview, by test 1. Requirements: 1 of 1 met.",
          "PostgreSQL Met 7.5 out of 10 · Must Have",
        ],
        [`${owner.email} decided: On hold Ask again in June. Before: no decision.`],
        [`${owner.email} decided: Advanced She passed. Before On hold Ask again in June.`],
        [
          `${owner.email} overrode the score for the interview: 7.5 out of 10 She said more`,
          "Before: the evaluator's score.",
        ],
        [`${owner.email} removed the override for the interview.`, `7.5 out of 10 by ${owner.email}`],
      ]
      assert.lengthOf(meanings, parts.length)
      for (const [index, wanted] of parts.entries()) for (const part of wanted) assert.include(meanings[index], part)
      for (const meaning of meanings) assert.notMatch(meaning, /[\da-f]{8}-[\da-f]{4}/)
      // fields without a value are left out
      assert.notInclude(text, "<dd>none</dd>")
    }),
  )

  it.effect("says that the contents were erased, and escapes what members typed", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* Settings.begin
      const candidate = yield* Scenario.invited(organization)
      yield* Scenario.completed(candidate)
      const submission = candidate.subject.submission_id
      const rita = Members.viewer(organization.id, owner)
      yield* (yield* Decisions).decide(rita, submission, 0, { decision: "hold", reason: Settings.hostile })
      yield* sealAll
      const browser = Settings.as(owner)
      assert.include((yield* browser.get(`/submissions/${submission}/record`)).text, "&lt;script&gt;")
      const { sql } = yield* Database
      const [row] = yield* sql<{ id: string }>`select candidate_id as id from submission where id = ${submission}::uuid`
      yield* (yield* People).erase(operator(organization.id), CandidateId.make(row?.id ?? ""))
      const { text } = yield* browser.get(`/submissions/${submission}/record`)
      assert.include(text, "The content was erased")
      assert.notInclude(text, "&lt;script&gt;")
    }),
  )
})
