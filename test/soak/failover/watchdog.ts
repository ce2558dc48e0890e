/**
 * Replaces the device /dev/watchdog of a machine: resets the machine when Patroni has written nothing for the time that it has
 * set. Patroni's driver `testing` writes its calls to a named pipe: `Ctimeout=15` and a line break set the time in seconds, `V`
 * turns the watchdog off, and every other call restarts the time. 15 is `ttl` − `safety_margin` in docs/scale.md.
 */
import { constants, openSync } from "node:fs"
import { Socket } from "node:net"
import { Effect, Option, Queue } from "effect"
import { user } from "./network.ts"
import { run } from "./programs.ts"

/** In seconds; used until Patroni sets its own. */
const initialTimeout = 60

/** Makes the pipe; watches it until the scope closes. */
export const start = Effect.fnUntraced(function* (pipe: string, reset: Effect.Effect<void>) {
  yield* run("mkfifo", pipe)
  yield* run("chown", user, pipe)
  const calls = yield* Queue.unbounded<string>()
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      // open for writing too, so that reading does not end when Patroni closes the pipe
      const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
      const socket = new Socket({ fd, readable: true, writable: false })
      return socket.on("data", (data) => Queue.offerUnsafe(calls, data.toString()))
    }),
    (socket) => Effect.sync(() => socket.destroy()),
  )
  const watch = Effect.gen(function* () {
    let seconds = initialTimeout
    let isOn = false
    for (;;) {
      const next = Queue.take(calls)
      const call: Option.Option<string> = isOn
        ? yield* Effect.timeoutOption(next, seconds * 1_000)
        : Option.some(yield* next)
      if (Option.isNone(call)) {
        isOn = false
        yield* reset
        continue
      }
      seconds = Number(/Ctimeout=(\d+)/.exec(call.value)?.[1] ?? seconds)
      isOn = !call.value.endsWith("V")
    }
  })
  yield* Effect.forkScoped(watch)
})
