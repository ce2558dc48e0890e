/** Tests the Teamtailor connector against a simulator over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import * as Api from "../support/Api.ts"
import { conformance } from "./conformance.ts"
import * as Simulator from "./Simulator.ts"
import { activationToken, teamtailor } from "./systems.ts"

const apiKey = "teamtailor-api-key"

const Buttons = Schema.Struct({ actions: Schema.Array(Schema.Struct({ endpoint: Schema.String })) })
const Result = Schema.fromJsonString(Schema.Struct({ data: Schema.Struct({ attributes: Buttons }) }))
const decodeButtons = (body: string) =>
  Effect.map(Schema.decodeUnknownEffect(Result)(body), ({ data }) => data.attributes)

layer(Simulator.layer())("Teamtailor", (it) => {
  conformance(it, teamtailor)
})

layer(Simulator.layer())("the calls of Teamtailor", (it) => {
  it.effect("accepts only tokens that are signed with the partner's API key and contain the connection's key", () =>
    Effect.gen(function* () {
      const { connection } = yield* Simulator.start(teamtailor)
      const { key } = connection
      const statusOf = (token: string) =>
        Effect.map(
          Api.call("GET", Simulator.pathOf(connection, "config"), { headers: { authorization: `Bearer ${token}` } }),
          ({ status }) => status,
        )
      assert.strictEqual(yield* statusOf(activationToken({ token: ` ${key} `, language: "1" }, apiKey)), 200)
      const whole = activationToken({ token: key }, apiKey)
      const [head = "", claims = "", signature = ""] = whole.split(".")
      for (const token of [
        key,
        activationToken({ token: key }, "another-api-key"),
        activationToken({ token: key }, ""),
        activationToken({ token: key }, apiKey, { alg: "none" }),
        activationToken({ token: key }, apiKey, { alg: "RS256" }),
        activationToken({ token: 17 }, apiKey),
        activationToken({ key }, apiKey),
        `${head}.${claims}`,
        `${head}.${claims}.`,
        `${whole}.`,
        `${whole}.${signature}`,
        `${head}.${Buffer.from(JSON.stringify({ token: "other" })).toString("base64url")}.${signature}`,
      ]) {
        assert.strictEqual(yield* statusOf(token), 401, token)
      }
    }),
  )

  it.effect("shows a refusal as plain text, and accepted orders as sent", () =>
    Effect.gen(function* () {
      const { connection, set } = yield* Simulator.start(teamtailor)
      const refused = yield* Simulator.order(connection, { set: set.id, email: "bad@@x" })
      assert.match(refused.headers.get("content-type") ?? "", /^text\/plain/)
      const taken = yield* Simulator.order(connection, { set: set.id })
      assert.deepStrictEqual(taken.body, { partner_result_attributes: { status: "sent" } })
    }),
  )

  it.effect("buttons of a result send the invitation again and cancel the interview, while that is possible", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* Simulator.start(teamtailor)
      const placed = yield* Simulator.placed(connection, { set: set.id })
      const json = yield* Simulator.orderBody(connection, { set: set.id })
      const press = (endpoint: string, event: Simulator.Json = json) =>
        Effect.map(Simulator.call(connection, "POST", endpoint, { json: event }), ({ body, status }) => [status, body])
      const buttons = Effect.gen(function* () {
        yield* Simulator.report
        const [report] = (yield* Simulator.reportsOf(connection, placed)).slice(-1)
        const { actions } = yield* decodeButtons(report?.body ?? "")
        return actions.map(({ endpoint }) => endpoint)
      })
      assert.deepStrictEqual(yield* buttons, ["resend", "cancel"])
      const { sql } = yield* Database
      yield* sql`update email set state = 'sent', due_at = null where organization_id = ${id}::int`
      assert.deepStrictEqual(yield* press("resend"), [200, {}])
      assert.strictEqual(yield* Simulator.count("email", id), 2)
      yield* (yield* Interviews).start(yield* Simulator.tokenOf(placed.submission))
      assert.deepStrictEqual(yield* buttons, ["cancel"])
      assert.deepStrictEqual(yield* press("cancel"), [200, {}])
      assert.deepStrictEqual(yield* buttons, [])
      assert.strictEqual((yield* Simulator.told(connection, placed)).state, "Cancelled")
      const [status, sentence] = yield* press("resend")
      assert.strictEqual(status, 422)
      assert.match(String(sentence), /^The invitation was not sent again: .+\.$/)
      assert.deepStrictEqual(
        yield* press("cancel", yield* Simulator.orderBody(connection, { set: set.id, number: 9 })),
        [404, "There is no such interview."],
      )
      assert.strictEqual((yield* press("cancel", {}))[0], 400)
      const lines = yield* Simulator.exchangesOf(connection)
      assert.deepStrictEqual(
        lines.filter((line) => line.startsWith("cancel 200") || line.startsWith("resend 200")),
        ["cancel 200", "resend 200"],
      )
    }),
  )
})
