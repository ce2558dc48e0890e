/** PgBouncer in transaction mode, in front of the tests' server. Needs the program `pgbouncer` (Debian has it). */
import { spawn } from "node:child_process"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { Effect, Schedule } from "effect"
import { freePort } from "../../src/platform/http/HeldPort.ts"
import { codeWith, replaced } from "../docs/pages.ts"
import { textsOf } from "./databases.ts"

interface Options {
  readonly hasTimeouts?: boolean
  /** Names of startup parameters that are ignored. */
  readonly ignored?: string
}

/** The configuration of docs/scale.md, for all databases of the tests' server. */
const configuration = (server: URL, port: number, directory: string, { hasTimeouts = true, ignored = "" }: Options) => {
  const address = `* = host=${server.hostname} port=${server.port} user=${server.username} password=${decodeURIComponent(server.password)}`
  const given = replaced(codeWith("docs/scale.md", "[pgbouncer]"), /^interviews = host=\S+/gm, address)
  // the last section is [pgbouncer]
  return `${hasTimeouts ? given : replaced(given, / connect_query=.*$/gm, "")}
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
default_pool_size = 10
max_client_conn = 1000
ignore_startup_parameters = ${ignored}
server_idle_timeout = 5
logfile = ${join(directory, "pgbouncer.log")}
${userInfo().username === "root" ? "user = nobody" : ""}
`
}

/** Returns the URL of a database through PgBouncer. `url`: of the database, without PgBouncer. */
export const start = Effect.fnUntraced(function* (url: string, options: Options = {}) {
  const server = new URL(url)
  const port = yield* freePort
  const directory = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const made = await mkdtemp(join(tmpdir(), "interview-pgbouncer-"))
      await chmod(made, 0o777)
      await writeFile(join(made, "pgbouncer.ini"), configuration(server, port, made, options))
      return made
    }),
    (made) => Effect.promise(() => rm(made, { recursive: true, force: true })),
  )
  yield* Effect.acquireRelease(
    Effect.sync(() => spawn("pgbouncer", ["--quiet", join(directory, "pgbouncer.ini")], { stdio: "inherit" })),
    (child) => Effect.sync(() => child.kill("SIGINT")),
  )
  const through = Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(port) }).href
  yield* Effect.retry(
    textsOf(through, "select current_user"),
    Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(100)]),
  )
  return through
})
