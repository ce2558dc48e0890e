/** Several servers in one DATABASE_URL: connections follow the one that accepts writes. */
import { once } from "node:events"
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Queue, Redacted, Schedule } from "effect"
import { migrate } from "../../../src/migrate.ts"
import { timeouts } from "../../../src/platform/database/Connections.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { issue, trusting } from "../../port/certificates.ts"
import { atDatabase, execute, textsOf } from "../../support/databases.ts"
import * as OwnPostgres from "../../support/OwnPostgres.ts"
import { silentPort } from "../../support/silentPort.ts"
import { amount } from "../../support/thorough.ts"

const password = "the-same-on-both"

/** A server that tests make read-only, as a standby is. */
const server = Effect.gen(function* () {
  const own = yield* OwnPostgres.start
  yield* execute(own.url, `alter role postgres password '${password}'`)
  const url = Object.assign(new URL(own.url), { password }).href
  const administration = atDatabase(url, "postgres")
  const set = (value: "on" | "off") =>
    Effect.andThen(
      execute(administration, `alter database app set default_transaction_read_only = ${value}`),
      execute(administration, "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'app'"),
    )
  return { ...own, url, demote: set("on"), promote: set("off") }
})

it.live("connections reach the server that accepts writes, before and after failovers, and when one is gone", () =>
  Effect.gen(function* () {
    const [one, two] = [yield* server, yield* server]
    const { host } = new URL(two.url)
    const both = Redacted.make(one.url.replace(new URL(one.url).host, `${new URL(one.url).host},${host}`))
    const portOf = (url: string) => new URL(url).port
    yield* one.demote
    // a server that is read-only is not migrated
    assert.deepStrictEqual(yield* migrate({ url: both }), [])
    yield* Effect.gen(function* () {
      const { client: sql, ping, transaction } = yield* Database
      /** The port of the server that accepted a write, once one does. */
      const written = sql<{ port: string }>`select current_setting('port') as port, pg_current_xact_id()`.pipe(
        Effect.map(([row]) => row?.port),
        Effect.retry(Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(100)])),
      )
      assert.strictEqual(yield* written, portOf(two.url))
      yield* two.demote
      yield* one.promote
      assert.strictEqual(yield* written, portOf(one.url))
      assert.strictEqual(yield* transaction(written), portOf(one.url))
      yield* ping
      yield* two.promote
      yield* one.stop
      assert.strictEqual(yield* written, portOf(two.url))
      yield* ping
      yield* one.start
    }).pipe(Effect.provide(Database.layer({ url: both, maxConnections: 3 }), { local: true }))
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
)

const certificate = issue({ name: "database", hosts: ["127.0.0.1"] })
const foreign = issue({ name: "another database", hosts: ["localhost"] })

/** Turns TLS on with this certificate. */
const encrypt = Effect.fnUntraced(function* (
  { files: { data, user }, url }: Effect.Success<typeof server>,
  { cert, key } = certificate,
) {
  yield* Effect.promise(async () => {
    for (const [name, content] of Object.entries({ "server.crt": cert, "server.key": key })) {
      const path = join(data, name)
      await writeFile(path, content, { mode: 0o600 })
      if (user !== undefined) await chown(path, user.uid, user.gid)
    }
  })
  yield* execute(url, "alter system set ssl = on")
  yield* execute(url, "select pg_reload_conf()")
  yield* Effect.repeat(textsOf(url, "show ssl"), { until: ([ssl]) => ssl === "on" })
})

/** Forwards connections to a server. After `silence`, it keeps them open and forwards nothing. */
const wire = Effect.fnUntraced(function* (url: string) {
  const { hostname, port } = new URL(url)
  let isSilent = false
  const sockets = new Set<Socket>()
  const front = createServer((socket) => {
    const back = connect(Number(port), hostname)
    for (const [from, to] of [
      [socket, back],
      [back, socket],
    ] as const) {
      sockets.add(from)
      from.on("data", (data) => isSilent || to.write(data))
      from.on("error", () => {})
      from.on("close", () => isSilent || to.destroy())
    }
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(front.listen(0, "127.0.0.1"), "listening")),
    () =>
      Effect.sync(() => {
        front.close()
        for (const socket of sockets) socket.destroy()
      }),
  )
  const address = front.address()
  return {
    host: `127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    silence: Effect.sync(() => {
      isSilent = true
    }),
  }
})

const bothOf = (host: string, { url }: { readonly url: string }, query = "") =>
  Redacted.make(`${url.replace(new URL(url).host, `${host},${new URL(url).host}`)}${query}`)

// they wait for the limits of servers most of their time
describe.concurrent("silent servers", () => {
  it.live.each(amount(["?sslmode=require"], ["", "?sslmode=require"]))(
    "statements that a silent server leaves unanswered fail once another server accepts writes: %s",
    (query) =>
      Effect.gen(function* () {
        const [one, two] = [yield* server, yield* server]
        yield* trusting(certificate)
        yield* Effect.forEach([one, two], (each) => encrypt(each))
        yield* two.demote
        const { host, silence } = yield* wire(one.url)
        const both = bothOf(host, two, query)
        yield* Effect.gen(function* () {
          const { client: sql } = yield* Database
          const port = sql<{ port: string }>`select current_setting('port') as port, pg_current_xact_id()`.pipe(
            Effect.map(([row]) => row?.port),
          )
          assert.strictEqual(yield* port, new URL(one.url).port)
          yield* silence
          const unanswered = yield* Effect.forkScoped(Effect.exit(port), { startImmediately: true })
          yield* two.promote
          assert.isTrue(Exit.isFailure(yield* Fiber.join(unanswered)))
          assert.strictEqual(yield* port, new URL(two.url).port)
        }).pipe(Effect.scoped, Effect.provide(Database.layer({ url: both, maxConnections: 3 }), { local: true }))
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  )

  it.live("LISTEN at DATABASE_DIRECT_URL leaves a silent server once another server accepts writes", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* server, yield* server]
      // a pooler's connections have them from the role
      for (const { url } of [one, two])
        for (const name of Object.keys(timeouts)) yield* execute(url, `alter role postgres set ${name} = '15s'`)
      yield* two.demote
      const { host, silence } = yield* wire(one.url)
      const both = bothOf(host, two)
      yield* Effect.gen(function* () {
        const { client: sql } = yield* Database
        const notifications = yield* sql.listen("news")
        yield* silence
        yield* two.promote
        assert.isTrue(Exit.isFailure(yield* Effect.exit(Queue.take(notifications))))
        const next = yield* sql.listen("news")
        yield* execute(two.url, "select pg_notify('news', 'now')")
        assert.strictEqual((yield* Queue.take(next)).payload, "now")
      }).pipe(
        Effect.scoped,
        Effect.provide(Database.layer({ url: both, directUrl: both, maxConnections: 3 }), { local: true }),
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  )

  it.live("a server that does not answer delays the first connection, and no health check after it", () =>
    Effect.gen(function* () {
      const own = yield* OwnPostgres.start
      const { host } = new URL(own.url)
      const both = Redacted.make(own.url.replace(host, `127.0.0.1:${yield* silentPort},${host}`))
      yield* Effect.gen(function* () {
        const { client: sql, ping } = yield* Database
        yield* ping
        assert.lengthOf(yield* sql`select pg_current_xact_id()`, 1)
      }).pipe(Effect.provide(Database.layer({ url: both, maxConnections: 2 }), { local: true }))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  )
})

describe("encryption in DATABASE_URL", () => {
  const isEncrypted = Effect.flatMap(Database, ({ sql }) =>
    Effect.map(
      sql<{ port: string; ssl: boolean }>`
        select current_setting('port') as port, ssl, pg_current_xact_id() from pg_stat_ssl where pid = pg_backend_pid()`,
      ([row]) => [row?.port, row?.ssl],
    ),
  )

  it.live("encrypts connections and checks the certificate of each server, for its own name", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* server, yield* server]
      yield* encrypt(one)
      yield* encrypt(two, foreign)
      yield* one.demote
      const [first, second] = [new URL(one.url), new URL(two.url)]
      const both = (host: string) =>
        bothOf(first.host, { url: two.url.replace(second.hostname, host) }, "?sslmode=require")
      const connected = (host: string) =>
        isEncrypted.pipe(Effect.provide(Database.layer({ url: both(host), maxConnections: 2 }), { local: true }))
      const refused = yield* Effect.flip(connected("localhost"))
      assert.include(String(refused), "certificate")
      yield* trusting(certificate)
      yield* trusting(foreign)
      assert.deepStrictEqual(yield* connected("localhost"), [second.port, true])
      assert.deepStrictEqual(yield* migrate({ url: both("localhost") }), [])
      const misnamed = yield* Effect.flip(connected(second.hostname))
      assert.include(String(misnamed), "does not match certificate")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  )

  it.live("trusts sslrootcert, with verify-ca under any name, and ssl=true means TLS", () =>
    Effect.gen(function* () {
      const one = yield* server
      yield* encrypt(one, foreign)
      const ca = join(one.files.data, "authority.crt")
      yield* Effect.promise(() => writeFile(ca, foreign.cert))
      const { port } = new URL(one.url)
      const connected = (query: string) =>
        isEncrypted.pipe(
          Effect.provide(Database.layer({ url: Redacted.make(`${one.url}${query}`), maxConnections: 2 }), {
            local: true,
          }),
        )
      assert.deepStrictEqual(yield* connected(`?sslmode=verify-ca&sslrootcert=${ca}`), [port, true])
      assert.include(String(yield* Effect.flip(connected("?ssl=true"))), "certificate")
      assert.include(
        String(yield* Effect.flip(connected(`?sslmode=verify-full&sslrootcert=${ca}`))),
        "does not match certificate",
      )
      const misspelt = yield* Effect.flip(connected("?ssl_mode=require"))
      assert.include(String(misspelt), "the parameter ssl_mode is not supported: write sslmode")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  )
})

it.live("connects to a Unix socket, as Cloud SQL's proxy has it, with the name and wait of the address", () =>
  Effect.gen(function* () {
    const { url } = yield* server
    const directory = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "interview-socket-"))),
      (made) => Effect.promise(() => rm(made, { recursive: true })),
    )
    const { host, hostname, password, pathname, port, username } = new URL(url)
    let connections = 0
    const proxy = createServer((socket) => {
      connections++
      const back = connect(Number(port), hostname)
      socket.pipe(back).pipe(socket)
      for (const each of [socket, back]) each.on("error", () => {})
    })
    proxy.listen(join(directory, `.s.PGSQL.${port}`))
    yield* Effect.acquireRelease(
      Effect.promise(() => once(proxy, "listening")),
      () => Effect.sync(() => proxy.close()),
    )
    const query = `host=${directory}&port=${port}&sslmode=require&application_name=own&connect_timeout=3`
    const named = Redacted.make(`postgres://${username}:${password}@${pathname}?${query}`)
    const several = Redacted.make(
      `postgres://${username}:${password}@${encodeURIComponent(directory)}:${port},${host}${pathname}`,
    )
    for (const [address, name] of [
      [named, "own"],
      [several, "interview-invitations"],
    ] as const)
      yield* Effect.gen(function* () {
        const { client: sql } = yield* Database
        const rows = yield* sql<{ name: string }>`select current_setting('application_name') as name`
        assert.deepStrictEqual(rows, [{ name }])
      }).pipe(Effect.provide(Database.layer({ url: address, maxConnections: 2 }), { local: true }))
    assert.isAtLeast(connections, 2)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
)
