/**
 * Reads from standbys of the primary (DATABASE_REPLICA_URL; docs/scale.md, "Read replicas").
 *
 * A read sees all that was committed before it began: it takes the primary's position in the write-ahead log, and a standby
 * answers only after it has replayed the log up to there, on the primary's timeline. The primary answers instead when the
 * standby lags, has not reached that timeline, does not answer or cancels the statement.
 */
import { type PgConnection, PgPool } from "@effect/sql-pg"
import { Clock, Context, Deferred, Duration, Effect, Redacted, Semaphore } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import { Overloaded, outageRetryAfter } from "../../values/Problem.ts"
import {
  connectionError,
  makeAdmission,
  notPermitted,
  PooledConnection,
  plain,
  Share,
  sqlStateOf,
  timeouts,
  transientCodes,
} from "./Connections.ts"
import { connectingTo, serversOf } from "./Servers.ts"

/** How long reads wait for a standby; tests that must not depend on the speed of the machine wait longer. */
export const ReplicaLimits = Context.Reference("interview-invitations/platform/database/ReplicaLimits", {
  defaultValue: () => ({
    /** For the replay of the log. */
    lag: Duration.millis(100),
    /** For a connection while other reads use all that the route may have. */
    busy: Duration.millis(100),
    /** For a connection and its position; after that, the standby is treated as gone. */
    silence: Duration.millis(500),
  }),
})

/**
 * For the answer to a statement: longer than statement_timeout, after which the server answers with an error. A read that is in
 * flight when its standby freezes waits this long. A shorter limit would repeat slow statements on the primary.
 */
const maxStatement = Duration.millis(Number(timeouts.statement_timeout) + 1000)

/** How long reads go to the primary before one tries the standby again. */
const pauses = { lagging: Duration.seconds(1), unavailable: Duration.seconds(5) } as const

/**
 * Which server answered a statement, and why the primary did: the standby was `lagging`, had `cancelled` the statement
 * because of a conflict with the replay, had no free connection (`busy`), or was gone or promoted (`unavailable`).
 */
export type Outcome = "replica" | Reason
type Reason = "lagging" | "cancelled" | "busy" | "unavailable"

/** A run of a function that may read a standby. Its statements use one standby, and after a failure only the primary. */
interface Read {
  standby: Standby | undefined
  position: Position | undefined
  reason: Reason | undefined
}

/**
 * A position in the write-ahead log. A failover begins a new timeline. A standby that had more of the log than the new primary
 * stays on the former timeline. Its `bytes` can be ahead of the primary's, so they alone do not show that it lacks commits.
 */
interface Position {
  /** The system identifier, which a primary and its standbys share. Undefined: the role may not read it. */
  readonly cluster: string | undefined
  readonly timeline: number
  readonly bytes: bigint
}

const CurrentRead = Context.Reference<Read | undefined>("interview-invitations/platform/database/CurrentRead", {
  defaultValue: () => undefined,
})

/**
 * Lets the statements of `effect` run on a standby, except those in transactions. A statement that writes or locks fails on a
 * standby.
 */
export const mayReadReplica = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    if (fiber.getRef(CurrentRead) !== undefined) return effect
    const read: Read = { standby: undefined, position: undefined, reason: undefined }
    return Effect.provideService(effect, CurrentRead, read)
  })

const lagging = connectionError(new Error("it is behind the primary"))
const silent = connectionError(new Error("it does not answer"))
const notStandby = connectionError(new Error("it is not a standby"))
const diverged = connectionError(new Error("it has not followed the primary to its timeline"))
const foreign = connectionError(new Error("it is not a standby of the primary"))
/** An operator may have revoked the functions of `reachedTimelines` from the role. */
const hiddenTimeline = (error: SqlError.SqlError) =>
  sqlStateOf(error) === notPermitted ? connectionError(new Error(`its timeline is unknown: ${plain(error)}`)) : error
const busy = connectionError(
  new Overloaded({ reason: "all connections to the read replica are in use", retryAfter: outageRetryAfter }),
)

/** Why the primary answers after this error. Undefined: the statement would fail on the primary as well. */
const reasonOf = (error: unknown): Reason | undefined => {
  if (error === lagging) return "lagging"
  if (error === busy) return "busy"
  if (!SqlError.isSqlError(error)) return undefined
  const { _tag, cause } = error.reason
  // the standby cancels a statement that needs rows or locks that the replay removes
  if (_tag === "SerializationError" || _tag === "DeadlockError" || _tag === "LockTimeoutError") return "cancelled"
  if (_tag === "ConnectionError" || _tag === "AuthenticationError") return "unavailable"
  const code = sqlStateOf(error)
  if (code !== undefined) return transientCodes.test(code) ? "unavailable" : undefined
  return cause instanceof Error && !("_tag" in cause) ? "unavailable" : undefined
}

/** SQL for a position in the log as a number of bytes, in text. */
const bytes = (position: string) => `(${position} - '0/0')::text`

/**
 * The end of the flushed log: a commit is flushed before it is acknowledged or visible. With synchronous_commit = off it is
 * only inserted. Names of log files begin with the timeline in hexadecimal.
 */
const primaryPosition = `select left(pg_walfile_name(pg_current_wal_flush_lsn()), 8), case current_setting('synchronous_commit')
  when 'off' then ${bytes("pg_current_wal_insert_lsn()")} else ${bytes("pg_current_wal_flush_lsn()")} end`

const clusterOf = "select system_identifier::text from pg_control_system()"
/** How long the primary's system identifier is reused: reading it for each position would cost 30 µs. */
const clusterAge = Duration.minutes(1)

/** Whether the server is a standby, and up to where it has replayed the log; -1: unknown. */
const replayedPosition = `select pg_is_in_recovery(), coalesce(${bytes("pg_last_wal_replay_lsn()")}, '-1')`

/**
 * The standby's system identifier, and the timelines that it has certainly reached: those of its last restartpoint, which may
 * be as old as checkpoint_timeout, and that of the log that it receives, which only roles with pg_read_all_stats see.
 */
const reachedTimelines = `select (${clusterOf}), timeline_id, min_recovery_end_timeline,
    (select received_tli from pg_stat_wal_receiver)
  from pg_control_checkpoint(), pg_control_recovery()`

/** Reads that begin while the statement runs share the next one: they need a position that was taken after they began. */
const makePosition = Effect.fnUntraced(function* (primary: SqlConnection.Borrower) {
  const scope = yield* Effect.scope
  const oneAtATime = Semaphore.makeUnsafe(1)
  let next: Deferred.Deferred<Position, SqlError.SqlError> | undefined
  let cluster: string | undefined
  let clusterUntil = 0
  const take = primary((connection) =>
    Effect.gen(function* () {
      if (performance.now() >= clusterUntil) {
        const found = yield* Effect.catchIf(
          connection.executeValues(clusterOf, []),
          (error) => sqlStateOf(error) === notPermitted,
          () => Effect.succeed([]),
        )
        cluster = found[0]?.[0] === undefined ? undefined : String(found[0][0])
        clusterUntil = performance.now() + Duration.toMillis(clusterAge)
      }
      const [row] = yield* connection.executeValues(primaryPosition, [])
      return { cluster, timeline: Number(`0x${row?.[0]}`), bytes: BigInt(String(row?.[1])) } satisfies Position
    }),
  ).pipe(
    // does not count for the route of the first read
    Effect.provideService(Share, () => undefined),
  )
  return Effect.suspend(() => {
    if (next !== undefined) return Deferred.await(next)
    const one = Deferred.makeUnsafe<Position, SqlError.SqlError>()
    next = one
    const begin = Effect.suspend(() => {
      next = undefined
      return Deferred.into(take, one)
    })
    // in the scope, because the first read may be interrupted while others wait
    return Effect.andThen(Effect.forkIn(oneAtATime.withPermit(begin), scope), Deferred.await(one))
  })
})

type Standby = Effect.Success<ReturnType<typeof makeStandby>>

interface ReplicaOptions extends PgPool.Config {
  readonly url: Redacted.Redacted
  readonly maxConnections: number
}

const makeStandby = Effect.fnUntraced(function* (options: ReplicaOptions) {
  const clock = yield* Clock.Clock
  const limits = yield* ReplicaLimits
  const scope = yield* Effect.scope
  const pool = yield* PgPool.make(options)
  const admission = makeAdmission(options.maxConnections, limits.busy, busy)
  // by connection: behind one address there may be several standbys
  const replayed = new WeakMap<PgConnection.PgConnection, Position>()
  const name = URL.parse(Redacted.value(options.url))?.host ?? ""
  const millis = () => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

  const isOnTimeline = (connection: PgConnection.PgConnection, { cluster, timeline }: Position): boolean => {
    const known = replayed.get(connection)
    return known !== undefined && known.cluster === cluster && known.timeline === timeline
  }

  const hasReplayed = (connection: PgConnection.PgConnection, position: Position): boolean =>
    isOnTimeline(connection, position) && (replayed.get(connection)?.bytes ?? -1n) >= position.bytes

  const awaitReplay = Effect.fnUntraced(
    function* (connection: PgConnection.PgConnection, position: Position) {
      const { cluster, timeline } = position
      const began = millis()
      for (let delay = 1; ; delay = Math.min(2 * delay, 8)) {
        const [row] = yield* connection.queryValues(replayedPosition, [])
        if (row?.[0] !== true) return yield* notStandby
        // once for each connection, and after each failover
        if (!isOnTimeline(connection, position)) {
          const [found = []] = yield* Effect.mapError(connection.queryValues(reachedTimelines, []), hiddenTimeline)
          const [own, ...reached] = found
          if (own !== cluster) return yield* foreign
          if (!reached.includes(timeline)) return yield* diverged
        }
        replayed.set(connection, { cluster, timeline, bytes: BigInt(String(row[1])) })
        if (hasReplayed(connection, position)) return
        if (millis() - began + delay > Duration.toMillis(limits.lag)) return yield* lagging
        yield* Effect.sleep(delay)
      }
    },
    Effect.provideService(Clock.Clock, clock),
  )

  /**
   * Fails when the server does not answer, without waiting for the interruption of `attempt`, which waits for the server.
   * `onConnected` runs before the statement.
   */
  const unlessSilent = <A, E, R>(attempt: (onConnected: Effect.Effect<void>) => Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      let limit = limits.silence
      const onConnected = Effect.sync(() => {
        limit = maxStatement
      })
      return Effect.flatMap(Effect.forkIn(attempt(onConnected), scope), (fiber) =>
        Effect.callback<A, E | SqlError.SqlError>((resume) => {
          const began = performance.now()
          // not a fiber, which costs more than starting the statement
          let timer: NodeJS.Timeout
          const watch = (after: number) => {
            timer = setTimeout(() => {
              const left = began + Duration.toMillis(limit) - performance.now()
              if (left > 0) return watch(left)
              resume(Effect.fail(silent))
              fiber.interruptUnsafe()
            }, after)
          }
          watch(Duration.toMillis(limits.silence))
          const stop = fiber.addObserver((exit) => {
            clearTimeout(timer)
            resume(exit)
          })
          return Effect.sync(() => {
            clearTimeout(timer)
            stop()
            fiber.interruptUnsafe()
          })
        }),
      )
    })

  let paused: { readonly reason: keyof typeof pauses; readonly since: number; until: number } | undefined
  let isReported = false

  const pause = Effect.fnUntraced(function* (reason: Reason, message: string) {
    if (reason === "busy" || reason === "cancelled") return
    const now = millis()
    const since = paused?.reason === reason ? paused.since : now
    paused = { reason, since, until: now + Duration.toMillis(pauses[reason]) }
    // a short lag is normal and not logged
    if (isReported || (reason === "lagging" && now - since < Duration.toMillis(pauses.lagging))) return
    isReported = true
    yield* Effect.logWarning(`the primary answers reads of the read replica ${name}: ${message}`)
  })

  const endPause = Effect.suspend(() => {
    if (paused === undefined) return Effect.void
    paused = undefined
    if (!isReported) return Effect.void
    isReported = false
    return Effect.logInfo(`the read replica ${name} answers reads again`)
  })

  return {
    /** Why reads go to the primary; undefined: the caller may try the standby. After a pause, only one caller may. */
    pausedBy: (): Reason | undefined => {
      if (paused === undefined || millis() >= paused.until) {
        if (paused !== undefined) paused.until = millis() + Duration.toMillis(pauses[paused.reason])
        return undefined
      }
      return paused.reason
    },
    pause,
    perform: <A, E, R>(
      position: Position,
      share: string | undefined,
      isChecked: boolean,
      statement: (connection: SqlConnection.Connection) => Effect.Effect<A, E, R>,
    ) =>
      admission.during(
        share,
        unlessSilent((onConnected) =>
          pool.use((connection) => {
            const pooled = new PooledConnection(connection, pool.invalidate(connection))
            const isReady = isChecked && hasReplayed(connection, position)
            const ready = isReady ? Effect.void : Effect.andThen(awaitReplay(connection, position), endPause)
            return Effect.andThen(Effect.andThen(ready, onConnected), statement(pooled))
          }),
        ),
      ),
  }
})

/**
 * `url`: of one standby or several, in the form of Servers.ts. `through` takes the primary's borrower and returns one that runs
 * the statements of `mayReadReplica` on a standby. `outcomes` counts statements since the start.
 */
export const make = Effect.fnUntraced(function* ({ url, ...options }: ReplicaOptions) {
  const standbys = yield* Effect.forEach(serversOf(url), (one) => makeStandby(connectingTo(options, one)))
  const counts: Record<Outcome, number> = { replica: 0, lagging: 0, cancelled: 0, busy: 0, unavailable: 0 }
  let turn = 0

  /** The standbys take turns; paused ones are skipped. */
  const choose = (read: Read) => {
    for (let i = 0; i < standbys.length; i++) {
      const standby = standbys[turn++ % standbys.length]
      const reason = standby?.pausedBy()
      if (reason === undefined) return standby
      read.reason = reason
    }
    return undefined
  }

  const through = Effect.fnUntraced(function* (primary: SqlConnection.Borrower) {
    const position = yield* makePosition(primary)
    const borrower: SqlConnection.Borrower = (statement) =>
      Effect.withFiber((fiber) => {
        const read = fiber.getRef(CurrentRead)
        if (read === undefined) return primary(statement)
        const onPrimary = (reason: Reason) => {
          counts[reason]++
          return primary(statement)
        }
        if (read.reason !== undefined) return onPrimary(read.reason)
        const standby = read.standby ?? choose(read)
        if (standby === undefined) return onPrimary(read.reason ?? "unavailable")
        read.reason = undefined
        read.standby = standby
        const share = fiber.getRef(Share)(fiber.context)
        return (read.position === undefined ? position : Effect.succeed(read.position)).pipe(
          Effect.flatMap((at) => {
            const isChecked = read.position !== undefined
            return Effect.tap(standby.perform(at, share, isChecked, statement), () =>
              Effect.sync(() => {
                counts.replica++
                read.position = at
              }),
            ).pipe(
              Effect.catchIf(
                (error) => reasonOf(error) !== undefined,
                (error) => {
                  const reason = reasonOf(error) ?? "unavailable"
                  read.reason = reason
                  return Effect.andThen(standby.pause(reason, plain(error)), onPrimary(reason))
                },
              ),
            )
          }),
        )
      })
    return borrower
  })
  return { through, outcomes: (): Readonly<Record<Outcome, number>> => counts }
})
