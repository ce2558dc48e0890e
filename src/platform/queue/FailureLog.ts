/** Logs failures of a loop: the first, then at most one line a minute with their number, then the recovery. */
import { Cause, Effect } from "effect"
import { plain } from "../database/Connections.ts"
import { isOutage } from "../database/Database.ts"
import { monotonicMillis } from "../Monotonic.ts"

const interval = 60_000
/** Failures with other texts are logged at once, so that an outage hides no other fault. */
const maxTexts = 20

interface Standing {
  loggedAt: number
  /** Since the last line. */
  count: number
}

export interface FailureLog {
  readonly worked: Effect.Effect<void>
  readonly report: (cause: Cause.Cause<unknown>) => Effect.Effect<void>
}

/** `name`: of the loop, such as "email: claiming". */
export const make = (name: string): FailureLog => {
  const standings = new Map<string, Standing>()
  let total = 0

  /** The number of failures that the line is about; undefined when it is not yet due. */
  const count = (text: string, now: number): number | undefined => {
    total++
    const known = standings.get(text)
    if (known === undefined) {
      if (standings.size >= maxTexts) standings.clear()
      standings.set(text, { loggedAt: now, count: 0 })
      return 1
    }
    known.count++
    if (now - known.loggedAt < interval) return undefined
    const { count } = known
    standings.set(text, { loggedAt: now, count: 0 })
    return count
  }

  return {
    worked: Effect.suspend(() => {
      if (total === 0) return Effect.void
      const failures = total
      total = 0
      standings.clear()
      return Effect.logInfo(`${name} works again`, { failures })
    }),
    report: (cause) =>
      Effect.flatMap(monotonicMillis, (now) => {
        const outage = cause.reasons.filter(Cause.isDieReason).find(({ defect }) => isOutage(defect))
        const failures = count(outage === undefined ? plain(Cause.squash(cause)) : "outage", now)
        if (failures === undefined) return Effect.void
        return outage === undefined
          ? Effect.logError(`${name} failed`, { failures }, cause)
          : Effect.logWarning(`${name} failed: waiting for the database`, { failures, error: plain(outage.defect) })
      }),
  }
}
