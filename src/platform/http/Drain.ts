/**
 * The time between being asked to stop and closing the port. Whoever routes traffic learns of a stop later than the
 * process does: meanwhile it goes on answering, says by /health/ready that it takes no more, and asks its clients with
 * each answer to open their next connection elsewhere (Connection: close, RFC 9112, 9.6).
 */
import { Context, type Duration, Effect } from "effect"

const make = () => {
  let begun = false
  return {
    /** True from the moment the process was asked to stop. */
    hasBegun: () => begun,
    /** Says so, and goes on serving for as long as `wait`. */
    begin: (wait: Duration.Duration) =>
      Effect.gen(function* () {
        begun = true
        yield* Effect.logInfo("asked to stop: new connections go elsewhere")
        yield* Effect.sleep(wait)
      }),
  }
}

/** A process stops once: without another provided, all of it share the one. */
export const Drain = Context.Reference("interview-invitations/platform/http/Drain", { defaultValue: make })
