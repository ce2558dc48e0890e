/** Tests the Greenhouse connector against a simulator over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { HiringSystemConnections } from "../../src/ats/HiringSystemConnections.ts"
import { Orders } from "../../src/ats/Orders.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { ConnectionId } from "../../src/values/Ids.ts"
import * as Statements from "../support/Statements.ts"
import { conformance } from "./conformance.ts"
import * as Simulator from "./Simulator.ts"
import { greenhouse } from "./systems.ts"

layer(Simulator.layer())("Greenhouse", (it) => {
  conformance(it, greenhouse)

  it.effect("returns the status of a test before the first report", () =>
    Effect.gen(function* () {
      const { connection, set } = yield* Simulator.start(greenhouse)
      const { submission } = yield* Simulator.placed(connection, { set: set.id })
      const { body } = yield* Simulator.call(connection, "GET", `test_status?partner_interview_id=${submission}`)
      assert.deepInclude(body, { partner_status: "Invited", partner_score: null })
      assert.strictEqual((yield* Simulator.call(connection, "GET", "test_status")).status, 422)
    }),
  )

  it.effect("places an order in one transaction that reads its set once", () =>
    Effect.gen(function* () {
      const { id: organizationId, set } = yield* Simulator.start(greenhouse)
      const { sql } = yield* Database
      const [found] = yield* sql<{
        id: ConnectionId
      }>`select id from ats_connection where organization_id = ${organizationId}::int`
      const connection = { id: (yield* Effect.fromNullishOr(found)).id, organizationId, system: "greenhouse" } as const
      const order = (yield* Orders).order(connection, {
        external_id: "1",
        interview_set_id: set.id,
        candidate: { email: "ada@example.com", firstname: "Ada", lastname: "Lovelace", cv_link: null },
        callback_url: null,
        callback_hosts: [],
        profile_url: null,
        ordered_by: null,
        job: null,
      })
      // the order; its transaction's trace; its id; the set, and the lock of candidates; the candidate; what is new; the organization's
      // notices; the order's interview; whether that has a state to report
      assert.strictEqual(yield* Statements.count(order), 9)
      assert.strictEqual(yield* Statements.count(order), 1)
    }),
  )

  it.effect("keeps the log for 30 days", () =>
    Effect.gen(function* () {
      const { connection } = yield* Simulator.start(greenhouse)
      const { forgetExchanges } = yield* HiringSystemConnections
      yield* Simulator.probe(connection)
      yield* TestClock.adjust("29 days")
      yield* forgetExchanges
      assert.lengthOf(yield* Simulator.exchangesOf(connection), 1)
      yield* TestClock.adjust("2 days")
      yield* forgetExchanges
      assert.isEmpty(yield* Simulator.exchangesOf(connection))
    }),
  )

  it.effect("logs the errors that Greenhouse reports, without email addresses", () =>
    Effect.gen(function* () {
      const { connection } = yield* Simulator.start(greenhouse)
      const json = {
        api_call: "test_status",
        errors: ["partner_score of ada@example.com must be a number"],
        partner_interview_id: "17",
        something_new: null,
      }
      assert.strictEqual((yield* Simulator.call(connection, "POST", "response_error", { json })).status, 200)
      assert.deepStrictEqual(yield* Simulator.exchangesOf(connection), [
        "response_error 200: Greenhouse refused the answer to test_status: partner_score of (address) must be a number",
      ])
    }),
  )

  it.effect("links the errors that Greenhouse reports to their order", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* Simulator.start(greenhouse)
      const order = yield* Simulator.placed(connection, { set: set.id })
      const other = yield* Simulator.connect(id, greenhouse, "another account")
      for (const [number, email] of [
        [2, "ada@example.com"],
        [3, "bo@example.com"],
      ] as const)
        yield* Simulator.placed(other, { set: set.id, number, email })
      const { sql } = yield* Database
      const errors = ["Ada Lovelace has no application"]
      for (const about of [
        { partner_interview_id: order.given },
        { partner_interview_id: null, candidate_email: "ADA@example.com" },
        { candidate_email: "of.nobody@example.com" },
        { candidate_email: "bo@example.com" },
      ]) {
        const json = { api_call: "send_test", errors, ...about }
        assert.strictEqual((yield* Simulator.call(connection, "POST", "response_error", { json })).status, 200)
      }
      const rows = yield* sql<{ submission_id: string | null; connection_id: string | null; error: string }>`
        select o.submission_id, o.connection_id, x.error from ats_exchange x left join ats_order o on o.id = x.order_id
        where x.organization_id = ${id}::int and x.operation = 'response_error' order by x.id`
      assert.deepStrictEqual(
        rows.map(({ connection_id, submission_id }) => [submission_id, connection_id]),
        [
          [order.submission, connection.id],
          [order.submission, connection.id],
          [null, null],
          [null, null],
        ],
      )
      yield* sql`update candidate set name = null, firstname = '明', lastname = '王' where organization_id = ${id}::int`
      const { exchanges } = yield* (yield* HiringSystemConnections).show(operator(id), connection.id)
      assert.deepStrictEqual(
        exchanges.flatMap(({ candidate, operation }) => (operation === "response_error" ? [candidate] : [])),
        [null, null, "王明", "王明"],
      )
    }),
  )
})
