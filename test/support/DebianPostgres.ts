/**
 * Servers of the newest Postgres that Debian's packages installed, with its programs: the embedded Postgres lacks `pg_dump` and
 * `pg_restore`, and these refuse servers that are newer than themselves.
 */
import { spawnSync } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readdirSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { runTool } from "../../src/dev/embedded-postgres/Installation.ts"
import { onFreePort } from "./onFreePort.ts"

const packages = "/usr/lib/postgresql"

/** The directory of the programs. */
export const bin = (existsSync(packages) ? readdirSync(packages) : [])
  .toSorted((one, other) => Number(other) - Number(one))
  .map((version) => join(packages, version, "bin"))
  .find((directory) => ["postgres", "pg_dump", "pg_restore"].every((program) => existsSync(join(directory, program))))

/** The reason why tests with these servers are skipped. With REQUIRE_POSTGRES=1 they fail instead. */
export const missing =
  process.env["REQUIRE_POSTGRES"] === "1" || bin !== undefined
    ? undefined
    : "skipped, because the package postgresql is missing"

const idOf = (option: "-u" | "-g") => Number(spawnSync("id", [option, "postgres"], { encoding: "utf8" }).stdout)

/** Starts an empty server until the scope closes. Returns the URL of its database `postgres`. */
export const start = Effect.gen(function* () {
  if (bin === undefined) return yield* Effect.die(new Error("install Debian's package postgresql"))
  // Postgres refuses to run as root
  const user = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : undefined
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const made = mkdtempSync(join(tmpdir(), "interview-debian-postgres-"))
      if (user !== undefined) chownSync(made, user.uid, user.gid)
      return made
    }),
    (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
  )
  const data = join(directory, "data")
  const form = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
  yield* runTool(join(bin, "initdb"), ["-D", data, ...form], user)
  const control = (act: string, ...options: ReadonlyArray<string>) =>
    runTool(join(bin, "pg_ctl"), [act, "-D", data, "--wait", "--silent", ...options], user)
  const settings = "-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
  const startOn = (port: number) => control("start", "-o", `-p ${port} ${settings}`, "-l", join(directory, "log"))
  const port = yield* Effect.acquireRelease(onFreePort(startOn), () =>
    Effect.ignore(control("stop", "--mode=immediate")),
  )
  return `postgres://postgres@127.0.0.1:${port}/postgres`
})
