/** The connection to Postgres, transactions, helpers of repositories. */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Context, Duration, Effect, Layer, type Redacted, Result, Schedule, Schema, Tracer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlError, type Statement } from "effect/sql"
import { readDatabaseUrl, secondsOf } from "../../config/DatabaseUrl.ts"
import { Overloaded, outageRetryAfter } from "../../values/Problem.ts"
import { traceparentOf } from "../telemetry/Traceparent.ts"
import * as Connections from "./Connections.ts"
import { plain } from "./Connections.ts"
import { DatabaseClock } from "./DatabaseClock.ts"
import * as RefusedWrites from "./RefusedWrites.ts"
import * as Replica from "./Replica.ts"
import { Servers, serverLimits, serversOf } from "./Servers.ts"
import type { Fragments, Sql } from "./Sql.ts"

export class DatabaseUnavailable extends Schema.TaggedError<DatabaseUnavailable>()("DatabaseUnavailable", {
  message: Schema.String,
}) {}

/**
 * The time of statements. Undefined: the database's, so that a pod with a wrong clock neither claims early nor holds a
 * lease too long.
 */
export const Now = Context.Reference<Effect.Effect<Date | undefined>>("interview-invitations/platform/database/Now", {
  defaultValue: () => Effect.undefined,
})

export class DatabaseReadOnly extends Schema.TaggedError<DatabaseReadOnly>()("DatabaseReadOnly", {
  message: Schema.String,
}) {}

export interface DatabaseOptions {
  readonly url: Redacted.Redacted
  /**
   * The same database without a pooler, for what needs a session: migrations and LISTEN. Then `url` may be of a pooler in
   * transaction mode. Undefined: `url`.
   */
  readonly directUrl?: Redacted.Redacted | undefined
  /** Of one or several standbys, for the reads of Replica.ts; each gets up to `maxConnections`. */
  readonly replicaUrl?: Redacted.Redacted | undefined
  /** Of all tables and functions; public by default. Several installations may share a database, each in its own. */
  readonly schema?: string | undefined
  /** `ping` uses one more; with several servers in `directUrl`, another one checks which accepts writes. */
  readonly maxConnections: number
  /** The maximum wait for a connection, then Overloaded; 3 seconds by default. */
  readonly acquireTimeout?: Duration.Duration
}

export class Database extends Context.Service<
  Database,
  {
    /** For repositories: errors are defects. */
    readonly sql: Sql
    /** For what acts on errors, notifies or streams. */
    readonly client: PgClient.PgClient
    /** A name that installations in other schemas do not use: of a lock, a channel or an application. */
    readonly nameInSchema: (name: string) => string
    /** The name of the pods' connections. */
    readonly applicationName: string
    readonly now: Effect.Effect<Statement.Fragment>
    readonly time: Effect.Effect<Date>
    /** Database errors become defects; typed errors roll back. Rows queued inside keep the current trace. */
    readonly transaction: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** For a statement that queues rows outside of a transaction: they keep the current trace. */
    readonly keepingTrace: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Succeeds when the database answers within a second and accepts writes; works while the pool is full. */
    readonly ping: Effect.Effect<void, DatabaseUnavailable | DatabaseReadOnly>
    /** Why the disk of the database refused a write in the last seconds; undefined: it refused none. */
    readonly refusedWrite: Effect.Effect<string | undefined>
    /** Counts statements that may run on a read replica by their outcome; undefined without a replica. */
    readonly replicaOutcomes: Effect.Effect<Readonly<Record<Replica.Outcome, number>> | undefined>
  }
>()("interview-invitations/platform/database/Database") {
  /**
   * Fails when the server does not answer within `serverLimits.start` or is read-only. Then the process's clock, if it is a
   * DatabaseClock, has the database's time.
   */
  static readonly layer = (options: DatabaseOptions) =>
    Layer.effect(
      Database,
      Effect.gen(function* () {
        const { check, client, refusedWrites, replicas, sql } = yield* connect(options)
        const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
          client
            .withTransaction(withTraceparent(sql, effect))
            .pipe(Effect.catchIf(SqlError.isSqlError, (error) => Effect.die(error)))
        return Database.of({
          sql,
          client,
          nameInSchema: (name) => nameIn(options.schema, name),
          applicationName: configOf(options).applicationName,
          now: Effect.flatMap(
            Now,
            Effect.map((now) => (now === undefined ? sql`now()` : sql`${now}::timestamptz`)),
          ),
          time: Effect.flatMap(Effect.flatten(Now), (now) =>
            now === undefined
              ? sql<{ now: Date }>`select now()`.pipe(
                  Effect.flatMap(([row]) => Effect.fromNullishOr(row?.now)),
                  Effect.orDie,
                )
              : Effect.succeed(now),
          ),
          transaction,
          keepingTrace: (effect) =>
            Effect.withFiber((fiber) => (currentTrace(fiber.context) === undefined ? effect : transaction(effect))),
          ping: check.pipe(
            Effect.timeout(serverLimits.ping),
            Effect.asVoid,
            Effect.mapError((error) =>
              Connections.isReadOnly(error)
                ? new DatabaseReadOnly({ message: plain(error) })
                : new DatabaseUnavailable({ message: `the database does not answer: ${plain(error)}` }),
            ),
          ),
          refusedWrite: refusedWrites.current,
          replicaOutcomes: Effect.sync(() => replicas?.outcomes()),
        })
      }),
    ).pipe(Layer.provide(Reactivity.layer))
}

const connect = Effect.fnUntraced(function* (options: DatabaseOptions) {
  const { directUrl, maxConnections, replicaUrl, schema } = options
  yield* requireReadable([options.url, directUrl, replicaUrl])
  const servers = new Servers(options.url)
  const config = {
    ...configOf(options),
    servers,
    // a pooler gives each statement another session, which does not know the statements of this one
    prepare: directUrl === undefined,
    // poolers refuse parameters that they do not know; PgBouncer knows TimeZone
    startupParameters:
      directUrl === undefined ? { ...configOf(options).startupParameters, ...Connections.timeouts } : utc,
  }
  const acquireTimeout = options.acquireTimeout ?? Duration.seconds(3)
  const listener = directUrl && { ...configOf({ ...options, url: directUrl }), servers: new Servers(directUrl) }
  const replicas =
    replicaUrl && (yield* Replica.make({ ...replicaConnection({ schema, url: replicaUrl }), maxConnections }))
  const refusedWrites = RefusedWrites.make()
  const { client, sql } = yield* Connections.make({
    ...config,
    listener,
    maxConnections,
    acquireTimeout,
    refusedWrites,
    replicas,
  })
  const clock = yield* Clock.Clock
  const serverCheck = yield* Connections.makeServerCheck(config)
  const check = clock instanceof DatabaseClock ? Effect.tap(serverCheck, clock.correct) : serverCheck
  yield* check.pipe(
    Effect.timeout(Duration.times(Duration.max(serverLimits.start, config.connectTimeout), servers.urls.length)),
    Effect.mapError((error) => new DatabaseUnavailable({ message: `cannot connect to the database: ${plain(error)}` })),
  )
  if (clock instanceof DatabaseClock) yield* followClock(clock, check)
  if (servers.areSeveral) yield* follow(check)
  if (listener?.servers.areSeveral) yield* follow(yield* Connections.makeServerCheck(listener))
  if (directUrl !== undefined) yield* requireSettings(client, options)
  return { sql, client, check, refusedWrites, replicas }
})

/** Repeats the check, which chooses the server that accepts writes, even when the former one no longer answers. */
const follow = (check: Effect.Effect<void, unknown>) =>
  Effect.forkScoped(Effect.repeat(Effect.ignore(check), Schedule.spaced(serverLimits.checkInterval)))

/** Of addresses that Config.ts did not read: the driver would ignore parameters that it does not know. */
export const requireReadable = (urls: ReadonlyArray<Redacted.Redacted | undefined>) =>
  Effect.forEach(
    urls.filter((url) => url !== undefined),
    (url) =>
      Effect.mapError(
        Effect.fromResult(readDatabaseUrl(url)),
        (why) => new DatabaseUnavailable({ message: `the address of the database is wrong: ${why}` }),
      ),
    { discard: true },
  )

/** Reported when a process starts; milliseconds. */
const reportedDifference = 10_000

/** Measures the database's clock again, at intervals and when the machine's clock was set. */
const followClock = Effect.fnUntraced(function* (databaseClock: DatabaseClock, check: Effect.Effect<unknown, unknown>) {
  const { difference } = databaseClock
  if (Math.abs(difference) > reportedDifference) {
    yield* Effect.logWarning("the clock of this machine is wrong: the database's time is used", {
      seconds_behind_database: Math.round(difference / 1000),
    })
  }
  const wait = Effect.raceFirst(Effect.sleep(serverLimits.clockInterval), databaseClock.untilJump)
  const measure = Effect.retry(check, Schedule.spaced(serverLimits.checkInterval))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(wait, measure)))
})

/**
 * Connections of a pooler get no parameters at their start: without timeouts, a statement could hold them forever, and without
 * search_path it would find the tables of another installation. `options` of the address, which a pooler may pass on, override
 * the role.
 */
const requireSettings = Effect.fnUntraced(
  function* (sql: PgClient.PgClient, { schema = defaultSchema, url }: DatabaseOptions) {
    const [path] = yield* sql<{ found: string | null; source: string }>`
      select current_schema() as found, source from pg_settings where name = 'search_path'`
    if (path?.found !== schema) {
      const found = path?.found ?? "no schema"
      const advice =
        path?.source === "client" && isInOptions(url, "search_path")
          ? "remove search_path from options in the address, and set DATABASE_SCHEMA"
          : `run alter role ${yield* currentUser(sql)} set search_path = "${schema}", or correct DATABASE_SCHEMA; then reconnect the pooler${notPassedOn(url, ["search_path"])}`
      return yield* new DatabaseUnavailable({
        message: `connections of the pooler use ${found} instead of ${schema}: ${advice}`,
      })
    }
    const names = Object.keys(Connections.timeouts)
    const missing = yield* sql<{ name: string; source: string }>`
      select name, source from pg_settings where name = any(${names}) and setting = '0' order by array_position(${names}, name)`
    if (missing.length === 0) return
    const overridden = missing.filter(({ name, source }) => source === "client" && isInOptions(url, name))
    const others = missing.filter((row) => !overridden.includes(row)).map(({ name }) => name)
    const user = yield* currentUser(sql)
    const statements = Object.entries(Connections.timeouts).flatMap(([name, millis]) =>
      others.includes(name) ? [`alter role ${user} set ${name} = '${Number(millis) / 1000}s'`] : [],
    )
    const advice = [
      ...(overridden.length === 0
        ? []
        : [`remove ${overridden.map(({ name }) => name).join(", ")} from options in the address`]),
      ...(statements.length === 0
        ? []
        : [`run ${statements.join("; ")}; then reconnect the pooler${notPassedOn(url, others)}`]),
    ]
    return yield* new DatabaseUnavailable({
      message: `connections of the pooler have no ${missing.map(({ name }) => name).join(", ")}: ${advice.join("; ")}`,
    })
  },
  Effect.catchIf(SqlError.isSqlError, (error) =>
    Effect.fail(new DatabaseUnavailable({ message: `cannot read the settings of the database: ${plain(error)}` })),
  ),
)

/** Whether `options` of the address has `-c name=…` or `--name=…`. */
const isInOptions = (url: Redacted.Redacted, name: string): boolean => {
  const options = Result.getOrUndefined(readDatabaseUrl(url))?.parameters.get("options") ?? ""
  return new RegExp(`(^|\\s)(-c\\s*|--)${name.replaceAll("_", "[-_]")}\\s*=`, "i").test(options)
}

/** Settings that the pooler's connections lack although `options` of the address has them. */
const notPassedOn = (url: Redacted.Redacted, names: ReadonlyArray<string>): string => {
  const ignored = names.filter((name) => isInOptions(url, name))
  return ignored.length === 0 ? "" : `. The pooler ignores ${ignored.join(", ")} in options of the address`
}

const currentUser = (sql: PgClient.PgClient) =>
  Effect.map(sql<{ name: string }>`select quote_ident(current_user) as name`, ([row]) => row?.name)

const currentTrace = (context: Context.Context<never>) =>
  traceparentOf(Context.getOrUndefined(context, Tracer.ParentSpan))

/** Sets the default of columns named traceparent for the transaction. */
const withTraceparent = <A, E, R>(sql: Sql, effect: Effect.Effect<A, E, R>) =>
  Effect.withFiber((fiber): Effect.Effect<A, E, R> => {
    const trace = currentTrace(fiber.context)
    if (trace === undefined) return effect
    return Effect.andThen(sql`select set_config('interview.traceparent', ${trace}, true)`, effect)
  })

export const defaultSchema = "public"

/** A name that installations in other schemas do not use. Config.ts limits its length: Postgres keeps 63 bytes of a name. */
export const nameIn = (schema: string | undefined, name: string): string =>
  schema === undefined || schema === defaultSchema ? name : `${name}_${schema}`

const defaultApplicationName = "interview-invitations"

const utc = { TimeZone: "UTC" }

/** The options of a connection. `url` may name several servers. */
export const configOf = ({ schema, url }: Pick<DatabaseOptions, "url" | "schema">) => {
  const address = Result.getOrUndefined(readDatabaseUrl(url))
  const limit = serversOf(url).length === 1 ? serverLimits.connect : serverLimits.connectToOneOfSeveral
  return {
    url,
    applicationName: address?.parameters.get("application_name") ?? nameIn(schema, defaultApplicationName),
    connectTimeout: (address && secondsOf(address, "connect_timeout")) ?? limit,
    keepAlive: (address && secondsOf(address, "keepalives_idle")) ?? serverLimits.keepAlive,
    startupParameters: { ...utc, search_path: schema ?? defaultSchema },
  }
}

const replicaConnection = (options: Pick<DatabaseOptions, "url" | "schema">) => {
  const config = configOf(options)
  return {
    ...config,
    connectTimeout: serverLimits.connectToOneOfSeveral,
    startupParameters: { ...config.startupParameters, ...Connections.timeouts },
  }
}

/** 28 refused password, 25006 read-only. The driver marks 57014 (statement_timeout) as retryable. */
const isOutageCode = (code: string): boolean => Connections.transientCodes.test(code) || /^(28|25006$)/.test(code)

/** The error code of refuse_moving_organization (sql/11_cells.sql). */
const movingCode = "MV001"

/** The organization is being moved to another cell, or was moved there. */
export const isMoving = (error: unknown): boolean =>
  SqlError.isSqlError(error) && Connections.sqlStateOf(error) === movingCode

/** True for transient errors: connection, timeout, conflict with another transaction, an organization that is being moved. */
export const isOutage = (error: unknown): boolean => {
  if (!SqlError.isSqlError(error)) return false
  if (error.reason.isRetryable) return true
  const { cause } = error.reason
  if (!(cause instanceof Error)) return false
  const code = Connections.sqlStateOf(error)
  // without a code: the server did not answer; tagged errors of the client are about values
  return code !== undefined ? code === movingCode || isOutageCode(code) : !("_tag" in cause)
}

const reasonOf = (error: SqlError.SqlError): string => {
  if (Connections.isReadOnly(error)) return "the database is read-only"
  if (RefusedWrites.isDiskFull(error)) return "the disk of the database is full"
  return RefusedWrites.isOfSystem(error) ? "the database has an I/O error" : "the database does not answer"
}

export const overloadOf = (error: unknown): Overloaded | undefined => {
  if (!isOutage(error) || !SqlError.isSqlError(error)) return undefined
  if (error.reason.cause instanceof Overloaded) return error.reason.cause
  if (isMoving(error)) return new Overloaded({ reason: plain(error), retryAfter: outageRetryAfter })
  return new Overloaded({ reason: reasonOf(error), retryAfter: outageRetryAfter })
}

/**
 * `moment` plus `interval`, immutable: `timestamptz + interval` depends on the time zone, so Citus refuses it with columns in
 * an update (docs/citus.md). For intervals without days and months.
 */
export const later = (sql: Fragments, moment: Statement.Fragment, interval: Statement.Fragment): Statement.Fragment =>
  sql`((${moment} at time zone 'UTC' + ${interval}) at time zone 'UTC')`

/** For the `from` of an update: the column `clock.now` with the time. Citus refuses now() in its `case` and `coalesce`. */
export const clock = (sql: Fragments, now: Statement.Fragment): Statement.Fragment => sql`(select ${now} as now) clock`

/**
 * Rows as one parameter: `insert into t select … from ${recordset(sql, rows, "id uuid, name text")}`; `undefined`
 * becomes null.
 */
export const recordset = (sql: Fragments, rows: ReadonlyArray<object>, columns: string): Statement.Fragment =>
  sql`jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(${sql.literal(columns)})`

export const unlessEmpty = <A, E, R>(
  about: ReadonlyArray<unknown>,
  rows: Effect.Effect<ReadonlyArray<A>, E, R>,
): Effect.Effect<ReadonlyArray<A>, E, R> => (about.length === 0 ? Effect.succeed([]) : rows)

export const first = <A>(rows: ReadonlyArray<A>): A | undefined => rows[0]
