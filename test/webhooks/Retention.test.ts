import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { DataRetention } from "../../src/privacy/DataRetention.ts"
import { LegalHolds } from "../../src/privacy/LegalHolds.ts"
import { InterviewSetId } from "../../src/values/Ids.ts"
import { Deliveries } from "../../src/webhooks/deliveries/Deliveries.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import * as Members from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import { begin, down, forget, round, script, states } from "../support/Webhooks.ts"
import * as Workspace from "../support/Workspace.ts"

const partitions = Effect.gen(function* () {
  const { sql } = yield* Database
  const rows = yield* sql<{ name: string }>`
    select replace(inhrelid::regclass::text, 'webhook_delivery_history_', '') as name from pg_inherits
    where inhparent = 'webhook_delivery_history'::regclass order by 1`
  return rows.map(({ name }) => name).filter((name) => name.startsWith("2026"))
})

const events = Effect.gen(function* () {
  const { sql } = yield* Database
  const [row] = yield* sql<{ count: number }>`select count(*)::int from webhook_event`
  return row?.count
})

describe("retention", () => {
  it.effect("deletes events and finished deliveries after 30 days, by day", () =>
    Effect.gen(function* () {
      const { candidate } = yield* begin(2)
      yield* forget
      const first = ["20260101", "20260102", "20260103", "20260104"]
      assert.includeMembers(yield* partitions, first)
      yield* round
      yield* TestClock.adjust("1 day")
      yield* Scenario.publish(candidate, 3)
      yield* round
      yield* TestClock.adjust("29 days")
      yield* TestClock.adjust("1 second")
      yield* forget
      assert.deepStrictEqual([yield* states, yield* events], [{ "delivered 1": 5 }, 3])
      yield* TestClock.adjust("1 day")
      yield* forget
      assert.deepStrictEqual([yield* states, yield* events], [{ "delivered 1": 3 }, 0])
      yield* TestClock.adjust("2 days")
      yield* forget
      assert.deepStrictEqual(yield* states, {})
      for (const day of first.slice(0, 2)) assert.notInclude(yield* partitions, day)
    }).pipe(Pod.provide()),
  )

  it.effect("keeps an event with a queued delivery, or that was resent", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* begin(2)
      const log = yield* Deliveries
      yield* round
      yield* TestClock.adjust("20 days")
      const [last] = yield* log.list(operator(organization.id), endpoint, {}, 1)
      const id = yield* Effect.fromNullishOr(last?.id)
      const again = yield* log.resend(operator(organization.id), id)
      yield* TestClock.adjust("20 days")
      yield* forget
      assert.strictEqual(yield* events, 1)
      yield* round
      assert.strictEqual((yield* log.find(operator(organization.id), again)).state, "delivered")
      yield* TestClock.adjust("11 days")
      yield* forget
      assert.strictEqual(yield* events, 0)
    }).pipe(Pod.provide({ receive: script(Pod.answered(200)) })),
  )

  it.effect("keeps parked deliveries and their events until the endpoint is deleted", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* begin(2)
      yield* (yield* Endpoints).disable(operator(organization.id), endpoint)
      yield* round
      yield* TestClock.adjust("400 days")
      yield* forget
      assert.deepStrictEqual([yield* states, yield* events], [{ "parked 0": 2 }, 2])
      yield* (yield* Endpoints).remove(operator(organization.id), endpoint)
      yield* forget
      assert.deepStrictEqual([yield* states, yield* events], [{}, 0])
    }).pipe(Pod.provide()),
  )

  it.effect("deletes rows of days without a partition", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      yield* begin(3)
      yield* round
      yield* forget
      assert.deepStrictEqual(yield* states, { "failed 1": 3 })
      yield* TestClock.adjust("32 days")
      yield* forget
      const [left] = yield* sql<{ count: number }>`
        select count(*)::int from webhook_delivery_history where finished_at < '2026-02-01'`
      assert.strictEqual(left?.count, 0)
    }).pipe(
      Pod.provide({ receive: script(down), settings: { WEBHOOK_RETRY_TIMES: "0", WEBHOOK_DEACTIVATE_AFTER: "100" } }),
    ),
  )

  it.effect(
    "deletes the events of an organization after its own days, with their deliveries; not what waits or is held",
    () =>
      Effect.gen(function* () {
        const { sql } = yield* Database
        const { candidate, organization } = yield* begin(2)
        yield* round
        const other = yield* begin(1)
        yield* round
        yield* sql`update organization set events_kept_days = 5 where id = ${organization.id}::int`
        yield* TestClock.adjust("3 days")
        yield* Scenario.publish(candidate, 1)
        const { step } = yield* DataRetention
        assert.strictEqual(yield* step, 0)
        const submission = candidate.subject.submission_id
        const holds = yield* LegalHolds
        const { id } = yield* Workspace.member(organization.id, "rita@example.com", "owner")
        const member = Members.viewer(organization.id, { id, email: "rita@example.com" })
        yield* holds.place(
          member,
          { _tag: "InterviewSet", id: InterviewSetId.make(organization.set.id) },
          "A charge was filed",
        )
        yield* TestClock.adjust("2 days")
        assert.strictEqual(yield* step, 0)
        const [hold] = yield* holds.list(member)
        if (hold !== undefined) yield* holds.release(member, hold.id)
        assert.strictEqual(yield* step, 2)
        assert.deepStrictEqual([yield* states, yield* events], [{ "delivered 1": 1, "queued 0": 1 }, 2])
        // its delivery waits
        yield* TestClock.adjust("5 days")
        assert.strictEqual(yield* step, 0)
        yield* round
        assert.strictEqual(yield* step, 1)
        const kept = yield* sql<{ organization: number }>`
        select distinct organization_id as organization from webhook_event`
        assert.deepStrictEqual(
          kept.map((row) => row.organization),
          [Number(other.organization.id)],
        )
        assert.lengthOf(yield* sql`select from webhook_event where submission_id = ${submission}::uuid`, 0)
        // resent events stay as long as new ones
        const log = yield* Deliveries
        const caller = operator(other.organization.id)
        yield* sql`update organization set events_kept_days = 5 where id = ${other.organization.id}::int`
        const [last] = yield* log.list(caller, other.endpoint, {}, 1)
        yield* log.resend(caller, yield* Effect.fromNullishOr(last?.id))
        yield* round
        yield* TestClock.adjust("4 days")
        assert.strictEqual(yield* step, 0)
        yield* TestClock.adjust("1 day")
        assert.strictEqual(yield* step, 1)
        assert.deepStrictEqual([yield* states, yield* events], [{}, 0])
      }).pipe(Pod.provide()),
  )
})
