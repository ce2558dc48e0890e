/** The database in DATA_DIR of an earlier version, whose files of sql/ differ from those of this one. */
import { mkdtemp, readFile, readlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { embedded } from "../../src/cli/Environment.ts"
import { Database } from "../../src/platform/database/Database.ts"

it.live(
  "is refused with the directory to delete; a change of sql/ that leaves the tables as they are is not",
  () =>
    Effect.gen(function* () {
      const dataDir = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "old-data-")))
      const inDatabase = <A, E>(work: Effect.Effect<A, E, Database>) =>
        work.pipe(Effect.provide(embedded(dataDir, {}).pipe(Layer.provide(NodeServices.layer))), Effect.scoped)
      const file = join(dataDir, "schema")
      const version = Effect.promise(() => readFile(file, "utf8"))
      yield* inDatabase(Effect.void)
      const current = yield* version
      // other files with the same tables
      yield* Effect.promise(() => writeFile(file, "other"))
      yield* inDatabase(Effect.flatMap(Database, ({ sql }) => sql`alter table tag drop column key`))
      assert.strictEqual(yield* version, current)
      yield* Effect.promise(() => writeFile(file, "other"))
      const { message } = yield* Effect.flip(inDatabase(Effect.void))
      assert.include(message, `DATA_DIR (${dataDir}): its database was made by an earlier version of this service`)
      const linked = yield* Effect.promise(() => readlink(join(dataDir, "postgres")).catch(() => undefined))
      assert.strictEqual(linked !== undefined, process.getuid?.() === 0)
      assert.include(message, `(rm -r ${dataDir}${linked === undefined ? "" : ` ${linked}`})`)
    }),
  120_000,
)
