/** Runs the commands of the command line with an environment that only the test sets. */
import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { format } from "node:util"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Console, Effect, Exit, Layer, Sink, Stdio, Stream } from "effect"
import { inject } from "vitest"
import { commands } from "../../src/main.ts"
import { atDatabase, execute } from "./databases.ts"
import { secretKey, urlIn } from "./Processes.ts"
import * as Statements from "./Statements.ts"
import { environmentOf } from "./TestDatabase.ts"

export { secretKey }

const root = join(import.meta.dirname, "../..")

/** Reduces the start of a process by a third. */
const compileCache = join(tmpdir(), "interview-compile-cache")

export interface Output {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** `start` has an embedded Postgres, which the bundle does not have. */
const programOf = ([command]: ReadonlyArray<string>) =>
  (command === "start" ? null : inject("bundle")) ?? join(root, "src/main.ts")

const start = (args: ReadonlyArray<string>, environment: Record<string, string>, input?: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const cwd = mkdtempSync(join(tmpdir(), "interview-cli-"))
      const child = spawn(join(root, "node_modules/.bin/node"), [programOf(args), ...args], {
        cwd,
        env: { PATH: "/usr/bin:/bin", NODE_COMPILE_CACHE: compileCache, ...environmentOf(environment) },
        stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      })
      child.stdin?.on("error", () => undefined).end(input) // a command may end before it reads all input
      return { child, cwd, output: collect(child) }
    }),
    ({ child, cwd }) =>
      Effect.sync(() => {
        child.kill("SIGKILL")
        rmSync(cwd, { recursive: true, force: true })
      }),
  )

const collect = (child: ChildProcess) => {
  const output = { code: null as number | null, stdout: "", stderr: "" }
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text
  })
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text
  })
  const ended = once(child, "close").then(([code]): Output => ({ ...output, code }))
  return { ended, output }
}

export const runProcess = (environment: Record<string, string>, ...args: ReadonlyArray<string>) =>
  Effect.scoped(Effect.flatMap(start(args, environment), ({ output }) => Effect.promise(() => output.ended)))

/**
 * Runs in this process, with its own environment, stdout and stderr, in a tenth of the time of a child process. Without
 * DATABASE_URL, a command depends on its directory and runs in a child process.
 */
export const run = (environment: Record<string, string>, ...args: ReadonlyArray<string>): Effect.Effect<Output> =>
  environment["DATABASE_URL"] === undefined
    ? runProcess(environment, ...args)
    : inThisProcess(environment, Stream.empty, args)

/** Runs in this process, with `input` as stdin. */
export const pipe = (environment: Record<string, string>, input: string, ...args: ReadonlyArray<string>) =>
  inThisProcess(environment, Stream.make(new TextEncoder().encode(input)), args)

const inThisProcess = (
  environment: Record<string, string>,
  stdin: Stream.Stream<Uint8Array>,
  args: ReadonlyArray<string>,
): Effect.Effect<Output> =>
  Effect.gen(function* () {
    const output = { stdout: "", stderr: "" }
    const writer =
      (name: keyof typeof output) =>
      (...values: ReadonlyArray<unknown>) => {
        output[name] += `${format(...values)}\n`
      }
    const written = (text: string | Uint8Array) =>
      Effect.sync(() => {
        output.stdout += typeof text === "string" ? text : Buffer.from(text).toString()
      })
    const captured: Console.Console = Object.assign(Object.create(console), {
      log: writer("stdout"),
      info: writer("stdout"),
      warn: writer("stderr"),
      error: writer("stderr"),
    })
    const before = process.exitCode
    process.exitCode = undefined
    const exit = yield* Effect.exit(
      commands.pipe(
        Effect.provide(
          Layer.mergeAll(
            NodeServices.layer,
            Stdio.layerTest({
              args: Effect.succeed(args),
              stdin,
              stdout: () => Sink.forEach(written),
            }),
            Layer.succeed(Console.Console, captured),
            Statements.layerOfCommands,
            Layer.succeed(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environmentOf(environment))),
          ),
          { local: true },
        ),
      ),
    )
    const failure = Number(process.exitCode) || 1
    process.exitCode = before
    return { ...output, code: Exit.isSuccess(exit) ? 0 : failure }
  })

export const begin = Effect.fnUntraced(function* (environment: Record<string, string>, ...args: ReadonlyArray<string>) {
  const { child, output } = yield* start(args, environment)
  return { kill: (signal: NodeJS.Signals) => child.kill(signal), ended: Effect.promise(() => output.ended) }
})

export const pipeProcess = (environment: Record<string, string>, input: string, ...args: ReadonlyArray<string>) =>
  Effect.scoped(Effect.flatMap(start(args, environment, input), ({ output }) => Effect.promise(() => output.ended)))

/** Waits until the program listens. `ended` waits for the program, which keeps stdout open, even after npm has ended. */
export const npm = Effect.fnUntraced(function* (environment: Record<string, string>, ...args: ReadonlyArray<string>) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const env = { PATH: process.env["PATH"], HOME: tmpdir(), NODE_COMPILE_CACHE: compileCache, ...environment }
      return spawn("npm", args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"], detached: true })
    }),
    ({ pid }) =>
      Effect.sync(() => {
        try {
          // npm and the program are one process group
          process.kill(-(pid ?? 0), "SIGKILL")
        } catch {} // both have ended
      }),
  )
  const { ended, output } = collect(child)
  yield* Effect.callback<void>((resume) => {
    child.stdout.on("data", () => output.stdout.includes("listening on") && resume(Effect.void))
    child.on("close", () => resume(Effect.die(new Error(`npm ended: ${output.stdout}${output.stderr}`))))
  })
  return { kill: (signal: NodeJS.Signals) => child.kill(signal), ended: Effect.promise(() => ended) }
})

/** Waits until `serve`, or `start`, listens. */
export const serve = Effect.fnUntraced(function* (environment: Record<string, string>, command = "serve") {
  const { child, output } = yield* start([command], environment)
  const url = yield* Effect.callback<string>((resume) => {
    const look = () => {
      const found = urlIn(output.output.stdout)
      if (found !== undefined) resume(Effect.succeed(found))
    }
    child.stdout?.on("data", look)
    child.on("close", () => resume(Effect.die(new Error(`serve ended: ${output.output.stderr}`))))
  })
  return { url, kill: (signal: NodeJS.Signals) => child.kill(signal), ended: Effect.promise(() => output.ended) }
})

export const emptyDatabase = Effect.gen(function* () {
  const { url } = inject("postgres")
  const name = `interview_empty_${randomBytes(6).toString("hex")}`
  yield* Effect.acquireRelease(execute(url, `create database ${name}`), () =>
    Effect.ignore(execute(url, `drop database if exists ${name} with (force)`)),
  )
  return atDatabase(url, name)
})
