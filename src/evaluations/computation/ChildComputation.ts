/**
 * Computes in reused child processes. A child over its time or heap limit is killed; only its computation fails.
 *
 * Not worker threads: their `resourceLimits` miss some allocations, so a large Map or array ends the whole process
 * (measured, Node 20 and 24).
 */
import { type ChildProcess, spawn } from "node:child_process"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"
import { Duration, Effect, Layer, Semaphore } from "effect"
import { limitedCommand } from "../../platform/limitedCommand.ts"
import { Overloaded } from "../../values/Problem.ts"
import { Computation, ComputationFailed, type Computations } from "./Computation.ts"
import type { Answer, Request } from "./child/functions.ts"

export interface ComputationLimits {
  readonly children: number
  /** Limit of one computation. */
  readonly timeout: Duration.Duration
  readonly heapMegabytes: number
}

/**
 * Measured: the largest input (200 requirements, 500 answers of 20,000 characters) takes 4.4 s and 540 MB, a typical
 * one 20 ms; an idle child holds 140 MB.
 */
export const computationLimits: ComputationLimits = {
  children: 2,
  timeout: Duration.seconds(60),
  heapMegabytes: 512,
}

/** Milliseconds of computing until a child is replaced; below `cpuSeconds`. */
const retireAfter = 60_000
/** The kernel kills a child that keeps computing after its parent has died. */
const cpuSeconds = 300
/** In milliseconds. */
const startTimeout = 60_000

const entry = fileURLToPath(new URL(`./child/main${extname(import.meta.filename)}`, import.meta.url))

interface Child {
  readonly process: ChildProcess
  /** Milliseconds of computing so far. */
  busy: number
  isReady: boolean
}

const start = ({ heapMegabytes }: ComputationLimits): Child => {
  const args = ["--no-warnings", `--max-old-space-size=${heapMegabytes}`, entry]
  const [command, ...rest] = limitedCommand({ cpuSeconds }, args)
  const stdio = ["ignore", "ignore", "ignore", "ipc"] as const
  const process = spawn(command, rest, { env: {}, stdio: [...stdio], serialization: "advanced", windowsHide: true })
  // an error event without a listener would end this process
  process.on("error", () => {})
  return { process, busy: 0, isReady: false }
}

const notStarted = Effect.die(new Overloaded({ reason: "the process that evaluates did not start", retryAfter: 10 }))

/** Node's signals when its heap is exhausted. */
const outOfMemory: ReadonlySet<NodeJS.Signals | null> = new Set(["SIGABRT", "SIGTRAP", "SIGILL"])

const endOf = (signal: NodeJS.Signals | null, { heapMegabytes }: ComputationLimits): ComputationFailed =>
  new ComputationFailed({
    reason: outOfMemory.has(signal)
      ? `The evaluation needs more than ${heapMegabytes} MB of memory.`
      : "The process that evaluated this was killed.",
  })

interface Pool {
  readonly idle: Array<Child>
  readonly living: Set<Child>
}

const take = ({ idle, living }: Pool, limits: ComputationLimits): Child => {
  const waiting = idle.pop()
  if (waiting !== undefined) return waiting
  const child = start(limits)
  living.add(child)
  const gone = () => {
    living.delete(child)
    const at = idle.indexOf(child)
    if (at >= 0) idle.splice(at, 1)
  }
  child.process.once("exit", gone)
  child.process.once("error", gone)
  return child
}

const compute = <Name extends keyof Computations>(
  pool: Pool,
  limits: ComputationLimits,
  request: Request<Name>,
): Effect.Effect<Computations[Name]["output"], ComputationFailed> =>
  Effect.callback((resume) => {
    const child = take(pool, limits)
    const { process } = child
    let begun = performance.now()
    let timer: NodeJS.Timeout
    const done = (outcome: Effect.Effect<Computations[Name]["output"], ComputationFailed>) => {
      clearTimeout(timer)
      process.off("message", onMessage).off("exit", onExit).off("error", onError)
      resume(outcome)
    }
    const kill = (outcome: Effect.Effect<never, ComputationFailed>) => {
      done(outcome)
      process.kill("SIGKILL")
    }
    const seconds = Duration.toSeconds(limits.timeout)
    const tooLong = new ComputationFailed({ reason: `The evaluation takes more than ${seconds} seconds.` })
    const submit = () => {
      child.isReady = true
      begun = performance.now()
      timer = setTimeout(() => kill(Effect.fail(tooLong)), Duration.toMillis(limits.timeout))
      process.send(request)
    }
    const onMessage = (message: "ready" | Answer<Name>) => {
      if (message === "ready") {
        clearTimeout(timer)
        return submit()
      }
      child.busy += performance.now() - begun
      if (child.busy < retireAfter) pool.idle.push(child)
      else process.disconnect()
      if (message._tag === "Computed") return done(Effect.succeed(message.output))
      done(Effect.fail(new ComputationFailed({ reason: `The evaluation failed: ${message.message}` })))
    }
    const onExit = (_: number | null, signal: NodeJS.Signals | null) =>
      done(child.isReady ? Effect.fail(endOf(signal, limits)) : notStarted)
    const onError = () => done(notStarted)
    process.on("message", onMessage).on("exit", onExit).on("error", onError)
    timer = setTimeout(() => kill(notStarted), startTimeout)
    if (child.isReady) {
      clearTimeout(timer)
      submit()
    }
    return Effect.sync(() => {
      clearTimeout(timer)
      process.kill("SIGKILL")
    })
  })

export const layer = (limits: ComputationLimits = computationLimits): Layer.Layer<Computation> =>
  Layer.effect(
    Computation,
    Effect.gen(function* () {
      const children = yield* Semaphore.make(limits.children)
      const pool: Pool = { idle: [], living: new Set() }
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          for (const { process } of pool.living) process.kill("SIGKILL")
        }),
      )
      return Computation.of({
        run: (name, input) => children.withPermit(compute(pool, limits, { name, input })),
      })
    }),
  )
