/** A transaction that holds a database's oldest snapshot, as a report, pg_dump or an abandoned session does. */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted } from "effect"

/**
 * Reads in a REPEATABLE READ transaction and keeps it open until the scope closes. Until then, Postgres cannot remove
 * rows of this database that other transactions delete or update.
 */
export const hold = Effect.fnUntraced(function* (url: string) {
  const context = yield* Layer.build(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }))
  const connection = yield* Context.get(context, PgClient.PgClient).reserve
  const run = (statement: string) => connection.executeUnprepared(statement, [], undefined)
  yield* Effect.acquireRelease(run("begin isolation level repeatable read"), () => Effect.ignore(run("rollback")))
  yield* run("select count(*) from webhook_delivery")
})
