/** Postgres that goes away under load and comes back: nothing is lost, nothing is sent twice, and no pod has to be restarted. */
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted, References, Schedule } from "effect"
import { embeddedPostgres } from "../../src/adapter/EmbeddedPostgres.ts"
import { openCluster } from "../../src/adapter/embeddedPostgres/Cluster.ts"
import { findInstallation, runTool } from "../../src/adapter/embeddedPostgres/Installation.ts"
import { Database, migrate } from "../../src/repository/Database.ts"
import { atDatabase, execute } from "../support/databases.ts"
import * as Receiver from "../support/Receiver.ts"
import * as Webhooks from "../support/Webhooks.ts"
import { endLeases, hiringSystem, isLarge, on, startPod, stop, tally, timeout, until, untilSync } from "./stage.ts"

const name = "app"

/** A Postgres of the test's own, with the schema. */
const ownPostgres = Effect.gen(function* () {
  const dataDir = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "interview-faults-")))
  const url = yield* embeddedPostgres({ dataDir, database: name, temporary: true })
  yield* migrate({ url })
  const administration = atDatabase(Redacted.value(url), "postgres")
  // a temporary one forgets what it committed last when it crashes; here a commit has to count
  yield* execute(administration, `alter database ${name} set synchronous_commit = on`)
  const { bin, data, user } = yield* openCluster(yield* findInstallation, dataDir, true)
  return {
    url: Redacted.value(url),
    /** Every connection to the database breaks, in whatever it is doing. */
    cutConnections: execute(
      administration,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    ),
    /** fast: as an administrator does it. immediate: as a crash does it. */
    restart: (mode: "fast" | "immediate") =>
      runTool(
        join(bin, "pg_ctl"),
        ["restart", "-D", data, `--mode=${mode}`, "--wait", "--silent", "-l", join(data, "restarted.log")],
        user,
      ),
  }
}).pipe(Effect.provide(NodeServices.layer))

/** Tries until the database is there to do it: once, or more than once. */
const persistently = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.sandbox, Effect.retry(Schedule.spaced("20 millis")), Effect.orDie)

describe("Postgres that goes away while pods work", () => {
  const settings = {
    WEBHOOK_CONCURRENCY: "40",
    WEBHOOK_ENDPOINT_CONCURRENCY: "40",
    // the counter goes on counting, so that it can be compared with what it counts
    WEBHOOK_DEACTIVATE_AFTER: "1000000",
  }
  /** More than all pods have open: after so many receipts, they have claimed and settled anew. */
  const recovered = 150
  const rounds = isLarge ? 10 : 1

  it.live(
    "loses no event, has none sent or counted twice, and needs no restart of a pod",
    () =>
      Effect.gen(function* () {
        const { cutConnections, restart, url } = yield* ownPostgres
        const test = Effect.gen(function* () {
          const { sql } = yield* Database
          const receiver = yield* Receiver.start({
            answer: ({ path }) => Effect.succeed(path === "/sound" ? 200 : 500),
          })
          const sound = yield* hiringSystem(`${receiver.url}/sound`)
          const broken = yield* hiringSystem(`${receiver.url}/broken`)
          const pods = yield* Effect.all([startPod(settings), startPod(settings)], { concurrency: 2 })

          // when publishing fails nobody knows whether it was done; what is told to be done has to be there
          const confirmed: Array<string> = []
          let isOver = false
          const publishing = yield* Effect.forkScoped(
            Effect.gen(function* () {
              while (!isOver) {
                for (const { publish } of [sound, broken]) confirmed.push(...(yield* persistently(publish(25))))
                yield* untilSync("some of it came", () => isOver || confirmed.length < receiver.receipts.length + 400)
              }
            }),
          )
          const [cut, fast, crash] = [cutConnections, restart("fast"), restart("immediate")]
          const faults = Array.from({ length: rounds }, () => [cut, cut, fast, cut, crash, cut, cut, crash]).flat()
          for (const fault of faults) {
            const before = receiver.receipts.length
            yield* fault
            yield* untilSync("pods work again", () => receiver.receipts.length >= before + recovered)
          }
          isOver = true
          yield* Fiber.join(publishing)
          yield* persistently(sound.publish(recovered))
          yield* until(
            "nothing waits",
            Effect.map(persistently(tally), ({ waiting }) => waiting === 0),
          )
          assert.deepStrictEqual(yield* stop(...pods), [0, 0])

          // claims whose answer got lost on the way: nobody knows of them, and their leases end
          if ((yield* endLeases) > 0) yield* startPod(settings)
          yield* until(
            "all is finished",
            Effect.map(tally, ({ held }) => held === 0),
          )
          const rows = yield* sql<{ id: string }>`
            select id from webhook_event where event_type = 'interview.status.update'`
          const [events, received] = [
            new Set(rows.map(({ id }) => id)),
            new Set(receiver.receipts.map(({ event }) => event)),
          ]
          assert.isEmpty(
            confirmed.filter((id) => !events.has(id)),
            "published and gone",
          )
          assert.isEmpty(
            [...events].filter((id) => !received.has(id)),
            "never sent",
          )
          assert.strictEqual(receiver.receipts.length, events.size)
          const failed = receiver.receiptsAt("/broken").length
          assert.deepStrictEqual(yield* Webhooks.states, { "delivered 1": events.size - failed, "queued 1": failed })
          yield* Webhooks.expectEndpoint(sound.endpoint, "active", 0)
          yield* Webhooks.expectEndpoint(broken.endpoint, "active", failed)
        })
        yield* Effect.provide(Effect.scoped(test), on(url), { local: true })
      }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
    timeout,
  )
})
