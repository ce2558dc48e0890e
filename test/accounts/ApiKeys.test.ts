/** API keys: what is stored and shown, who may change them, and when they stop working (docs/api.md). */

import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as App from "../../src/App.ts"
import { ApiKeys, type KeyChange, type NewKey } from "../../src/accounts/api-keys/ApiKeys.ts"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { ApiKeyId } from "../../src/values/Ids.ts"
import type { Invalid, NotFound } from "../../src/values/Problem.ts"
import * as Pod from "../support/Pod.ts"
import { passingTime } from "../support/passingTime.ts"
import * as TestApp from "../support/TestApp.ts"

const services = App.administration.pipe(Layer.provide(NodeCrypto.layer), Layer.provideMerge(TestApp.base()))

const start = Date.UTC(2026, 0, 1)

const makeKey = Effect.fnUntraced(function* (key: NewKey = { name: "ATS" }) {
  const organization = yield* (yield* Organizations).create("Nordlicht")
  const apiKeys = yield* ApiKeys
  const keys: ApiKeys["Service"] = {
    ...apiKeys,
    update: (...change) => passingTime(apiKeys.update(...change)),
    remove: (...key) => passingTime(apiKeys.remove(...key)),
  }
  return { organization, keys, ...(yield* keys.create(operator(organization), key)) }
})

const reason = Effect.fnUntraced(function* (value: Redacted.Redacted) {
  return (yield* Effect.flip((yield* ApiKeys).authenticate(value))).reason
})

const lastUsed = Effect.fnUntraced(function* (id: ApiKeyId) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ last_used_at: Date | null }>`select last_used_at from api_key where id = ${id}::uuid`
  return row?.last_used_at?.getTime()
})

/** Pointers and codes of the validation errors. */
const errorsOf = <A, R>(effect: Effect.Effect<A, Invalid | NotFound, R>) =>
  Effect.map(Effect.flip(effect), (error) => {
    assert(error._tag === "Invalid")
    return error.errors.map(({ code, pointer }) => `${pointer} ${code}`)
  })

layer(services)("ApiKeys", (it) => {
  it.effect("have a unique value in the documented format, and authenticate their organization", () =>
    Effect.gen(function* () {
      const { id, keys, organization, value } = yield* makeKey()
      const other = yield* keys.create(operator(organization), {})
      assert.match(Redacted.value(value), /^iv_live_[a-z0-9]{8}\.[A-Za-z0-9_-]{43}$/)
      assert.notStrictEqual(Redacted.value(value), Redacted.value(other.value))
      assert.notInclude(JSON.stringify({ value }) + String(value), Redacted.value(value))
      assert.deepStrictEqual(yield* keys.authenticate(value), {
        principal: { _tag: "ApiKey", organizationId: organization, apiKeyId: id, scopes: [] },
        trustedFor: 1000,
      })
    }),
  )

  it.effect("are stored and shown without their secret", () =>
    Effect.gen(function* () {
      const { id, keys, organization, value } = yield* makeKey()
      const { sql } = yield* Database
      const [row] = yield* sql<{ stored: string; prefix: string; bytes: number }>`
        select to_jsonb(k)::text as stored, prefix, octet_length(secret_hash) as bytes from api_key k where id = ${id}::uuid`
      const [prefix, secret = ""] = Redacted.value(value).split(".")
      assert.strictEqual(row?.prefix, prefix)
      assert.strictEqual(row?.bytes, 32)
      assert.notInclude(row?.stored, secret)
      assert.notInclude(row?.stored, Buffer.from(secret, "base64url").toString("hex"))

      const shown = [
        yield* keys.show(operator(organization), id),
        ...(yield* keys.list(operator(organization))),
        yield* keys.update(operator(organization), id, { name: "Portal" }),
      ]
      for (const key of shown) {
        assert.strictEqual(key.value, `${prefix}.****`)
        assert.notInclude(JSON.stringify(key), secret)
        assert.notProperty(key, "secret_hash")
        assert.strictEqual(yield* reason(Redacted.make(key.value)), "the API key is malformed")
      }
    }),
  )

  it.effect("are rejected with a reason", () =>
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

      yield* keys.update(operator(organization), id, { status: "inactive" })
      assert.strictEqual(yield* reason(value), "the API key is inactive")
      yield* keys.update(operator(organization), id, { status: "active" })
      yield* keys.authenticate(value)
      yield* keys.remove(operator(organization), id)
      assert.strictEqual(yield* reason(value), "the API key is not known")
    }),
  )

  it.effect("expire at expires_at", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const expires_at = new Date(start + 60_000).toISOString()
      const { id, keys, organization, value } = yield* makeKey({ expires_at })
      yield* TestClock.adjust("59999 millis")
      assert.deepInclude(yield* keys.authenticate(value), { trustedFor: 1 })
      assert.isFalse((yield* keys.show(operator(organization), id)).expired)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* reason(value), "the API key has expired")
      assert.deepInclude(yield* keys.show(operator(organization), id), { expires_at, expired: true, status: "active" })
    }),
  )

  it.effect(
    "answer a request to change their status or scopes or to delete them a second later, also a repeated one; others at once",
    () =>
      Effect.gen(function* () {
        const { id, organization } = yield* makeKey()
        const apiKeys = yield* ApiKeys
        const now = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos) / 1e6)
        const began = yield* now
        yield* apiKeys.update(operator(organization), id, { name: "Portal" })
        assert.strictEqual(yield* now, began)
        const deactivate = apiKeys.update(operator(organization), id, { status: "inactive" })
        const remove = apiKeys.remove(operator(organization), id)
        const changes = [
          apiKeys.update(operator(organization), id, { scopes: ["read"] }),
          deactivate,
          // another process may still trust the key after the first request
          deactivate,
          remove,
        ]
        for (const change of changes) {
          const before = yield* now
          yield* passingTime(Effect.exit(change))
          assert.isAtLeast(yield* now, before + 1000)
        }
      }),
  )

  it.effect("are expired from the start when expires_at is in the past", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { value } = yield* makeKey({ expires_at: "2020-01-01" })
      assert.strictEqual(yield* reason(value), "the API key has expired")
    }),
  )

  it.effect("are not created with validation errors, which are returned at once", () =>
    Effect.gen(function* () {
      const { keys, organization } = yield* makeKey()
      const wrong = { name: "x".repeat(251), scopes: ["read", "write"], expires_at: "12" }
      const all = ["#/name too_long", "#/scopes/1 not_one_of", "#/expires_at invalid_date"]
      assert.deepStrictEqual(yield* errorsOf(keys.create(operator(organization), wrong)), all)
      assert.lengthOf(yield* keys.list(operator(organization)), 1)
    }),
  )

  it.effect("note accepted uses, at most once a minute", () =>
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
      yield* keys.update(operator(organization), id, { status: "inactive" })
      yield* reason(value)
      assert.strictEqual(yield* lastUsed(id), start + 60_001)
    }),
  )

  it.effect("are listed newest first, with masked values", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { id, keys, organization, value } = yield* makeKey({ name: " ATS ", description: " ", scopes: ["read"] })
      yield* TestClock.adjust("1 millis")
      const { id: newer } = yield* keys.create(operator(organization), { scopes: ["create_set", "read", "create_set"] })
      yield* keys.authenticate(value)
      yield* makeKey()

      const listed = yield* keys.list(operator(organization))
      assert.deepStrictEqual(
        listed.map((key) => key.id),
        [newer, id],
      )
      assert.deepStrictEqual(listed[0]?.scopes, ["create_set", "read"])
      assert.deepStrictEqual(listed[1], {
        id,
        name: "ATS",
        description: null,
        value: `${Redacted.value(value).split(".")[0]}.****`,
        scopes: ["read"],
        status: "active",
        expired: false,
        expires_at: null,
        last_used_at: "2026-01-01T00:00:00.001Z",
        created_at: "2026-01-01T00:00:00.000Z",
      })
      assert.deepStrictEqual(yield* keys.show(operator(organization), id), listed[1])
    }),
  )

  it.effect("change only in the given fields", () =>
    Effect.gen(function* () {
      const { id, keys, organization, value } = yield* makeKey()
      const before = yield* keys.show(operator(organization), id)
      const steps: ReadonlyArray<readonly [KeyChange, object]> = [
        [{}, {}],
        [
          { scopes: ["read", "read"], description: " for reports " },
          { scopes: ["read"], description: "for reports" },
        ],
        [{ name: null }, { name: null }],
        [
          { status: "inactive", name: "Portal" },
          { status: "inactive", name: "Portal" },
        ],
        [{ description: "" }, { description: null }],
        [
          { scopes: [], status: "active" },
          { scopes: [], status: "active" },
        ],
      ]
      let expected = { ...before }
      for (const [change, effect] of steps) {
        expected = { ...expected, ...effect }
        assert.deepStrictEqual(yield* keys.update(operator(organization), id, change), expected)
      }
      const wrong = { name: "\0", description: "x".repeat(2001), scopes: ["admin"], status: "deleted" }
      assert.deepStrictEqual(yield* errorsOf(keys.update(operator(organization), id, wrong)), [
        ...["#/name unstorable_text", "#/description too_long", "#/scopes/0 not_one_of", "#/status not_one_of"],
      ])
      assert.deepStrictEqual(yield* keys.show(operator(organization), id), expected)
      yield* keys.authenticate(value)
    }),
  )

  it.effect("cannot be read, changed or deleted by another organization", () =>
    Effect.gen(function* () {
      const { id, keys, organization, value } = yield* makeKey()
      const { organization: other } = yield* makeKey()
      const before = yield* keys.show(operator(organization), id)
      for (const attempt of [
        keys.show(operator(other), id),
        keys.update(operator(other), id, { status: "inactive" }),
        keys.update(operator(other), id, {}),
        keys.remove(operator(other), id),
      ]) {
        assert.deepInclude(yield* Effect.flip(attempt), { _tag: "NotFound", record: "API key" })
      }
      assert.notInclude(
        (yield* keys.list(operator(other))).map((key) => key.id),
        id,
      )
      assert.deepStrictEqual(yield* keys.show(operator(organization), id), before)
      yield* keys.authenticate(value)
    }),
  )

  it.effect("apply changes from the next look-up in every process", () =>
    Effect.gen(function* () {
      const { id, keys, organization, value } = yield* makeKey()
      const elsewhere = Context.get(yield* Pod.start(), ApiKeys)
      const answer = Effect.match(elsewhere.authenticate(value), {
        onFailure: ({ reason }) => reason,
        onSuccess: ({ principal }) => principal.scopes,
      })
      assert.deepStrictEqual(yield* answer, [])
      yield* keys.update(operator(organization), id, { scopes: ["read"] })
      assert.deepStrictEqual(yield* answer, ["read"])
      yield* keys.update(operator(organization), id, { status: "inactive" })
      assert.strictEqual(yield* answer, "the API key is inactive")
      yield* keys.update(operator(organization), id, { status: "active" })
      assert.deepStrictEqual(yield* answer, ["read"])
      yield* keys.remove(operator(organization), id)
      assert.strictEqual(yield* answer, "the API key is not known")
      assert.isTrue((yield* Effect.flip(keys.show(operator(organization), id)))._tag === "NotFound")
    }),
  )
})
