/** The operator's credentials at vendors of hiring systems, in HIRING_SYSTEM_PARTNERS. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { makeConnectionCredentials } from "../../src/ats/ConnectionCredentials.ts"
import { HiringSystemConnections } from "../../src/ats/HiringSystemConnections.ts"
import { Interviews } from "../../src/interviews/Interviews.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { ConnectionId } from "../../src/values/Ids.ts"
import * as Members from "../support/Members.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import * as TestApp from "../support/TestApp.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import * as Workspace from "../support/Workspace.ts"
import * as Simulator from "./Simulator.ts"
import { kombo, recruitee, reportId } from "./systems.ts"

const partner = { region: "eu", api_key: "kombo-key-of-the-operator", webhook_secret: "kombo-secret-of-the-operator" }
const settings = { HIRING_SYSTEM_PARTNERS: JSON.stringify({ kombo: partner }) }

/** A connection whose organization entered only the integration id. */
const connect = Effect.fnUntraced(function* () {
  const whole = yield* Simulator.start(kombo)
  const connections = yield* HiringSystemConnections
  const { connection } = yield* connections.create(operator(whole.id), {
    system: "kombo",
    name: "Acme",
    credentials: { integration_id: "workday:acme" },
  })
  const vendor = { ...partner, integration_id: "workday:acme" }
  const named: Simulator.VendorPlay = {
    ...kombo,
    order: (wanted) => {
      const { data, ...event } = kombo.order(wanted)
      return { ...event, data: { ...Object(data), integration_id: "workday:acme" } }
    },
  }
  const play = { id: connection.id, organization: whole.id, key: partner.webhook_secret, vendor, play: named }
  return { ...whole, connections, own: play, missing: connection.missing }
})

layer(Simulator.layer({ settings }))("the operator's credentials", (it) => {
  it.effect("verify calls and authenticate reports of connections that have none", () =>
    Effect.gen(function* () {
      const { missing, own, set } = yield* connect()
      assert.isEmpty(missing)
      assert.strictEqual((yield* Simulator.probe(own)).status, 200)
      assert.strictEqual((yield* Simulator.probe(own, "another-secret")).status, 401)
      const order = yield* Simulator.placed(own, { set: set.id })
      yield* (yield* Interviews).start(yield* Simulator.tokenOf(order.submission))
      yield* Simulator.report
      // asserts the operator's key and the connection's integration id
      assert.strictEqual((yield* Simulator.told(own, order)).state, "Started")
    }),
  )

  it.effect("are not used by a connection with its own, and are not stored with a connection", () =>
    Effect.gen(function* () {
      const { connection, connections, id, own } = yield* connect()
      assert.strictEqual((yield* Simulator.probe(connection)).status, 200)
      assert.strictEqual((yield* Simulator.probe(connection, partner.webhook_secret)).status, 401)
      yield* connections.setCredentials(operator(id), own.id, { integration_id: "workday:renamed" })
      const { sql } = yield* Database
      const [row] = yield* sql<{ credentials: Uint8Array }>`
        select credentials from ats_connection where id = ${own.id}::uuid`
      const { open } = yield* makeConnectionCredentials
      const stored = yield* open(ConnectionId.make(own.id), row?.credentials ?? new Uint8Array())
      assert.deepStrictEqual(stored?.vendor, { integration_id: "workday:renamed" })
    }),
  )
})

const recruiteePartner = { codename: "interviews", secret: "recruitee-secret-of-the-operator" }

layer(Simulator.layer({ settings: { HIRING_SYSTEM_PARTNERS: JSON.stringify({ recruitee: recruiteePartner }) } }))(
  "reports with the operator's credentials",
  (it) => {
    it.effect("are not sent about the order of another organization", () =>
      Effect.gen(function* () {
        const begin = Effect.fnUntraced(function* (name: string) {
          const { id, set } = yield* Scenario.organization({}, name)
          return { own: yield* Simulator.connect(id, recruitee), set }
        })
        const first = yield* begin("First")
        const second = yield* begin("Second")
        yield* Simulator.placed(first.own, { set: first.set.id, number: 7 })
        const refused = yield* Simulator.order(second.own, { set: second.set.id, number: 7 })
        assert.deepStrictEqual(
          [refused.status, refused.body],
          [422, { error: "This order is one of another company." }],
        )
        yield* Simulator.placed(first.own, { set: first.set.id, number: 7 })
        yield* Simulator.placed(second.own, { set: second.set.id, number: 8 })
        // of the same id at the same instant, one is accepted
        const answers = yield* Effect.forEach(
          [first, second, first, second],
          ({ own, set }) => Simulator.order(own, { set: set.id, number: 9 }),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 422, 422])
        const { sql } = yield* Database
        const owners = yield* sql`
          select distinct organization_id from ats_order where external_id = ${reportId(9)}`
        assert.lengthOf(owners, 1)
      }),
    )
  },
)

layer(Simulator.layer({ settings }))("an integration of the operator's Kombo account", (it) => {
  it.effect("is named by the operator only, and its orders are not in the log of another organization", () =>
    Effect.gen(function* () {
      const { connections, id, own, set } = yield* connect()
      const member = Members.viewer(id, yield* Workspace.member(id))
      const credentials = { integration_id: "workday:of-another-organization" }
      const refusals = [
        yield* Effect.flip(connections.create(member, { system: "kombo", name: "Kombo", credentials })),
        yield* Effect.flip(connections.setCredentials(member, own.id, credentials)),
      ]
      for (const refusal of refusals)
        assert.include(JSON.stringify(refusal), "is entered by the operator of this service")
      const { body, orderPath } = { body: kombo.probe.body, orderPath: kombo.orderPath }
      for (const path of [orderPath, "inline-order-received"]) {
        const { status } = yield* Simulator.call(own, "POST", path, { json: body })
        assert.strictEqual(status, path === orderPath ? 200 : 404)
      }
      // an order that names no integration may be that of any organization
      const unnamed = { ...own, play: kombo }
      assert.strictEqual((yield* Simulator.order(unnamed, { set: set.id })).status, 200)
      assert.strictEqual(yield* Simulator.count("ats_order", id), 0)
      assert.isEmpty(yield* Simulator.exchangesOf(own))
    }),
  )
})

layer(Settings.layer({ settings }))("the form of a hiring system", (it) => {
  it.effect("has no field for what the operator set", () =>
    Effect.gen(function* () {
      const { owner } = yield* Settings.begin
      const { text } = yield* Settings.as(owner).get("/settings/integrations/hiring-systems/new?system=kombo")
      const names = [...text.matchAll(/name="(credential-[^"]+)"/g)].map(([, name]) => name)
      // the operator's key reads the orders of each integration, so an organization does not choose its own
      assert.isEmpty(names)
      assert.notInclude(text, "of-the-operator")
    }),
  )
})

describe("HIRING_SYSTEM_PARTNERS", () => {
  for (const [value, error] of [
    [{ lever: { key: "hidden" } }, "lever is not a hiring system: use greenhouse"],
    [{ kombo: { key: "hidden" } }, "key is not a credential of the operator at kombo, which has region, api_key"],
    [{ greenhouse: { key: "hidden" } }, "key is not a credential of the operator at greenhouse, which has none"],
  ] as const) {
    it.effect(`is refused at the start: ${error}`, () =>
      Effect.gen(function* () {
        const partners = { HIRING_SYSTEM_PARTNERS: JSON.stringify(value) }
        const refused = yield* Effect.flip(makeConnectionCredentials).pipe(
          Effect.provide([Pod.unchecked(partners), TestApp.config(partners)]),
          Effect.provide(TestDatabase.layer),
        )
        assert.include(refused.message, error)
        assert.notInclude(refused.message, "hidden")
      }),
    )
  }
})
