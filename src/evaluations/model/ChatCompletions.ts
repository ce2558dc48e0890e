/**
 * Effect's LanguageModel over POST {url}/chat/completions of OpenAI's API, without streams or tools.
 *
 * A server may refuse an option with 400 or 422. The request is then repeated with one option simplified or removed.
 */
import { Effect, Ref, Result, Schema, Stream } from "effect"
import { type AiError, LanguageModel, OpenAiStructuredOutput, type Prompt, type Response } from "effect/ai"
import { HttpClient } from "effect/http"
import { definedOnly } from "../../values/definedOnly.ts"
import { storable } from "../Evaluation.ts"
import { Answer, jsonIn } from "./ModelOutput.ts"
import { declined, errorOfStatus, invalidRequest, isSuccess, post, type Server, unusable } from "./ModelServer.ts"

export interface Dialect {
  readonly format: "json_schema" | "json_object" | "text"
  readonly hasSeed: boolean
  readonly hasTemperature: boolean
  readonly limit: "max_tokens" | "max_completion_tokens"
  readonly tokens: 16_000 | 4_000
}

/** An answer on 40 requirements takes a third of these tokens; a model's thinking takes more. */
export const richest: Dialect = {
  format: "json_schema",
  hasSeed: true,
  hasTemperature: true,
  limit: "max_tokens",
  tokens: 16_000,
}

const simplerFormat = { json_schema: "json_object", json_object: "text", text: "text" } as const

/** Returns the options after a refusal with this body; undefined if none is left to remove. */
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

/** At this temperature, readings of a text differ only where it is ambiguous. */
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

const partsOf = (body: string): Result.Result<Array<Response.PartEncoded>, AiError.AiError> => {
  const reply = decodeReply(body)
  if (Result.isFailure(reply)) return Result.fail(unusable("its response is not a chat completion"))
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

const contentOf = (name: string, dialect: Dialect, seed: number, prompt: Prompt.Prompt) =>
  definedOnly({
    model: name,
    messages: messagesOf(prompt),
    response_format: formats[dialect.format],
    temperature: dialect.hasTemperature ? temperature : undefined,
    seed: dialect.hasSeed ? seed : undefined,
    [dialect.limit]: dialect.tokens,
  })

/**
 * Makes a model for each seed. They share the options that the server accepted last. Answers are checked here, because
 * Effect's decoding error would quote them.
 */
export const models = Effect.fnUntraced(function* (server: Server, seeds: ReadonlyArray<number>) {
  const client = yield* HttpClient.HttpClient
  const learned = yield* Ref.make(richest)

  const ask = Effect.fnUntraced(function* (seed: number, prompt: Prompt.Prompt) {
    let dialect = yield* Ref.get(learned)
    while (true) {
      const content = contentOf(server.name, dialect, seed, prompt)
      const { body, response } = yield* post(client, server, "/chat/completions", content, maxReplyBytes)
      if (isSuccess(response)) {
        yield* Ref.set(learned, dialect)
        return yield* Effect.fromResult(partsOf(body))
      }
      const isOption = response.status === 400 || response.status === 422
      const error = yield* errorOfStatus("MODEL", response, body)
      const next = isOption && error.reason._tag === "InvalidRequestError" ? simpler(dialect, body) : undefined
      if (next === undefined) return yield* error
      dialect = next
    }
  })

  return yield* Effect.forEach(seeds, (seed) =>
    LanguageModel.make({
      codecTransformer: OpenAiStructuredOutput.toCodecOpenAI,
      generateText: ({ prompt }) => ask(seed, prompt),
      streamText: () => Stream.fail(invalidRequest("answers are not streamed")),
    }),
  )
})
