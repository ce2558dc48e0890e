/**
 * A process that uses an embedded Postgres: prints the URL when it has one, lets go when its input ends, and ends
 * when that is done. It ignores SIGINT, as an application does that is draining.
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
