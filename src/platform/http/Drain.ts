/**
 * The time between the request to stop and closing the port. Load balancers notice late, so the process still responds,
 * but /health/ready fails and each response closes its connection (RFC 9112, 9.6).
 */
import { Context, type Duration, Effect } from "effect"

const make = () => {
  let begun = false
  return {
    hasBegun: () => begun,
    begin: (wait: Duration.Duration) =>
      Effect.gen(function* () {
        begun = true
        yield* Effect.logInfo("asked to stop: new connections go elsewhere")
        yield* Effect.sleep(wait)
      }),
  }
}

export const Drain = Context.Reference("interview-invitations/platform/http/Drain", { defaultValue: make })
