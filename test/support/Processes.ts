/** Pods as a machine runs them, `serve` in processes of their own, which tests kill, freeze and ask to stop. */
import { spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Deferred, Effect } from "effect"
import * as LogWatch from "./LogWatch.ts"

/** Of every process that tests start. */
export const secretKey = Buffer.alloc(32, 7).toString("base64")

const root = join(import.meta.dirname, "../..")

/**
 * Attempts and leases may take minutes, and retries come after an hour: however slow the machine is, none of these times
 * ends by itself. Tests end leases by hand.
 */
const defaults = {
  PATH: "/usr/bin:/bin",
  NODE_COMPILE_CACHE: join(tmpdir(), "interview-compile-cache"),
  SECRET_KEY: secretKey,
  EMAIL: "mailbox",
  OUTBOUND_ALLOW: "127.0.0.0/8",
  PORT: "0",
  DRAIN_WAIT: "0 millis",
  WEBHOOK_TIMEOUT: "5 minutes",
  WEBHOOK_RETRY_FIRST: "1 hour",
}

export interface Pod {
  readonly pid: number
  /** Where it listens. */
  readonly url: string
  /** What it logged so far: lines of JSON. */
  readonly log: () => string
  readonly signal: (signal: NodeJS.Signals) => void
  readonly isRunning: () => boolean
  /** Its exit code; null when a signal ended it. */
  readonly ended: Effect.Effect<number | null>
}

/** Starts a pod and waits until it listens; it is killed when the scope closes. `program` is below the project's root. */
export const start = Effect.fnUntraced(function* (environment: Record<string, string>, program = "src/main.ts") {
  const listening = yield* Deferred.make<string>()
  const ended = yield* Deferred.make<number | null>()
  let log = ""
  LogWatch.secret(secretKey)
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(join(root, "node_modules/.bin/node"), [join(root, program), "serve"], {
        cwd: tmpdir(),
        env: { ...defaults, ...environment },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    ),
    (child) =>
      Effect.sync(() => {
        child.kill("SIGKILL")
        LogWatch.written(log)
      }),
  )
  const collect = (text: string) => {
    log += text
    const port = /listening on http:\/\/[^"]*:(\d+)/.exec(log)?.[1]
    if (port !== undefined) Deferred.doneUnsafe(listening, Effect.succeed(`http://127.0.0.1:${port}`))
  }
  child.stdout.setEncoding("utf8").on("data", collect)
  child.stderr.setEncoding("utf8").on("data", collect)
  child.on("close", (code) => {
    Deferred.doneUnsafe(ended, Effect.succeed(code))
    Deferred.doneUnsafe(listening, Effect.die(new Error(`the pod ended: ${log}`)))
  })
  return {
    pid: child.pid ?? 0,
    url: yield* Deferred.await(listening),
    log: () => log,
    signal: (signal) => void child.kill(signal),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    ended: Deferred.await(ended),
  } satisfies Pod
})
