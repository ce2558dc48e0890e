/** Pods that come and go. The first one stays: its memory is watched. */
import { execFileSync } from "node:child_process"
import { randomInt } from "node:crypto"
import { Effect, type Scope } from "effect"
import * as Processes from "../support/Processes.ts"
import { settings } from "./stage.ts"

export interface Pods {
  /** Where they listen. */
  readonly urls: () => ReadonlyArray<string>
  readonly survivor: Processes.Pod
  /** Ends one of those that come and go, and starts another in its place. */
  readonly replace: (signal: "SIGKILL" | "SIGTERM") => Effect.Effect<void, never, Scope.Scope>
  /** Asks all to stop; the exit codes of all that were ever asked to. */
  readonly stop: Effect.Effect<ReadonlyArray<number | null>>
  /** Lines of all logs at this level. */
  readonly logged: (level: "ERROR" | "FATAL") => ReadonlyArray<string>
}

export const start = Effect.fnUntraced(function* (databaseUrl: string, count: number) {
  const one = Processes.start({ ...settings, DATABASE_URL: databaseUrl })
  const survivor = yield* one
  const others = yield* Effect.all(
    Array.from({ length: count - 1 }, () => one),
    { concurrency: "unbounded" },
  )
  const logs = [survivor, ...others].map(({ log }) => log)
  const codes: Array<number | null> = []
  return {
    urls: () => [survivor, ...others].map(({ url }) => url),
    survivor,
    replace: (signal) =>
      Effect.gen(function* () {
        const place = randomInt(others.length)
        const old = others[place]
        if (old === undefined) return
        old.signal(signal)
        const code = yield* old.ended
        if (signal === "SIGTERM") codes.push(code)
        const fresh = yield* one
        others[place] = fresh
        logs.push(fresh.log)
      }),
    stop: Effect.gen(function* () {
      for (const pod of [survivor, ...others]) pod.signal("SIGTERM")
      codes.push(...(yield* Effect.all([survivor, ...others].map(({ ended }) => ended))))
      return codes
    }),
    logged: (level) =>
      logs.flatMap((log) =>
        log()
          .split("\n")
          .filter((line) => line.includes(`"level":"${level}"`)),
      ),
  } satisfies Pods
})

/** Megabytes of memory that a process occupies. */
export const residentMegabytes = (pid: number): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024
