/**
 * CvReader in child processes, one for each file: what a hostile file does to the process that reads it, it does to that
 * process alone. A worker thread would not do: it shares the memory that a file may exhaust.
 *
 * A child has limits on its heap, its memory, its CPU time and its time; an empty environment; Node's permissions, which
 * leave it the files of this program and no processes or threads of its own; and a voice of some hundred kilobytes. Node 24
 * has no permission for the network; what would use it is code, and a file brings data alone.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, realpathSync } from "node:fs"
import { createRequire, findPackageJSON } from "node:module"
import { dirname, extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Duration, Effect, Layer, Result, Schema, Semaphore } from "effect"
import { limitedCommand } from "../platform/limitedCommand.ts"
import { Overloaded } from "../values/Problem.ts"
import { CvContent, longestCvText, mostCvPages, UnreadableCv } from "./Cv.ts"
import { CvReader, CvUnreadable } from "./CvReader.ts"

export interface ChildLimits {
  /** Children of this process at once; the others wait. */
  readonly children: number
  /** From its start to its answer: long, since it may be the machine that is slow, and CPU time is what tells. */
  readonly timeout: Duration.Duration
  /** Of CPU time, all threads together. */
  readonly cpuSeconds: number
  /** Of its JavaScript heap. */
  readonly heapMegabytes: number
  /**
   * Of memory that it may write to (RLIMIT_DATA, Linux 4.7 or newer). Node counts for 620 MB there and uses 85 MB of them
   * (measured, Node 24), so some 500 MB less than this is what it may use. A limit of the address space would not do: Node
   * reserves 10 GB of that and goes without where it can not, so that whether a limit is met is a matter of luck.
   */
  readonly dataMegabytes: number
}

/**
 * Measured with a CV of two pages on Node 24: 0.4 s of CPU time and 107 MB as PDF, 0.25 s and 87 MB as DOCX; of that, the
 * start of the process and of what reads is 0.2 s and 84 MB.
 */
export const childLimits: ChildLimits = {
  children: 2,
  timeout: Duration.seconds(60),
  cpuSeconds: 10,
  heapMegabytes: 256,
  dataMegabytes: 1_024,
}

/** Bytes of an answer: the longest text in JSON, where a character may take six, and what stands around it. */
const maxAnswerBytes = 6 * longestCvText + 64 * 1024

const folder = fileURLToPath(new URL("./reader/", import.meta.url))
/** Compiled like this file, or not. */
const entry = join(folder, `main${extname(import.meta.filename)}`)

/**
 * The folders that the child's program is in: its own, those where packages are looked for, and those of the packages that
 * it names. Folders may be links to others, and both names are asked for.
 */
const readable = (() => {
  const packages = ["unpdf", "fflate", "saxes", "htmlparser2", "@csstools/css-tokenizer", "libphonenumber-js/min"].map(
    (name) => {
      const path = fileURLToPath(import.meta.resolve(name))
      const modules = path.lastIndexOf("node_modules")
      return modules < 0 ? dirname(path) : path.slice(0, modules + "node_modules".length)
    },
  )
  const manifest = findPackageJSON(import.meta.url)
  const searched =
    createRequire(import.meta.url)
      .resolve.paths("unpdf")
      ?.filter(existsSync) ?? []
  const folders = new Set([folder, ...searched, ...packages].flatMap((path) => [path, realpathSync(path)]))
  return [
    ...[...folders].flatMap((path) => [path, join(path, "*")]),
    ...(manifest === undefined ? [] : [manifest, realpathSync(manifest)]),
  ]
})()

const start = ({ dataMegabytes, cpuSeconds, heapMegabytes }: ChildLimits): ChildProcess => {
  const args = [
    "--permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    "--disallow-code-generation-from-strings",
    "--no-warnings",
    "--v8-pool-size=1",
    `--max-old-space-size=${heapMegabytes}`,
    entry,
    String(longestCvText),
    String(mostCvPages),
  ]
  const [command, ...rest] = limitedCommand({ cpuSeconds, dataMegabytes }, args)
  return spawn(command, rest, { env: {}, cwd: folder, stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
}

const Answer = Schema.fromJsonString(
  Schema.Union([Schema.Struct({ content: CvContent }), Schema.Struct({ reason: UnreadableCv })]),
)
const decode = Schema.decodeUnknownResult(Answer)

/** The error of a child that ended before it read the file: the file is not the cause. */
const notStarted = (why: string) =>
  new Overloaded({ reason: `the process that reads CVs did not start: ${why}`, retryAfter: 10 })

/** What a child's words amount to, once it has ended. */
const outcome = (said: string, isTooLong: boolean): Effect.Effect<CvContent, CvUnreadable> => {
  if (isTooLong) return Effect.fail(new CvUnreadable({ reason: "too_complex" }))
  const [greeting, answer = ""] = said.split("\n")
  if (greeting !== "ready") return Effect.die(notStarted("it ended at once"))
  // killed by a limit, or ended by what it met: either way it was the file
  if (!said.endsWith("\n") || answer === "") return Effect.fail(new CvUnreadable({ reason: "too_complex" }))
  const decoded = decode(answer)
  if (Result.isFailure(decoded)) return Effect.fail(new CvUnreadable({ reason: "damaged" }))
  return "content" in decoded.success
    ? Effect.succeed(decoded.success.content)
    : Effect.fail(new CvUnreadable({ reason: decoded.success.reason }))
}

const readIn = (limits: ChildLimits, file: Uint8Array): Effect.Effect<CvContent, CvUnreadable> =>
  Effect.callback((resume) => {
    const child = start(limits)
    const chunks: Array<Buffer> = []
    let length = 0
    const kill = () => child.kill("SIGKILL")
    const timer = setTimeout(kill, Duration.toMillis(limits.timeout))
    child.on("error", (error) => {
      clearTimeout(timer)
      resume(Effect.die(notStarted(error.message)))
    })
    child.stdout?.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (length > maxAnswerBytes) kill()
      else chunks.push(chunk)
    })
    child.on("close", () => {
      clearTimeout(timer)
      resume(outcome(Buffer.concat(chunks).toString("utf8"), length > maxAnswerBytes))
    })
    // a child that ends before it has read everything says why by other means
    child.stdin?.on("error", () => {})
    child.stdin?.end(file)
    return Effect.sync(() => {
      clearTimeout(timer)
      kill()
    })
  })

export const layer = (limits: ChildLimits = childLimits): Layer.Layer<CvReader> =>
  Layer.effect(
    CvReader,
    Effect.gen(function* () {
      const children = yield* Semaphore.make(limits.children)
      return CvReader.of({
        read: Effect.fn("ChildCvReader.read")((file) => children.withPermit(readIn(limits, file))),
      })
    }),
  )
