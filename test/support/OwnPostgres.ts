/** A Postgres server for one test, with the schema. The test can stop, start and restart it, and restore it to a moment. */
import { appendFile, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Redacted, Schedule } from "effect"
import { embeddedPostgres } from "../../src/dev/EmbeddedPostgres.ts"
import { openCluster } from "../../src/dev/embedded-postgres/Cluster.ts"
import { findInstallation, runTool } from "../../src/dev/embedded-postgres/Installation.ts"
import { migrate } from "../../src/migrate.ts"
import { baseBackup, run } from "./baseBackup.ts"
import { atDatabase, execute, textsOf } from "./databases.ts"

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
  const startAgain = Effect.gen(function* () {
    const given = yield* Effect.promise(() => readFile(join(data, "postmaster.opts"), "utf8"))
    yield* control("start", "-o", given.trim().replace(/^\S+ /, ""))
  })
  /** Archives the write-ahead log from now on and makes a base backup. */
  const backUp = Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "interview-backup-"))),
      (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
    )
    const [archive, base] = [join(directory, "archive"), join(directory, "base")]
    const own = async (path: string) => {
      if (user !== undefined) await chown(path, user.uid, user.gid)
    }
    yield* Effect.promise(async () => {
      await mkdir(archive)
      for (const made of [directory, archive]) await own(made)
    })
    yield* execute(administration, `alter system set archive_command = 'cp "%p" ${archive}/%f'`)
    yield* execute(administration, "alter system set archive_mode = on")
    yield* control("restart", "--mode=fast")
    yield* baseBackup(administration, data, base)
    yield* Effect.promise(() => own(join(base, "backup_label")))
    /** `settings`: of the recovery; /archive in them is replaced by the archive's path. The server must be stopped. */
    const restore = Effect.fnUntraced(function* (settings: string) {
      yield* run("mv", data, join(directory, "lost"))
      yield* run("cp", "-a", base, data)
      yield* Effect.promise(async () => {
        await appendFile(join(data, "postgresql.auto.conf"), settings.replaceAll("/archive", archive))
        await writeFile(join(data, "recovery.signal"), "")
        await own(join(data, "recovery.signal"))
      })
      yield* startAgain
      yield* textsOf(administration, "select pg_is_in_recovery()::text").pipe(
        Effect.repeat({ until: ([isInRecovery]) => isInRecovery === "false", schedule: Schedule.spaced("20 millis") }),
      )
    })
    return { restore }
  })
  return {
    url: Redacted.value(url),
    /** For Standby.ts. */
    files: { bin, data, user },
    backUp,
    cutConnections: execute(
      administration,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    ),
    /** immediate: like a crash. */
    restart: (mode: "fast" | "immediate") => control("restart", `--mode=${mode}`),
    stop: control("stop", "--mode=fast"),
    start: startAgain,
    /** Makes a standby the primary: call `Standby.follow` first. */
    promote: control("promote"),
  }
}).pipe(Effect.provide(NodeServices.layer))
