/**
 * Runs a program of this service in a child process for one file from outside, so that a hostile file harms nothing else.
 * Worker threads share memory.
 *
 * A child has limits of memory, CPU time, time and output, an empty environment, and Node's permissions: it reads only its
 * own modules and starts no process or thread. Node 24 cannot forbid the network.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, realpathSync } from "node:fs"
import { createRequire, findPackageJSON } from "node:module"
import { dirname, extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Duration, Effect, Stream } from "effect"
import { Overloaded } from "../values/Problem.ts"
import { limitedCommand } from "./limitedCommand.ts"

export interface ChildLimits {
  /** For one file; long enough for slow machines, because CPU time is limited too. */
  readonly timeout: Duration.Duration
  readonly cpuSeconds: number
  readonly heapMegabytes: number
  /**
   * Writable memory (RLIMIT_DATA, Linux 4.7 or newer). About 500 MB less is usable: Node 24 reserves 620 MB and uses 85
   * MB. Node reserves 10 GB of address space, so address space has no limit.
   */
  readonly dataMegabytes: number
}

export interface ChildProgram {
  /** What it reads, "CVs", for messages. */
  readonly reads: string
  readonly folder: string
  readonly entry: string
  readonly readable: ReadonlyArray<string>
}

/** True in the bundle, which contains the programs' packages; otherwise not defined (build.ts). */
declare const BUNDLED: true | undefined

const twice = (path: string) => [path, join(path, "*")]

/** Directories of the packages, and the directories in which Node searches for packages. */
const packageFolders = (packages: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found = packages.map((name) => {
    const path = fileURLToPath(import.meta.resolve(name))
    const modules = path.lastIndexOf("node_modules")
    return modules < 0 ? dirname(path) : path.slice(0, modules + "node_modules".length)
  })
  const searched = createRequire(import.meta.url).resolve.paths(packages[0] ?? "")
  return [...(searched ?? []).filter(existsSync), ...found]
}

/** `main.ts` of the folder. `modules`: those outside of the folder that it imports, without their ending. */
export const childProgram = ({
  folder,
  modules,
  packages,
  reads,
}: {
  readonly reads: string
  readonly folder: URL
  readonly modules: ReadonlyArray<URL>
  readonly packages: ReadonlyArray<string>
}): ChildProgram => {
  const ending = extname(import.meta.filename)
  const own = fileURLToPath(folder)
  const manifest = findPackageJSON("..", folder)
  const isBundled = typeof BUNDLED !== "undefined"
  const outside = isBundled
    ? []
    : [...packageFolders(packages), ...modules.map((module) => `${fileURLToPath(module)}${ending}`)]
  const folders = new Set([own, ...outside].flatMap((path) => [path, realpathSync(path)]))
  return {
    reads,
    folder: own,
    entry: join(own, `main${ending}`),
    readable: [...[...folders].flatMap(twice), ...(manifest === undefined ? [] : [manifest, realpathSync(manifest)])],
  }
}

const start = ({ entry, folder, readable }: ChildProgram, limits: ChildLimits, options: unknown): ChildProcess => {
  const args = [
    "--permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    "--disallow-code-generation-from-strings",
    "--no-warnings",
    "--v8-pool-size=1",
    `--max-old-space-size=${limits.heapMegabytes}`,
    entry,
    JSON.stringify(options),
  ]
  const [command, ...rest] = limitedCommand(limits, args)
  return spawn(command, rest, { env: {}, cwd: folder, stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
}

/** The file is not the cause: the child had not read it. */
const notStarted = ({ reads }: ChildProgram, why: string) =>
  new Overloaded({ reason: `the process that reads ${reads} did not start: ${why}`, retryAfter: 10 })

const greeting = Buffer.from("ready\n")

/** Returns what the child writes after its greeting; undefined: more than the limit. */
const outputOf = (program: ChildProgram, output: Buffer, isTooLong: boolean): Effect.Effect<Buffer | undefined> => {
  if (isTooLong) return Effect.undefined
  return output.subarray(0, greeting.length).equals(greeting)
    ? Effect.succeed(output.subarray(greeting.length))
    : Effect.die(notStarted(program, "it ended before it was ready"))
}

/** Resolves when the child may get more. A child that ended early is reported by its close event. */
const write = (child: ChildProcess, bytes: Uint8Array) =>
  Effect.callback<void>((resume) => {
    const { stdin } = child
    if (stdin === null || stdin.destroyed || stdin.write(bytes)) return resume(Effect.void)
    const forget = () => stdin.off("drain", done).off("close", done)
    const done = () => {
      forget()
      resume(Effect.void)
    }
    stdin.on("drain", done).on("close", done)
    return Effect.sync(forget)
  })

/**
 * Writes the content to the child's input, and returns what it wrote after its greeting "ready": an incomplete output is of
 * a child that a limit ended. Undefined: it wrote more than `maxOutput` bytes. Dies with Overloaded when the child does not
 * start.
 */
export const runChild = <E, R>(
  program: ChildProgram,
  limits: ChildLimits,
  options: unknown,
  content: Stream.Stream<Uint8Array, E, R>,
  maxOutput: number,
): Effect.Effect<Buffer | undefined, E, R> =>
  Effect.gen(function* () {
    const chunks: Array<Buffer> = []
    let length = 0
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => start(program, limits, options)),
      (started) => Effect.sync(() => started.kill("SIGKILL")),
    )
    const ended = Effect.callback<Buffer | undefined>((resume) => {
      const timer = setTimeout(() => child.kill("SIGKILL"), Duration.toMillis(limits.timeout))
      child.on("error", (error) => resume(Effect.die(notStarted(program, error.message))))
      child.stdout?.on("data", (chunk: Buffer) => {
        length += chunk.length
        if (length > maxOutput) child.kill("SIGKILL")
        else chunks.push(chunk)
      })
      child.on("close", () => {
        clearTimeout(timer)
        resume(outputOf(program, Buffer.concat(chunks), length > maxOutput))
      })
      // the close event reports a child that ends early
      child.stdin?.on("error", () => {})
      return Effect.sync(() => clearTimeout(timer))
    })
    const fed = Stream.runForEach(content, (bytes) => write(child, bytes)).pipe(
      Effect.andThen(Effect.sync(() => void child.stdin?.end())),
    )
    // the child may end before it has read everything
    return yield* Effect.raceFirst(ended, Effect.andThen(fed, Effect.never))
  }).pipe(Effect.scoped)
