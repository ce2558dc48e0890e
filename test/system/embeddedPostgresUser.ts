/**
 * A process that uses an embedded Postgres: prints its URL, releases it when stdin ends, then exits. It ignores SIGINT,
 * as a draining application does.
 */
import { once } from "node:events"
import { Effect, Redacted } from "effect"
import { embeddedPostgres } from "../../src/dev/EmbeddedPostgres.ts"

const [dataDir = "", temporary] = process.argv.slice(2)

process.on("SIGINT", () => {})

await embeddedPostgres({ dataDir, database: "app", temporary: temporary === "temporary" }).pipe(
  Effect.tap((url) => Effect.sync(() => process.stdout.write(`${Redacted.value(url)}\n`))),
  Effect.andThen(Effect.promise(() => once(process.stdin.resume(), "end"))),
  Effect.scoped,
  Effect.runPromise,
)
