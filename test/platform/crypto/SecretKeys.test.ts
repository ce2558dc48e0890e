/** Accepted SECRET_KEYs of a database, replacement of a key, and secrets that no key decrypts. */

import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../../src/accounts/Viewer.ts"
import { checkSecretKeys, reencrypt } from "../../../src/platform/crypto/SecretKeys.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { Deliveries } from "../../../src/webhooks/deliveries/Deliveries.ts"
import { EndpointSecrets } from "../../../src/webhooks/endpoints/EndpointSecrets.ts"
import { Endpoints } from "../../../src/webhooks/endpoints/Endpoints.ts"
import * as Pod from "../../support/Pod.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as TestApp from "../../support/TestApp.ts"
import * as Webhooks from "../../support/Webhooks.ts"

const { begin, requests, round, states } = Webhooks

const keyOf = (fill: number) => Buffer.alloc(32, fill).toString("base64")
const listed = (...keys: ReadonlyArray<number>) => ({ SECRET_KEY: keys.map(keyOf).join(",") })

/** Starts another process on the database, with these keys. */
const processWith = (...keys: ReadonlyArray<number>) => Pod.start({ settings: listed(...keys) })

/** The message of a process that does not start. */
const refusal = (...keys: ReadonlyArray<number>) =>
  Effect.map(Effect.flip(processWith(...keys)), ({ message }) => message)

const recordedKeys = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql<{ fingerprint: Uint8Array }>`select fingerprint from secret_key`
})

const endpoint = { name: "ATS", url: "https://receiver.example/hook" }
const otherKey =
  "SECRET_KEY is not the key that this database was used with: set that key. To replace it, first put the new key after it, separated by a comma (docs/operate.md)"

describe("a process", () => {
  it.effect("does not start with another SECRET_KEY than the database was created with", () =>
    Effect.gen(function* () {
      const [row] = yield* recordedKeys
      assert.lengthOf(row?.fingerprint ?? [], 32)
      assert.notInclude(Buffer.from(row?.fingerprint ?? []).toString("base64"), keyOf(7))
      assert.strictEqual(yield* refusal(9), otherKey)
      assert.strictEqual(yield* refusal(9, 8), otherKey)
      assert.lengthOf(yield* recordedKeys, 1)
    }).pipe(Pod.provide({ settings: listed(7) })),
  )

  it.live("starts on a new database with one of several keys: one key wins", () =>
    Effect.gen(function* () {
      const begin = (key: number) =>
        Effect.exit(Effect.provide(checkSecretKeys, Pod.unchecked(listed(key)), { local: true }))
      // each process has a connection for NOTIFY, and the test has five
      const exits = yield* Effect.forEach([1, 2, 3], begin, { concurrency: "unbounded" })
      assert.lengthOf(exits.filter(Exit.isSuccess), 1)
      assert.lengthOf(yield* recordedKeys, 1)
    }).pipe(Effect.provide(TestApp.base())),
  )

  it.effect("starts with a new key before the old one, and beside processes that only have the old one", () =>
    Effect.gen(function* () {
      yield* processWith(9, 7)
      assert.lengthOf(yield* recordedKeys, 2)
      yield* processWith(7)
      yield* processWith(9, 7)
    }).pipe(Pod.provide({ settings: listed(7) })),
  )

  it.effect("does not start without an old key that secrets are encrypted under, until they are re-encrypted", () =>
    Effect.gen(function* () {
      const { candidate, endpoint, secret } = yield* begin(0)
      const during = yield* processWith(9, 7)
      const expected =
        "SECRET_KEY lacks a key that a secret is encrypted under: put the removed key back after the others, separated by a comma, and run secret-key reencrypt before you remove it"
      assert.strictEqual(yield* refusal(9), expected)
      assert.deepStrictEqual(yield* Effect.provideContext(reencrypt(false), during), { reencrypted: 1, unreadable: 0 })
      const after = yield* processWith(9)
      assert.strictEqual(yield* refusal(7), otherKey)
      for (const one of [during, after]) {
        const shown = Context.get(one, EndpointSecrets).read(operator(candidate.organization), endpoint)
        assert.strictEqual(Redacted.value(yield* shown), secret)
      }
    }).pipe(Pod.provide({ settings: listed(7) })),
  )

  it.effect("records its keys on a database without fingerprints when they decrypt its secrets", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      yield* begin(0)
      yield* sql`delete from secret_key`
      assert.strictEqual(yield* refusal(9), otherKey)
      assert.lengthOf(yield* recordedKeys, 0)
      // unknown which of the two encrypted the secret: both are needed
      yield* processWith(9, 7)
      assert.include(yield* refusal(9), "SECRET_KEY lacks a key")
    }).pipe(Pod.provide({ settings: listed(7) })),
  )

  it.effect("starts without a lost key after --forget-lost", () =>
    Effect.gen(function* () {
      yield* begin(0)
      const other = yield* Effect.provide(reencrypt(false), Pod.unchecked(listed(9)), { local: true })
      assert.deepStrictEqual(other, { reencrypted: 0, unreadable: 1 })
      assert.strictEqual(yield* refusal(9), otherKey)
      yield* Effect.provide(reencrypt(true), Pod.unchecked(listed(9)), { local: true })
      yield* processWith(9)
    }).pipe(Pod.provide({ settings: listed(7) })),
  )
})

describe("a webhook secret that no key decrypts", () => {
  const damage = Effect.gen(function* () {
    const { sql } = yield* Database
    yield* sql`update webhook_endpoint set secret = ${new Uint8Array(60)}`
  })

  it.effect("pauses the deliveries, logs the reason once, and delivers with a new secret", () => {
    const logged: Array<string> = []
    const logger = Logger.make<unknown, void>(({ message }) => void logged.push(String(message)))
    return Effect.gen(function* () {
      const { endpoint, organization } = yield* begin(3)
      const endpoints = yield* Endpoints
      const endpointSecrets = yield* EndpointSecrets
      yield* damage
      yield* Webhooks.rounds
      assert.deepStrictEqual(yield* states, { "parked 0": 3 })
      assert.deepStrictEqual(yield* requests, [])
      const { deactivated_at, last_error, status } = yield* endpoints.show(operator(organization.id), endpoint)
      assert.strictEqual(status, "inactive")
      assert.deepStrictEqual(deactivated_at, new Date(Webhooks.start))
      assert.match(last_error ?? "", /^no key of SECRET_KEY decrypts the secret of this webhook: put back the key /)
      assert.lengthOf(
        logged.filter((line) => line.includes("decrypts its secret")),
        1,
      )
      assert.strictEqual(
        (yield* Effect.flip(endpointSecrets.read(operator(organization.id), endpoint)))._tag,
        "UnreadableSecret",
      )

      yield* endpointSecrets.regenerate(operator(organization.id), endpoint)
      yield* endpoints.enable(operator(organization.id), endpoint)
      assert.strictEqual(yield* (yield* Deliveries).sendParked(operator(organization.id), endpoint), 3)
      yield* TestClock.adjust("1 second")
      yield* Webhooks.rounds
      assert.deepStrictEqual(yield* states, { "delivered 1": 3 })
      const [request] = yield* requests
      assert.lengthOf((request?.headers["x-webhook-signature"] ?? "").split("v1="), 2)
    }).pipe(Effect.provide(Logger.layer([logger])), Pod.provide())
  })

  it.effect("leaves deliveries to processes that have the key, without counting an attempt", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Webhooks.start)
      const organization = yield* Scenario.organization()
      const newer = yield* processWith(9, 7)
      const { id } = yield* Context.get(newer, Endpoints).create(operator(organization.id), endpoint)
      yield* Scenario.publish(yield* Scenario.invited(organization))
      yield* round
      yield* round
      const { status } = yield* (yield* Endpoints).show(operator(organization.id), id)
      assert.strictEqual(status, "active")
      const waiting = yield* states
      yield* TestClock.adjust("1 minute")
      yield* Effect.provideContext(Webhooks.rounds, newer)
      const count = waiting["queued 0"] ?? 0
      assert.isAbove(count, 0)
      assert.deepStrictEqual([waiting, yield* states], [{ "queued 0": count }, { "delivered 1": count }])
    }).pipe(Pod.provide({ settings: listed(7) })),
  )
})
