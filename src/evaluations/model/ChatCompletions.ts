/**
 * effect's LanguageModel over the chat-completions API that OpenAI began and most servers of models speak:
 * POST {url}/chat/completions. One request, one JSON object; no streams, no tools.
 *
 * Its errors are those of failure.ts and hold nothing of what was sent or answered, because spans and logs record errors.
 */
import { Effect, type Redacted, Ref, Result, Schema, Stream } from "effect"
import { AiError, LanguageModel, OpenAiStructuredOutput, type Prompt, type Response } from "effect/ai"
import { HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { storable } from "../Evaluation.ts"
import { Answer, jsonIn } from "./answer.ts"
import { type Dialect, richest, simpler } from "./dialect.ts"
import { away, declined, failure, ofStatus, unusable } from "./failure.ts"

export interface Server {
  /** What /chat/completions follows. */
  readonly url: string
  /** Servers on one's own machines often ask for none. */
  readonly key: Redacted.Redacted | undefined
  readonly name: string
}

/** Readings of the same text should differ where the text leaves it open, and nowhere else. */
const temperature = 0.5

/** No answer of that many tokens is longer. In bytes. */
const mostBytes = 1024 * 1024

const Text = Schema.NullishOr(Schema.String)
const Count = Schema.NullishOr(Schema.Int)
const Reply = Schema.fromJsonString(
  Schema.Struct({
    model: Schema.optionalKey(Text),
    choices: Schema.NonEmptyArray(
      Schema.Struct({
        message: Schema.Struct({ content: Schema.optionalKey(Text), refusal: Schema.optionalKey(Text) }),
        finish_reason: Schema.optionalKey(Text),
      }),
    ),
    usage: Schema.optionalKey(
      Schema.NullishOr(
        Schema.Struct({ prompt_tokens: Schema.optionalKey(Count), completion_tokens: Schema.optionalKey(Count) }),
      ),
    ),
  }),
)
const decodeReply = Schema.decodeUnknownResult(Reply)

const { codec, jsonSchema } = OpenAiStructuredOutput.toCodecOpenAI(Answer)
const decodeAnswer = Schema.decodeUnknownResult(Schema.fromJsonString(codec))

const formats = {
  json_schema: { type: "json_schema", json_schema: { name: "evaluation", strict: true, schema: jsonSchema } },
  json_object: { type: "json_object" },
  text: undefined,
} as const

const messagesOf = (prompt: Prompt.Prompt): ReadonlyArray<{ readonly role: string; readonly content: string }> =>
  prompt.content.flatMap((message) => {
    if (message.role === "system") return [{ role: "system", content: message.content }]
    if (message.role !== "user") return []
    return [{ role: "user", content: message.content.map((part) => (part.type === "text" ? part.text : "")).join("") }]
  })

/** As undici names it: ECONNREFUSED, UND_ERR_SOCKET. */
const causeOf = ({ reason }: HttpClientError.HttpClientError): string => {
  const cause: unknown = reason.cause
  const code: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, "code") : undefined
  return typeof code === "string" && /^\w{1,40}$/.test(code) ? ` (${code})` : ""
}

const unreachable = (error: HttpClientError.HttpClientError) => away(`it can not be reached${causeOf(error)}`)

/** The body up to `mostBytes`; an endless one is given up. */
const bodyOf = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<string, AiError.AiError> =>
  response.stream.pipe(
    Stream.mapError((error) => away(`its answer broke off${causeOf(error)}`)),
    Stream.runFoldEffect(
      (): { readonly chunks: Array<Uint8Array>; size: number } => ({ chunks: [], size: 0 }),
      (body, chunk) => {
        body.chunks.push(chunk)
        body.size += chunk.byteLength
        return body.size > mostBytes ? Effect.fail(unusable("its answer is too long")) : Effect.succeed(body)
      },
    ),
    Effect.map(({ chunks }) => Buffer.concat(chunks).toString("utf8")),
  )

/** What a reply says, or why it says nothing. */
const partsOf = (body: string): Result.Result<Array<Response.PartEncoded>, AiError.AiError> => {
  const reply = decodeReply(body)
  if (Result.isFailure(reply)) return Result.fail(unusable("its answer is no chat completion"))
  const { choices, model, usage } = reply.success
  const { finish_reason, message } = choices[0]
  if (message.refusal || finish_reason === "content_filter") return Result.fail(declined("the model declined"))
  if (finish_reason === "length") return Result.fail(unusable("the model's answer was cut off"))
  const text = jsonIn(message.content ?? "")
  if (Result.isFailure(decodeAnswer(text))) return Result.fail(unusable("the model's answer is not what was asked for"))
  return Result.succeed([
    ...(model ? [{ type: "response-metadata" as const, modelId: storable(model.slice(0, 200)) }] : []),
    { type: "text", text },
    {
      type: "finish",
      reason: "stop",
      usage: {
        inputTokens: { total: usage?.prompt_tokens ?? undefined },
        outputTokens: { total: usage?.completion_tokens ?? undefined },
      },
    },
  ])
}

/**
 * One model for each seed, so that the same seed may give the same answer again. They share what they learn of the
 * server: the dialect that it took last. Answers are decoded here, because an error of a decoder quotes what it decoded.
 */
export const models = Effect.fnUntraced(function* ({ key, name, url }: Server, seeds: ReadonlyArray<number>) {
  const client = yield* HttpClient.HttpClient
  const learned = yield* Ref.make(richest)

  const send = (dialect: Dialect, seed: number, prompt: Prompt.Prompt) =>
    HttpClientRequest.post(`${url}/chat/completions`).pipe(
      key === undefined ? (request) => request : HttpClientRequest.bearerToken(key),
      HttpClientRequest.acceptJson,
      HttpClientRequest.bodyJsonUnsafe({
        model: name,
        messages: messagesOf(prompt),
        response_format: formats[dialect.format],
        ...(dialect.hasTemperature ? { temperature } : {}),
        ...(dialect.hasSeed ? { seed } : {}),
        [dialect.limit]: dialect.tokens,
      }),
      client.execute,
      Effect.mapError(unreachable),
      // where this request comes from is nobody else's business
      Effect.provideService(HttpClient.TracerPropagationEnabled, false),
    )

  const ask = Effect.fnUntraced(function* (seed: number, prompt: Prompt.Prompt) {
    let dialect = yield* Ref.get(learned)
    while (true) {
      const response = yield* send(dialect, seed, prompt)
      const body = yield* bodyOf(response)
      if (response.status >= 200 && response.status < 300) {
        yield* Ref.set(learned, dialect)
        return yield* Effect.fromResult(partsOf(body))
      }
      const isOption = response.status === 400 || response.status === 422
      const error = yield* ofStatus(response, body)
      const next = isOption && error.reason._tag === "InvalidRequestError" ? simpler(dialect, body) : undefined
      if (next === undefined) return yield* error
      dialect = next
    }
  })

  return yield* Effect.forEach(seeds, (seed) =>
    LanguageModel.make({
      codecTransformer: OpenAiStructuredOutput.toCodecOpenAI,
      generateText: ({ prompt }) => ask(seed, prompt),
      streamText: () =>
        Stream.fail(failure(new AiError.InvalidRequestError({ description: "answers are not streamed" }))),
    }),
  )
})
