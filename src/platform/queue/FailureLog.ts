/** Logs failures of a loop: a database outage once a minute, any other failure each time. */
import { Cause, Effect } from "effect"
import { plain } from "../database/Connections.ts"
import { isOutage } from "../database/Database.ts"
import { monotonicMillis } from "../Monotonic.ts"

const interval = 60_000

export const make = () => {
  let loggedAt = Number.NEGATIVE_INFINITY
  return {
    worked: (): void => {
      loggedAt = Number.NEGATIVE_INFINITY
    },
    report: (message: string, cause: Cause.Cause<unknown>): Effect.Effect<void> => {
      const outage = cause.reasons.filter(Cause.isDieReason).find(({ defect }) => isOutage(defect))
      if (outage === undefined) return Effect.logError(message, cause)
      return Effect.flatMap(monotonicMillis, (now) => {
        if (now - loggedAt < interval) return Effect.void
        loggedAt = now
        return Effect.logWarning(`${message}: waiting for the database`, { error: plain(outage.defect) })
      })
    },
  }
}
