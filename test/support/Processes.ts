/** Runs `serve` in child processes that tests kill, suspend and stop. */
import { spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Deferred, Effect } from "effect"
import { imageFlags } from "./imageFlags.ts"
import * as LogWatch from "./LogWatch.ts"

export const secretKey = Buffer.alloc(32, 7).toString("base64")

const root = join(import.meta.dirname, "../..")

/** Timeouts and retry delays exceed any test's duration, so that none expires on a slow machine. */
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

/** The URL that the log of `serve` or the banner of `start` names, once it is whole: output arrives in parts. */
export const urlIn = (output: string): string | undefined => {
  const port = /(?:listening on|Home) +http:\/\/[^"\s]*:(\d+)[^\d]/.exec(output)?.[1]
  return port === undefined ? undefined : `http://127.0.0.1:${port}`
}

export interface Pod {
  readonly pid: number
  readonly url: string
  /** Its output so far: lines of JSON. */
  readonly log: () => string
  readonly signal: (signal: NodeJS.Signals) => void
  readonly isRunning: () => boolean
  /** The exit code; null when a signal ended the process. */
  readonly ended: Effect.Effect<number | null>
}

/** A process that may not listen yet. */
export interface StartingPod extends Omit<Pod, "url"> {
  /** Waits until the process listens and returns its URL; dies when the process ends first. */
  readonly listening: Effect.Effect<string>
}

/** Waits until the process listens; kills it when the scope closes. `program` may be relative to the project. */
export const start = Effect.fnUntraced(function* (environment: Record<string, string>, program = "src/main.ts") {
  const { listening, ...pod } = yield* begin(environment, program)
  return { ...pod, url: yield* listening } satisfies Pod
})

/** Like `start`, but does not wait until the process listens. */
export const begin = Effect.fnUntraced(function* (environment: Record<string, string>, program = "src/main.ts") {
  const listening = yield* Deferred.make<string>()
  const ended = yield* Deferred.make<number | null>()
  let log = ""
  LogWatch.secret(secretKey)
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(join(root, "node_modules/.bin/node"), [...imageFlags, resolve(root, program), "serve"], {
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
    const url = urlIn(log)
    if (url !== undefined) Deferred.doneUnsafe(listening, Effect.succeed(url))
  }
  child.stdout.setEncoding("utf8").on("data", collect)
  child.stderr.setEncoding("utf8").on("data", collect)
  child.on("close", (code) => {
    Deferred.doneUnsafe(ended, Effect.succeed(code))
    Deferred.doneUnsafe(listening, Effect.die(new Error(`the pod ended: ${log}`)))
  })
  return {
    pid: child.pid ?? 0,
    listening: Deferred.await(listening),
    log: () => log,
    signal: (signal) => void child.kill(signal),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    ended: Deferred.await(ended),
  } satisfies StartingPod
})
