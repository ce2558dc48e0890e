/** Tests the Teamtailor connector against a simulator over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Api from "../support/Api.ts"
import { conformance } from "./conformance.ts"
import * as Simulator from "./Simulator.ts"
import { activationToken, teamtailor } from "./systems.ts"

const apiKey = "teamtailor-api-key"

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
})
