/**
 * Reads each CV in a child process of its own, so that a hostile file harms no other. Worker threads share memory.
 *
 * A child has limits of memory, CPU time, time and output, an empty environment, and Node's permissions: it reads only
 * this program's files and starts no process or thread. Node 24 cannot forbid the network.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, realpathSync } from "node:fs"
import { createRequire, findPackageJSON } from "node:module"
import { dirname, extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Duration, Effect, Layer, Result, Schema, Semaphore } from "effect"
import { limitedCommand } from "../platform/limitedCommand.ts"
import { Overloaded } from "../values/Problem.ts"
import { CvContent, maxCvPages, maxCvTextLength, maxOcrPages, maxPicturePixels } from "./Cv.ts"
import { CvReader, CvUnreadable } from "./CvReader.ts"
import { ocrLanguagesOf, type ReaderOptions } from "./reader/ReaderOptions.ts"
import { UnreadableCv } from "./UnreadableCv.ts"

export interface FileLimits {
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

export interface ChildLimits extends FileLimits {
  readonly children: number
  /** Of the second process, which reads scans and pictures; undefined: they are not read. */
  readonly ocr: FileLimits | undefined
}

/**
 * Two pages take 0.4 s of CPU time and 107 MB as PDF, 0.25 s and 87 MB as DOCX; 0.2 s and 84 MB of it for starting
 * (Node 24). A page that is read by OCR takes 2 to 4 s and 300 MB, a photo of 24 megapixels 430 MB.
 */
export const childLimits: ChildLimits = {
  children: 2,
  timeout: Duration.seconds(60),
  cpuSeconds: 10,
  heapMegabytes: 256,
  dataMegabytes: 1_024,
  ocr: { timeout: Duration.seconds(120), cpuSeconds: 60, heapMegabytes: 256, dataMegabytes: 1_536 },
}

/** Scans and pictures are unreadable. */
export const withoutOcr: ChildLimits = { ...childLimits, ocr: undefined }

/** JSON needs up to six bytes for a UTF-16 code unit. */
const maxAnswerBytes = 6 * maxCvTextLength + 64 * 1024

const folder = fileURLToPath(new URL("./reader/", import.meta.url))
const entry = join(folder, `main${extname(import.meta.filename)}`)

/** Modules outside of the reader's directory that it imports. */
const shared = [
  "../files/FileType",
  "../values/definedOnly",
  "../values/TextFile",
  "../values/CodePages",
  "../values/EncodingGuess",
].map((module) => fileURLToPath(new URL(module + extname(import.meta.filename), import.meta.url)))

/** True in the bundle, which contains the reader's packages; otherwise not defined (build.ts). */
declare const BUNDLED: true | undefined

/** Directories of the reader's packages, and the directories in which Node searches for packages. */
const packageFolders = (): ReadonlyArray<string> => {
  const packages = [
    "unpdf",
    "fast-png",
    "fflate",
    "saxes",
    "htmlparser2",
    "word-extractor/lib/buffer-reader.js",
    "@csstools/css-tokenizer",
    "libphonenumber-js/min",
  ].map((name) => {
    const path = fileURLToPath(import.meta.resolve(name))
    const modules = path.lastIndexOf("node_modules")
    return modules < 0 ? dirname(path) : path.slice(0, modules + "node_modules".length)
  })
  const searched =
    createRequire(import.meta.url)
      .resolve.paths("unpdf")
      ?.filter(existsSync) ?? []
  return [...searched, ...packages]
}

const readable = (() => {
  const manifest = findPackageJSON("..", import.meta.url)
  const reads = typeof BUNDLED !== "undefined" ? [folder] : [folder, ...packageFolders(), ...shared]
  const folders = new Set(reads.flatMap((path) => [path, realpathSync(path)]))
  return [
    ...[...folders].flatMap((path) => [path, join(path, "*")]),
    ...(manifest === undefined ? [] : [manifest, realpathSync(manifest)]),
  ]
})()

const start = ({ cpuSeconds, dataMegabytes, heapMegabytes }: FileLimits, ocr: ReaderOptions["ocr"]): ChildProcess => {
  const options: ReaderOptions = {
    maxTextLength: maxCvTextLength,
    maxPages: maxCvPages,
    maxOcrPages,
    maxPicturePixels,
    ocr,
  }
  const args = [
    "--permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    "--disallow-code-generation-from-strings",
    "--no-warnings",
    "--v8-pool-size=1",
    `--max-old-space-size=${heapMegabytes}`,
    entry,
    JSON.stringify(options),
  ]
  const [command, ...rest] = limitedCommand({ cpuSeconds, dataMegabytes }, args)
  return spawn(command, rest, { env: {}, cwd: folder, stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
}

const Answer = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({ content: CvContent }),
    Schema.Struct({ reason: UnreadableCv }),
    Schema.Struct({ needsOcr: Schema.Literal(true) }),
  ]),
)
const decode = Schema.decodeUnknownResult(Answer)

/** The file is not the cause: the child had not read it. */
const notStarted = (why: string) =>
  new Overloaded({ reason: `the process that reads CVs did not start: ${why}`, retryAfter: 10 })

/** Undefined: the text of pictures is needed. */
const outcome = (output: string, isTooLong: boolean): Effect.Effect<CvContent | undefined, CvUnreadable> => {
  if (isTooLong) return Effect.fail(new CvUnreadable({ reason: "too_complex" }))
  const [greeting, answer = ""] = output.split("\n")
  if (greeting !== "ready") return Effect.die(notStarted("it ended before it was ready"))
  // killed by a limit, or crashed by the file
  if (!output.endsWith("\n") || answer === "") return Effect.fail(new CvUnreadable({ reason: "too_complex" }))
  const decoded = decode(answer)
  if (Result.isFailure(decoded)) return Effect.fail(new CvUnreadable({ reason: "damaged" }))
  if ("needsOcr" in decoded.success) return Effect.undefined
  return "content" in decoded.success
    ? Effect.succeed(decoded.success.content)
    : Effect.fail(new CvUnreadable({ reason: decoded.success.reason }))
}

const readIn = (
  limits: FileLimits,
  file: Uint8Array,
  ocr: ReaderOptions["ocr"],
): Effect.Effect<CvContent | undefined, CvUnreadable> =>
  Effect.callback((resume) => {
    const child = start(limits, ocr)
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
    // the close event reports a child that ends early
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
      const { ocr } = limits
      const children = yield* Semaphore.make(limits.children)
      // a child is kept for files without OCR, which take less time
      const recognizing = yield* Semaphore.make(Math.max(1, limits.children - 1))
      return CvReader.of({
        read: Effect.fn("ChildCvReader.read")(function* (file, languages) {
          const content = yield* children.withPermit(readIn(limits, file, ocr === undefined ? "off" : "later"))
          if (content !== undefined) return content
          // a process of its own, so that its limits are not those of every file
          const recognized =
            ocr === undefined
              ? undefined
              : yield* readIn(ocr, file, { languages: ocrLanguagesOf(languages) }).pipe(
                  children.withPermit,
                  recognizing.withPermit,
                )
          return recognized ?? (yield* new CvUnreadable({ reason: "no_text" }))
        }),
      })
    }),
  )
