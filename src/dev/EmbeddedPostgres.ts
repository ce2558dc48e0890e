/**
 * A real Postgres in a directory, for when no DATABASE_URL is set: found running or started, shared by every process
 * that uses the directory, and stopped by the last one.
 *
 * Each user holds a shared advisory lock on a connection of its own, its lease; Postgres releases it when the user
 * dies, however it dies. Who leaves tries for the exclusive lock: getting it proves that nobody else is there, and
 * while it is held nobody can come in, so the server can be stopped. A newcomer that waits for the lock at that
 * moment loses its connection with the server and starts it again.
 */

import { spawn } from "node:child_process"
import { open, readFile, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Deferred, Effect, Fiber, Queue, Redacted, Result, Schedule, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { type Cluster, openCluster, removeCluster } from "./embedded-postgres/Cluster.ts"
import {
  EmbeddedPostgresError,
  findInstallation,
  quoteEnd,
  runTool,
  spawnOptions,
  step,
  unlessMissing,
} from "./embedded-postgres/Installation.ts"

export { EmbeddedPostgresError }

/** Advisory locks belong to a database; leases are taken in `postgres`, which nothing else of ours uses. */
const leaseKey = 1

const readyWithin = "30 seconds"
const pollEvery = "30 millis"

/** No server accepts us; `wait` when one is there that will accept or be gone shortly. */
type NoServer = { readonly wait: boolean }

/** SQLSTATE cannot_connect_now (starting, recovering or shutting down) and too_many_connections. */
const passingStates: ReadonlySet<unknown> = new Set(["57P03", "53300"])

const sqlState = ({ reason: { cause } }: SqlError): unknown =>
  typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined

const pidFileOf = (cluster: Cluster) => join(cluster.data, "postmaster.pid")

const readPidFile = (cluster: Cluster) =>
  step(`cannot read ${pidFileOf(cluster)}`, () => unlessMissing(readFile(pidFileOf(cluster), "utf8")))

/** Connects to the server that the pid file names (its port is line 4); the password tells ours from any other. */
const connect = Effect.fn("embeddedPostgres.connect")(function* (cluster: Cluster) {
  const port = Number((yield* readPidFile(cluster))?.split("\n")[3])
  if (!(port > 0)) return yield* Effect.fail<NoServer>({ wait: false })
  const connection = yield* PgConnection.make({
    host: "127.0.0.1",
    port,
    database: "postgres",
    username: "postgres",
    password: cluster.password,
    applicationName: "interview-invitations lease",
  }).pipe(Effect.mapError((error): NoServer => ({ wait: passingStates.has(sqlState(error)) })))
  return { connection, port }
})

/** Takes a lease. `lost` ends when the connection breaks, and never before. */
const hold = Effect.fn("embeddedPostgres.hold")(function* (cluster: Cluster) {
  const { connection, port } = yield* connect(cluster)
  const session = yield* connection.pin
  const query = (sql: string) => session.query(sql, [leaseKey]).pipe(Effect.mapError((): NoServer => ({ wait: true })))
  // Released by hand: when the socket merely closes, the server notices a moment later.
  yield* Effect.acquireRelease(
    query("select pg_advisory_lock_shared($1)"),
    () => Effect.ignore(query("select pg_advisory_unlock_shared($1)")),
    { interruptible: true },
  )
  const nothing = yield* session.listen("lease").pipe(Effect.mapError((): NoServer => ({ wait: true })))
  return { port, lost: Effect.ignore(Effect.forever(Queue.take(nothing))) }
})

const freePort = step(
  "cannot listen on 127.0.0.1",
  () =>
    new Promise<number>((resolve, reject) => {
      const server = createServer().on("error", reject)
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        server.close(() =>
          typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
        )
      })
    }),
)

const settings = (port: number, temporary: boolean) => ({
  port,
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 200,
  timezone: "UTC",
  log_timezone: "UTC",
  // Above ERROR: a refused statement is the application's to report, and its text may hold personal data.
  log_min_messages: "log",
  log_checkpoints: "off",
  ...(temporary ? { fsync: "off", full_page_writes: "off", synchronous_commit: "off" } : {}),
})

/** Starts a postmaster and does not wait: it is ready when one can connect, or has failed when `ended` says so. */
const startServer = Effect.fn("embeddedPostgres.start")(function* (cluster: Cluster, temporary: boolean) {
  const port = yield* freePort
  const args = Object.entries(settings(port, temporary)).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  return yield* step(`cannot start ${join(cluster.bin, "postgres")}`, async () => {
    const log = await open(cluster.log, "a+", 0o600)
    try {
      const from = (await log.stat()).size
      const child = spawn(join(cluster.bin, "postgres"), ["-D", cluster.data, ...args], {
        ...spawnOptions(cluster.user),
        stdio: ["ignore", log.fd, log.fd],
      })
      await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject))
      child.unref()
      return {
        ended: () => child.exitCode !== null || child.signalCode !== null,
        output: step(`cannot read ${cluster.log}`, async () =>
          quoteEnd((await readFile(cluster.log)).subarray(from).toString()),
        ),
      }
    } finally {
      await log.close()
    }
  })
})

/** How often a start may fail with no other server in sight: the free port can be taken before it is used. */
const failedStarts = 3
/** How long, in 200 ms steps, a pid file may stand in the way while nobody answers on its port. */
const silentSteps = 10

/**
 * Takes a lease on the running server, or starts one and takes it there. Several processes may do so at once:
 * Postgres lets one of them own the data directory (postmaster.pid), the others end and find that one.
 */
const findOrStart = Effect.fn("embeddedPostgres.findOrStart")(function* (cluster: Cluster, temporary: boolean) {
  let server: Effect.Success<ReturnType<typeof startServer>> | undefined
  let failures = 0
  let silence = { pidFile: "", steps: 0 }
  for (;;) {
    const held = yield* Effect.result(hold(cluster))
    if (Result.isSuccess(held)) return held.success
    if (held.failure instanceof EmbeddedPostgresError) return yield* held.failure
    if (held.failure.wait) {
      silence = { pidFile: "", steps: 0 }
    } else if (server === undefined) {
      server = yield* startServer(cluster, temporary)
    } else if (server.ended()) {
      const pidFile = yield* readPidFile(cluster)
      if (pidFile === undefined) failures += 1
      else silence = { pidFile, steps: silence.pidFile === pidFile ? silence.steps + 1 : 0 }
      if (silence.steps === silentSteps) {
        // Postgres refuses to start while any process of its user has the recorded pid, and after a reboot that can
        // be anybody. A postmaster listens; this one does not. Should one be there all the same, the shared memory
        // block of the data directory still keeps a second one out.
        yield* step(`cannot remove ${pidFileOf(cluster)}`, () => rm(pidFileOf(cluster), { force: true }))
        silence = { pidFile: "", steps: 0 }
        failures += 1
      }
      if (failures === failedStarts) {
        const output = yield* server.output
        return yield* new EmbeddedPostgresError({
          message: `embedded Postgres does not start (see ${cluster.log}, or set DATABASE_URL): ${output}`,
        })
      }
      if (pidFile !== undefined) yield* Effect.sleep("200 millis")
      server = undefined
    }
    yield* Effect.sleep(pollEvery)
  }
})

/** Stops the server if this was its last user; true when it does not run any more. */
const stopIfLast = (cluster: Cluster): Effect.Effect<boolean, EmbeddedPostgresError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { connection } = yield* connect(cluster)
      const { rows } = yield* connection
        .query("select pg_try_advisory_lock($1) as last", [leaseKey])
        .pipe(Effect.mapError((): NoServer => ({ wait: true })))
      if (rows[0]?.last !== true) return false
      const stop = ["stop", "-D", cluster.data, "--mode=fast", "--wait", "--timeout=60", "--silent"]
      yield* runTool(join(cluster.bin, "pg_ctl"), stop, cluster.user)
      return true
    }),
  ).pipe(
    // Nobody to stop: it was killed, or another user who left at the same moment is stopping it.
    Effect.catch((error) =>
      error instanceof EmbeddedPostgresError ? Effect.fail(error) : Effect.succeed(!error.wait),
    ),
  )

/**
 * Keeps a lease until the fiber is interrupted and answers the port. A broken lease connection (a backend killed, a
 * crash recovery) is replaced, or the next user to leave would stop the server under this one. The fiber is detached
 * so that an interruption of the start cannot fall between a server started and its lease.
 */
const keepLease = Effect.fn("embeddedPostgres.keepLease")(function* (cluster: Cluster, temporary: boolean) {
  const ready = yield* Deferred.make<number, EmbeddedPostgresError>()
  const first = findOrStart(cluster, temporary).pipe(
    Effect.timeoutOrElse({
      duration: readyWithin,
      orElse: () =>
        new EmbeddedPostgresError({
          message: `embedded Postgres is not ready after ${readyWithin}; see ${cluster.log}, then start again`,
        }),
    }),
    Effect.tap(({ port }) => Deferred.succeed(ready, port)),
    Effect.flatMap(({ lost }) => lost),
    Effect.scoped,
  )
  const again = hold(cluster).pipe(
    Effect.flatMap(({ lost }) => lost),
    Effect.scoped,
    Effect.ignore,
    Effect.repeat(Schedule.spaced("1 second")),
  )
  const fiber = yield* first.pipe(
    Effect.andThen(again),
    Effect.onError((cause) => Deferred.failCause(ready, cause)),
    Effect.forkDetach,
  )
  return { fiber, port: yield* Deferred.await(ready) }
})

/** Names a database in SQL. */
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

const createDatabase = (cluster: Cluster, name: string): Effect.Effect<void, EmbeddedPostgresError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { connection } = yield* connect(cluster)
      const { rows } = yield* connection.query("select from pg_database where datname = $1", [name])
      if (rows.length > 0) return
      yield* connection
        .query(`create database ${quoted(name)}`)
        // duplicate_database, or the same found by the unique index: another process was faster.
        .pipe(
          Effect.catchIf(
            (error) => ["42P04", "23505"].includes(String(sqlState(error))),
            () => Effect.void,
          ),
        )
    }),
  ).pipe(
    Effect.mapError((cause) =>
      cause instanceof EmbeddedPostgresError
        ? cause
        : new EmbeddedPostgresError({ message: `cannot create the database ${name}; see ${cluster.log}`, cause }),
    ),
  )

/**
 * Finds or starts the Postgres of `dataDir` and holds a lease on it while the scope is open. Yields the URL of the
 * database `database` on it, which is created if it is missing.
 *
 * `temporary` is for tests and the demo: nothing is flushed to disk, and when this scope is the last to close, the
 * data are removed, and `dataDir` too if nothing else is in it.
 */
export const embeddedPostgres = Effect.fn("embeddedPostgres")(function* (options: {
  readonly dataDir: string
  readonly database: string
  readonly temporary?: boolean
}): Effect.fn.Return<Redacted.Redacted<string>, EmbeddedPostgresError, Scope.Scope> {
  const temporary = options.temporary ?? false
  const installation = yield* findInstallation
  const cluster = yield* Effect.acquireRelease(openCluster(installation, options.dataDir, temporary), (cluster) =>
    stopIfLast(cluster).pipe(
      Effect.flatMap((stopped) => (stopped && temporary ? removeCluster(cluster, options.dataDir) : Effect.void)),
      Effect.catch((error) => Effect.logWarning(`embedded Postgres was left behind: ${error.message}`)),
    ),
  )
  const { port } = yield* Effect.acquireRelease(keepLease(cluster, temporary), ({ fiber }) => Fiber.interrupt(fiber))
  yield* createDatabase(cluster, options.database)
  const password = Redacted.value(cluster.password)
  return Redacted.make(`postgresql://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(options.database)}`)
})
