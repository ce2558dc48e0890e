/** Headers of an endpoint: validation, encryption, and what is sent. */

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { operator } from "../../src/accounts/Viewer.ts"
import { SecretBox } from "../../src/platform/crypto/SecretBox.ts"
import { endpointContext } from "../../src/platform/crypto/SecretKeys.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { EndpointId } from "../../src/values/Ids.ts"
import { DeliveryQueue } from "../../src/webhooks/deliveries/DeliveryQueue.ts"
import { type EndpointChange, endpointErrors } from "../../src/webhooks/endpoints/Endpoint.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import { maxHeaders } from "../../src/webhooks/endpoints/StaticHeaders.ts"
import { TestDeliveries } from "../../src/webhooks/endpoints/TestDeliveries.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import { begin, requests, round, states } from "../support/Webhooks.ts"

const secret = "Bearer 0123456789-gateway"

const storedOf = Effect.fnUntraced(function* (id: EndpointId) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ headers: Uint8Array | null; header_names: ReadonlyArray<string> }>`
    select headers, header_names from webhook_endpoint where id = ${id}::uuid`
  assert(row)
  return row
})

describe("a header", () => {
  const headerErrors = (headers: EndpointChange["headers"], stored: ReadonlyArray<string>) =>
    endpointErrors({ headers }, [], stored)
  const faults = (name: string, value: string | null | undefined, stored: ReadonlyArray<string> = []) =>
    headerErrors([{ name, ...(value === undefined ? {} : { value }) }], stored).map(({ pointer }) => pointer)

  it.each(["Authorization", "X-Api-Key", "x!#$%&'*+-.^_`|~1", "Cookie", "Accept", "X-Webhook", "__proto__"])(
    "may be %s",
    (name) => assert.deepStrictEqual(faults(name, "a b"), []),
  )

  it.each([
    ...["", "two words", "a:b", "é", "a\r\nb", "n".repeat(101), "Host", "User-Agent", "Content-Type"],
    ...["content-length", "Content-Encoding", "Connection", "Transfer-Encoding", "TE", "Trailer", "Upgrade"],
    ...["Keep-Alive", "Proxy-Authorization", "proxy-connection", "Webhook-Id", "webhook-signature", "webhook-x"],
    ...["X-Webhook-Signature", "x-webhook-signature", "Traceparent", "Accept-Encoding", "Expect"],
  ])("may not be %j", (name) => assert.deepStrictEqual(faults(name, "a"), ["#/headers/0/name"]))

  it.each(["", " a", "a ", "a\tb", "a\r\nX-Other: b", "é", "\u0000", "v".repeat(1001)])(
    "may not have the value %j",
    (value) => assert.deepStrictEqual(faults("X-Key", value), ["#/headers/0/value"]),
  )

  it("keeps a stored value only", () => {
    for (const value of [undefined, null, "****"]) {
      assert.deepStrictEqual(faults("X-Key", value, ["x-key"]), [])
      assert.deepStrictEqual(faults("X-Key", value), ["#/headers/0/value"])
    }
    assert.deepStrictEqual(faults("X-Key", "v".repeat(1000)), [])
  })

  it("has a unique name; there are at most ten", () => {
    const errors = headerErrors(
      [
        { name: "X-Key", value: "a" },
        { name: "x-key", value: "b" },
      ],
      [],
    )
    assert.deepStrictEqual(
      errors.map(({ code, pointer }) => [pointer, code]),
      [["#/headers/1/name", "duplicate"]],
    )
    const many = Array.from({ length: maxHeaders + 1 }, (_, i) => ({ name: `X-${i}`, value: "a" }))
    assert.deepStrictEqual(
      headerErrors(many, []).map(({ code }) => code),
      ["too_many"],
    )
  })
})

describe("headers of an endpoint", () => {
  it.effect("are sent with deliveries and tests, stored encrypted, and never in the audit log", () =>
    Effect.gen(function* () {
      const { candidate, organization } = yield* begin(0)
      const endpoints = yield* Endpoints
      const { id } = yield* endpoints.create(operator(organization.id), {
        ...{ name: "Gateway", url: "https://gateway.example/hook", events: ["interview.status.update"] },
        headers: [
          { name: "Authorization", value: secret },
          { name: "X-Tenant", value: "acme 1" },
        ],
      })
      yield* Scenario.publish(candidate)
      yield* round
      yield* (yield* TestDeliveries).send(operator(organization.id), id)
      const sent = (yield* requests).filter(({ url }) => url === "https://gateway.example/hook")
      assert.lengthOf(sent, 2)
      for (const { headers } of sent) {
        assert.deepInclude(headers, { Authorization: secret, "X-Tenant": "acme 1", "content-type": "application/json" })
      }
      const others = (yield* requests).filter(({ url }) => url !== "https://gateway.example/hook")
      assert.lengthOf(others, 1)
      assert.notProperty(others[0]?.headers, "Authorization")

      const { header_names, headers } = yield* storedOf(id)
      assert.deepStrictEqual(header_names, ["Authorization", "X-Tenant"])
      assert.notInclude(Buffer.from(headers ?? []).toString("latin1"), "gateway")
      // encrypted for the headers of this endpoint only
      assert.isUndefined(yield* (yield* SecretBox).open(headers ?? new Uint8Array(), endpointContext(id)))

      // a value that is not given is kept, also under another spelling of the name; others are removed
      yield* endpoints.update(operator(organization.id), id, {
        headers: [{ name: "authorization" }, { name: "X-New", value: "1" }],
      })
      yield* Scenario.publish(candidate)
      yield* round
      const last = (yield* requests).findLast(({ url }) => url === "https://gateway.example/hook")
      assert.deepInclude(last?.headers, { authorization: secret, "X-New": "1" })
      assert.notProperty(last?.headers, "X-Tenant")
      // the stored value is not sent to another host
      for (const headers of [{}, { headers: [{ name: "authorization", value: "****" }] }]) {
        const moved = yield* Effect.flip(
          endpoints.update(operator(organization.id), id, { url: "https://other.example/hook", ...headers }),
        )
        assert.deepInclude(moved, { _tag: "Invalid" })
        assert.include(JSON.stringify(moved), '"#/headers"')
      }
      yield* endpoints.update(operator(organization.id), id, { url: "https://gateway.example/other" })
      yield* endpoints.update(operator(organization.id), id, { headers: [] })
      yield* endpoints.update(operator(organization.id), id, { url: "https://other.example/hook" })
      assert.deepStrictEqual(yield* storedOf(id), { headers: null, header_names: [] })

      const log = yield* Settings.audit(organization.id)
      assert.notInclude(JSON.stringify(log), "gateway-")
      assert.notInclude(JSON.stringify(log), secret)
      assert.deepInclude(
        log.filter(({ action, record_id }) => action === "webhook_endpoint.update" && record_id === id)[0]?.detail,
        {
          before: { headers: ["Authorization", "X-Tenant"] },
          after: { headers: ["authorization", "X-New"] },
          header_values_changed: true,
        },
      )
    }).pipe(Pod.provide({})),
  )

  it.effect("are decrypted once for many deliveries, and again after a change", () =>
    Effect.gen(function* () {
      const { candidate, endpoint, organization } = yield* begin(0)
      const endpoints = yield* Endpoints
      for (const value of ["first", "second"]) {
        yield* endpoints.update(operator(organization.id), endpoint, { headers: [{ name: "X-Key", value }] })
        yield* Scenario.publish(candidate, 3)
        yield* round
      }
      assert.deepStrictEqual(
        (yield* requests).map(({ headers }) => headers["X-Key"]),
        ["first", "first", "first", "second", "second", "second"],
      )
    }).pipe(Pod.provide({})),
  )

  it.effect("that cannot be decrypted deactivate the endpoint and park its deliveries, like its secret", () =>
    Effect.gen(function* () {
      const { candidate, endpoint, organization } = yield* begin(0)
      yield* (yield* Endpoints).update(operator(organization.id), endpoint, {
        headers: [{ name: "X-Key", value: "a" }],
      })
      const { sql } = yield* Database
      yield* sql`update webhook_endpoint set headers = set_byte(headers, 20, get_byte(headers, 20) # 1)`
      yield* Scenario.publish(candidate)
      const { queue } = yield* DeliveryQueue
      const jobs = yield* queue.claim(1)
      yield* queue.settle(yield* Effect.forEach(jobs, queue.perform))
      assert.deepStrictEqual(yield* requests, [])
      assert.deepStrictEqual(yield* states, { "parked 0": 1 })
      const { last_error, status } = yield* (yield* Endpoints).show(operator(organization.id), endpoint)
      assert.strictEqual(status, "inactive")
      assert.include(last_error, "no key of SECRET_KEY decrypts")
    }).pipe(Pod.provide({})),
  )
})
