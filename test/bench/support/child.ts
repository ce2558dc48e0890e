/** Starts servers under measurement as child processes, which report their port when they listen. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { Effect } from "effect"
import { imageFlags } from "../../support/imageFlags.ts"
import { BenchFailed } from "./BenchFailed.ts"

/** Reports the port to the parent process. Exits when the parent disconnects. */
export const ready = (port: number): void => {
  process.once("disconnect", () => process.exit())
  process.send?.({ port })
}

const portOf = (message: unknown): number =>
  typeof message === "object" && message !== null && "port" in message ? Number(message.port) : 0

/** Starts a program that calls `ready` and returns its origin. The program ends with the scope. */
export const start = Effect.fnUntraced(function* (program: URL, environment: Record<string, string>) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      // the child does not inherit the environment, and its stdout does not mix with the report
      const child = fork(program, {
        env: environment,
        execArgv: [...process.execArgv, ...imageFlags],
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      })
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
