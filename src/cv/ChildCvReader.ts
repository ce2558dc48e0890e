/**
 * Reads each CV in a child process of its own (platform/ChildProgram.ts).
 */
import { Duration, Effect, Layer, Result, Schema, Semaphore, Stream } from "effect"
import { childProgram, type ChildLimits as FileLimits, runChild } from "../platform/ChildProgram.ts"
import { CvContent, maxCvPages, maxCvTextLength, maxOcrPages, maxPicturePixels } from "./Cv.ts"
import { CvReader, CvUnreadable } from "./CvReader.ts"
import { ocrLanguagesOf, type ReaderOptions } from "./reader/ReaderOptions.ts"
import { UnreadableCv } from "./UnreadableCv.ts"

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

const program = childProgram({
  reads: "CVs",
  folder: new URL("./reader/", import.meta.url),
  modules: ["FileType", "definedOnly", "TextFile", "CodePages", "EncodingGuess"].map(
    (module) => new URL(`../${module === "FileType" ? "files" : "values"}/${module}`, import.meta.url),
  ),
  packages: [
    "unpdf",
    "fast-png",
    "fflate",
    "saxes",
    "htmlparser2",
    "word-extractor/lib/buffer-reader.js",
    "@csstools/css-tokenizer",
    "libphonenumber-js/min",
  ],
})

const Answer = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({ content: CvContent }),
    Schema.Struct({ reason: UnreadableCv }),
    Schema.Struct({ needsOcr: Schema.Literal(true) }),
  ]),
)
const decode = Schema.decodeUnknownResult(Answer)

/** Undefined: the text of pictures is needed. */
const outcome = (output: Buffer | undefined): Effect.Effect<CvContent | undefined, CvUnreadable> => {
  const answer = output?.toString("utf8")
  // killed by a limit, or crashed by the file
  if (answer === undefined || !answer.endsWith("\n")) return Effect.fail(new CvUnreadable({ reason: "too_complex" }))
  const decoded = decode(answer)
  if (Result.isFailure(decoded)) return Effect.fail(new CvUnreadable({ reason: "damaged" }))
  if ("needsOcr" in decoded.success) return Effect.undefined
  return "content" in decoded.success
    ? Effect.succeed(decoded.success.content)
    : Effect.fail(new CvUnreadable({ reason: decoded.success.reason }))
}

const readIn = (limits: FileLimits, file: Uint8Array, ocr: ReaderOptions["ocr"]) => {
  const options: ReaderOptions = {
    maxTextLength: maxCvTextLength,
    maxPages: maxCvPages,
    maxOcrPages,
    maxPicturePixels,
    ocr,
  }
  return Effect.flatMap(runChild(program, limits, options, Stream.succeed(file), maxAnswerBytes), outcome)
}

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
