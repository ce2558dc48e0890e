import { Effect } from "effect"
import { freePort } from "../../src/platform/http/HeldPort.ts"

/** Starts a server on a free port, and again on another one if that fails: another process may have taken it. Returns the port. */
export const onFreePort = <E, R>(start: (port: number) => Effect.Effect<unknown, E, R>) =>
  Effect.flatMap(freePort, (port) => Effect.as(start(port), port)).pipe(Effect.retry({ times: 2 }))
