/** Idempotency-Key (docs/api.md): performed once, with the same response for repetitions, also after races and crashes. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { type Answer, Idempotency } from "../../src/platform/http/Idempotency.ts"
import { ApiKeyId, type OrganizationId } from "../../src/values/Ids.ts"
import * as Api from "../support/Api.ts"
import * as Pod from "../support/Pod.ts"

const { createSet, invite } = Api.paths
const title = (text: string) => ({ title: text })
const withKey = (key: string) => ({ "idempotency-key": key })

const sets = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  return (yield* sql`select id from interview_set where organization_id = ${organization}::int`).length
})

layer(Api.layer(), { excludeTestServices: true })("Idempotency-Key over REST", (it) => {
  it.effect("returns the first response byte for byte and performs nothing twice", () =>
    Effect.gen(function* () {
      const { key, organization } = yield* Api.account
      const sent = { key, json: title("once"), headers: withKey("a") }
      const first = yield* Api.call("POST", createSet, sent)
      const second = yield* Api.call("POST", createSet, sent)
      assert.strictEqual(first.status, 201)
      assert.strictEqual(first.headers.get("idempotency-replayed"), null)
      assert.strictEqual(second.status, 201)
      assert.strictEqual(second.headers.get("idempotency-replayed"), "true")
      assert.strictEqual(second.headers.get("content-type"), "application/json")
      assert.deepStrictEqual(second.body, first.body)
      assert.strictEqual(yield* sets(organization), 1)
      assert.strictEqual((yield* Api.call("POST", createSet, { ...sent, headers: withKey("b") })).status, 201)
      assert.strictEqual(yield* sets(organization), 2)
    }),
  )

  it.effect("refuses the same key with another body or path", () =>
    Effect.gen(function* () {
      const { key, organization } = yield* Api.account
      const headers = withKey("a")
      const { results } = (yield* Api.call("POST", createSet, { key, json: title("one"), headers })).body as {
        results: { id: string }
      }
      for (const other of [
        Api.call("POST", createSet, { key, json: title("two"), headers }),
        Api.call("POST", createSet, {
          key,
          raw: '{ "title":"one"}',
          headers: { ...headers, "content-type": "application/json" },
        }),
        Api.call("POST", invite, {
          key,
          headers,
          json: { com_interview_set_id: results.id, candidates: [{ email: "ada@example.com" }] },
        }),
      ]) {
        const answer = yield* other
        assert.strictEqual(answer.status, 422)
        assert.deepInclude(answer.body, { code: "idempotency_key_reused", errors: [] })
      }
      assert.strictEqual(yield* sets(organization), 1)
    }),
  )

  it.effect("stores refusals, and rolls back their partial work", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const sent = { key, json: { title: "" }, headers: withKey("a") }
      const first = yield* Api.call("POST", createSet, sent)
      const second = yield* Api.call("POST", createSet, sent)
      assert.deepStrictEqual([first.status, second.status], [422, 422])
      assert.deepStrictEqual(second.body, first.body)
      assert.strictEqual(second.headers.get("content-type"), "application/problem+json")
      assert.strictEqual(second.headers.get("idempotency-replayed"), "true")
    }),
  )

  it.effect("does not store malformed requests; a corrected one may reuse the key", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const raw = '{"title":"x"}'
      for (const [wrong, status] of [
        [{ raw, headers: { "content-type": "text/plain" } }, 415],
        [{ raw: "{", headers: { "content-type": "application/json" } }, 400],
      ] as const) {
        const headers = { ...wrong.headers, ...withKey(`mended ${status}`.replace(" ", "-")) }
        assert.strictEqual((yield* Api.call("POST", createSet, { key, ...wrong, headers })).status, status)
        const mended = { ...headers, "content-type": "application/json" }
        assert.strictEqual((yield* Api.call("POST", createSet, { key, raw, headers: mended })).status, 201)
      }
      for (const step of ["resend", "cancel"]) {
        for (const _ of [1, 2]) {
          const path = `/company/integration/hiring/invitations/v1/nope/${step}`
          const answer = yield* Api.call("POST", path, { key, headers: withKey(step) })
          assert.strictEqual(answer.status, 404)
          assert.deepInclude(answer.body, { status: 404, code: "not_found" })
        }
      }
    }),
  )

  it.effect("keeps the keys of different API keys apart", () =>
    Effect.gen(function* () {
      const { key, organization } = yield* Api.account
      const other = (yield* Api.keyOf(organization)).key
      for (const each of [key, other]) {
        const answer = yield* Api.call("POST", createSet, { key: each, json: title("x"), headers: withKey("a") })
        assert.strictEqual(answer.headers.get("idempotency-replayed"), null)
      }
      assert.strictEqual(yield* sets(organization), 2)
    }),
  )

  it.effect("refuses an empty, too long or non-ASCII key, and ignores the header of a GET", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      for (const bad of ["", "a b", "x".repeat(256), "\u00e9"]) {
        const answer = yield* Api.call("POST", createSet, { key, json: title("x"), headers: withKey(bad) })
        assert.strictEqual(answer.status, 422, bad)
      }
      const longest = yield* Api.call("POST", createSet, { key, json: title("x"), headers: withKey("x".repeat(255)) })
      assert.strictEqual(longest.status, 201)
      const read = yield* Api.call("GET", "/company/integration/me/v1", { key, headers: withKey("a b") })
      assert.strictEqual(read.status, 200)
    }),
  )

  it.effect("performs one of twenty concurrent requests; the others return its response or 409", () =>
    Effect.gen(function* () {
      const { key, organization } = yield* Api.account
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => Api.call("POST", createSet, { key, json: title("x"), headers: withKey("a") })),
        { concurrency: "unbounded" },
      )
      const created = answers.filter(({ status }) => status === 201)
      assert.strictEqual(new Set(created.map(({ body }) => JSON.stringify(body))).size, 1)
      for (const { body, headers, status } of answers.filter((answer) => !created.includes(answer))) {
        assert.strictEqual(status, 409)
        assert.strictEqual(headers.get("retry-after"), "1")
        assert.deepInclude(body, { code: "request_in_progress" })
      }
      assert.strictEqual(yield* sets(organization), 1)
    }),
  )
})

/** A use of a key by an API key of a new organization. */
const use = Effect.gen(function* () {
  const organizationId = yield* (yield* Organizations).create("Acme")
  const { id } = yield* Api.keyOf(organizationId)
  return { organizationId, apiKeyId: ApiKeyId.make(id), key: "k" }
})

const hash = (text: string) => new TextEncoder().encode(text.padEnd(32, "."))
const done = (body: string): Answer => ({ status: 200, body })

describe("Idempotency", () => {
  it.effect("refuses a second use while the first is in flight, on any pod", () =>
    Effect.gen(function* () {
      const here = yield* Idempotency
      const there = yield* Effect.provide(Idempotency, yield* Pod.start())
      const one = yield* use
      const entered = yield* Deferred.make<void>()
      const finish = yield* Deferred.make<void>()
      const slow = Deferred.succeed(entered, undefined).pipe(
        Effect.andThen(Deferred.await(finish)),
        Effect.as(done("1")),
      )
      const running = yield* Effect.forkChild(here.once(one, hash("a"), slow))
      yield* Deferred.await(entered)
      for (const pod of [here, there]) {
        const refused = yield* Effect.flip(pod.once(one, hash("a"), Effect.die("performed twice")))
        assert.strictEqual(refused._tag, "StillRunning")
      }
      yield* Deferred.succeed(finish, undefined)
      assert.deepStrictEqual(yield* Fiber.join(running), { ...done("1"), replayed: false })
      const again = yield* there.once(one, hash("a"), Effect.die("performed twice"))
      assert.deepStrictEqual(again, { ...done("1"), replayed: true })
    }).pipe(Pod.provide()),
  )

  it.effect("stores nothing when the request dies, fails or is interrupted", () =>
    Effect.gen(function* () {
      const idempotency = yield* Idempotency
      const organizations = yield* Organizations
      const one = yield* use
      const began = yield* Deferred.make<void>()
      for (const end of [Effect.die("our fault"), Effect.fail("refused")]) {
        const exit = yield* Effect.exit(
          idempotency.once(one, hash("a"), Effect.andThen(organizations.create("half"), end)),
        )
        assert.isTrue(Exit.isFailure(exit))
      }
      const hanging = organizations
        .create("half")
        .pipe(Effect.andThen(Deferred.succeed(began, undefined)), Effect.andThen(Effect.never))
      const fiber = yield* Effect.forkChild(idempotency.once(one, hash("a"), hanging))
      yield* Deferred.await(began)
      yield* Fiber.interrupt(fiber)
      assert.isUndefined(yield* organizations.findByName("half"))
      assert.isFalse((yield* idempotency.once(one, hash("a"), Effect.succeed(done("2")))).replayed)
    }).pipe(Pod.provide()),
  )

  it.effect("fails for a deleted API key", () =>
    Effect.gen(function* () {
      const idempotency = yield* Idempotency
      const one = { ...(yield* use), apiKeyId: ApiKeyId.make(crypto.randomUUID()) }
      const refused = yield* Effect.flip(idempotency.once(one, hash("a"), Effect.die("performed")))
      assert.strictEqual(refused._tag, "KeyDeleted")
    }).pipe(Pod.provide()),
  )

  it.effect("frees the key and deletes the response after 24 hours", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const idempotency = yield* Idempotency
      const one = yield* use
      yield* idempotency.once(one, hash("a"), Effect.succeed(done("1")))
      yield* TestClock.adjust("23 hours")
      assert.isTrue((yield* idempotency.once(one, hash("a"), Effect.die("performed twice"))).replayed)
      assert.strictEqual(yield* idempotency.forget, 0)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* idempotency.once(one, hash("b"), Effect.succeed(done("2"))), {
        ...done("2"),
        replayed: false,
      })
      yield* idempotency.once({ ...one, key: "other" }, hash("a"), Effect.succeed(done("3")))
      yield* TestClock.adjust("24 hours")
      assert.strictEqual(yield* idempotency.forget, 2)
      assert.lengthOf(yield* sql`select key from idempotency_key`, 0)
    }).pipe(Pod.provide()),
  )

  it.effect("leaves connections free for the request that other requests wait for", () =>
    Effect.gen(function* () {
      const idempotency = yield* Idempotency
      const organizations = yield* Organizations
      const one = yield* use
      const release = yield* Deferred.make<void>()
      const waiting = yield* Effect.forEach(Array.from({ length: 10 }).keys(), (i) =>
        Effect.forkChild(
          idempotency.once({ ...one, key: `k${i}` }, hash("a"), Effect.as(Deferred.await(release), done(`${i}`))),
        ),
      )
      // needs a connection, and releases the waiting ones
      yield* organizations.create("free")
      yield* Deferred.succeed(release, undefined)
      assert.lengthOf(yield* Fiber.joinAll(waiting), 10)
    }).pipe(Pod.provide({ settings: { DATABASE_POOL: "5" } })),
  )
})
