/**
 * Transcribes recordings over POST {url}/audio/transcriptions of OpenAI's API, which speaches, faster-whisper-server, LocalAI
 * and vLLM also have. Asks for `verbose_json`, the only format with the times of segments.
 */
import { Duration, Effect, Layer, Result, Schema, Semaphore, Stream } from "effect"
import type { AiError } from "effect/ai"
import { HttpClient } from "effect/http"
import {
  errorOfStatus,
  isSuccess,
  isTransient,
  post,
  reasonOf,
  retries,
  type Server,
  timeoutReason,
  unusable,
} from "../evaluations/model/ModelServer.ts"
import { recordedFormats } from "../files/FileType.ts"
import { operatorClient } from "../platform/outbound/OperatorClient.ts"
import type { OutboundProxy } from "../values/OutboundProxy.ts"
import { type Speech, Transcriber, TranscriberUnavailable, type Transcription } from "./Transcriber.ts"
import { Segment } from "./Transcript.ts"

export interface TranscriberOptions extends Server {
  readonly proxy?: OutboundProxy | undefined
  /** Limit of one request; 5 minutes by default: a small server transcribes ten minutes of speech in about two. */
  readonly timeout?: Duration.Duration
  /** Delay before the first retry; 1 second by default. It doubles for the next. */
  readonly firstRetry?: Duration.Duration
}

/** OpenAI's limit of a file. */
const maxFileBytes = 25 * 1024 * 1024
const maxReplyBytes = 8 * 1024 * 1024
/** At a time, per process: each has its file in memory. */
const maxRequests = 2
/** Limit of one call with its retries; below the lease (RecordingQueue.ts). */
const maxTime = Duration.minutes(16)

const Reply = Schema.fromJsonString(
  Schema.Struct({
    text: Schema.String,
    language: Schema.optionalKey(Schema.NullOr(Schema.String)),
    duration: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.Finite, Schema.NumberFromString]))),
    segments: Schema.optionalKey(Schema.NullOr(Schema.Array(Segment))),
  }),
)
const decodeReply = Schema.decodeUnknownResult(Reply)

/** Servers name a language by its tag, "de", or in English, "german". */
const tagOf = (language: string | null | undefined): string | null => {
  const name = language?.trim().toLowerCase() ?? ""
  if (/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/.test(name) && name.length < 4) return name
  return languageTags().get(name) ?? null
}

/** Tags of ISO 639-1 by their English names, from Node's own table. */
const languageTags = (() => {
  let known: ReadonlyMap<string, string> | undefined
  return () => {
    if (known !== undefined) return known
    const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" })
    const letters = [..."abcdefghijklmnopqrstuvwxyz"]
    const tags = letters.flatMap((first) => letters.map((second) => first + second))
    known = new Map(
      tags.flatMap((tag) => {
        const name = names.of(tag)
        return name === undefined ? [] : [[name.toLowerCase(), tag] as const]
      }),
    )
    return known
  }
})()

/** A server without segments answers with text alone: one segment of the whole length. */
const transcriptionOf = (body: string): Result.Result<Transcription, AiError.AiError> => {
  const reply = decodeReply(body)
  if (Result.isFailure(reply)) return Result.fail(unusable("its response is not a transcription"))
  const { duration, language, segments, text } = reply.success
  const whole = text.trim() === "" ? [] : [{ start: 0, end: duration ?? 0, text }]
  const isDivided = segments !== null && segments !== undefined && segments.length > 0
  return Result.succeed({ language: tagOf(language), segments: isDivided ? segments : whole })
}

/** Servers recognize the container by the ending of the file's name. */
const endingOf = (contentType: string): string =>
  recordedFormats.find((one) => one.contentType === contentType)?.ending ?? "webm"

const ask = Effect.fnUntraced(function* (client: HttpClient.HttpClient, server: Server, file: Blob, speech: Speech) {
  const form = new FormData()
  form.set("file", file, `answer.${endingOf(speech.contentType)}`)
  form.set("model", server.name)
  form.set("response_format", "verbose_json")
  form.append("timestamp_granularities[]", "segment")
  const [language] = speech.language?.toLowerCase().split("-") ?? []
  if (language !== undefined) form.set("language", language)
  const { body, response } = yield* post(client, server, "/audio/transcriptions", form, maxReplyBytes)
  if (!isSuccess(response)) return yield* yield* errorOfStatus("TRANSCRIBE", response, body)
  return yield* Effect.fromResult(transcriptionOf(body))
})

const unavailable = (error: AiError.AiError) =>
  new TranscriberUnavailable({ reason: reasonOf("TRANSCRIBE", error), retryable: isTransient(error) })

const timedOut = (waited: Duration.Duration) =>
  new TranscriberUnavailable({ reason: timeoutReason("TRANSCRIBE", waited), retryable: true })

const tooLarge = new TranscriberUnavailable({
  reason: `The sound of the recording has more than ${maxFileBytes / 1024 / 1024} MiB.`,
  retryable: false,
})

export const make = Effect.fnUntraced(function* ({
  firstRetry = Duration.seconds(1),
  timeout = Duration.minutes(5),
  ...server
}: TranscriberOptions) {
  const client = yield* HttpClient.HttpClient
  const requests = yield* Semaphore.make(maxRequests)
  const schedule = retries(firstRetry)

  const transcribe = Effect.fn("OpenAiTranscriber.transcribe")(
    function* (speech: Speech) {
      if (speech.size > maxFileBytes) return yield* tooLarge
      const file = new Blob(
        [...(yield* Stream.runCollect(speech.content))].map((bytes) => new Uint8Array(bytes)),
        {
          type: speech.contentType,
        },
      )
      return yield* Effect.timeout(ask(client, server, file, speech), timeout).pipe(
        Effect.retry(schedule),
        Effect.catchTag("TimeoutError", () => Effect.fail(timedOut(timeout))),
        Effect.catchTag("AiError", (error) => Effect.fail(unavailable(error))),
        Effect.timeoutOrElse({ duration: maxTime, orElse: () => Effect.fail(timedOut(maxTime)) }),
      )
    },
    (effect) => requests.withPermit(effect),
  )
  return { model: server.name, transcribe }
})

export const layer = (options: TranscriberOptions) =>
  Layer.effect(Transcriber, make(options)).pipe(Layer.provide(operatorClient(options.proxy)))
