/** Reads events after a cursor (docs/api.md). EventOrderSql.test.ts tests that no event is missed. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database, Now } from "../../src/platform/database/Database.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import { Events } from "../../src/webhooks/events/Events.ts"
import {
  EventEnvelope,
  type EventPosition,
  type EventsRequest,
  eventCursorOf,
  eventPositionOf,
} from "../../src/webhooks/events/WebhookEvent.ts"
import { sampleFor } from "../../src/webhooks/events/WebhookSample.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const provide = Pod.provide()

const read = Effect.fnUntraced(function* (
  id: OrganizationId,
  { cursor, ...request }: Partial<EventsRequest> & { readonly cursor?: string } = {},
) {
  const after: EventPosition | undefined = cursor === undefined ? undefined : eventPositionOf(cursor)
  const page = yield* (yield* Events).read(operator(id), { limit: 100, after, ...request })
  return { ids: page.results.map(({ event_id }) => event_id), cursor: page.next_cursor, results: page.results }
})

/** Waits until there are `count` events: transactions of other tests hold events back. */
const shown = (id: OrganizationId, count: number) =>
  read(id).pipe(Effect.repeat({ until: ({ ids }) => ids.length >= count }))

const publishEvaluation = Effect.fnUntraced(function* ({ organization, set, subject }: Scenario.Invited) {
  return yield* (yield* Events).publish(organization, [
    {
      subject,
      event: { ...sampleFor(["interview.evaluation.update"], "https://app.example"), interview_name: set.title },
    },
  ])
})

describe("reading events", () => {
  it.effect.each([
    ["of an organization", false],
    ["of an organization that came from another cell", true],
  ] as const)("%s starts at a time or at the end, and continues with the cursor", ([, hasMoved]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1, 12))
      const candidate = yield* Scenario.invited(yield* Scenario.organization())
      const { organization } = candidate
      const { sql } = yield* Database
      if (hasMoved) {
        yield* sql`insert into organization_move (organization_id, state) values (${organization}::int, 'arrived')`
      }
      yield* Scenario.publish(candidate)
      const [old] = (yield* shown(organization, 1)).ids
      yield* TestClock.adjust("1 hour")
      const at = new Date(yield* Clock.currentTimeMillis)
      const before = yield* read(organization, { start: at })
      assert.deepStrictEqual(before.ids, [])
      const now = yield* read(organization, { start: "now" })
      assert.deepStrictEqual(now.ids, [])
      yield* Scenario.publish(candidate)
      yield* TestClock.adjust("5 minutes")
      yield* Scenario.publish(candidate)
      const [, second, third] = (yield* shown(organization, 3)).ids
      for (const { cursor } of [before, now]) {
        assert.deepStrictEqual((yield* read(organization, { cursor })).ids, [second, third])
      }
      const since = (millis: number, limit = 100) =>
        read(organization, { start: new Date(at.getTime() + millis), limit })
      assert.deepStrictEqual((yield* since(-3_600_000)).ids, [old, second, third])
      assert.deepStrictEqual((yield* since(-3_599_999)).ids, [second, third])
      assert.deepStrictEqual((yield* since(1)).ids, [third])
      assert.deepStrictEqual((yield* since(600_000)).ids, [])
      const first = yield* since(0, 1)
      assert.deepStrictEqual(first.ids, [second])
      assert.deepStrictEqual((yield* read(organization, { cursor: first.cursor })).ids, [third])
      assert.deepStrictEqual((yield* read(organization, { start: new Date(0) })).ids, [old, second, third])
    }).pipe(provide),
  )

  it.effect.each([
    ["in a transaction that began earlier", 3_500],
    ["by a pod whose clock is ahead", 300_000],
    ["by a pod whose clock is behind", -300_000],
  ] as const)("starts at the timestamp of an event published %s", ([, ahead]) =>
    Effect.gen(function* () {
      const { sql, transaction } = yield* Database
      const candidate = yield* Scenario.invited(yield* Scenario.organization())
      const { organization } = candidate
      const write = Effect.gen(function* () {
        const [start] = yield* sql<{ at: Date }>`select now() as at`
        const at = (start?.at.getTime() ?? 0) + ahead
        yield* TestClock.setTime(at)
        yield* Scenario.publish(candidate)
        return at
      })
      const at = yield* transaction(write).pipe(Effect.provideService(Now, Effect.undefined))
      const [event] = (yield* shown(organization, 1)).results
      assert.strictEqual(event?.timestamp, new Date(at).toISOString())
      const since = (millis: number) => Effect.map(read(organization, { start: new Date(millis) }), ({ ids }) => ids)
      assert.deepStrictEqual(yield* since(at - 1_000), [event?.event_id])
      assert.deepStrictEqual(yield* since(at), [event?.event_id])
      assert.deepStrictEqual(yield* since(at + 1), [])
    }).pipe(provide),
  )

  it.effect("gives no event a time before that of an earlier event of the submission", () =>
    Effect.gen(function* () {
      const organization = yield* Scenario.organization()
      const [one, other] = [
        yield* Scenario.invited(organization),
        yield* Scenario.invited(organization, "b@example.com"),
      ]
      const start = Date.UTC(2026, 0, 1, 12)
      const publishAt = (millis: number, candidate: Scenario.Invited, count?: number) =>
        Effect.andThen(TestClock.setTime(start + millis), Scenario.publish(candidate, count))
      yield* publishAt(7, one)
      // one event and several are published by different functions
      yield* publishAt(2, one, 2)
      yield* publishAt(4, one)
      yield* publishAt(3, other)
      yield* publishAt(9, one)
      const { results } = yield* shown(one.organization, 6)
      const times = results.map(({ timestamp }) => Date.parse(timestamp) - start)
      assert.deepStrictEqual(times, [7, 7, 7, 7, 3, 9])
      const since = (millis: number) => read(one.organization, { start: new Date(start + millis) })
      assert.lengthOf((yield* since(7)).results, 5)
      assert.lengthOf((yield* since(8)).results, 1)
    }).pipe(provide),
  )

  it.effect("returns the stored envelopes as they were sent, key by key", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1, 12, 30, 15, 7))
      const { sql } = yield* Database
      const candidate = yield* Scenario.invited(yield* Scenario.organization({ title: "Zoë’s “Interview” 😀" }))
      yield* Scenario.publish(candidate)
      yield* publishEvaluation(candidate)
      const { results } = yield* shown(candidate.organization, 2)
      const stored = yield* sql<{ body: string }>`select body from webhook_event order by seq`
      const bodies = stored.map(({ body }) => body)
      assert.deepStrictEqual(
        results.map((envelope) => JSON.stringify(envelope)),
        bodies,
      )
      const decode = Schema.decodeUnknownEffect(EventEnvelope)
      const decoded = yield* Effect.forEach(bodies, (body) => decode(JSON.parse(body)))
      assert.deepStrictEqual(decoded, results)
    }).pipe(provide),
  )

  it.effect("continues page by page and always returns a cursor", () =>
    Effect.gen(function* () {
      const candidate = yield* Scenario.invited(yield* Scenario.organization())
      const { organization } = candidate
      const nothing = yield* read(organization)
      assert.deepStrictEqual(nothing.ids, [])

      const ids = yield* Scenario.publish(candidate, 5)
      yield* shown(organization, 5)
      const one = yield* read(organization, { limit: 2 })
      const two = yield* read(organization, { limit: 2, cursor: one.cursor })
      const three = yield* read(organization, { limit: 2, cursor: two.cursor })
      assert.deepStrictEqual([one.ids, two.ids, three.ids], [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])

      const end = yield* read(organization, { cursor: three.cursor })
      assert.deepStrictEqual([end.ids, end.cursor], [[], three.cursor])
      const later = yield* Scenario.publish(candidate)
      yield* shown(organization, 6)
      assert.deepStrictEqual((yield* read(organization, { cursor: end.cursor })).ids, later)
      assert.deepStrictEqual((yield* read(organization, { cursor: nothing.cursor })).ids, [...ids, ...later])
    }).pipe(provide),
  )

  it.effect("filters by type or submission and continues after the other events", () =>
    Effect.gen(function* () {
      const organization = yield* Scenario.organization()
      const { id } = organization
      const ada = yield* Scenario.invited(organization)
      const bob = yield* Scenario.invited(organization, "bob@example.com")
      const event_type = "interview.evaluation.update"
      const submission_id = bob.subject.submission_id

      const started = yield* Scenario.publish(bob)
      const evaluations = [...(yield* publishEvaluation(ada)), ...(yield* publishEvaluation(bob))]
      yield* Scenario.publish(ada, 3)
      yield* shown(id, 6)
      const [ofAda, ofBob] = evaluations
      assert.deepStrictEqual((yield* read(id, { event_type })).ids, evaluations)
      assert.deepStrictEqual((yield* read(id, { submission_id })).ids, [...started, ofBob])
      assert.deepStrictEqual((yield* read(id, { submission_id, event_type })).ids, [ofBob])
      assert.deepStrictEqual((yield* read(id, { event_type: "invitation.status.update" })).ids, [])

      const first = yield* read(id, { event_type, limit: 1 })
      const second = yield* read(id, { event_type, limit: 1, cursor: first.cursor })
      const end = yield* read(id, { event_type, limit: 1, cursor: second.cursor })
      assert.deepStrictEqual([first.ids, second.ids, end.ids], [[ofAda], [ofBob], []])
      yield* Scenario.publish(ada, 2)
      const late = yield* publishEvaluation(ada)
      yield* shown(id, 9)
      assert.deepStrictEqual((yield* read(id, { event_type, limit: 1, cursor: end.cursor })).ids, late)
    }).pipe(provide),
  )

  it.effect("never returns another organization's events, for any cursor or filter", () =>
    Effect.gen(function* () {
      const acme = yield* Scenario.invited(yield* Scenario.organization())
      const other = yield* Scenario.invited(yield* Scenario.organization({}, "Other"))
      const ids = [...(yield* Scenario.publish(acme)), ...(yield* Scenario.publish(acme))]
      yield* Scenario.publish(other)
      yield* shown(acme.organization, 2)
      const { cursor } = yield* shown(other.organization, 1)
      const { cursor: first } = yield* read(acme.organization, { limit: 1 })
      assert.deepStrictEqual((yield* read(acme.organization)).ids, ids)
      assert.deepStrictEqual((yield* read(acme.organization, { cursor })).ids, [])
      assert.strictEqual((yield* read(other.organization, { cursor: first })).ids.length, 1)
      const { submission_id } = acme.subject
      assert.deepStrictEqual((yield* read(other.organization, { submission_id })).ids, [])
    }).pipe(provide),
  )
})

describe("a cursor", () => {
  it("encodes a position", () => {
    for (const position of [
      { xid: "0", seq: "0" },
      { xid: "1099511627776", seq: "42" },
      { xid: "9223372036854775807", seq: "9223372036854775807" },
    ]) {
      const cursor = eventCursorOf(position)
      assert.match(cursor, /^[\w-]+$/)
      assert.deepStrictEqual(eventPositionOf(cursor), position)
    }
  })

  it.each([
    ["nothing", ""],
    ["other text", "abc"],
    ["invalid base64url", "!!!!"],
    ["invalid UTF-8", "_____w"],
    ["a number beyond bigint", Base64Url.encode("9223372036854775808 1")],
    ["a number with leading zeros", Base64Url.encode("01 1")],
    ["a negative number", Base64Url.encode("-1 1")],
    ["one number", Base64Url.encode("1")],
    ["a suffix", `${Base64Url.encode("1 1")}AA`],
    ["padding", `${Base64Url.encode("1 11")}==`],
    [
      "the cursor of another list",
      Base64Url.encode("2026-01-01T00:00:00.000000Z 00000000-0000-4000-8000-000000000000"),
    ],
  ])("is undefined for %s", (_, text) => {
    assert.isUndefined(eventPositionOf(text))
  })
})
