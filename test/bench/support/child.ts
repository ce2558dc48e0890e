/** A server under measurement: a process of its own, which tells its port when it can be asked. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { Effect } from "effect"
import { BenchFailed } from "./BenchFailed.ts"

/** Says to the process that measures: ready, at this port. Ends this one when that one is gone. */
export const ready = (port: number): void => {
  process.once("disconnect", () => process.exit())
  process.send?.({ port })
}

const portOf = (message: unknown): number =>
  typeof message === "object" && message !== null && "port" in message ? Number(message.port) : 0

/** Starts a program that calls `ready`; it ends with the scope. Yields its origin. */
export const start = Effect.fnUntraced(function* (program: URL, environment: Record<string, string>) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      // nothing of this machine's environment, and nothing of theirs in the bench's output
      const child = fork(program, { env: environment, stdio: ["ignore", "ignore", "inherit", "ipc"] })
      return { process: child, ended: once(child, "exit") }
    }),
    ({ ended, process }) =>
      Effect.promise(() => {
        if (process.connected) process.disconnect()
        return ended
      }),
  )
  const port = yield* Effect.callback<number, BenchFailed>((resume) => {
    child.process.once("message", (message) => resume(Effect.succeed(portOf(message))))
    child.process.once("exit", () =>
      resume(new BenchFailed({ message: `${program.pathname} ended before it listened` })),
    )
  })
  return `http://127.0.0.1:${port}`
})
