/** Reads from a streaming standby (DATABASE_REPLICA_URL). */
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Context, Duration, Effect, Fiber, Layer, Logger, Redacted, References, Schedule } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import * as App from "../../../src/App.ts"
import { sqlStateOf } from "../../../src/platform/database/Connections.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { mayReadReplica, type Outcome, ReplicaLimits } from "../../../src/platform/database/Replica.ts"
import * as Api from "../../support/Api.ts"
import { execute } from "../../support/databases.ts"
import { pathOf, valuesOf } from "../../support/Furnished.ts"
import * as LogWatch from "../../support/LogWatch.ts"
import * as Members from "../../support/Members.ts"
import * as OwnPostgres from "../../support/OwnPostgres.ts"
import * as Pod from "../../support/Pod.ts"
import * as Processes from "../../support/Processes.ts"
import { parse, valueOf } from "../../support/Prometheus.ts"
import { Routes, recorded } from "../../support/Routes.ts"
import * as Standby from "../../support/Standby.ts"
import { silentPort } from "../../support/silentPort.ts"
import { closed, World } from "../../support/Walk.ts"

class Servers extends Context.Service<
  Servers,
  {
    readonly primary: Effect.Success<typeof OwnPostgres.start>
    readonly standby: Effect.Success<ReturnType<typeof Standby.start>>
  }
>()("interview-invitations/test/Servers") {
  static readonly layer = Layer.effect(
    Servers,
    Effect.gen(function* () {
      const primary = yield* OwnPostgres.start
      yield* execute(primary.url, "create table note (id int primary key)")
      return { primary, standby: yield* Standby.start(primary.url, primary.files) }
    }),
  ).pipe(Layer.provide(NodeServices.layer))
}

interface Given {
  /** The primary's by default. */
  readonly url?: string
  readonly replicaUrl?: (urls: { readonly primary: string; readonly standby: string }) => string
  readonly schema?: string
  /** `patient` by default. */
  readonly limits?: typeof ReplicaLimits.Service
}

/** Limits that are not reached even on a busy machine. */
const patient = { lag: Duration.seconds(10), busy: Duration.seconds(10), silence: Duration.seconds(30) }
const usual = ReplicaLimits.defaultValue()

/** `replicaUrl`: the standby's by default. */
const database = ({ limits = patient, replicaUrl = ({ standby }) => standby, url, ...options }: Given = {}) =>
  Layer.unwrap(
    Effect.map(Servers, ({ primary, standby }) =>
      Database.layer({
        ...options,
        url: Redacted.make(url ?? primary.url),
        replicaUrl: Redacted.make(replicaUrl({ primary: primary.url, standby: standby.url })),
        maxConnections: 5,
      }),
    ),
  ).pipe(Layer.provide(Layer.succeed(ReplicaLimits, limits)))

const token = "a-token-of-the-scraper-0123456789"

const pod = (given?: Given) =>
  Api.Server.layer.pipe(
    Layer.provide(App.serve(recorded(Layer.merge(App.api, App.pages)))),
    Layer.provideMerge(Routes.layer),
    Layer.provideMerge(Pod.services({ settings: { ...Members.settings, METRICS_TOKEN: token } })),
    Layer.provideMerge(database(given)),
    Layer.provideMerge(LogWatch.layer),
  )

const outcomes = Effect.flatMap(Database, ({ replicaOutcomes }) =>
  Effect.map(replicaOutcomes, (counts) => ({ ...(counts ?? assert.fail("no replica")) })),
)

/** The statements of `effect` by their outcome, and its result. */
const counted = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const before = yield* outcomes
  const result = yield* effect
  const after = yield* outcomes
  const changed = Object.entries(after).filter(([name, count]) => count !== before[name as Outcome])
  return {
    result,
    changed: Object.fromEntries(changed.map(([name, count]) => [name, count - before[name as Outcome]])),
  }
})

const isOnlyReplica = (changed: Readonly<Record<string, number>>) => Object.keys(changed).join() === "replica"

const awake = Effect.promise(() => new Promise((resume) => setTimeout(resume, 2)))

/** Runs `effect` while TestClock advances. Returns its result and the milliseconds that it waited. */
const advancing = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(effect)
  let millis = 0
  yield* awake
  while (fiber.pollUnsafe() === undefined) {
    yield* TestClock.adjust("1 millis")
    millis++
    yield* awake
  }
  return { result: yield* Fiber.join(fiber), millis }
})

let lastNote = 0

/** Writes a row and reads it as a use case that may read the standby. */
const writeAndRead = Effect.gen(function* () {
  const { sql } = yield* Database
  const id = ++lastNote
  yield* sql`insert into note values (${id}::int)`
  assert.lengthOf(yield* mayReadReplica(sql`select from note where id = ${id}::int`), 1)
})

const portOf = Effect.flatMap(Database, ({ sql }) =>
  Effect.map(sql<{ port: string }>`select current_setting('port') as port`, ([row]) => row?.port),
)

/** The address of a proxy that delivers the server's responses late. */
const slowed = (url: string, millis: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { hostname, port } = new URL(url)
      const sockets = new Set<Socket>()
      const server = createServer((client) => {
        const upstream = connect(Number(port), hostname)
        for (const socket of [client, upstream]) sockets.add(socket.on("error", () => {}))
        client.pipe(upstream)
        upstream.on("data", (bytes) => setTimeout(() => client.write(bytes), millis))
      })
      await once(server.listen(0, "127.0.0.1"), "listening")
      const address = server.address()
      const own = typeof address === "object" ? (address?.port ?? 0) : 0
      return { server, sockets, url: Object.assign(new URL(url), { port: String(own) }).href }
    }),
    ({ server, sockets }) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      }),
  )

const sets = "/company/integration/hiring/interview-sets/v1"

/** Creates an interview set over the API and lists the newest ones at once; true if the list has it. */
const createAndList = Effect.fnUntraced(function* (key: string) {
  const { id } = yield* Api.results<{ id: string }>(201, "POST", Api.paths.createSet, { key, json: { title: "A set" } })
  const { body } = yield* Api.call("GET", `${sets}?limit=50`, { key })
  return (body as { results: ReadonlyArray<{ id: string }> }).results.some((set) => set.id === id)
})

/** Routes whose statements run on the standby, with the queries that reach all of their statements. */
const routes = (
  ids: World["Service"]["own"]["ids"],
  other: string,
): Readonly<Record<string, ReadonlyArray<string>>> => ({
  "/home": [""],
  "/interview-sets": ["", "?q=set", "?state=archived"],
  "/interview-sets/:id/edit": [""],
  "/interview-sets/:id/invite": [""],
  "/interview-sets/:id/invite/:draft/edit": [""],
  "/interview-sets/new": [""],
  "/projects": [""],
  "/settings/audit": ["", "?type=interview_set", "?from=2020-01-01&to=2099-01-01"],
  "/settings/integrations/hiring-systems": [""],
  "/settings/integrations/hiring-systems/:id": [""],
  "/settings/integrations/hiring-systems/access": ["?state=x&code=y"],
  "/settings/integrations/hiring-systems/:id/credentials": [""],
  "/settings/integrations/hiring-systems/:id/delete": [""],
  "/settings/integrations/hiring-systems/:id/grant": [""],
  "/settings/integrations/hiring-systems/:id/key": [""],
  "/settings/oversight": [""],
  "/settings/people": ["?q=ada", `?q=${ids.candidate}`],
  "/settings/webhooks": [""],
  "/settings/webhooks/:id": ["", "?state=delivered", "?event=interview.evaluation.update.scored"],
  "/settings/webhooks/:id/resend": [""],
  "/submissions": [
    "",
    "?q=words",
    "?order=best",
    `?set=${ids.set}&order=most_met`,
    "?status=waiting&reviewed=not_by_me",
  ],
  "/submissions.csv": ["", `?set=${ids.set}`],
  "/submissions.xlsx": ["", `?set=${ids.set}`],
  "/submissions/:id": ["?list=order%3Dbest"],
  "/submissions/assigned": [""],
  "/submissions/compare": [`?ids=${ids.submission}`, `?ids=${ids.submission},${other}`],
  [sets]: ["", "?external_id=none"],
  "/company/integration/hiring/invitations/v1": ["", "?status=sent", "?updated_since=2020-01-01T00:00:00Z"],
  "/company/integration/hiring/candidates/v1": ["", "?email=ada@example.com"],
  "/company/integration/hiring/job-posts/v1": [""],
  "/company/integration/hiring/projects/v1": [""],
  "/company/integration/hiring/submissions/v1": [
    "",
    `?interview_set_id=${ids.set}`,
    "?updated_since=2020-01-01T00:00:00Z",
  ],
  "/company/integration/webhooks/v1/:id/deliveries": ["", "?state=delivered"],
})

layer(Servers.layer, { timeout: "120 seconds", excludeTestServices: true })("a pod with a standby", (it) => {
  it.effect("reads lists, searches and exports from the standby only, and everything else from the primary", () =>
    Effect.gen(function* () {
      const { own } = yield* World
      const { sql } = yield* Database
      const { key } = yield* Api.keyOf(own.organization)
      const [other] = yield* sql<{ id: string }>`
        select id from submission where organization_id = ${own.organization}::int and id <> ${own.ids.submission}::uuid`
      yield* (yield* Servers).standby.catchUp
      const expected = routes(own.ids, other?.id ?? "")
      const get = (path: string) =>
        path.startsWith("/company")
          ? Effect.map(Api.call("GET", path, { key }), ({ status }) => status)
          : Effect.map(Members.get(path, own.owner.cookie), ({ status }) => status)
      const api = (yield* Routes).all.filter(({ path }) => path.startsWith("/company"))
      const seen = new Set<string>()
      for (const { method, path } of [...(yield* closed), ...api]) {
        if (method !== "GET") continue
        const isOfEndpoint = path.startsWith("/company/integration/webhooks")
        const { endpoint, question, rehearsal, submission } = own.ids
        const id = isOfEndpoint ? endpoint : submission
        const values = { id, request_id: id, question, rehearsal, ...valuesOf(path, own.ids) }
        const queries = expected[path]
        if (queries !== undefined) seen.add(path)
        for (const query of queries ?? [""]) {
          const request = counted(get(`${pathOf(path, values)}${query}`))
          // on a busy machine, the standby may lag: then the primary answers for some seconds
          const isDone = ({ changed }: Effect.Success<typeof request>) =>
            queries === undefined || isOnlyReplica(changed)
          const { changed, result } = yield* Effect.repeat(request, {
            until: isDone,
            schedule: Schedule.max([Schedule.spaced("6 seconds"), Schedule.recurs(5)]),
          })
          assert.isBelow(result, queries === undefined ? 500 : 300, `${path}${query}`)
          assert.deepStrictEqual(Object.keys(changed), queries === undefined ? [] : ["replica"], `${path}${query}`)
        }
      }
      assert.sameMembers([...seen], Object.keys(expected))
    }).pipe(Effect.provide(World.layer.pipe(Layer.provideMerge(pod())))),
  )

  it.effect("lists what was written just before, with several writers", () =>
    Effect.gen(function* () {
      const { key } = yield* Api.account
      const { changed, result } = yield* counted(
        Effect.all(
          Array.from({ length: 200 }, () => createAndList(key)),
          { concurrency: 8 },
        ),
      )
      assert.isTrue(result.every((isListed) => isListed))
      assert.isAbove(changed["replica"] ?? 0, 0)
      const { busy: _, lagging: __, ...others } = changed
      assert.deepStrictEqual(Object.keys(others), ["replica"])
    }).pipe(Effect.provide(pod())),
  )

  it.effect("is read by serve with DATABASE_REPLICA_URL", () =>
    Effect.gen(function* () {
      const { primary, standby } = yield* Servers
      const { key } = yield* Api.account
      const { url } = yield* Processes.start({
        DATABASE_URL: primary.url,
        DATABASE_REPLICA_URL: standby.url,
        METRICS_TOKEN: token,
        ROLES: "api",
      })
      yield* standby.catchUp
      yield* Effect.gen(function* () {
        const readByStandby = Effect.gen(function* () {
          assert.strictEqual((yield* Api.call("GET", sets, { key })).status, 200)
          const { body } = yield* Api.call("GET", "/metrics", { headers: { authorization: `Bearer ${token}` } })
          return valueOf(parse(String(body)), "interview_database_replica_statements_total", { outcome: "replica" })
        })
        // on a busy machine, the primary may answer the first ones
        yield* Effect.repeat(readByStandby, { until: (count) => count === 1, schedule: Schedule.spaced("200 millis") })
      }).pipe(Effect.provideService(Api.Server, { url }))
    }).pipe(Effect.scoped, Effect.provide(pod())),
  )

  it.effect("does not use a position that another read took before the write", () =>
    Effect.gen(function* () {
      const { primary, standby } = yield* Servers
      const { url } = yield* slowed(primary.url, 300)
      yield* Effect.gen(function* () {
        const { sql } = yield* Database
        const id = ++lastNote
        const read = mayReadReplica(sql`select from note where id = ${id}::int`)
        // opens the connections
        yield* Effect.all([read, read], { concurrency: 2 })
        yield* standby.catchUp
        yield* standby.pause
        const earlier = yield* Effect.forkChild(read)
        yield* Effect.sleep("100 millis")
        yield* execute(primary.url, `insert into note values (${id})`)
        assert.lengthOf(yield* read, 1)
        assert.lengthOf(yield* Fiber.join(earlier), 0)
      }).pipe(
        Effect.ensuring(Effect.orDie(standby.resume)),
        Effect.provide(database({ url, limits: { ...patient, lag: usual.lag } }), { local: true }),
        Effect.provideService(References.MinimumLogLevel, "None"),
      )
    }).pipe(Effect.scoped),
  )

  it.effect(
    "waits 100 ms for a standby that does not replay, then reads the primary, for a second without waiting",
    () =>
      Effect.gen(function* () {
        const { standby } = yield* Servers
        yield* advancing(writeAndRead)
        yield* standby.pause
        const first = yield* counted(advancing(writeAndRead))
        assert.deepStrictEqual(first.changed, { lagging: 1 })
        // the clock goes on while the primary answers
        assert.isBelow(first.result.millis, 200)
        const second = yield* counted(writeAndRead)
        assert.deepStrictEqual(second.changed, { lagging: 1 })
        yield* TestClock.adjust("1 second")
        // one read tries the standby; the others use the primary without waiting
        const third = yield* Effect.forkChild(writeAndRead)
        yield* awake
        assert.deepStrictEqual((yield* counted(writeAndRead)).changed, { lagging: 1 })
        yield* advancing(Fiber.join(third))
        yield* standby.resume
        yield* standby.catchUp
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual((yield* counted(advancing(writeAndRead))).changed, { replica: 1 })
      }).pipe(Effect.provide(database({ limits: { ...patient, lag: usual.lag } })), Effect.provide(TestClock.layer())),
  )

  it.effect("reads the primary while the standby is stopped, stays ready, and logs each change once", () =>
    Effect.gen(function* () {
      const { standby } = yield* Servers
      const { key } = yield* Api.account
      const lines: Array<string> = []
      const capture = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${message}`))
      const logged = Effect.provide(Logger.layer([capture]))
      yield* logged(writeAndRead)
      yield* standby.stop
      assert.isTrue(yield* createAndList(key))
      const { changed } = yield* counted(logged(Effect.andThen(writeAndRead, writeAndRead)))
      assert.deepStrictEqual(changed, { unavailable: 2 })
      const ready = yield* Api.call("GET", "/health/ready")
      assert.strictEqual(ready.status, 200)
      const metrics = yield* Api.call("GET", "/metrics", { headers: { authorization: `Bearer ${token}` } })
      const statements = (outcome: Outcome) =>
        valueOf(parse(String(metrics.body)), "interview_database_replica_statements_total", { outcome })
      const { replica, unavailable } = yield* outcomes
      assert.deepStrictEqual([statements("replica"), statements("unavailable")], [replica, unavailable])
      yield* standby.start
      yield* standby.catchUp
      const { replica: before } = yield* outcomes
      while ((yield* outcomes).replica === before) {
        yield* logged(writeAndRead)
        yield* Effect.sleep("200 millis")
      }
      yield* logged(writeAndRead)
      const { host } = new URL(standby.url)
      assert.deepStrictEqual(
        lines.filter((line) => line.includes(host)),
        [`Info the read replica ${host} answers reads again`],
      )
    }).pipe(Effect.provide(pod()), Effect.provideService(References.MinimumLogLevel, "Info")),
  )

  it.effect("tries a stopped standby again every 5 seconds", () =>
    Effect.gen(function* () {
      const { standby } = yield* Servers
      const lines: Array<string> = []
      const capture = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${message}`))
      yield* Effect.gen(function* () {
        yield* standby.stop
        assert.deepStrictEqual((yield* counted(writeAndRead)).changed, { unavailable: 1 })
        yield* standby.start
        yield* standby.catchUp
        yield* TestClock.adjust("4900 millis")
        assert.deepStrictEqual((yield* counted(writeAndRead)).changed, { unavailable: 1 })
        yield* TestClock.adjust("100 millis")
        assert.deepStrictEqual((yield* counted(advancing(writeAndRead))).changed, { replica: 1 })
      }).pipe(Effect.provide(Logger.layer([capture])))
      const { host } = new URL(standby.url)
      assert.lengthOf(lines, 2)
      assert.include(lines[0] ?? "", `Warn the primary answers reads of the read replica ${host}:`)
      assert.strictEqual(lines[1], `Info the read replica ${host} answers reads again`)
    }).pipe(Effect.provide(database()), Effect.provide(TestClock.layer())),
  )

  it.effect("reads the primary when the standby cancels a statement because of the replay", () =>
    Effect.gen(function* () {
      const { primary } = yield* Servers
      const { sql } = yield* Database
      const slow = mayReadReplica(
        Effect.map(
          sql<{ count: number }>`select count(*)::int as count from note, (select pg_sleep(case
            when pg_is_in_recovery() then 20 else 0 end)) s`,
          ([row]) => row?.count,
        ),
      )
      yield* writeAndRead
      const { changed, result } = yield* counted(
        Effect.gen(function* () {
          const reading = yield* Effect.forkChild(slow)
          yield* Effect.sleep("500 millis")
          yield* execute(primary.url, "alter table note add column more int")
          return yield* Fiber.join(reading)
        }),
      )
      assert.isAbove(result ?? 0, 0)
      assert.deepStrictEqual(changed, { cancelled: 1 })
    }).pipe(Effect.provide(database())),
  )

  it.effect("reads the primary when a connection to the standby gives no answer", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const [row] = yield* mayReadReplica(sql<{ pid: number }>`select pg_backend_pid() as pid`)
      const pid = row?.pid ?? assert.fail("no process")
      yield* Effect.acquireRelease(
        Effect.sync(() => process.kill(pid, "SIGSTOP")),
        () => Effect.sync(() => process.kill(pid, "SIGCONT")),
      )
      assert.deepStrictEqual((yield* counted(Effect.andThen(writeAndRead, writeAndRead))).changed, { unavailable: 2 })
    }).pipe(
      Effect.scoped,
      Effect.provide(database({ limits: usual })),
      Effect.provideService(References.MinimumLogLevel, "None"),
    ),
  )

  it.effect("reads the primary while all connections to the standby are in use", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const slow = mayReadReplica(sql`select pg_sleep(case when pg_is_in_recovery() then 1 else 0 end)::text`)
      const { changed } = yield* counted(
        Effect.gen(function* () {
          const fibers = yield* Effect.forEach(Array.from({ length: 5 }), () => Effect.forkChild(slow))
          yield* Effect.sleep("100 millis")
          yield* slow
          yield* Fiber.joinAll(fibers)
        }),
      )
      assert.deepStrictEqual(changed, { replica: 5, busy: 1 })
    }).pipe(Effect.provide(database({ limits: { ...patient, busy: usual.busy } }))),
  )

  it.effect("reads the primary when the address is not a standby's, or gives no answer", () =>
    Effect.gen(function* () {
      const silent = yield* silentPort
      for (const replicaUrl of [
        ({ primary }: { readonly primary: string }) => primary,
        ({ standby }: { readonly standby: string }) => standby.replace(new URL(standby).host, `127.0.0.1:${silent}`),
        ({ standby }: { readonly standby: string }) => standby.replace(/:[^:@]+@/, ":wrong@"),
        ({ standby }: { readonly standby: string }) => standby.replace(/[^/]+$/, "another"),
      ]) {
        const { changed } = yield* counted(Effect.andThen(writeAndRead, writeAndRead)).pipe(
          Effect.provide(database({ limits: usual, replicaUrl }), { local: true }),
          Effect.provideService(References.MinimumLogLevel, "None"),
        )
        assert.deepStrictEqual(changed, { unavailable: 2 })
      }
    }).pipe(Effect.scoped),
  )

  it.effect("reads from the standby when the other of two addresses gives no answer or is the primary's", () =>
    Effect.gen(function* () {
      for (const other of [() => "127.0.0.1:1", (primary: string) => new URL(primary).host]) {
        const replicaUrl = ({ primary, standby }: { readonly primary: string; readonly standby: string }) =>
          standby.replace(new URL(standby).host, (host) => `${other(primary)},${host}`)
        yield* Effect.gen(function* () {
          yield* Effect.andThen(writeAndRead, writeAndRead)
          assert.deepStrictEqual(yield* counted(Effect.andThen(writeAndRead, writeAndRead)), {
            changed: { replica: 2 },
            result: undefined,
          })
        }).pipe(Effect.provide(database({ replicaUrl }), { local: true }))
      }
    }).pipe(Effect.provideService(References.MinimumLogLevel, "None")),
  )

  it.effect(
    "uses the schema and the session settings of the primary's connections, without transactions and writes",
    () =>
      Effect.gen(function* () {
        const { primary, standby } = yield* Servers
        const { client: sql, transaction } = yield* Database
        const session = sql`
        select current_setting('search_path') as schema, current_setting('application_name') as name,
          current_setting('TimeZone') as zone, current_setting('statement_timeout') as statement,
          current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`
        assert.deepStrictEqual(yield* mayReadReplica(session), yield* session)
        assert.strictEqual(yield* mayReadReplica(portOf), new URL(standby.url).port)
        assert.strictEqual(yield* portOf, new URL(primary.url).port)
        assert.strictEqual(yield* mayReadReplica(transaction(portOf)), new URL(primary.url).port)
        const error = yield* Effect.flip(mayReadReplica(sql`insert into public.note values (-1)`))
        assert.strictEqual(SqlError.isSqlError(error) ? sqlStateOf(error) : undefined, "25006")
      }).pipe(Effect.provide(database({ schema: "second" }))),
  )

  it.effect("is read after a failover that it followed, but not if it has log that the primary never had", () =>
    Effect.gen(function* () {
      const former = yield* OwnPostgres.start
      yield* execute(former.url, "create table note (id int primary key)")
      yield* execute(former.url, "create role ordinary login password 'ordinary'")
      yield* execute(former.url, "grant select, insert on note to ordinary")
      const next = yield* Standby.start(former.url, former.files)
      // stops after the standby has all of the log
      yield* former.stop
      yield* next.promote
      yield* Standby.follow(former.files, next.url)
      yield* former.start
      const reads = (primary: string, standby: string) =>
        Effect.provide(counted(writeAndRead), database({ url: primary, replicaUrl: () => standby }), { local: true })
      yield* Standby.catchUp(next.url, former.url)
      assert.deepStrictEqual((yield* reads(next.url, former.url)).changed, { replica: 1 })
      // a role without pg_read_all_stats, which cannot see the timeline that the standby receives
      const asOrdinary = (url: string) =>
        Object.assign(new URL(url), { username: "ordinary", password: "ordinary" }).href
      yield* execute(next.url, "checkpoint")
      yield* Standby.catchUp(next.url, former.url)
      yield* execute(former.url, "checkpoint")
      const ordinaryReads = reads(asOrdinary(next.url), asOrdinary(former.url))
      assert.deepStrictEqual((yield* ordinaryReads).changed, { replica: 1 })
      yield* execute(next.url, "revoke execute on function pg_control_checkpoint() from public")
      yield* Standby.catchUp(next.url, former.url)
      assert.deepStrictEqual((yield* ordinaryReads).changed, { unavailable: 1 })
      yield* former.stop
      yield* execute(next.url, "create table lost as select generate_series(1, 10000) as id")
      yield* next.stop
      yield* former.start
      yield* former.promote
      yield* Standby.follow(next.files, former.url)
      yield* next.start
      assert.deepStrictEqual((yield* reads(former.url, next.url)).changed, { unavailable: 1 })
    }).pipe(
      Effect.scoped,
      Effect.provide(NodeServices.layer),
      Effect.provideService(References.MinimumLogLevel, "None"),
    ),
  )

  it.effect("is not read when it is a standby of another server", () =>
    Effect.gen(function* () {
      const { standby } = yield* Servers
      const other = yield* OwnPostgres.start
      yield* execute(other.url, "create table note (id int primary key)")
      const ofOther = database({ url: other.url, replicaUrl: () => standby.url })
      const { changed } = yield* Effect.provide(counted(writeAndRead), ofOther, { local: true })
      assert.deepStrictEqual(changed, { unavailable: 1 })
    }).pipe(
      Effect.scoped,
      Effect.provide(NodeServices.layer),
      Effect.provideService(References.MinimumLogLevel, "None"),
    ),
  )

  // last, because the standby ends as a primary
  it.effect("reads the primary after the standby was promoted", () =>
    Effect.gen(function* () {
      const { standby } = yield* Servers
      yield* writeAndRead
      yield* standby.promote
      const { changed } = yield* counted(Effect.andThen(writeAndRead, writeAndRead))
      assert.deepStrictEqual(changed, { unavailable: 2 })
    }).pipe(Effect.provide(database()), Effect.provideService(References.MinimumLogLevel, "None")),
  )
})
