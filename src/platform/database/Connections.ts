/**
 * The connection pool behind Database: that of @effect/sql-pg, with these rules:
 *
 * - A statement waits `acquireTimeout` for a connection, then fails with an SqlError whose cause is Overloaded.
 * - A share (one route or queue) has at most half of the connections. The last fifth is for shares that have none. So
 *   statements that wait for a locked table leave connections to other work.
 * - Closes connections to a read-only server, so that new ones reach the primary after a failover.
 */
import { PgClient, PgConnection, PgPool } from "@effect/sql-pg"
import { Context, Duration, Effect, Fiber, Predicate, type Redacted, type Scope, Stream } from "effect"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import { Overloaded, outageRetryAfter } from "../../values/Problem.ts"
import { timed } from "./DatabaseClock.ts"
import type { RefusedWrites } from "./RefusedWrites.ts"
import type * as Replica from "./Replica.ts"
import { connectingTo, makePool, type Servers, serverLimits, serversOf } from "./Servers.ts"
import { withDefects } from "./Sql.ts"

export interface ServerOptions extends PgPool.Config {
  readonly servers: Servers
}

export interface ConnectionOptions extends ServerOptions {
  readonly maxConnections: number
  readonly acquireTimeout: Duration.Duration
  readonly refusedWrites: RefusedWrites
  /** For LISTEN; undefined: a connection of the pool listens. */
  readonly listener: ServerOptions | undefined
  /** Read replicas (Replica.ts). */
  readonly replicas: Pick<Effect.Success<ReturnType<typeof Replica.make>>, "through"> | undefined
}

/** The route or queue of a statement; undefined: may use every connection. */
export const Share = Context.Reference<(services: Context.Context<never>) => string | undefined>(
  "interview-invitations/platform/database/Share",
  { defaultValue: () => () => undefined },
)

/** Settings of the pool's connections, in milliseconds. */
export const timeouts = {
  statement_timeout: "15000",
  // shorter, so that requests that wait for a locked table free their connections sooner
  lock_timeout: "5000",
  idle_in_transaction_session_timeout: "15000",
}

/**
 * Classes and codes of errors that a repetition may not meet
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html): 08 connection, 3D missing database, 40 rollback, 53
 * resources, 57P shutdown, 58 system, such as 58030 I/O error; 25P03 and 25P04 transaction too long, 55P03 lock not available.
 */
export const transientCodes = /^(08|3D|40(?!002)|53|57P|58|25P03$|25P04$|55P03$)/

/** insufficient_privilege */
export const notPermitted = "42501"

/** read_only_sql_transaction: a standby, or default_transaction_read_only is on. */
const readOnlyCode = "25006"

export const sqlStateOf = (error: unknown): string | undefined => {
  if (!SqlError.isSqlError(error)) return undefined
  const { cause } = error.reason
  const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined
  return typeof code === "string" ? code : undefined
}

export const plain = (error: unknown): string => {
  const cause = SqlError.isSqlError(error) ? error.reason.cause : error
  const message = cause instanceof Error ? cause.message || (Reflect.get(cause, "code") ?? cause.name) : String(cause)
  return String(message).split("\n")[0] ?? ""
}

export const isReadOnly = (error: unknown): boolean => SqlError.isSqlError(error) && sqlStateOf(error) === readOnlyCode

export const connectionError = (cause: Error) =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ cause, message: cause.message, operation: "acquire" }),
  })

const readOnly = connectionError(
  Object.assign(new Error("the server is read-only: a standby, or default_transaction_read_only is on"), {
    code: readOnlyCode,
  }),
)

/** Returns the server's time, in milliseconds since 1970. */
const requireWritable = (connection: PgConnection.PgConnection): Effect.Effect<number, SqlError.SqlError> =>
  Effect.flatMap(connection.queryValues(stateOfServer, [], false), ([row]) =>
    row?.[0] === "on" ? Effect.fail(readOnly) : Effect.succeed(Number(row?.[1])),
  )

const stateOfServer =
  "select current_setting('transaction_read_only'), (extract(epoch from clock_timestamp()) * 1000)::float8"

/** Only the check of a connection fails so, never a statement. */
const isRefused = (error: unknown): boolean => error === readOnly

interface Waiter {
  readonly share: string | undefined
  /** Undefined once it no longer waits. */
  resume: ((admitted: Effect.Effect<void, SqlError.SqlError>) => void) | undefined
  isAdmitted: boolean
}

/**
 * Admits statements in order of arrival, past those whose share is full. A share is a route or a queue; it uses at most
 * half of the connections (`maxOfShare`). Plain counters: three semaphores per statement took a fifth of the CPU time of
 * reading a submission (16 clients).
 */
export const makeAdmission = (
  maxConnections: number,
  acquireTimeout: Duration.Duration,
  refusal: SqlError.SqlError,
) => {
  const maxOfShare = Math.max(1, Math.floor(maxConnections / 2))
  // one connection listens for NOTIFY
  const unreserved = Math.max(1, maxConnections - 1 - Math.ceil(maxConnections / 5))
  const usedByShare = new Map<string, number>()
  const waiters = new Set<Waiter>()
  /**
   * A former waiter must not refer to its fiber: V8 keeps the former tables of a Set, with what they had, until a full
   * collection once one of them is old. With the fibers, a fifth of what a request allocates became old (detail, 16 clients).
   */
  const remove = (waiter: Waiter): Waiter["resume"] => {
    const { resume } = waiter
    waiters.delete(waiter)
    waiter.resume = undefined
    return resume
  }
  let inUse = 0
  let inShares = 0

  const hasRoom = (share: string | undefined): boolean => {
    if (inUse >= maxConnections) return false
    const ofShare = share === undefined ? 0 : (usedByShare.get(share) ?? 0)
    return ofShare === 0 || (ofShare < maxOfShare && inShares < unreserved)
  }
  const take = (share: string | undefined) => {
    inUse++
    if (share === undefined) return
    inShares++
    usedByShare.set(share, (usedByShare.get(share) ?? 0) + 1)
  }
  const release = (share: string | undefined) => {
    inUse--
    if (share !== undefined) {
      inShares--
      const left = (usedByShare.get(share) ?? 0) - 1
      if (left > 0) usedByShare.set(share, left)
      else usedByShare.delete(share)
    }
    for (const waiter of waiters) {
      if (inUse >= maxConnections) return
      if (!hasRoom(waiter.share)) continue
      take(waiter.share)
      waiter.isAdmitted = true
      remove(waiter)?.(Effect.void)
    }
  }

  const wait = (share: string | undefined) => {
    let waiter: Waiter | undefined
    return Effect.callback<void, SqlError.SqlError>((resume) => {
      // a fiber costs more than starting the statement
      const timer = setTimeout(() => remove(one)?.(Effect.fail(refusal)), Duration.toMillis(acquireTimeout))
      const one: Waiter = {
        share,
        resume: (admitted) => {
          clearTimeout(timer)
          resume(admitted)
        },
        isAdmitted: false,
      }
      waiter = one
      waiters.add(one)
      return Effect.sync(() => {
        clearTimeout(timer)
        remove(one)
      })
    }).pipe(
      // interrupted just after its admission
      Effect.onInterrupt(() =>
        Effect.sync(() => {
          if (waiter?.isAdmitted) release(share)
        }),
      ),
    )
  }

  type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  const admit = (share: string | undefined, restore: Restore): Effect.Effect<void, SqlError.SqlError> => {
    // no waiter has room now: each release admits all that do
    if (!hasRoom(share)) return restore(wait(share))
    take(share)
    return Effect.void
  }

  return {
    /** Admits a user of a connection until the scope closes. */
    lease: (share: string | undefined): Effect.Effect<void, SqlError.SqlError, Scope.Scope> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.andThen(
          admit(share, restore),
          Effect.addFinalizer(() => Effect.sync(() => release(share))),
        ),
      ),
    /** Admits `effect` until it ends. */
    during: <A, E, R>(
      share: string | undefined,
      effect: Effect.Effect<A, E, R>,
    ): Effect.Effect<A, E | SqlError.SqlError, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.andThen(
          admit(share, restore),
          Effect.onExit(restore(effect), () => Effect.sync(() => release(share))),
        ),
      ),
  }
}

export class PooledConnection implements SqlConnection.Connection {
  readonly #connection: PgConnection.PgConnection
  readonly #discard: Effect.Effect<void>
  readonly #refusedWrites: RefusedWrites | undefined

  constructor(connection: PgConnection.PgConnection, discard: Effect.Effect<void>, refusedWrites?: RefusedWrites) {
    this.#connection = connection
    this.#discard = discard
    this.#refusedWrites = refusedWrites
  }

  #failed(error: SqlError.SqlError): Effect.Effect<void> {
    return isReadOnly(error) ? this.#discard : (this.#refusedWrites?.note(error) ?? Effect.void)
  }

  #guarded<A>(statement: Effect.Effect<A, SqlError.SqlError>) {
    return Effect.tapError(statement, (error) => this.#failed(error))
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
    return Stream.tapError(this.#connection.stream(sql, params), (error) => this.#failed(error))
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

const spanAttributes = [["db.system.name", "postgresql"]] as const

const pgJson = Statement.custom<PgClient.PgCustom>("PgJson")

export const make = Effect.fnUntraced(function* (options: ConnectionOptions) {
  const { acquireTimeout, listener, maxConnections, refusedWrites, replicas } = options
  const { onWritableServer, pool } = yield* makePool(options, isRefused)
  const refusal = connectionError(
    new Overloaded({ reason: "all connections to the database are in use", retryAfter: outageRetryAfter }),
  )
  const admission = makeAdmission(maxConnections, acquireTimeout, refusal)
  const shareOf = Effect.withFiber((fiber) => Effect.succeed(fiber.getRef(Share)(fiber.context)))
  const pooled = (connection: PgConnection.PgConnection) =>
    new PooledConnection(connection, pool.invalidate(connection), refusedWrites)
  // checked once: a server becomes a standby only by a restart, which closes its connections
  const writable = new WeakMap<PgConnection.PgConnection, PooledConnection>()
  const checked = (connection: PgConnection.PgConnection) => {
    const known = writable.get(connection)
    if (known !== undefined) return Effect.succeed(known)
    return requireWritable(connection).pipe(
      Effect.tapError(() => pool.invalidate(connection)),
      Effect.map(() => {
        const one = pooled(connection)
        writable.set(connection, one)
        return one
      }),
    )
  }
  const checkOut = Effect.flatMap(pool.get, (connection) => Effect.as(checked(connection), connection))
  const acquire = Effect.flatMap(shareOf, (share) => Effect.andThen(admission.lease(share), onWritableServer(checkOut)))
  // a scope for each statement took 18 % of the CPU time of reading a submission (16 clients)
  const fromPrimary: SqlConnection.Borrower = (perform) => {
    const attempt = pool.use((connection) => Effect.flatMap(checked(connection), perform))
    // it is repeated after a failed check or connection only, so no statement is sent twice
    return Effect.flatMap(shareOf, (share) => admission.during(share, onWritableServer(attempt)))
  }
  const borrower = replicas === undefined ? fromPrimary : yield* replicas.through(fromPrimary)
  const acquirer = Effect.map(acquire, pooled)
  const reserved = Effect.flatMap(acquire, ({ pin }) => pin)
  const listening = listener === undefined ? reserved : Effect.flatMap(yield* makeGet(listener), ({ pin }) => pin)
  const compiler = PgClient.makeCompiler(undefined, false)
  const plainClient = yield* SqlClient.make({
    acquirer,
    borrower,
    transactionAcquirer: Effect.map(reserved, pooled),
    compiler,
    driver: "pg",
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `release savepoint ${name}`,
    spanAttributes,
  })
  const client: PgClient.PgClient = Object.assign(plainClient, {
    [PgClient.TypeId]: PgClient.TypeId,
    config: options,
    json: (value: unknown) => Statement.fragment([pgJson(value)]),
    listen: (channel: string) => Effect.flatMap(listening, (connection) => connection.listen(channel)),
    notify: (channel: string, payload: string) =>
      Effect.flatMap(acquirer, (connection) =>
        connection.executeRaw("select pg_notify($1, $2)", [channel, payload]),
      ).pipe(Effect.scoped, Effect.asVoid),
  })
  return { client, sql: withDefects(client, borrower, compiler, spanAttributes) }
})

/**
 * Fails when no server answers or all are read-only. Uses its own connections, so a full pool is not an outage. Of several
 * servers, it asks the current one first, then all others at once, and chooses the first that accepts writes. Returns the
 * time of that server.
 */
export const makeServerCheck = Effect.fnUntraced(function* ({ servers, ...options }: ServerOptions) {
  const scope = yield* Effect.scope
  const checks = yield* Effect.forEach(
    servers.urls,
    Effect.fnUntraced(function* (url, index) {
      const pool = yield* PgPool.make(connectingTo({ ...options, maxConnections: 1 }, url))
      const attempt = Effect.flatMap(pool.get, (connection) =>
        Effect.tapError(timed(requireWritable(connection)), () => pool.invalidate(connection)),
      ).pipe(Effect.scoped)
      // the pool may replace a closed connection before the server accepts writes
      const check = Effect.catchIf(attempt, isRefused, () => attempt)
      if (!servers.areSeveral) return check
      return Effect.tap(promptly(check, scope), () => Effect.sync(() => servers.choose(index)))
    }),
  )
  return Effect.suspend(() => {
    const current = Effect.raceAll(checks.filter((_, index) => index === servers.index))
    const others = checks.filter((_, index) => index !== servers.index)
    return others.length === 0 ? current : Effect.catch(current, () => Effect.raceAll(others))
  })
})

/**
 * Fails after `serverLimits.check`. Does not wait for the interruption: on a silent server, cancelling takes five seconds more.
 */
const promptly = <A, E>(effect: Effect.Effect<A, E>, scope: Scope.Scope) =>
  Effect.flatMap(Effect.forkIn(effect, scope), (fiber) =>
    Effect.onExit(Effect.timeout(Fiber.join(fiber), serverLimits.check), () =>
      Effect.forkIn(Fiber.interrupt(fiber), scope),
    ),
  )

/** A connection to a server that accepts writes, checked each time. */
const makeGet = Effect.fnUntraced(function* (options: ServerOptions) {
  const { onWritableServer, pool } = yield* makePool(options, isRefused)
  return onWritableServer(
    Effect.tap(pool.get, (connection) =>
      Effect.tapError(requireWritable(connection), () => pool.invalidate(connection)),
    ),
  )
})

/** The URL of the server that accepts writes. `url`: of one server or several (Servers.ts). */
export const primaryOf = (
  options: PgPool.Config & { readonly url: Redacted.Redacted },
): Effect.Effect<Redacted.Redacted, SqlError.SqlError> =>
  serversOf(options.url)
    .map((url) =>
      Effect.flatMap(PgConnection.make(connectingTo(options, url)), requireWritable).pipe(
        Effect.scoped,
        Effect.as(url),
      ),
    )
    .reduce((earlier, next) => Effect.catch(earlier, () => next))
