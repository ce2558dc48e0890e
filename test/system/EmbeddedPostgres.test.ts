import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { PgConnection } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted, Schedule } from "effect"
import { embeddedPostgres } from "../../src/dev/EmbeddedPostgres.ts"

const isRoot = process.getuid?.() === 0
const program = fileURLToPath(new URL("./embeddedPostgresUser.ts", import.meta.url))

const dataOf = (dataDir: string) => join(dataDir, "postgres")
const pidFileOf = (dataDir: string) => join(dataOf(dataDir), "postmaster.pid")
const running = (dataDir: string) => existsSync(pidFileOf(dataDir))
const postmaster = (dataDir: string) => Number(readFileSync(pidFileOf(dataDir), "utf8").split("\n")[0])

/** Stops the server and removes its data, also where root's are kept. */
const clean = (dataDir: string) => {
  if (running(dataDir)) {
    try {
      process.kill(postmaster(dataDir), "SIGQUIT")
    } catch {}
  }
  if (existsSync(dataOf(dataDir))) rmSync(realpathSync(dataOf(dataDir)), { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
}

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(realpathSync(tmpdir()), "embedded-postgres-"))),
  (path) => Effect.sync(() => clean(path)),
)

const query = (url: Redacted.Redacted<string>, sql: string) =>
  PgConnection.make({ url }).pipe(
    Effect.flatMap((connection) => connection.query(sql)),
    Effect.map(({ rows }) => rows),
    Effect.scoped,
  )

const startedAt = (url: Redacted.Redacted<string>) =>
  Effect.map(query(url, "select pg_postmaster_start_time()::text as at"), (rows) => String(rows[0]?.at))

/** Polls until another process has met the condition. */
const until = (condition: () => boolean) =>
  Effect.sync(condition).pipe(Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (met) => met }))

interface OtherProcess {
  readonly child: ChildProcess
  readonly url: Redacted.Redacted<string>
}

/** Another process that uses the server; killed when the scope closes. */
const otherProcess = Effect.fn(function* (
  dataDir: string,
  options: { readonly temporary?: boolean; readonly uid?: number; readonly gid?: number } = {},
) {
  const { temporary, ...user } = options
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [program, dataDir, ...(temporary ? ["temporary"] : [])], {
        ...user,
        cwd: "/",
        detached: true,
        stdio: ["pipe", "pipe", "inherit"],
      }),
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL")),
  )
  const url = yield* Effect.promise(async () => {
    for await (const line of createInterface(child.stdout)) return line
    throw new Error("the other process ended without a URL")
  })
  const other: OtherProcess = { child, url: Redacted.make(url) }
  return other
})

const release = ({ child }: OtherProcess) =>
  Effect.promise(async () => {
    const ended = once(child, "exit")
    child.stdin?.end()
    const [code] = await ended
    assert.strictEqual(code, 0)
  })

const kill = ({ child }: OtherProcess) =>
  Effect.promise(() => {
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    return ended
  })

describe("embeddedPostgres", () => {
  it.live("starts a server on localhost only, in UTC and UTF8", () =>
    Effect.gen(function* () {
      const dataDir = yield* directory
      const url = yield* embeddedPostgres({ dataDir, database: 'with "quotes"', temporary: true })
      const [row] = yield* query(
        url,
        `select current_database() as database, current_setting('server_version_num')::int / 10000 as version,
          current_setting('listen_addresses') as address, current_setting('unix_socket_directories') as socket,
          current_setting('timezone') as timezone, current_setting('server_encoding') as encoding,
          lower('É') as lower, 'Z' < 'a' as code_points, current_setting('max_connections') as connections`,
      )
      assert.deepStrictEqual(row, {
        database: 'with "quotes"',
        version: 18,
        address: "127.0.0.1",
        socket: "",
        timezone: "UTC",
        encoding: "UTF8",
        lower: "é",
        code_points: true,
        connections: "200",
      })
      const wrong = new URL(Redacted.value(url))
      wrong.password = "guess"
      const error = yield* Effect.flip(query(Redacted.make(wrong.href), "select 1"))
      assert.strictEqual(error.reason._tag, "AuthenticationError")
    }),
  )

  it.live("serves scopes and processes with one server until the last releases it", () =>
    Effect.gen(function* () {
      const dataDir = yield* directory
      const first = yield* Effect.scoped(
        Effect.gen(function* () {
          const here = yield* embeddedPostgres({ dataDir, database: "app" })
          const at = yield* startedAt(here)
          yield* Effect.scoped(
            Effect.gen(function* () {
              const again = yield* embeddedPostgres({ dataDir, database: "app" })
              assert.strictEqual(yield* startedAt(again), at)
            }),
          )
          assert.isTrue(running(dataDir), "stopped under the first scope")
          const short = yield* otherProcess(dataDir)
          assert.strictEqual(yield* startedAt(short.url), at)
          yield* release(short)
          assert.isTrue(running(dataDir), "stopped by a process that was not the last")
          yield* query(here, "create table kept as select 42 as answer")
          return at
        }),
      )
      assert.isFalse(running(dataDir), "left running by the last")
      const later = yield* otherProcess(dataDir)
      assert.notStrictEqual(yield* startedAt(later.url), first)
      assert.deepStrictEqual(yield* query(later.url, "select answer from kept"), [{ answer: 42 }])
      yield* release(later)
      assert.isFalse(running(dataDir), "left running by another process that was the last")
    }),
  )

  it.live("is initialized once when several processes start together, and stopped once when they end together", () =>
    Effect.gen(function* () {
      const dataDir = yield* directory
      for (const _ of ["with initdb", "with a start"]) {
        const processes = yield* Effect.forEach([1, 2, 3, 4], () => otherProcess(dataDir), {
          concurrency: "unbounded",
        })
        const times = yield* Effect.forEach(processes, ({ url }) => startedAt(url))
        assert.strictEqual(new Set(times).size, 1)
        yield* Effect.forEach(processes, release, { concurrency: "unbounded" })
        assert.isFalse(running(dataDir))
      }
      assert.deepStrictEqual(readdirSync(dataDir), ["postgres", "postgres.log"])
    }),
  )

  it.live("starts again after it was killed, also if its pid now belongs to another process of the same user", () =>
    Effect.gen(function* () {
      const dataDir = yield* directory
      const start = embeddedPostgres({ dataDir, database: "app" })
      const killServer = () => process.kill(postmaster(dataDir), "SIGKILL")
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* query(yield* start, "create table kept as select 42 as answer")
          killServer()
        }),
      )
      assert.isTrue(running(dataDir), "the stale pid file is what this is about")
      const { uid, gid } = yield* Effect.scoped(
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* query(yield* start, "select answer from kept"), [{ answer: 42 }])
          killServer()
          return statSync(dataOf(dataDir))
        }),
      )
      const stranger = yield* Effect.acquireRelease(
        Effect.sync(() => spawn("/bin/sh", ["-c", "read line"], { cwd: "/", ...(isRoot ? { uid, gid } : {}) })),
        (child) => Effect.sync(() => child.kill("SIGKILL")),
      )
      const [, ...rest] = readFileSync(pidFileOf(dataDir), "utf8").split("\n")
      writeFileSync(pidFileOf(dataDir), [stranger.pid, ...rest].join("\n"))
      assert.lengthOf(yield* query(yield* start, "select 1"), 1)
      assert.notStrictEqual(postmaster(dataDir), stranger.pid)
    }),
  )

  it.live("is found and stopped after its only user was killed", () =>
    Effect.gen(function* () {
      const dataDir = yield* directory
      const killed = yield* otherProcess(dataDir)
      const at = yield* startedAt(killed.url)
      yield* kill(killed)
      assert.isTrue(running(dataDir))
      yield* Effect.scoped(
        Effect.gen(function* () {
          assert.strictEqual(yield* startedAt(yield* embeddedPostgres({ dataDir, database: "app" })), at)
        }),
      )
      assert.isFalse(running(dataDir))
    }),
  )

  it.live("keeps running after Ctrl-C while its user drains", () =>
    Effect.gen(function* () {
      const dataDir = yield* directory
      const other = yield* otherProcess(dataDir)
      const at = yield* startedAt(other.url)
      process.kill(-Number(other.child.pid), "SIGINT")
      // another user's start would wait for a server that is shutting down
      const next = yield* otherProcess(dataDir)
      assert.strictEqual(yield* startedAt(next.url), at)
      yield* release(next)
      yield* release(other)
      assert.isFalse(running(dataDir))
    }),
  )

  it.live("leaves nothing running when it is interrupted while it starts", () =>
    Effect.gen(function* () {
      const dataDir = yield* directory
      const start = yield* Effect.forkChild(Effect.scoped(embeddedPostgres({ dataDir, database: "app" })))
      yield* until(() => running(dataDir))
      yield* Fiber.interrupt(start)
      assert.isFalse(running(dataDir))
    }),
  )

  it.live("keeps its lease when the connection of the lease breaks", () =>
    Effect.gen(function* () {
      const dataDir = yield* directory
      const url = yield* embeddedPostgres({ dataDir, database: "app", temporary: true })
      const leases = "select pid from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and granted"
      const [lease] = yield* query(url, leases)
      yield* query(url, `select pg_terminate_backend(${lease?.pid}, 5000)`)
      yield* query(url, leases).pipe(
        Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (rows) => rows.length === 1 }),
      )
      yield* release(yield* otherProcess(dataDir))
      assert.lengthOf(yield* query(url, "select 1"), 1)
    }),
  )

  it.live("removes everything that was temporary", () =>
    Effect.gen(function* () {
      const dataDir = yield* directory
      const data = yield* Effect.scoped(
        Effect.gen(function* () {
          const url = yield* embeddedPostgres({ dataDir, database: "app", temporary: true })
          assert.deepStrictEqual(yield* query(url, "show fsync"), [{ fsync: "off" }])
          const worker = yield* otherProcess(dataDir, { temporary: true })
          yield* release(worker)
          assert.lengthOf(yield* query(url, "select 1"), 1)
          return realpathSync(dataOf(dataDir))
        }),
      )
      assert.isFalse(existsSync(data))
      assert.isFalse(existsSync(dataDir))
    }),
  )

  it.live("reports data of another version, the server's output when it does not start, and root's missing data", () =>
    Effect.gen(function* () {
      const dataDir = yield* directory
      const start = Effect.scoped(embeddedPostgres({ dataDir, database: "app" }))
      yield* start
      const version = join(dataOf(dataDir), "PG_VERSION")
      writeFileSync(version, "17\n")
      assert.include((yield* Effect.flip(start)).message, "was made by Postgres 17 and the embedded one is 18")
      writeFileSync(version, "18\n")
      writeFileSync(join(dataOf(dataDir), "postgresql.conf"), "no_such_setting = 1\n")
      const { message } = yield* Effect.flip(start)
      assert.include(message, "no_such_setting")
      assert.include(message, join(dataDir, "postgres.log"))
      // Postgres refuses to run as root, so root's data directory belongs to another user
      if (!isRoot) return
      rmSync(realpathSync(dataOf(dataDir)), { recursive: true })
      assert.include((yield* Effect.flip(start)).message, "which is gone; remove the link")
      rmSync(dataOf(dataDir))
    }),
  )

  it.live("works below a directory with mode 700", () =>
    Effect.gen(function* () {
      const parent = yield* directory
      chmodSync(parent, 0o700)
      const url = yield* embeddedPostgres({ dataDir: join(parent, "data"), database: "app", temporary: true })
      assert.lengthOf(yield* query(url, "select 1"), 1)
    }),
  )

  const nobody = { uid: 65534, gid: 65534 }
  const reachable = () =>
    spawnSync(process.execPath, ["-e", `fs.accessSync(${JSON.stringify(program)})`], { cwd: "/", ...nobody }).status ===
    0

  it.live("works for a user other than root; root does not use that user's data", (context) =>
    Effect.gen(function* () {
      // only root can start a process as another user; without root all tests run as such a user
      if (!isRoot) return context.skip("requires root; the other tests cover other users")
      // that user must be able to read the checkout
      if (!reachable()) return context.skip("the user nobody cannot reach this directory")
      const dataDir = yield* directory
      chownSync(dataDir, nobody.uid, nobody.gid)
      const other = yield* otherProcess(dataDir, nobody)
      const [row] = yield* query(other.url, "show data_directory")
      assert.deepStrictEqual(row, { data_directory: dataOf(dataDir) })
      const error = yield* Effect.flip(embeddedPostgres({ dataDir, database: "app" }))
      assert.include(error.message, "was made by another user")
      yield* release(other)
      assert.isFalse(running(dataDir))
    }),
  )
})
