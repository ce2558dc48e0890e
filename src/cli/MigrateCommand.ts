/** `migrate`: applies the schema. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import * as Config from "../config/Config.ts"
import { migrate } from "../migrate.ts"
import { namingUrl } from "./Environment.ts"

export const migrateCommand = Command.make("migrate", {}, () =>
  Effect.gen(function* () {
    const urls = yield* Config.databaseUrls
    const applied = yield* Effect.mapError(migrate(urls), namingUrl(urls))
    yield* Console.log(applied.length === 0 ? "the schema is up to date" : `applied ${applied.join(", ")}`)
  }).pipe(Effect.provide(NodeServices.layer)),
).pipe(
  Command.withDescription("Create or update the schema of the database DATABASE_URL; serve also does this at start"),
)
