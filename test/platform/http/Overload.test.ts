/** Requests whose statements wait for a locked table are refused, and all others continue. */
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer, References } from "effect"
import * as App from "../../../src/App.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { ReplicaLimits } from "../../../src/platform/database/Replica.ts"
import * as Api from "../../support/Api.ts"
import { execute, textsOf } from "../../support/databases.ts"
import * as Pod from "../../support/Pod.ts"
import * as Scenario from "../../support/Scenario.ts"
import { detail, invite, nobodys, problem } from "../../support/Specification.ts"
import { freshDatabase, readServers, urlsOf } from "../../support/TestDatabase.ts"

const submissions = "/company/integration/hiring/submissions/v1"

/** Limits that are not reached even on a busy machine. */
const patient = { lag: Duration.seconds(10), silence: Duration.seconds(30) }

/** The API on a pool of this size. */
const layer = (maxConnections: number, acquireTimeout = Duration.seconds(3)) =>
  Api.Server.layer.pipe(
    Layer.provide(App.serve(App.api)),
    Layer.provideMerge(Pod.services({ settings: { PORT: "0" } })),
    Layer.provideMerge(
      Layer.unwrap(
        Effect.map(freshDatabase, (url) => Database.layer({ ...urlsOf(url), maxConnections, acquireTimeout })),
      ),
    ),
    Layer.provide(Layer.succeed(ReplicaLimits, { ...ReplicaLimits.defaultValue(), ...patient })),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None")),
  )

/** URLs of the servers that reads go to; the first one is the primary's. */
const servers = Effect.flatMap(Database, ({ sql }) =>
  Effect.map(sql<{ name: string }>`select current_database() as name`, ([row]) => readServers(row?.name ?? "")),
)

/** How many statements wait for the table. */
const waitingAt = (url: string) =>
  Effect.map(
    textsOf(
      url,
      `select pid::text from pg_locks where not granted and relation = 'submission'::regclass
        and database = (select oid from pg_database where datname = current_database())`,
    ),
    ({ length }) => length,
  )

describe("requests while a table is locked", () => {
  it.live("are refused with 503, leave connections to other routes and readiness, and work again afterwards", () =>
    Effect.gen(function* () {
      const { client: sql, transaction } = yield* Database
      const urls = yield* servers
      const { key } = yield* Api.account
      assert.strictEqual((yield* Api.call("GET", submissions, { key })).status, 200)
      const list = Api.call("GET", submissions, { key })
      const { fibers, waiting } = yield* transaction(
        Effect.gen(function* () {
          yield* sql`lock table submission in access exclusive mode`
          // a commit flushes the log, so that a standby has the lock before it answers
          yield* execute(urls[0], "select pg_logical_emit_message(true, '', '')::text")
          const fibers = yield* Effect.forEach(Array.from({ length: 30 }), () => Effect.forkChild(list))
          // every connection that the route may have waits for the table
          const count = Effect.forEach(urls, waitingAt)
          while ((yield* count).some((waiting) => waiting < 4)) fibers.push(yield* Effect.forkChild(list))
          const refused = yield* list
          problem(refused, 503, "unavailable")
          assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
          const waiting = yield* count
          assert.isTrue(waiting.every((one) => one === 4))
          const unrelated = yield* Api.call("GET", "/company/integration/hiring/projects/v1", { key })
          assert.strictEqual(unrelated.status, 200)
          const ready = yield* Api.call("GET", "/health/ready")
          assert.deepNestedInclude(ready.body as object, { "checks.database.status": "ok" })
          // a request that arrived after the lock's end would be served
          while (fibers.filter((fiber) => fiber.pollUnsafe() === undefined).length > 4 * urls.length) yield* count
          return { fibers, waiting }
        }),
      )
      const statuses = (yield* Fiber.joinAll(fibers)).map(({ status }) => status)
      assert.deepStrictEqual([...new Set(statuses)].sort(), [200, 503])
      assert.strictEqual(statuses.filter((status) => status === 200).length, 4 * waiting.length)
      assert.strictEqual((yield* list).status, 200)
    }).pipe(Effect.provide(layer(8, Duration.millis(200)))),
  )

  it.live("leave connections to a third route when two routes wait", () =>
    Effect.gen(function* () {
      const { client: sql, transaction } = yield* Database
      const { key } = yield* Api.account
      const waiting = sql`select from pg_locks where not granted and relation = 'submission'::regclass`
      const fibers = yield* transaction(
        Effect.gen(function* () {
          yield* sql`lock table submission in access exclusive mode`
          const two = [Api.call("GET", submissions, { key }), Api.call("GET", detail(nobodys), { key })]
          const fibers = yield* Effect.forEach(Array.from({ length: 10 }, () => two).flat(), (one) =>
            Effect.forkChild(one),
          )
          while ((yield* waiting).length < 5) yield* Effect.sleep("10 millis")
          const unrelated = yield* Api.call("GET", "/company/integration/hiring/projects/v1", { key })
          assert.strictEqual(unrelated.status, 200)
          return fibers
        }),
      )
      const statuses = (yield* Fiber.joinAll(fibers)).map(({ status }) => status)
      assert.isEmpty(statuses.filter((status) => ![200, 404, 503].includes(status)))
    }).pipe(Effect.provide(layer(10, Duration.seconds(3)))),
  )

  it.live("do not make a pod unready when it has no connection left", () =>
    Effect.gen(function* () {
      const { client: sql } = yield* Database
      assert.strictEqual((yield* Api.call("GET", "/health/ready")).status, 200)
      const held = Effect.andThen(sql.reserve, Api.call("GET", "/health/ready"))
      assert.strictEqual((yield* Effect.scoped(held)).status, 200)
    }).pipe(Effect.provide(layer(2))),
  )
})

describe("a pool of two connections", () => {
  it.live("serves concurrent requests: no request needs a second connection while it has one", () =>
    Effect.gen(function* () {
      const { id, set } = yield* Scenario.organization()
      const { key } = yield* Api.keyOf(id)
      const ask = (i: number) =>
        Effect.all([
          Api.call("POST", invite, {
            key,
            headers: { "idempotency-key": `k${i}` },
            json: {
              com_interview_set_id: set.id,
              candidates: [{ email: `ada-${i}@example.com`, name: "Ada" }],
            },
          }),
          Api.call("GET", detail(nobodys), { key }),
        ])
      const answers = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, i) => i),
        ask,
        { concurrency: "unbounded" },
      )
      const statuses = answers.map(([invited, found]) => `${invited.status} ${found.status}`)
      assert.deepStrictEqual([...new Set(statuses)], ["200 404"])
    }).pipe(Effect.provide(layer(2))),
  )
})
