/** Responses of health checks, which take a pod out of rotation or restart it. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Equal, Latch, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { EmailQueue } from "../../../src/emails/EmailQueue.ts"
import * as SmtpEmailSender from "../../../src/emails/SmtpEmailSender.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import * as ProcessHeartbeats from "../../../src/platform/queue/ProcessHeartbeats.ts"
import { QueueNotifier } from "../../../src/platform/queue/QueueNotifier.ts"
import { QueueStatistics } from "../../../src/platform/queue/QueueStatistics.ts"
import * as Worker from "../../../src/platform/queue/Worker.ts"
import { WorkerLiveness } from "../../../src/platform/queue/WorkerLiveness.ts"
import { runOnce } from "../../../src/platform/queue/WorkQueue.ts"
import { smtpServer } from "../../port/smtpServer.ts"
import * as Api from "../../support/Api.ts"
import { execute } from "../../support/databases.ts"
import * as MemoryQueue from "../../support/MemoryQueue.ts"
import { refusal, refusing } from "../../support/RefusedStatements.ts"
import * as Scenario from "../../support/Scenario.ts"

const provide = Effect.provide(Api.layer())

class Relay extends Context.Service<Relay, Effect.Success<ReturnType<typeof smtpServer>>>()(
  "interview-invitations/test/HealthRoutes/Relay",
) {}

/** Moves the clock past the second for which the report is cached. */
const ready = Effect.andThen(TestClock.adjust("2 seconds"), Api.call("GET", "/health/ready"))
const live = Api.call("GET", "/health/live")

const email = { status: "mailbox", detail: "EMAIL=mailbox: emails are stored in the database and not sent" }
const workers = { status: "ok", silent: [] }

describe("/health/ready", () => {
  it.effect("reports each check, and is not cached", () =>
    Effect.gen(function* () {
      const { schemaNeeded: needed } = yield* QueueStatistics
      const { body, headers, status } = yield* ready
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.isAtLeast(needed, 11)
      assert.deepStrictEqual(body, {
        status: "ready",
        checks: {
          database: { status: "ok" },
          schema: { status: "ok", version: needed, needed },
          queues: { status: "ok", oldest_due_seconds: 0 },
          workers,
          email,
        },
      })
    }).pipe(provide),
  )

  it.effect("stays ready while a queue is late, and reports it", () =>
    Effect.gen(function* () {
      yield* Scenario.invited(yield* Scenario.organization())
      yield* TestClock.adjust("4 minutes")
      assert.deepInclude((yield* ready).body, { status: "ready" })
      yield* TestClock.adjust("2 minutes")
      const { body, status } = yield* ready
      assert.strictEqual(status, 200)
      assert.deepInclude(body, { status: "degraded" })
      assert.deepNestedInclude(body as object, { "checks.queues": { status: "late", oldest_due_seconds: 364 } })
    }).pipe(provide),
  )

  const relayed = Layer.unwrap(
    Effect.map(smtpServer(), (relay) => {
      const url = `smtp://127.0.0.1:${relay.port}`
      const from = { name: null, address: "jobs@acme.example" }
      return Api.layer({
        settings: { EMAIL: "smtp", SMTP_URL: url, EMAIL_FROM: from.address },
        emailSender: SmtpEmailSender.layer({ url: Redacted.make(url), from }),
      }).pipe(Layer.merge(Layer.succeed(Relay, relay)))
    }),
  )

  it.effect("names what a relay refuses about this service, until it accepts an email", () =>
    Effect.gen(function* () {
      const { script, taken } = yield* Relay
      const round = Effect.flatMap(EmailQueue, ({ queue }) => runOnce(queue))
      Object.assign(script, { recipient: 554, says: "5.7.1 <ada@example.com>: Relay access denied" })
      yield* Scenario.invited(yield* Scenario.organization())
      assert.notNestedProperty((yield* ready).body, "checks.email")
      yield* round
      const refused = yield* ready
      assert.strictEqual(refused.status, 200)
      assert.deepInclude(refused.body, { status: "degraded" })
      assert.deepNestedInclude(refused.body as object, {
        "checks.email": {
          status: "refused",
          detail:
            "the mail server refuses emails: it does not relay for this service; its reply is in the log and in email list",
        },
      })
      script.recipient = undefined
      yield* TestClock.adjust("2 minutes")
      yield* round
      assert.lengthOf(taken, 1)
      const { body } = yield* ready
      assert.deepInclude(body, { status: "ready" })
      assert.notNestedProperty(body, "checks.email")
    }).pipe(Effect.provide(relayed)),
  )

  it.effect("fails with a schema that is older than the code, and succeeds with a newer one", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { schemaNeeded } = yield* QueueStatistics
      yield* sql`insert into schema_migrations (migration_id, name) values (9999, 'of_a_newer_pod')`
      assert.strictEqual((yield* ready).status, 200)
      yield* sql`delete from schema_migrations where migration_id >= ${schemaNeeded}::int`
      const { body, status } = yield* ready
      assert.strictEqual(status, 503)
      assert.deepInclude(body, { status: "not ready" })
      assert.deepNestedInclude(body as object, { "checks.schema.status": "failed", "checks.database.status": "ok" })
    }).pipe(provide),
  )

  it.live("fails during a database outage and recovers; liveness does not fail", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const [{ name } = { name: "" }] = yield* sql<{ name: string }>`select current_database() as name`
      const { url } = inject("postgres")
      yield* execute(url, `alter database ${name} with allow_connections false`)
      yield* execute(url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
      const away = yield* Api.call("GET", "/health/ready")
      assert.strictEqual(away.status, 503)
      assert.deepStrictEqual(away.body, {
        status: "not ready",
        checks: { database: { status: "failed" }, workers, email },
      })
      assert.strictEqual((yield* live).status, 200)
      yield* execute(url, `alter database ${name} with allow_connections true`)
      while ((yield* Api.call("GET", "/health/ready")).status !== 200) yield* Effect.sleep("50 millis")
    }).pipe(provide),
  )

  it.live("reports a read-only database, answers requests with 503 meanwhile, and recovers by itself", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { key } = yield* Api.account
      const [{ name } = { name: "" }] = yield* sql<{ name: string }>`select current_database() as name`
      const { pooler, url } = inject("postgres")
      const create = Api.call("POST", Api.paths.createSet, { key, json: { title: "Engineer" } })
      assert.strictEqual((yield* create).status, 201)
      // a failover: connections break, and new ones reach a read-only server
      yield* execute(url, `alter database ${name} set default_transaction_read_only = on`)
      yield* execute(url, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`)
      // a connection that broke just now is "failed" until the pool replaces it
      const failed = { status: "not ready", checks: { database: { status: "failed" }, workers, email } }
      let ready = yield* Api.call("GET", "/health/ready")
      while (Equal.equals(ready.body, failed)) ready = yield* Api.call("GET", "/health/ready")
      assert.strictEqual(ready.status, 503)
      assert.deepStrictEqual(ready.body, { ...failed, checks: { ...failed.checks, database: { status: "read-only" } } })
      const refused = yield* create
      assert.strictEqual(refused.status, 503)
      assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      assert.deepInclude(refused.body, {
        code: "unavailable",
        detail: "the database is read-only: try again in 5 seconds",
      })
      // new connections reach the new primary
      yield* execute(url, `alter database ${name} reset default_transaction_read_only`)
      // a pooler keeps its connections to a server that is promoted; here they keep what they started with
      if (pooler !== null) {
        yield* execute(url, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`)
      }
      assert.strictEqual((yield* create).status, 201)
      assert.strictEqual((yield* Api.call("GET", "/health/ready")).status, 200)
    }).pipe(provide),
  )

  const created = Effect.flatMap(Api.account, ({ key }) =>
    Effect.succeed(Api.call("POST", Api.paths.createSet, { key, json: { title: "Engineer" } })),
  )
  const refusesWrites = Effect.fnUntraced(function* (code: string) {
    const { body, status } = yield* ready
    assert.strictEqual(status, 503)
    assert.deepInclude(body, { status: "not ready" })
    assert.deepNestedInclude(body as object, {
      "checks.database": {
        status: "refuses-writes",
        detail: `the disk of the database refuses writes: ${refusal} (${code})`,
      },
    })
    assert.strictEqual((yield* live).status, 200)
  })

  it.effect("fails when the disk of the database is full, until 15 seconds after the last refused write", () =>
    Effect.gen(function* () {
      const create = yield* created
      const refused = yield* refusing("interview_set", "53100", create)
      assert.strictEqual(refused.status, 503)
      assert.deepInclude(refused.body, {
        code: "unavailable",
        detail: "the disk of the database is full: try again in 5 seconds",
      })
      yield* refusesWrites("53100")
      yield* TestClock.adjust("14 seconds")
      assert.strictEqual((yield* ready).status, 200)
      assert.strictEqual((yield* create).status, 201)
    }).pipe(provide),
  )

  it.effect("fails when the beat of its process or a claim meets an I/O error, not when another statement does", () =>
    Effect.gen(function* () {
      const create = yield* created
      const refused = yield* refusing("interview_set", "58030", create)
      assert.strictEqual(refused.status, 503)
      assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      assert.deepInclude(refused.body, {
        code: "unavailable",
        detail: "the database has an I/O error: try again in 5 seconds",
      })
      assert.deepInclude((yield* ready).body, { status: "ready" })

      const { round } = yield* ProcessHeartbeats.make
      yield* Effect.exit(refusing("worker_process", "58030", round))
      yield* refusesWrites("58030")
      yield* TestClock.adjust("15 seconds")
      assert.deepInclude((yield* ready).body, { status: "ready" })

      const { sql } = yield* Database
      const { queue } = MemoryQueue.make({ perform: () => Effect.void, before: () => claim })
      const claim = Effect.orDie(sql`update email set claim_id = claim_id where false`)
      yield* refusing("email", "58030", Effect.scoped(Effect.andThen(Worker.run(queue), TestClock.adjust("1 second"))))
      yield* refusesWrites("58030")
    }).pipe(provide),
  )

  it.live("stays ready while a newer pod applies its schema", () =>
    Effect.gen(function* () {
      const { transaction, sql } = yield* Database
      const { schemaNeeded: needed } = yield* QueueStatistics
      assert.strictEqual((yield* Api.call("GET", "/health/ready")).status, 200)
      yield* Effect.sleep("1 second")
      yield* transaction(
        Effect.gen(function* () {
          yield* sql`lock table schema_migrations, webhook_delivery in access exclusive mode`
          const { body, status } = yield* Api.call("GET", "/health/ready")
          assert.strictEqual(status, 200)
          assert.deepStrictEqual(body, {
            status: "degraded",
            checks: { database: { status: "ok" }, schema: { status: "ok", version: needed, needed }, workers, email },
          })
        }),
      )
      yield* Effect.sleep("1 second")
      assert.deepInclude((yield* Api.call("GET", "/health/ready")).body, { status: "ready" })
    }).pipe(provide),
  )

  it.effect("reads schema and queues at most once a second", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      assert.strictEqual((yield* ready).status, 200)
      yield* sql`delete from schema_migrations`
      assert.strictEqual((yield* Api.call("GET", "/health/ready")).status, 200)
      assert.strictEqual((yield* ready).status, 503)
    }).pipe(provide),
  )
})

describe("/health/live", () => {
  const watched = Effect.fnUntraced(function* (claim: Effect.Effect<void>) {
    const { beat, end } = yield* WorkerLiveness
    const { queue } = MemoryQueue.make({ perform: () => Effect.void, before: () => claim })
    yield* Worker.run(queue, { beat, end, attempt: () => {} })
    yield* TestClock.adjust("1 second")
  })

  it.effect("fails when a worker's loop stalls, and readiness does not", () =>
    Effect.gen(function* () {
      const answered = yield* Latch.make(false)
      yield* watched(answered.await)
      assert.deepStrictEqual((yield* live).body, { status: "live", checks: { workers: { status: "ok" } } })
      yield* TestClock.adjust("19 minutes")
      assert.strictEqual((yield* live).status, 200)
      yield* TestClock.adjust("2 minutes")
      const { body, status } = yield* live
      assert.strictEqual(status, 503)
      assert.deepStrictEqual(body, {
        status: "stuck",
        checks: { workers: { status: "silent", silent: ["webhook_delivery"] } },
      })
      const answer = yield* ready
      assert.strictEqual(answer.status, 200)
      assert.deepInclude(answer.body, { status: "degraded" })
      // the loop runs again
      yield* answered.open
      yield* (yield* QueueNotifier).wake("webhook_delivery")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* live).status, 200)
    }).pipe(Effect.provide(Layer.merge(Api.layer(), MemoryQueue.wakeups))),
  )

  it.effect("does not fail while claims fail or after a worker has ended", () =>
    Effect.gen(function* () {
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* watched(Effect.die("the database is away"))
          yield* TestClock.adjust("2 hours")
          assert.strictEqual((yield* live).status, 200)
        }),
      )
      yield* TestClock.adjust("2 hours")
      assert.strictEqual((yield* live).status, 200)
    }).pipe(Effect.provide(Layer.merge(Api.layer(), MemoryQueue.wakeups))),
  )
})
