/**
 * Logs failures that repeat: the first, then at most one line a minute with their number, then the end once. Everything
 * that may fail many times during an outage logs with it.
 */
import { Cause, Effect, References, type Scope } from "effect"
import { plain } from "../database/Connections.ts"
import { isOutage } from "../database/Database.ts"
import { monotonicMillis } from "../Monotonic.ts"

/** Milliseconds. */
const interval = 60_000
/** Failures of other kinds are logged at once, so that an outage hides no other fault. */
const maxKinds = 20

interface Standing {
  loggedAt: number
  /** Since the last line. */
  count: number
}

export interface FailureLog {
  /** Counts a failure; returns the number of failures that its line is about, undefined when no line is due. */
  readonly count: (kind: string) => Effect.Effect<number | undefined>
  /** Logs a warning with the fields and the number of failures, if a line is due. */
  readonly warn: (kind: string, message: string, fields: object) => Effect.Effect<void>
  readonly report: (cause: Cause.Cause<unknown>) => Effect.Effect<void>
  /** Logs the end, if a failure was logged. A failure soon afterwards is still logged a minute after the last line. */
  readonly worked: Effect.Effect<void>
}

/** `name`: of the loop or activity, such as "email: claiming". */
export const make = (name: string): FailureLog => {
  const standings = new Map<string, Standing>()
  /** Since the last end. */
  let total = 0
  let isLogged = false

  const due = (kind: string, now: number): number | undefined => {
    total++
    const known = standings.get(kind)
    if (known !== undefined && now - known.loggedAt < interval) {
      known.count++
      return undefined
    }
    if (known === undefined && standings.size >= maxKinds) standings.clear()
    standings.set(kind, { loggedAt: now, count: 0 })
    isLogged = true
    return 1 + (known?.count ?? 0)
  }
  const count = (kind: string) => Effect.map(monotonicMillis, (now) => due(kind, now))
  const warn: FailureLog["warn"] = (kind, message, fields) =>
    Effect.flatMap(count(kind), (failures) =>
      failures === undefined ? Effect.void : Effect.logWarning(message, { failures, ...fields }),
    )

  return {
    count,
    warn,
    report: (cause) => {
      const outage = outageOf(cause)
      if (outage !== undefined) {
        return warn("outage", `${name} failed: waiting for the database`, { error: plain(outage) })
      }
      return Effect.flatMap(count(plain(Cause.squash(cause))), (failures) =>
        failures === undefined ? Effect.void : Effect.logError(`${name} failed`, { failures }, cause),
      )
    },
    worked: Effect.suspend(() => {
      if (!isLogged) return Effect.void
      const failures = total
      total = 0
      isLogged = false
      return Effect.logInfo(`${name} works again`, { failures })
    }),
  }
}

const outageOf = (cause: Cause.Cause<unknown>): unknown => {
  const defects = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
  const errors = cause.reasons.filter(Cause.isFailReason).map(({ error }) => error)
  return [...defects, ...errors].find(isOutage)
}

/** For an activity of which no single success shows the end: logs the end after a minute without a failure. */
export const makeUntilQuiet = (name: string): Effect.Effect<Pick<FailureLog, "warn">, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const failures = make(name)
    let failedAt = 0
    let isWaiting = false
    const untilQuiet = Effect.gen(function* () {
      let now = yield* monotonicMillis
      while (now - failedAt < interval) {
        yield* Effect.sleep(interval - (now - failedAt))
        now = yield* monotonicMillis
      }
      isWaiting = false
      yield* failures.worked
      // not of the request that failed first
    }).pipe(Effect.provideService(References.CurrentLogAnnotations, {}), Effect.withTracerEnabled(false))
    return {
      warn: Effect.fnUntraced(function* (...line) {
        failedAt = yield* monotonicMillis
        yield* failures.warn(...line)
        if (isWaiting) return
        isWaiting = true
        yield* Effect.forkIn(untilQuiet, scope)
      }),
    }
  })
