/**
 * Effect's LanguageModel over POST {url}/chat/completions of OpenAI's API, without streams or tools.
 *
 * Errors hold no key, request or answer, because spans and logs record them. Servers may refuse an option with 400 or
 * 422; each refusal removes one.
 */
import { Clock, Duration, Effect, type Redacted, Ref, Result, Schema, Stream } from "effect"
import { AiError, LanguageModel, OpenAiStructuredOutput, type Prompt, type Response } from "effect/ai"
import { HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { storable } from "../Evaluation.ts"
import { Answer, jsonIn } from "./ModelOutput.ts"

export interface Dialect {
  readonly format: "json_schema" | "json_object" | "text"
  readonly hasSeed: boolean
  readonly hasTemperature: boolean
  readonly limit: "max_tokens" | "max_completion_tokens"
  readonly tokens: 16_000 | 4_000
}

/** 40 requirements need a third of these tokens; thinking needs more. */
export const richest: Dialect = {
  format: "json_schema",
  hasSeed: true,
  hasTemperature: true,
  limit: "max_tokens",
  tokens: 16_000,
}

const simplerFormat = { json_schema: "json_object", json_object: "text", text: "text" } as const

/** Undefined: no option is left to remove. */
export const simpler = (dialect: Dialect, body: string): Dialect | undefined => {
  const named = (pattern: RegExp) => pattern.test(body)
  if (dialect.limit === "max_tokens" && named(/max_completion_tokens/)) {
    return { ...dialect, limit: "max_completion_tokens" }
  }
  if (dialect.tokens > 4_000 && named(/max_tokens|max_completion_tokens|context.?(?:length|window|size)/)) {
    return { ...dialect, tokens: 4_000 }
  }
  if (dialect.hasTemperature && named(/\btemperature\b/)) return { ...dialect, hasTemperature: false }
  if (dialect.hasSeed && named(/\bseed\b/)) return { ...dialect, hasSeed: false }
  if (dialect.format !== "text") return { ...dialect, format: simplerFormat[dialect.format] }
  if (dialect.hasSeed) return { ...dialect, hasSeed: false }
  return dialect.hasTemperature ? { ...dialect, hasTemperature: false } : undefined
}

export const failure = (reason: AiError.AiErrorReason): AiError.AiError =>
  AiError.make({ module: "ChatCompletions", method: "generateText", reason })

export const away = (description: string) => failure(new AiError.InternalProviderError({ description }))

export const unusable = (description: string) => failure(new AiError.InvalidOutputError({ description }))

export const declined = (description: string) => failure(new AiError.ContentPolicyError({ description }))

const wrong = (description: string) => failure(new AiError.InvalidRequestError({ description }))

/** In seconds or as a date (RFC 9110, 10.2.3). */
const retryAfter = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<Duration.Duration | undefined> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const header = response.headers["retry-after"]?.trim() ?? ""
    if (/^\d{1,9}(?:\.\d+)?$/.test(header)) return Duration.seconds(Number(header))
    const date = Date.parse(header)
    return Number.isNaN(date) ? undefined : Duration.millis(Math.max(0, date - now))
  })

const codeOf = (body: string): string => /"(?:code|type)"\s*:\s*"([a-z][\w.-]{0,60})"/i.exec(body)?.[1] ?? ""

export const ofStatus = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse, body: string) {
  const { status } = response
  if (status === 429) {
    if (/insufficient_quota|billing/.test(body)) return failure(new AiError.QuotaExhaustedError({}))
    const after = yield* retryAfter(response)
    return failure(new AiError.RateLimitError(after === undefined ? {} : { retryAfter: after }))
  }
  if (status >= 500 || status === 408 || status === 409 || status === 425) return away(`it answered ${status}`)
  if (status === 401) return failure(new AiError.AuthenticationError({ kind: "InvalidKey" }))
  if (status === 403) return failure(new AiError.AuthenticationError({ kind: "InsufficientPermissions" }))
  if (status === 404) return wrong("it knows no such address or model (404): check MODEL_URL and MODEL_NAME")
  if (status >= 300 && status < 400)
    return wrong(`it answered with a redirect (${status}): MODEL_URL must be where it leads`)
  if (/content_filter|content_policy/.test(body)) return declined("a filter of the model's server refused the text")
  const code = codeOf(body)
  return wrong(`it refused the request (${status}${code === "" ? "" : `, ${code}`}): its context may be too short`)
})

export const reasonOf = ({ reason }: AiError.AiError): string => {
  const description = (): string => {
    switch (reason._tag) {
      case "AuthenticationError":
        return reason.kind === "InvalidKey" ? "it refused MODEL_KEY (401)" : "it forbids this to MODEL_KEY (403)"
      case "QuotaExhaustedError":
        return "its quota is used up (429)"
      case "RateLimitError":
        return "it is asked too often (429)"
      case "InternalProviderError":
      case "InvalidOutputError":
      case "ContentPolicyError":
      case "InvalidRequestError":
        return reason.description ?? "it refused the request"
      default:
        return "it could not be used"
    }
  }
  return `The model's server: ${description()}`
}

export interface Server {
  /** Without /chat/completions. */
  readonly url: string
  readonly key: Redacted.Redacted | undefined
  readonly name: string
}

/** Readings differ only where the text is ambiguous. */
const temperature = 0.5

const maxReplyBytes = 1024 * 1024

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

/** Such as ECONNREFUSED. */
const causeOf = ({ reason }: HttpClientError.HttpClientError): string => {
  const cause: unknown = reason.cause
  const code: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, "code") : undefined
  return typeof code === "string" && /^\w{1,40}$/.test(code) ? ` (${code})` : ""
}

const unreachable = (error: HttpClientError.HttpClientError) => away(`it cannot be reached${causeOf(error)}`)

const bodyOf = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<string, AiError.AiError> =>
  response.stream.pipe(
    Stream.mapError((error) => away(`its answer broke off${causeOf(error)}`)),
    Stream.runFoldEffect(
      (): { readonly chunks: Array<Uint8Array>; size: number } => ({ chunks: [], size: 0 }),
      (body, chunk) => {
        body.chunks.push(chunk)
        body.size += chunk.byteLength
        return body.size > maxReplyBytes ? Effect.fail(unusable("its answer is too long")) : Effect.succeed(body)
      },
    ),
    Effect.map(({ chunks }) => Buffer.concat(chunks).toString("utf8")),
  )

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

const send = (
  client: HttpClient.HttpClient,
  { key, name, url }: Server,
  dialect: Dialect,
  seed: number,
  prompt: Prompt.Prompt,
) =>
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
    // sends no trace ids to another company
    Effect.provideService(HttpClient.TracerPropagationEnabled, false),
  )

/** The models share the accepted dialect. Answers are decoded here, because a decoder's error would quote its input. */
export const models = Effect.fnUntraced(function* (server: Server, seeds: ReadonlyArray<number>) {
  const client = yield* HttpClient.HttpClient
  const learned = yield* Ref.make(richest)

  const ask = Effect.fnUntraced(function* (seed: number, prompt: Prompt.Prompt) {
    let dialect = yield* Ref.get(learned)
    while (true) {
      const response = yield* send(client, server, dialect, seed, prompt)
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
