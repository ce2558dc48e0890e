/**
 * Embeds texts with a model over POST {url}/embeddings of OpenAI's API.
 *
 * Does not use Effect's EmbeddingModel: its schema checks each number, which takes 30 ms for a large response, three
 * times as long as parsing it, and blocks the process.
 */
import { Duration, Effect, Layer, Result, Schema, Semaphore } from "effect"
import type { AiError } from "effect/ai"
import { HttpClient } from "effect/http"
import { operatorClient } from "../platform/outbound/OperatorClient.ts"
import type { OutboundProxy } from "../values/OutboundProxy.ts"
import { Embedder, EmbedderUnavailable, type TextEmbedder, type Vector } from "./Embedder.ts"
import { clip, storable } from "./Evaluation.ts"
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
} from "./model/ModelServer.ts"

export interface EmbedderOptions extends Server {
  readonly proxy?: OutboundProxy | undefined
  /** Limit of one request; 1 minute by default. */
  readonly timeout?: Duration.Duration
  /** Delay before the first retry; 1 second by default. It doubles for the next. */
  readonly firstRetry?: Duration.Duration
}

/** Per request: the default limit of Hugging Face's server, the lowest of the common servers. */
const maxTexts = 32
/** At a time, per process. */
const maxRequests = 4
/** Of a text, in code points: fits a context of 512 tokens. */
const maxLength = 1_000
const maxDimension = 8_192
const maxReplyBytes = 8 * 1024 * 1024
/** Limit of one call with all its requests and retries; below the lease (EvaluationQueue.ts). */
const maxTime = Duration.minutes(6)

const Numbers = Schema.declare(
  (value): value is ReadonlyArray<number> =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= maxDimension &&
    value.every((one) => typeof one === "number"),
)
const Reply = Schema.fromJsonString(
  Schema.Struct({ data: Schema.Array(Schema.Struct({ index: Schema.Int, embedding: Numbers })) }),
)
const decodeReply = Schema.decodeUnknownResult(Reply)

/** Sorts by `index`, because servers may return embeddings in another order. */
const vectorsOf = (body: string, count: number): Result.Result<ReadonlyArray<Vector>, AiError.AiError> => {
  const reply = decodeReply(body)
  if (Result.isFailure(reply)) return Result.fail(unusable("its response is not a list of embeddings"))
  const byIndex = new Map(reply.success.data.map(({ embedding, index }) => [index, Float32Array.from(embedding)]))
  const vectors = Array.from({ length: count }, (_, index) => byIndex.get(index)).filter((one) => one !== undefined)
  if (vectors.length !== count || reply.success.data.length !== count)
    return Result.fail(unusable("its response does not have one embedding for each text"))
  return vectors.every((vector) => vector.every(Number.isFinite))
    ? Result.succeed(vectors)
    : Result.fail(unusable("its response has a number that is not finite"))
}

const ask = Effect.fnUntraced(function* (client: HttpClient.HttpClient, server: Server, input: ReadonlyArray<string>) {
  const { body, response } = yield* post(client, server, "/embeddings", { model: server.name, input }, maxReplyBytes)
  if (!isSuccess(response)) return yield* yield* errorOfStatus("EMBEDDINGS", response, body)
  return yield* Effect.fromResult(vectorsOf(body, input.length))
})

const unavailable = (error: AiError.AiError) =>
  new EmbedderUnavailable({ reason: reasonOf("EMBEDDINGS", error), retryable: isTransient(error) })

const timedOut = (waited: Duration.Duration) =>
  new EmbedderUnavailable({ reason: timeoutReason("EMBEDDINGS", waited), retryable: true })

const batchesOf = (texts: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(texts.length / maxTexts) }, (_, at) => texts.slice(at * maxTexts, (at + 1) * maxTexts))

export const make = Effect.fnUntraced(function* ({
  firstRetry = Duration.seconds(1),
  timeout = Duration.minutes(1),
  ...server
}: EmbedderOptions) {
  const client = yield* HttpClient.HttpClient
  const requests = yield* Semaphore.make(maxRequests)
  const schedule = retries(firstRetry)

  const embedBatch = (batch: ReadonlyArray<string>) =>
    requests.withPermit(Effect.timeout(ask(client, server, batch), timeout)).pipe(
      Effect.retry(schedule),
      Effect.catchTag("TimeoutError", () => Effect.fail(timedOut(timeout))),
      Effect.catchTag("AiError", (error) => Effect.fail(unavailable(error))),
    )

  const embed = Effect.fn("OpenAiEmbedder.embed")(function* (texts: ReadonlyArray<string>) {
    const clipped = texts.map((text) => clip(storable(text), maxLength))
    const vectors = (yield* Effect.forEach(batchesOf(clipped), embedBatch, { concurrency: maxRequests }).pipe(
      Effect.timeoutOrElse({ duration: maxTime, orElse: () => Effect.fail(timedOut(maxTime)) }),
    )).flat()
    if (new Set(vectors.map(({ length }) => length)).size > 1)
      return yield* unavailable(unusable("its embeddings differ in dimension"))
    return vectors
  })

  const embedder: TextEmbedder = { model: server.name, embed }
  return embedder
})

export const layer = (options: EmbedderOptions) =>
  Layer.effect(Embedder, make(options)).pipe(Layer.provide(operatorClient(options.proxy)))
