/** Authentication over HTTP: keys, scopes, and the order of checks (docs/api.md). */

import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { trustedFor } from "../../src/accounts/api-keys/ApiKey.ts"
import { ApiKeys } from "../../src/accounts/api-keys/ApiKeys.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { ApiKeyId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import {
  Caller,
  createSet,
  detail,
  invite,
  nobodys,
  problem,
  layer as specification,
} from "../support/Specification.ts"

const json = { "content-type": "application/json" }

/** A request to each operation. */
const operations = [
  ["POST", createSet],
  ["POST", invite],
  ["GET", detail(nobodys)],
] as const

/** Keys of the caller, each with fewer rights. */
type Keys = Readonly<Record<"able" | "reader" | "expired", string>>

const newKey = Effect.fnUntraced(function* (key: Parameters<typeof Api.keyOf>[1] = {}) {
  return yield* Api.keyOf((yield* Caller).organization, key)
})

layer(specification(), { excludeTestServices: true })("a key", (it) => {
  it.effect.each<readonly [quote: string, value: (key: string) => string | undefined]>([
    ["missing", () => undefined],
    ["missing (empty)", () => ""],
    ["missing (blank)", () => "  "],
    ["malformed", () => "x"],
    ["malformed (prefix alone)", (key) => key.replace(/\..*/, "")],
    ["malformed (without a secret)", (key) => key.replace(/\..*/, ".")],
    ["malformed (too long)", (key) => `${key}A`],
    ["malformed (too short)", (key) => key.slice(0, -1)],
    ["malformed (two of them)", (key) => `${key}, ${key}`],
    ["malformed (another scheme)", (key) => `Bearer ${key}`],
    ["malformed (upper case)", (key) => key.toUpperCase()],
    ["malformed (masked)", (key) => key.replace(/\..*/, ".****")],
    ["malformed (very long)", (key) => key.repeat(100)],
    ["unknown", () => `iv_live_zzzzzzzz.${"A".repeat(43)}`],
    ["unknown (another secret)", (key) => key.replace(/\..*/, `.${"A".repeat(43)}`)],
    ["unknown (another prefix)", (key) => key.replace(/^iv_live_......../, "iv_live_zzzzzzzz")],
  ])("returns 401 when the key is %s", ([, value]) =>
    Effect.gen(function* () {
      const { key } = yield* newKey()
      for (const [method, path] of operations) {
        const answer = yield* Api.call(method, path, { key: value(key) })
        problem(answer, 401, "unauthorized")
        assert.strictEqual(answer.headers.get("www-authenticate"), "ApiKey")
        assert.notInclude(JSON.stringify(answer.body), key.slice(-20))
      }
    }),
  )

  it.effect.each<
    readonly [quote: string, spoil: (id: ApiKeyId) => Effect.Effect<unknown, unknown, ApiKeys | Caller | Database>]
  >([
    [
      "deleted",
      Effect.fnUntraced(function* (id) {
        const [own] = (yield* (yield* ApiKeys).list(operator((yield* Caller).organization))).filter(
          (one) => one.id === id,
        )
        assert.isDefined(own)
        if (own !== undefined) yield* (yield* ApiKeys).remove(operator((yield* Caller).organization), own.id)
      }),
    ],
    [
      "inactive",
      Effect.fnUntraced(function* (id) {
        yield* (yield* ApiKeys).update(operator((yield* Caller).organization), id, { status: "inactive" })
      }),
    ],
    [
      "expired",
      Effect.fnUntraced(function* (id) {
        const { sql } = yield* Database
        yield* sql`update api_key set expires_at = now() - interval '1 second' where id = ${id}::uuid`
        // as long as the product waits after a change
        yield* Effect.sleep(trustedFor)
      }),
    ],
  ])("returns 401 when the key is %s", ([, spoil]) =>
    Effect.gen(function* () {
      const { id, key } = yield* newKey()
      problem(yield* Api.call("GET", detail(nobodys), { key }), 404, "not_found")
      yield* spoil(id)
      for (const [method, path] of operations) {
        const answer = yield* Api.call(method, path, { key })
        problem(answer, 401, "unauthorized")
        assert.strictEqual(answer.headers.get("www-authenticate"), "ApiKey")
      }
    }),
  )

  it.effect("rejects an inactive key and accepts it when reactivated", () =>
    Effect.gen(function* () {
      const { organization } = yield* Caller
      const keys = yield* ApiKeys
      const { id, key } = yield* newKey()
      for (const [status, code] of [
        ["inactive", 401],
        ["active", 404],
      ] as const) {
        yield* keys.update(operator(organization), id, { status })
        assert.strictEqual((yield* Api.call("GET", detail(nobodys), { key })).status, code)
      }
    }),
  )

  it.effect("combines the operations of several scopes", () =>
    Effect.gen(function* () {
      const { key } = yield* newKey({ scopes: ["create_set", "invite_candidates"] })
      assert.strictEqual((yield* Api.call("POST", createSet, { key, json: { title: "x" } })).status, 201)
      assert.strictEqual((yield* Api.call("POST", invite, { key, json: {} })).status, 422)
      const all = yield* newKey({ scopes: ["create_set", "invite_candidates", "read"] })
      assert.strictEqual((yield* Api.call("GET", detail(nobodys), { key: all.key })).status, 404)
    }),
  )

  const good = { com_interview_set_id: nobodys, candidates: [{ email: "ada@example.com" }] }

  // each request has this error and all errors that are checked later
  it.effect.each<readonly [quote: string, status: number, code: string, sent: (keys: Keys) => Api.Sent]>([
    ["401 before 403: no key", 401, "unauthorized", () => ({ raw: "{", headers: json })],
    [
      "401 before the body is read",
      401,
      "unauthorized",
      ({ expired }) => ({ key: expired, raw: "x".repeat(3_000_000) }),
    ],
    [
      "401 before 403: a key that expired and lacks the scope",
      401,
      "unauthorized",
      ({ expired }) => ({ key: expired, json: {} }),
    ],
    ["403 before 400", 403, "missing_scope", ({ reader }) => ({ key: reader, raw: "{", headers: json })],
    ["403 before 413 and 415", 403, "missing_scope", ({ reader }) => ({ key: reader, raw: "x".repeat(3_000_000) })],
    ["403 before 422", 403, "missing_scope", ({ reader }) => ({ key: reader, json: { candidates: [] } })],
    ["403 before 404", 403, "missing_scope", ({ reader }) => ({ key: reader, json: good })],
    ["400 before 422", 400, "bad_request", ({ able }) => ({ key: able, raw: '{"candidates":[]', headers: json })],
    [
      "422 before 404: schema",
      422,
      "validation_failed",
      ({ able }) => ({ key: able, json: { ...good, send_invite: 1 } }),
    ],
    [
      "422 before 404: rules",
      422,
      "validation_failed",
      ({ able }) => ({ key: able, json: { ...good, candidates: [] } }),
    ],
    ["ids exist", 404, "not_found", ({ able }) => ({ key: able, json: good })],
  ])("checks key, scope, JSON, schema, ids in this order: %s", ([, status, code, sent]) =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const expired = yield* newKey({ scopes: ["read"] })
      yield* sql`update api_key set expires_at = now() where id = ${expired.id}::uuid`
      const keys = {
        expired: expired.key,
        reader: (yield* newKey({ scopes: ["read"] })).key,
        able: (yield* newKey({ scopes: ["invite_candidates"] })).key,
      }
      problem(yield* Api.call("POST", invite, sent(keys)), status, code)
    }),
  )
})
