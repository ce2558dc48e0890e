/**
 * The Postgres of a directory, used without DATABASE_URL. The first process starts it, the last one stops it.
 *
 * Each process holds a shared advisory lock, its lease; Postgres releases it when the process dies. A process that gets
 * the exclusive lock at its end is the last and stops the server. Processes that wait for a lease then lose their
 * connection and start the server again.
 */
import { spawn } from "node:child_process"
import { open, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Deferred, Effect, Fiber, Queue, Redacted, Result, Schedule, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { freePort } from "../platform/http/HeldPort.ts"
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

const leaseKey = 1

const readyWithin = "30 seconds"
const pollEvery = "30 millis"

/** `wait`: a server exists and will soon accept connections or end. */
type NoServer = { readonly wait: boolean }

/** SQLSTATE cannot_connect_now (starting, recovering or shutting down) and too_many_connections. */
const transientStates: ReadonlySet<unknown> = new Set(["57P03", "53300"])

const sqlState = ({ reason: { cause } }: SqlError): unknown =>
  typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined

const pidFileOf = (cluster: Cluster) => join(cluster.data, "postmaster.pid")

const readPidFile = (cluster: Cluster) =>
  step(`cannot read ${pidFileOf(cluster)}`, () => unlessMissing(readFile(pidFileOf(cluster), "utf8")))

/** Reads the port from line 4 of the pid file. Any other server on that port refuses the password. */
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
  }).pipe(Effect.mapError((error): NoServer => ({ wait: transientStates.has(sqlState(error)) })))
  return { connection, port }
})

/** Gets a lease for the scope. `lost` completes when its connection breaks. */
const acquireLease = Effect.fn("embeddedPostgres.acquireLease")(function* (cluster: Cluster) {
  const { connection, port } = yield* connect(cluster)
  const session = yield* connection.pin
  const query = (sql: string) => session.query(sql, [leaseKey]).pipe(Effect.mapError((): NoServer => ({ wait: true })))
  // unlock explicitly: the server notices a closed socket late
  yield* Effect.acquireRelease(
    query("select pg_advisory_lock_shared($1)"),
    () => Effect.ignore(query("select pg_advisory_unlock_shared($1)")),
    { interruptible: true },
  )
  // nothing is sent on this channel; the queue fails when the connection does
  const notifications = yield* session.listen("lease").pipe(Effect.mapError((): NoServer => ({ wait: true })))
  return { port, lost: Effect.ignore(Effect.forever(Queue.take(notifications))) }
})

const settings = (port: number, temporary: boolean) => ({
  port,
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 200,
  timezone: "UTC",
  log_timezone: "UTC",
  // excludes ERROR: failed statements can contain personal data
  log_min_messages: "log",
  log_checkpoints: "off",
  ...(temporary ? { fsync: "off", full_page_writes: "off", synchronous_commit: "off" } : {}),
})

const startServer = Effect.fn("embeddedPostgres.start")(function* (cluster: Cluster, temporary: boolean) {
  const port = yield* Effect.mapError(
    freePort,
    (cause) => new EmbeddedPostgresError({ message: `cannot listen on 127.0.0.1: ${cause.message}`, cause }),
  )
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

/**
 * Postgres does not start while the file's pid exists; after a reboot another program may have it. Removing the file is
 * safe: the data directory's shared memory block also prevents a second postmaster.
 */
const removePidFile = (cluster: Cluster) =>
  step(`cannot remove ${pidFileOf(cluster)}`, () => rm(pidFileOf(cluster), { force: true }))

/** A start fails when another program takes the free port first. */
const maxFailedStarts = 3

/** Consecutive starts, 200 ms apart, that may end while the same pid file exists and nothing accepts connections. */
const maxStarts = 10

/** When several servers start at once, Postgres lets one own the data directory; the others end. */
const findOrStart = Effect.fn("embeddedPostgres.findOrStart")(function* (cluster: Cluster, temporary: boolean) {
  let server: Effect.Success<ReturnType<typeof startServer>> | undefined
  let failures = 0
  let unreachable = { pidFile: "", starts: 0 }
  for (;;) {
    const lease = yield* Effect.result(acquireLease(cluster))
    if (Result.isSuccess(lease)) return lease.success
    if (lease.failure instanceof EmbeddedPostgresError) return yield* lease.failure
    if (lease.failure.wait) {
      unreachable = { pidFile: "", starts: 0 }
    } else if (server === undefined) {
      server = yield* startServer(cluster, temporary)
    } else if (server.ended()) {
      const pidFile = yield* readPidFile(cluster)
      if (pidFile === undefined) failures += 1
      else unreachable = { pidFile, starts: unreachable.pidFile === pidFile ? unreachable.starts + 1 : 0 }
      if (unreachable.starts === maxStarts) {
        yield* removePidFile(cluster)
        unreachable = { pidFile: "", starts: 0 }
        failures += 1
      }
      if (failures === maxFailedStarts) {
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

/** Returns true when the server no longer runs. */
const stopIfLast = Effect.fn("embeddedPostgres.stopIfLast")(
  function* (cluster: Cluster) {
    const { connection } = yield* connect(cluster)
    const { rows } = yield* connection
      .query("select pg_try_advisory_lock($1) as last", [leaseKey])
      .pipe(Effect.mapError((): NoServer => ({ wait: true })))
    if (rows[0]?.last !== true) return false
    const stop = ["stop", "-D", cluster.data, "--mode=fast", "--wait", "--timeout=60", "--silent"]
    yield* runTool(join(cluster.bin, "pg_ctl"), stop, cluster.user)
    return true
  },
  Effect.scoped,
  // the server was killed, or another process is stopping it
  Effect.catch((error) => (error instanceof EmbeddedPostgresError ? Effect.fail(error) : Effect.succeed(!error.wait))),
)

const holdFirstLease = (
  cluster: Cluster,
  temporary: boolean,
  ready: Deferred.Deferred<number, EmbeddedPostgresError>,
) =>
  findOrStart(cluster, temporary).pipe(
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

/** After a killed backend or a crash recovery: without a lease, another process would stop the server. */
const renewLease = (cluster: Cluster) =>
  acquireLease(cluster).pipe(
    Effect.flatMap(({ lost }) => lost),
    Effect.scoped,
    Effect.ignore,
    Effect.repeat(Schedule.spaced("1 second")),
  )

/** The fiber is detached, so an interruption leaves no started server without a lease. */
const keepLease = Effect.fn("embeddedPostgres.keepLease")(function* (cluster: Cluster, temporary: boolean) {
  const ready = yield* Deferred.make<number, EmbeddedPostgresError>()
  const fiber = yield* holdFirstLease(cluster, temporary, ready).pipe(
    Effect.andThen(renewLease(cluster)),
    Effect.onError((cause) => Deferred.failCause(ready, cause)),
    Effect.forkDetach,
  )
  return { fiber, port: yield* Deferred.await(ready) }
})

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

const createDatabase = Effect.fn("embeddedPostgres.createDatabase")(
  function* (cluster: Cluster, name: string) {
    const { connection } = yield* connect(cluster)
    const { rows } = yield* connection.query("select from pg_database where datname = $1", [name])
    if (rows.length > 0) return
    // duplicate_database or unique_violation: another process created it
    const isDuplicate = (error: SqlError) => ["42P04", "23505"].includes(String(sqlState(error)))
    yield* connection.query(`create database ${quoted(name)}`).pipe(
      Effect.asVoid,
      Effect.catchIf(isDuplicate, () => Effect.void),
    )
  },
  Effect.scoped,
  (created, cluster, name) =>
    Effect.mapError(created, (cause) =>
      cause instanceof EmbeddedPostgresError
        ? cause
        : new EmbeddedPostgresError({ message: `cannot create the database ${name}; see ${cluster.log}`, cause }),
    ),
)

/**
 * Finds or starts the Postgres of `dataDir`, holds a lease while the scope is open, and returns the URL of `database`,
 * created if missing. `temporary`: nothing is flushed to disk, and the last process to end removes the data.
 */
export const embeddedPostgres = Effect.fn("embeddedPostgres")(function* (options: {
  readonly dataDir: string
  readonly database: string
  readonly temporary?: boolean
}): Effect.fn.Return<Redacted.Redacted<string>, EmbeddedPostgresError, Scope.Scope> {
  const temporary = options.temporary ?? false
  const installation = yield* findInstallation
  const cluster = yield* Effect.acquireRelease(openCluster(installation, options.dataDir, temporary), (opened) =>
    stopIfLast(opened).pipe(
      Effect.flatMap((stopped) => (stopped && temporary ? removeCluster(opened, options.dataDir) : Effect.void)),
      Effect.catch((error) => Effect.logWarning(`embedded Postgres was not stopped: ${error.message}`)),
    ),
  )
  const { port } = yield* Effect.acquireRelease(keepLease(cluster, temporary), ({ fiber }) => Fiber.interrupt(fiber))
  yield* createDatabase(cluster, options.database)
  const password = Redacted.value(cluster.password)
  return Redacted.make(`postgresql://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(options.database)}`)
})
