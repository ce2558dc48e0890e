/** Logs failures of a loop: an outage of the database when it begins and then once a minute, anything else each time. */
import { Cause, Clock, Effect } from "effect"
import { isOutage, plain } from "../repository/Database.ts"

/** Milliseconds between two log lines about the same outage. */
const interval = 60_000

/** The reporter of one loop, which fails and is repeated. */
export const make = () => {
  let loggedAt = Number.NEGATIVE_INFINITY
  return {
    /** The loop has worked: an outage that it reported is over. */
    worked: (): void => {
      loggedAt = Number.NEGATIVE_INFINITY
    },
    /** `message` says what failed. */
    report: (message: string, cause: Cause.Cause<unknown>): Effect.Effect<void> => {
      const outage = cause.reasons.filter(Cause.isDieReason).find(({ defect }) => isOutage(defect))
      if (outage === undefined) return Effect.logError(message, cause)
      return Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (now - loggedAt < interval) return Effect.void
        loggedAt = now
        return Effect.logWarning(`${message}: waiting for the database`, { error: plain(outage.defect) })
      })
    },
  }
}
