/** Tests the Kombo connector against a simulator over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { HiringSystemConnections } from "../../src/ats/HiringSystemConnections.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Invitations } from "../../src/invitations/Invitations.ts"
import { Database } from "../../src/platform/database/Database.ts"
import * as Api from "../support/Api.ts"
import { conformance } from "./conformance.ts"
import * as Simulator from "./Simulator.ts"
import { kombo } from "./systems.ts"

const paths = Effect.map(Simulator.Simulator, ({ received }) => received.map(({ method, path }) => `${method} ${path}`))

const toJson = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Json))

const orderOf = (set: string, number: number) =>
  toJson(kombo.order({ set, number, email: `person${number}@example.com`, cvLink: null, url: "" })["data"])

layer(Simulator.layer())("Kombo", (it) => {
  conformance(it, kombo)

  it.effect("sends the interview sets as packages when Kombo is connected, and again when a set is renamed", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* Simulator.start(kombo)
      const { received } = yield* Simulator.Simulator
      const request = { title: "Engineer of backends" }
      const sets = yield* InterviewSets
      const { version } = (yield* sets.read(operator(id), set.id)).standing
      yield* sets.change(operator(id), set.id, version, { request, questions: [], requirements: [] })
      yield* Simulator.report
      const [pushed] = received
      assert.deepStrictEqual(
        [pushed?.method, pushed?.path, pushed?.headers.authorization, pushed?.headers["x-integration-id"]],
        [
          "PUT",
          "/v1/assessment/packages",
          `Bearer ${connection.vendor["api_key"]}`,
          connection.vendor["integration_id"],
        ],
      )
      const title = "Engineer of backends"
      assert.deepStrictEqual(Simulator.jsonOf(pushed?.body), {
        packages: [{ id: set.id, type: "SKILLS_TEST", name: title, description: title }],
      })
      yield* Simulator.report
      assert.lengthOf(received, 2)
    }),
  )

  it.effect("accepts an order of another integration, and stores nothing", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* Simulator.start(kombo)
      const json = { data: { ...orderOf(set.id, 1), integration_id: "workday:other" } }
      assert.strictEqual((yield* Simulator.call(connection, "POST", "order-received", { json })).status, 200)
      assert.strictEqual((yield* Simulator.call(connection, "POST", "inline-order-received", { json })).status, 404)
      assert.deepStrictEqual(
        yield* Effect.forEach(["ats_order", "submission", "candidate"], (table) => Simulator.count(table, id)),
        [0, 0, 0],
      )
      assert.include(
        yield* Simulator.exchangesOf(connection),
        "order-received 200: ignored an order of the integration workday:other",
      )
      // pages show it until an order of this integration arrives (HiringSystemPages.test.ts)
      const own = { data: { ...orderOf(set.id, 1), integration_id: connection.vendor["integration_id"] } }
      assert.strictEqual((yield* Simulator.call(connection, "POST", "order-received", { json: own })).status, 200)
      assert.strictEqual(yield* Simulator.count("ats_order", id), 1)
    }),
  )

  it.effect("answers an inline order with the candidate's link, and invites the candidate once", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* Simulator.start(kombo)
      const json = { data: orderOf(set.id, 1) }
      const send = Simulator.call(connection, "POST", "inline-order-received", { json })
      const [first, second] = [yield* send, yield* send]
      assert.strictEqual(first.status, 200)
      assert.deepStrictEqual(second.body, first.body)
      assert.match(JSON.stringify(first.body), /^\{"assessment_url":"http[^"]+\/[\w-]+"\}$/)
      assert.strictEqual(yield* Simulator.count("email", id), 1)
      for (const wrong of [null, [], {}, { data: null }, { data: { ...orderOf(set.id, 2), package_id: "17" } }]) {
        const { status } = yield* Simulator.call(connection, "POST", "inline-order-received", { json: wrong ?? "null" })
        // only 422 ends an order in Kombo
        assert.strictEqual(status, JSON.stringify(wrong)?.includes('"17"') ? 422 : 400)
      }
      assert.strictEqual(yield* Simulator.count("ats_order", id), 1)
    }),
  )

  it.effect("fetches open orders every hour, from all pages, and places those whose webhook was lost", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* Simulator.start(kombo)
      const { answer, received } = yield* Simulator.Simulator
      const connections = yield* HiringSystemConnections
      answer.body = ({ path }) => ({
        data: path.includes("cursor=page%202")
          ? { results: [orderOf(set.id, 2), { id: 17 }, orderOf(set.id, 3)], next: null }
          : { results: [orderOf(set.id, 1)], next: "page 2" },
      })
      yield* Simulator.order(connection, { set: set.id, number: 1, email: "person1@example.com" })
      yield* TestClock.adjust("59 minutes")
      yield* connections.queueSynchronizations
      assert.strictEqual(yield* Simulator.report, 0)
      yield* TestClock.adjust("2 minutes")
      yield* connections.queueSynchronizations
      yield* Simulator.report
      assert.deepStrictEqual(yield* paths, [
        "PUT /v1/assessment/packages",
        "GET /v1/assessment/orders?statuses=OPEN&page_size=20",
        "GET /v1/assessment/orders?statuses=OPEN&page_size=20&cursor=page%202",
      ])
      // an unreadable order does not keep the others from being placed
      assert.strictEqual(yield* Simulator.count("ats_order", id), 3)
      const { exchanges } = yield* connections.show(operator(id), connection.id)
      const [synchronized] = exchanges.filter(({ operation }) => operation === "synchronize")
      assert.deepStrictEqual(synchronized?.status, 200)
      assert.match(synchronized?.error ?? "", /^An order could not be accepted: /)
      received.length = 0
      yield* TestClock.adjust("61 minutes")
      yield* connections.queueSynchronizations
      yield* Simulator.report
      assert.deepStrictEqual([yield* Simulator.count("ats_order", id), yield* Simulator.count("email", id)], [3, 3])
    }),
  )

  it.effect("sends no invitation for orders that are not open", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* Simulator.start(kombo)
      const { answer } = yield* Simulator.Simulator
      const closed = ["COMPLETED", "CANCELLED", "REJECTED"].map((status, at) => ({ ...orderOf(set.id, at), status }))
      for (const data of closed) {
        const json = { data }
        assert.strictEqual((yield* Simulator.call(connection, "POST", "order-received", { json })).status, 200)
        const inline = yield* Simulator.call(connection, "POST", "inline-order-received", { json })
        assert.deepStrictEqual([inline.status, inline.body], [422, { message: "The order is no longer open." }])
      }
      answer.body = () => ({ data: { results: closed, next: null } })
      yield* TestClock.adjust("61 minutes")
      yield* (yield* HiringSystemConnections).queueSynchronizations
      yield* Simulator.report
      assert.strictEqual(yield* Simulator.count("candidate", id), 0)
      assert.include(yield* Simulator.exchangesOf(connection), "order-received 200: ignored an order that is CANCELLED")
    }),
  )

  it.effect("fetches pages of orders with long descriptions, in smaller pages if one is too long", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* Simulator.start(kombo)
      const { answer, received } = yield* Simulator.Simulator
      const described = (number: number, length: number) => {
        const order = orderOf(set.id, number)
        return { ...order, job: { name: "Engineer", description: "x".repeat(length) } }
      }
      const orders = Array.from({ length: 30 }, (_, at) => described(at + 1, at < 20 ? 300_000 : 15_000))
      answer.body = ({ path }) => {
        const query = new URL(path, "http://localhost").searchParams
        if (!query.has("page_size")) return {}
        const from = Number(query.get("cursor") ?? 0)
        const next = from + Number(query.get("page_size"))
        return { data: { results: orders.slice(from, next), next: next < orders.length ? String(next) : null } }
      }
      yield* TestClock.adjust("61 minutes")
      yield* (yield* HiringSystemConnections).queueSynchronizations
      yield* Simulator.report
      assert.strictEqual(yield* Simulator.count("ats_order", id), 30)
      assert.deepStrictEqual(
        received.map(({ path }) => path.replace(/.*page_size=/, "")),
        ["/v1/assessment/packages", "20", "10", "10&cursor=10", "10&cursor=20"],
      )
      const { exchanges } = yield* (yield* HiringSystemConnections).show(operator(id), connection.id)
      assert.strictEqual(exchanges.find(({ operation }) => operation === "synchronize")?.error, null)
    }),
  )

  it.effect("reports when an interview was cancelled, not when its submission changed afterwards", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* Simulator.start(kombo)
      const order = yield* Simulator.placed(connection, { set: set.id })
      const { sql } = yield* Database
      const [invitation] = yield* sql<{ id: string }>`
        select id from invitation where submission_id = ${order.submission}::uuid`
      yield* (yield* Invitations).cancel(operator(id), invitation?.id ?? "")
      const [{ at } = { at: new Date() }] = yield* sql<{ at: Date }>`
        select cancelled_at as at from invitation where submission_id = ${order.submission}::uuid`
      yield* sql`
        update submission set external_id = 'changed', updated_at = updated_at + interval '1 day'
        where id = ${order.submission}::uuid`
      yield* Simulator.report
      const [report] = yield* Simulator.reportsOf(connection, order)
      assert.deepInclude(Simulator.jsonOf(report?.body), { status: "CANCELLED", completed_at: at.toISOString() })
    }),
  )

  it.effect("synchronizes nothing while paused", () =>
    Effect.gen(function* () {
      const { connection, id, set } = yield* Simulator.start(kombo)
      const { answer, received } = yield* Simulator.Simulator
      const connections = yield* HiringSystemConnections
      answer.body = () => ({ data: { results: [orderOf(set.id, 1)], next: null } })
      yield* connections.setStatus(operator(id), connection.id, "paused")
      yield* TestClock.adjust("61 minutes")
      yield* connections.queueSynchronizations
      yield* (yield* InterviewSets).create(operator(id), { title: "Designer" })
      yield* Simulator.report
      assert.isEmpty(received)
      yield* connections.setStatus(operator(id), connection.id, "active")
      yield* Simulator.report
      assert.strictEqual(yield* Simulator.count("ats_order", id), 1)
    }),
  )

  it.effect("answers its own orders with 503 until the integration id is entered", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Simulator.start(kombo)
      const connection = yield* Simulator.connect(id, kombo, "half", "integration_id")
      const json = { data: { ...orderOf(set.id, 1), integration_id: connection.vendor["integration_id"] ?? "" } }
      assert.strictEqual((yield* Simulator.call(connection, "POST", "order-received", { json })).status, 503)
      yield* (yield* HiringSystemConnections).setCredentials(operator(id), connection.id, connection.vendor)
      assert.strictEqual((yield* Simulator.call(connection, "POST", "order-received", { json })).status, 200)
    }),
  )

  it.effect("logs a wrong signature once a minute, and accepts padding", () =>
    Effect.gen(function* () {
      const { connection } = yield* Simulator.start(kombo)
      yield* Simulator.probe(connection, "another-secret")
      yield* Simulator.probe(connection, "another-secret")
      assert.deepStrictEqual(yield* Simulator.exchangesOf(connection), [
        "order-received 401: the signature does not match its secret",
      ])
      yield* TestClock.adjust("61 seconds")
      yield* Simulator.probe(connection, "another-secret")
      assert.lengthOf(yield* Simulator.exchangesOf(connection), 2)
      const body = JSON.stringify(kombo.probe.body)
      const signed = kombo.authenticate(connection.key, body)["x-kombo-signature"]
      const headers = { "content-type": "application/json", "x-kombo-signature": `${signed}=` }
      const { status } = yield* Api.call("POST", Simulator.pathOf(connection, "order-received"), { headers, raw: body })
      assert.strictEqual(status, 200)
    }),
  )

  it.effect("tests the credentials with Kombo, and logs the result", () =>
    Effect.gen(function* () {
      const { connection, id } = yield* Simulator.start(kombo)
      const { answer } = yield* Simulator.Simulator
      const connections = yield* HiringSystemConnections
      const test = connections.test(operator(id), connection.id)
      assert.deepStrictEqual(yield* test, { status: 200, error: null })
      answer.status = 401
      const error = "Kombo answered 401: it does not accept the credentials of this connection"
      assert.deepInclude(yield* test, { status: 401, error })
      assert.deepStrictEqual(yield* Simulator.exchangesOf(connection), [`test 401: ${error}`, "test 200"])
      assert.deepStrictEqual(new Set(yield* paths), new Set(["GET /v1/assessment/packages"]))
      const incomplete = yield* Simulator.connect(id, kombo, "incomplete", "api_key")
      const refused = yield* Effect.flip(connections.test(operator(id), incomplete.id))
      assert.deepInclude(refused, { _tag: "Conflict", reason: "enter these credentials first: Kombo API key" })
    }),
  )
})
