/**
 * The connection pool behind Database, as an SQL client. What it adds to the pool of @effect/sql-pg:
 *
 * - Waiting for a connection ends after `acquireTimeout`, with an SqlError whose cause is Overloaded.
 * - One share of the work (a route, a queue; see Share) holds at most half of the connections, and the last fifth only gets
 *   a share that holds none. So statements that wait for a locked table leave connections to everything else.
 * - Connections to a read-only server are closed. After a failover, the host name leads new connections to the new primary;
 *   connections to the old one would keep failing.
 */
import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import { Clock, Context, Duration, Effect, Predicate, type Scope, Semaphore, Stream } from "effect"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import { Overloaded } from "../domain/Problem.ts"

export interface ConnectionOptions extends PgPool.Config {
  readonly maxConnections: number
  /** How long a statement or transaction waits for a connection. */
  readonly acquireTimeout: Duration.Duration
}

/**
 * The share of a statement: the route or queue that it is executed for, read from the services of its fiber. Statements without
 * a share may use every connection.
 */
export const Share = Context.Reference<(services: Context.Context<never>) => string | undefined>(
  "interview-invitations/repository/Share",
  { defaultValue: () => () => undefined },
)

/** SQLSTATE of a read-only server: a standby, or a primary with default_transaction_read_only. */
const readOnlyCode = "25006"

/** SQLSTATE of a database error. */
export const sqlStateOf = (error: SqlError.SqlError): string | undefined => {
  const { cause } = error.reason
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined
  return typeof code === "string" ? code : undefined
}

/** True when the server answers but refuses to write. */
export const isReadOnly = (error: unknown): boolean => SqlError.isSqlError(error) && sqlStateOf(error) === readOnlyCode

const connectionError = (cause: Error) =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ cause, message: cause.message, operation: "acquire" }),
  })

const readOnly = connectionError(
  Object.assign(new Error("the server is read-only: a standby, or default_transaction_read_only is on"), {
    code: readOnlyCode,
  }),
)

/** Fails when the server of a connection is read-only. */
const requireWritable = (connection: PgConnection.PgConnection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.queryValues("select current_setting('transaction_read_only')", [], false), ([row]) =>
    row?.[0] === "on" ? Effect.fail(readOnly) : Effect.void,
  )

/** Admits `permits` callers at a time, in order of arrival. Fails with `refusal` for a caller that waits longer than `longest`. */
const makeGate = (permits: number, refusal: SqlError.SqlError, clock: Clock.Clock) => {
  const semaphore = Semaphore.makeUnsafe(permits)
  let waiting = 0
  const queued = (longest: Duration.Duration) =>
    Effect.suspend(() => {
      waiting++
      return semaphore
        .takeScoped(1)
        .pipe(
          Effect.timeoutOrElse({ duration: longest, orElse: () => Effect.fail(refusal) }),
          Effect.provideService(Clock.Clock, clock),
          Effect.ensuring(Effect.sync(() => waiting--)),
        )
    })
  // only statements that have to wait need a timer and a fiber
  const taken = Effect.acquireRelease(semaphore.takeIfAvailable(1), (isTaken) =>
    isTaken ? semaphore.release(1) : Effect.void,
  )
  return {
    enter: (longest: Duration.Duration) =>
      Effect.suspend(
        (): Effect.Effect<void, SqlError.SqlError, Scope.Scope> =>
          waiting > 0 ? queued(longest) : Effect.flatMap(taken, (isTaken) => (isTaken ? Effect.void : queued(longest))),
      ),
    /** Takes a permit if one is free, and goes on without one otherwise. */
    enterOrPass: Effect.asVoid(taken),
  }
}

/** Statements on one connection of a pool. The connection is closed after its server refused to write. */
class PooledConnection implements SqlConnection.Connection {
  readonly #connection: PgConnection.PgConnection
  readonly #discard: Effect.Effect<void>

  constructor(connection: PgConnection.PgConnection, discard: Effect.Effect<void>) {
    this.#connection = connection
    this.#discard = discard
  }

  #guarded<A>(statement: Effect.Effect<A, SqlError.SqlError>) {
    return Effect.tapError(statement, (error) => (isReadOnly(error) ? this.#discard : Effect.void))
  }

  #rows(sql: string, params: ReadonlyArray<unknown>, isPrepared: boolean) {
    return Effect.map(this.#guarded(this.#connection.query(sql, params, isPrepared)), ({ rows }) => rows)
  }

  execute(sql: string, params: ReadonlyArray<unknown>) {
    return this.#rows(sql, params, true)
  }
  executeUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return this.#rows(sql, params, false)
  }
  executeRaw(sql: string, params: ReadonlyArray<unknown>) {
    return this.#guarded(this.#connection.query(sql, params))
  }
  executeValues(sql: string, params: ReadonlyArray<unknown>) {
    return this.#guarded(this.#connection.queryValues(sql, params))
  }
  executeValuesUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return this.#guarded(this.#connection.queryValues(sql, params, false))
  }
  executeStream(sql: string, params: ReadonlyArray<unknown>) {
    return Stream.tapError(this.#connection.stream(sql, params), (error) =>
      isReadOnly(error) ? this.#discard : Effect.void,
    )
  }
}

/** Postgres answers `ROLLBACK` to the COMMIT of an aborted transaction. */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("commit", []), (result) =>
    Predicate.hasProperty(result, "command") && result.command === "ROLLBACK" ? Effect.fail(rolledBack) : Effect.void,
  )

const rolledBack = new SqlError.SqlError({
  reason: new SqlError.UnknownError({ cause: new Error("commit rolled back an aborted transaction") }),
})

const pgJson = Statement.custom<PgClient.PgCustom>("PgJson")

/** Opens no connection before the first statement. */
export const make = Effect.fnUntraced(function* (options: ConnectionOptions) {
  const clock = yield* Clock.Clock
  const { acquireTimeout, maxConnections } = options
  const pool = yield* PgPool.make(options)
  const refusal = connectionError(
    new Overloaded({ reason: "all connections to the database are in use", retryAfter: 5 }),
  )
  const gate = (permits: number) => makeGate(permits, refusal, clock)
  const all = gate(maxConnections)
  // the last connections are for shares that hold none: two routes that wait for a locked table leave room for a third
  // (one more connection listens for NOTIFY)
  const unreserved = gate(Math.max(1, maxConnections - 1 - Math.ceil(maxConnections / 5)))
  const shares = new Map<string, { readonly gate: typeof all; held: number }>()
  // three gates, so that they keep the limit together
  const part = Duration.divideUnsafe(acquireTimeout, 3)
  const admission = Effect.withFiber((fiber): Effect.Effect<void, SqlError.SqlError, Scope.Scope> => {
    const name = fiber.getRef(Share)(fiber.context)
    if (name === undefined) return all.enter(acquireTimeout)
    const share = shares.get(name) ?? { gate: gate(Math.max(1, Math.floor(maxConnections / 2))), held: 0 }
    shares.set(name, share)
    const counted = Effect.acquireRelease(
      Effect.sync(() => share.held++ === 0),
      () => Effect.sync(() => share.held--),
    )
    return share.gate.enter(part).pipe(
      Effect.andThen(counted),
      Effect.flatMap((isFirst) => (isFirst ? unreserved.enterOrPass : unreserved.enter(part))),
      Effect.andThen(all.enter(part)),
    )
  })
  const writable = new WeakSet<PgConnection.PgConnection>()
  // each connection is checked once: a server becomes a standby only by a restart, which closes its connections
  const checkOut = Effect.flatMap(pool.get, (connection) =>
    writable.has(connection)
      ? Effect.succeed(connection)
      : requireWritable(connection).pipe(
          Effect.tapError(() => pool.invalidate(connection)),
          Effect.map(() => {
            writable.add(connection)
            return connection
          }),
        ),
  )
  // one retry: the pool replaces a closed connection at once, possibly before the server accepts writes again
  const acquire = Effect.andThen(admission, Effect.retry(checkOut, { times: 1, while: isReadOnly }))
  const pooled = (connection: PgConnection.PgConnection) =>
    new PooledConnection(connection, pool.invalidate(connection))
  const acquirer = Effect.map(acquire, pooled)
  const reserved = Effect.flatMap(acquire, ({ pin }) => pin)
  const client = yield* SqlClient.make({
    acquirer,
    transactionAcquirer: Effect.map(reserved, pooled),
    compiler: PgClient.makeCompiler(undefined, false),
    driver: "pg",
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `release savepoint ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]],
  })
  return Object.assign(client, {
    [PgClient.TypeId]: PgClient.TypeId,
    config: options,
    json: (value: unknown) => Statement.fragment([pgJson(value)]),
    listen: (channel: string) => Effect.flatMap(reserved, (connection) => connection.listen(channel)),
    notify: (channel: string, payload: string) =>
      Effect.flatMap(acquirer, (connection) =>
        connection.executeRaw("select pg_notify($1, $2)", [channel, payload]),
      ).pipe(Effect.scoped, Effect.asVoid),
  }) satisfies PgClient.PgClient
})

/**
 * Makes a ping that fails when no connection can be opened or the server is read-only. It uses its own connection, so that a
 * full pool does not look like an unavailable server.
 */
export const makePing = Effect.fnUntraced(function* (config: PgPool.Config) {
  const pool = yield* PgPool.make({ ...config, maxConnections: 1 })
  return Effect.flatMap(pool.get, (connection) =>
    Effect.tapError(requireWritable(connection), () => pool.invalidate(connection)),
  ).pipe(Effect.retry({ times: 1, while: isReadOnly }), Effect.scoped)
})
