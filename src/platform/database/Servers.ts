/**
 * Several servers in one DATABASE_URL, as in libpq: postgres://user:password@one:5432,two:5432/database. Connections go to the
 * one that accepts writes, which a failover changes.
 */
import { PgPool } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlError } from "effect/sql"

/** `user`: up to the @. `rest`: from the slash of the path. */
const form = /^(?<user>\w+:\/\/(?:[^@/?#]*@)?)(?<hosts>[^/?#]*)(?<rest>.*)$/s

/** The URLs of the servers, in their order. */
export const serversOf = (url: Redacted.Redacted): ReadonlyArray<Redacted.Redacted> => {
  const { hosts, rest = "", user = "" } = form.exec(Redacted.value(url))?.groups ?? {}
  if (hosts === undefined) return [url]
  return hosts.split(",").map((host) => Redacted.make(`${user}${host}${rest}`))
}

/** The connection failed, so no statement was sent. */
const isOfServer = (error: unknown): boolean =>
  SqlError.isSqlError(error) && "operation" in error.reason && error.reason.operation === "connect"

/**
 * A pool whose connections go to the current server. `inTurn` repeats an attempt with the next server when the connection
 * fails or the server does not accept writes (`isRefused`).
 */
export const makePool = Effect.fnUntraced(function* (
  options: PgPool.Config & { readonly url: Redacted.Redacted },
  isRefused: (error: unknown) => boolean,
) {
  const servers = serversOf(options.url)
  let at = 0
  // read for each connection
  const config = Object.defineProperty({ ...options }, "url", { get: () => servers[at], enumerable: true })
  const pool = yield* PgPool.make(config)
  const isElsewhere = (error: unknown) => isRefused(error) || isOfServer(error)
  const inTurn = <A, E, R>(attempt: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    // the pool may replace a closed connection before the server accepts writes. No schedule: this runs for each statement
    if (servers.length === 1) return Effect.catchIf(attempt, isRefused, () => attempt)
    const once = Effect.suspend(() => {
      const used = at
      const moveOn = Effect.sync(() => {
        // another attempt may have moved on already
        if (at === used) at = (used + 1) % servers.length
      })
      return attempt.pipe(
        Effect.tapError((error) => (isElsewhere(error) ? moveOn : Effect.void)),
        // a timeout interrupts the attempt when the server does not answer
        Effect.onInterrupt(() => moveOn),
      )
    })
    return Effect.retry(once, { times: servers.length, while: isElsewhere })
  }
  return { pool, inTurn }
})
