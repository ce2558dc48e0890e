/** API keys: their form, what is stored of them, and when they stop working (contract, API keys). */
import { NodeCrypto } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { type ApiKeyId, OrganizationId } from "../../src/domain/Ids.ts"
import { Database } from "../../src/repository/Database.ts"
import { ApiKeys } from "../../src/service/ApiKeys.ts"
import { Organizations } from "../../src/service/Organizations.ts"
import * as TestApp from "../support/TestApp.ts"

const services = App.administration.pipe(Layer.provide(NodeCrypto.layer), Layer.provideMerge(TestApp.base()))

const start = Date.UTC(2026, 0, 1)

const makeKey = Effect.fnUntraced(function* (expiresAt?: Date) {
  const organization = yield* (yield* Organizations).create("Nordlicht")
  const keys = yield* ApiKeys
  return { organization, keys, ...(yield* keys.create(organization, { name: "ATS", expiresAt })) }
})

const reason = Effect.fnUntraced(function* (value: Redacted.Redacted) {
  return (yield* Effect.flip((yield* ApiKeys).authenticate(value))).reason
})

const lastUsed = Effect.fnUntraced(function* (id: ApiKeyId) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ last_used_at: Date | null }>`select last_used_at from api_key where id = ${id}::uuid`
  return row?.last_used_at?.getTime()
})

layer(services)("ApiKeys", (it) => {
  it.effect("are unique, of the documented form, and open their organization", () =>
    Effect.gen(function* () {
      const { id, keys, organization, value } = yield* makeKey()
      const other = yield* keys.create(organization, {})
      assert.match(Redacted.value(value), /^iv_live_[a-z0-9]{8}\.[A-Za-z0-9_-]{43}$/)
      assert.notStrictEqual(Redacted.value(value), Redacted.value(other.value))
      assert.notInclude(JSON.stringify({ value }) + String(value), Redacted.value(value))
      assert.deepStrictEqual(yield* keys.authenticate(value), {
        organizationId: organization,
        apiKeyId: id,
        scopes: [],
      })
    }),
  )

  it.effect("leave nothing in the database that opens anything", () =>
    Effect.gen(function* () {
      const { id, value } = yield* makeKey()
      const { sql } = yield* Database
      const [row] = yield* sql<{ stored: string; prefix: string; bytes: number }>`
        select to_jsonb(k)::text as stored, prefix, octet_length(secret_hash) as bytes from api_key k where id = ${id}::uuid`
      const [prefix, secret = ""] = Redacted.value(value).split(".")
      assert.strictEqual(row?.prefix, prefix)
      assert.strictEqual(row?.bytes, 32)
      assert.notInclude(row?.stored, secret)
      assert.notInclude(row?.stored, Buffer.from(secret, "base64url").toString("hex"))
    }),
  )

  it.effect("say why they are refused", () =>
    Effect.gen(function* () {
      const { id, keys, organization, value } = yield* makeKey()
      const whole = Redacted.value(value)
      const altered = whole.replace(/.(?=.$)/, (letter) => (letter === "A" ? "B" : "A"))
      for (const malformed of ["", "x", whole.slice(0, -1), `${whole}A`, ` ${whole}`, whole.replace(".", "")]) {
        assert.strictEqual(yield* reason(Redacted.make(malformed)), "the API key is malformed")
      }
      assert.strictEqual(yield* reason(Redacted.make(altered)), "the API key is not known")
      const foreign = (yield* makeKey()).value
      const mixed = `${whole.split(".")[0]}.${Redacted.value(foreign).split(".")[1]}`
      assert.strictEqual(yield* reason(Redacted.make(mixed)), "the API key is not known")

      yield* keys.update(organization, id, { status: "inactive" })
      assert.strictEqual(yield* reason(value), "the API key is inactive")
      yield* keys.update(organization, id, { status: "active" })
      yield* keys.authenticate(value)
      yield* keys.remove(organization, id)
      assert.strictEqual(yield* reason(value), "the API key is not known")
    }),
  )

  it.effect("expire at their hour, not before", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { keys, value } = yield* makeKey(new Date(start + 60_000))
      yield* TestClock.adjust("59999 millis")
      yield* keys.authenticate(value)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* reason(value), "the API key has expired")
    }),
  )

  it.effect("note their use at most once a minute, and only when they open", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { id, keys, organization, value } = yield* makeKey()
      assert.isUndefined(yield* lastUsed(id))
      yield* keys.authenticate(value)
      assert.strictEqual(yield* lastUsed(id), start)
      yield* TestClock.adjust("1 minute")
      yield* keys.authenticate(value)
      assert.strictEqual(yield* lastUsed(id), start)
      yield* TestClock.adjust("1 millis")
      yield* keys.authenticate(value)
      assert.strictEqual(yield* lastUsed(id), start + 60_001)
      yield* TestClock.adjust("1 hour")
      yield* keys.update(organization, id, { status: "inactive" })
      yield* reason(value)
      assert.strictEqual(yield* lastUsed(id), start + 60_001)
    }),
  )

  it.effect("change in what is named and in nothing else, for their own organization alone", () =>
    Effect.gen(function* () {
      const { id, keys, organization, value } = yield* makeKey()
      yield* keys.update(organization, id, { scopes: ["read"], description: "for reports" })
      assert.deepStrictEqual((yield* keys.authenticate(value)).scopes, ["read"])
      yield* keys.update(organization, id, { name: null })
      const { sql } = yield* Database
      assert.deepStrictEqual(yield* sql`select name, description, scopes, status from api_key where id = ${id}::uuid`, [
        { name: null, description: "for reports", scopes: ["read"], status: "active" },
      ])
      const foreign = OrganizationId.make(organization + 1000)
      assert.strictEqual((yield* Effect.flip(keys.update(foreign, id, { status: "inactive" }))).record, "API key")
      assert.strictEqual((yield* Effect.flip(keys.remove(foreign, id))).record, "API key")
      yield* keys.authenticate(value)
    }),
  )
})
