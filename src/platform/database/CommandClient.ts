/** A client for commands: without timeouts, and with a text format of values that does not depend on the server's settings. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { plain, primaryOf } from "./Connections.ts"
import { configOf, type DatabaseOptions, DatabaseUnavailable, requireReadable } from "./Database.ts"
import { connectingTo } from "./Servers.ts"

export type Client = PgClient.PgClient

/** Connects to the server that accepts writes. `url` must not be of a pooler. */
export const client = Effect.fnUntraced(
  function* (options: Pick<DatabaseOptions, "url" | "schema">) {
    yield* requireReadable([options.url])
    const url = yield* primaryOf(configOf(options))
    const { startupParameters, ...config } = configOf({ ...options, url })
    return yield* PgClient.make({
      ...connectingTo(config, url),
      startupParameters: { ...startupParameters, DateStyle: "ISO", IntervalStyle: "postgres", extra_float_digits: "1" },
      maxConnections: 4,
      transformJson: false,
    })
  },
  Effect.mapError((error) =>
    error._tag === "DatabaseUnavailable"
      ? error
      : new DatabaseUnavailable({ message: `cannot connect to the database: ${plain(error)}` }),
  ),
)
