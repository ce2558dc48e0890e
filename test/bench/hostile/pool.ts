/** Locks a table and measures whether requests that do not read it wait for requests that do. */
import { PgClient } from "@effect/sql-pg"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { send } from "./send.ts"
import { pool } from "./settings.ts"
import type { Stage } from "./stage.ts"

const api = "/company/integration"

export const measurePool = Effect.fnUntraced(function* ({ account: { key }, pods: [{ url: origin }], url }: Stage) {
  const locked = yield* Deferred.make<void>()
  const lock = Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`lock table submission in access exclusive mode`
        yield* Deferred.succeed(locked, undefined)
        yield* Effect.sleep(`${pool.lockedSeconds} seconds`)
      }),
    )
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))
  const holder = yield* Effect.forkChild(lock)
  yield* Deferred.await(locked)
  const headers = { "x-api-key": key }
  const sendAll = (path: string, count: number) =>
    Effect.promise(() =>
      send(
        origin,
        Array.from({ length: count }, () => ({ method: "GET", path, headers }) as const),
      ),
    )
  const lists = yield* Effect.forkChild(sendAll(`${api}/hiring/submissions/v1`, pool.lists))
  yield* Effect.sleep("300 millis")
  const began = performance.now()
  const unrelated = yield* sendAll(`${api}/hiring/projects/v1`, 1)
  const millis = performance.now() - began
  yield* Fiber.join(holder)
  return {
    millis,
    unrelated: unrelated.map(({ status }) => status),
    lists: (yield* Fiber.join(lists)).map(({ status }) => status),
  }
})
