/** A Postgres server of the test, with the schema, that the test stops, starts and restarts. */
import { mkdtemp, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Effect, Redacted } from "effect"
import { embeddedPostgres } from "../../src/dev/EmbeddedPostgres.ts"
import { openCluster } from "../../src/dev/embedded-postgres/Cluster.ts"
import { findInstallation, runTool } from "../../src/dev/embedded-postgres/Installation.ts"
import { migrate } from "../../src/migrate.ts"
import { atDatabase, execute } from "./databases.ts"

const name = "app"

export const start = Effect.gen(function* () {
  const dataDir = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "interview-postgres-")))
  const url = yield* embeddedPostgres({ dataDir, database: name, temporary: true })
  yield* migrate({ url })
  const administration = atDatabase(Redacted.value(url), "postgres")
  // a temporary server would lose its last commits in a crash
  yield* execute(administration, `alter database ${name} set synchronous_commit = on`)
  const { bin, data, user } = yield* openCluster(yield* findInstallation, dataDir, true)
  const control = (act: string, ...options: ReadonlyArray<string>) =>
    runTool(
      join(bin, "pg_ctl"),
      [act, "-D", data, ...options, "--wait", "--silent", "-l", join(data, "restarted.log")],
      user,
    )
  return {
    url: Redacted.value(url),
    /** For Standby.ts. */
    files: { bin, data, user },
    cutConnections: execute(
      administration,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    ),
    /** immediate: like a crash. */
    restart: (mode: "fast" | "immediate") => control("restart", `--mode=${mode}`),
    stop: control("stop", "--mode=fast"),
    start: Effect.gen(function* () {
      const given = yield* Effect.promise(() => readFile(join(data, "postmaster.opts"), "utf8"))
      yield* control("start", "-o", given.trim().replace(/^\S+ /, ""))
    }),
  }
}).pipe(Effect.provide(NodeServices.layer))
