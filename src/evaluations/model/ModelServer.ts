/**
 * Sends requests to a server with OpenAI's API: status codes, limits and retries.
 *
 * Errors contain no key, request or response, because spans and logs record them.
 */
import { Clock, Duration, Effect, type Redacted, Schedule, Stream } from "effect"
import { AiError } from "effect/ai"
import { HttpClient, type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { definedOnly } from "../../values/definedOnly.ts"
import { userAgent } from "../../values/UserAgent.ts"

export interface Server {
  /** Without the operation's path or a trailing slash. */
  readonly url: string
  readonly key: Redacted.Redacted | undefined
  readonly name: string
}

/** Prefix of the setting names in error messages. */
export type SettingPrefix = "MODEL" | "EMBEDDINGS" | "TRANSCRIBE"

const failure = (reason: AiError.AiErrorReason): AiError.AiError =>
  AiError.make({ module: "ModelServer", method: "post", reason })

export const serverError = (description: string) => failure(new AiError.InternalProviderError({ description }))

export const unusable = (description: string) => failure(new AiError.InvalidOutputError({ description }))

export const declined = (description: string) => failure(new AiError.ContentPolicyError({ description }))

export const invalidRequest = (description: string) => failure(new AiError.InvalidRequestError({ description }))

/** The header is a number of seconds or a date (RFC 9110, 10.2.3). */
const retryAfter = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<Duration.Duration | undefined> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const header = response.headers["retry-after"]?.trim() ?? ""
    if (/^\d{1,9}(?:\.\d+)?$/.test(header)) return Duration.seconds(Number(header))
    const date = Date.parse(header)
    return Number.isNaN(date) ? undefined : Duration.millis(Math.max(0, date - now))
  })

const codeOf = (body: string): string => /"(?:code|type)"\s*:\s*"([a-z][\w.-]{0,60})"/i.exec(body)?.[1] ?? ""

export const errorOfStatus = Effect.fnUntraced(function* (
  prefix: SettingPrefix,
  response: HttpClientResponse.HttpClientResponse,
  body: string,
) {
  const { status } = response
  if (status === 429) {
    if (/insufficient_quota|billing/.test(body)) return failure(new AiError.QuotaExhaustedError({}))
    const after = yield* retryAfter(response)
    return failure(new AiError.RateLimitError(definedOnly({ retryAfter: after })))
  }
  if (status >= 500 || status === 408 || status === 409 || status === 425) return serverError(`it answered ${status}`)
  if (status === 401) return failure(new AiError.AuthenticationError({ kind: "InvalidKey" }))
  if (status === 403) return failure(new AiError.AuthenticationError({ kind: "InsufficientPermissions" }))
  if (status === 404) {
    return invalidRequest(`address or model not found (404): check ${prefix}_URL and ${prefix}_NAME`)
  }
  if (status >= 300 && status < 400)
    return invalidRequest(`it answered with a redirect (${status}): set ${prefix}_URL to the redirect's target`)
  if (/content_filter|content_policy/.test(body)) return declined("its filter refused the text")
  const code = codeOf(body)
  return invalidRequest(
    `it refused the request (${status}${code === "" ? "" : `, ${code}`}): its context may be too short`,
  )
})

const servers = {
  MODEL: "The model's server",
  EMBEDDINGS: "The embeddings server",
  TRANSCRIBE: "The transcription server",
} as const

/** Describes an error for operators, without request or response. */
export const reasonOf = (prefix: SettingPrefix, { reason }: AiError.AiError): string => {
  const description = (): string => {
    switch (reason._tag) {
      case "AuthenticationError":
        return reason.kind === "InvalidKey" ? `it refused ${prefix}_KEY (401)` : `${prefix}_KEY lacks permission (403)`
      case "QuotaExhaustedError":
        return "its quota is used up (429)"
      case "RateLimitError":
        return "too many requests (429)"
      case "InternalProviderError":
      case "InvalidOutputError":
      case "ContentPolicyError":
      case "InvalidRequestError":
        return reason.description ?? "it refused the request"
      default:
        return "it could not be used"
    }
  }
  return `${servers[prefix]}: ${description()}`
}

export const timeoutReason = (prefix: SettingPrefix, waited: Duration.Duration): string =>
  `${servers[prefix]}: no answer within ${Duration.format(waited)}`

const repeatable: ReadonlyArray<AiError.AiErrorReason["_tag"]> = [
  "RateLimitError",
  "InternalProviderError",
  "InvalidOutputError",
  "StructuredOutputError",
]

/** True if the same request may succeed when it is repeated. */
export const isRepeatable = ({ reason }: AiError.AiError): boolean => repeatable.includes(reason._tag)

const transient: ReadonlyArray<AiError.AiErrorReason["_tag"]> = [
  "RateLimitError",
  "QuotaExhaustedError",
  "InternalProviderError",
]

/** True if the queue retries the evaluation. Unusable responses are not retried, because each costs a request. */
export const isTransient = ({ reason }: AiError.AiError): boolean => transient.includes(reason._tag)

/** A longer Retry-After ends the retries. */
const maxPause = Duration.minutes(1)

/** Retries `isRepeatable` and `isOther` errors twice: after about `first` and twice `first`, or after Retry-After. */
export const retries = (first: Duration.Duration, isOther: (error: unknown) => boolean = () => false) =>
  Schedule.exponential(first, 2).pipe(
    Schedule.jittered,
    Schedule.upTo({ times: 2 }),
    Schedule.setInputType<unknown>(),
    Schedule.while(
      ({ input }) =>
        isOther(input) ||
        (AiError.isAiError(input) &&
          isRepeatable(input) &&
          Duration.isLessThanOrEqualTo(input.retryAfter ?? Duration.zero, maxPause)),
    ),
    Schedule.modifyDelay(({ duration, input }) =>
      Effect.succeed(
        Duration.max(duration, (AiError.isAiError(input) ? input.retryAfter : undefined) ?? Duration.zero),
      ),
    ),
  )

/** The error code, such as ECONNREFUSED. */
const causeOf = ({ reason }: HttpClientError.HttpClientError): string => {
  const cause: unknown = reason.cause
  const code: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, "code") : undefined
  return typeof code === "string" && /^\w{1,40}$/.test(code) ? ` (${code})` : ""
}

const unreachable = (error: HttpClientError.HttpClientError) => serverError(`it cannot be reached${causeOf(error)}`)

const bodyOf = (
  response: HttpClientResponse.HttpClientResponse,
  maxBytes: number,
): Effect.Effect<string, AiError.AiError> =>
  response.stream.pipe(
    Stream.mapError((error) => serverError(`the connection broke during its response${causeOf(error)}`)),
    Stream.runFoldEffect(
      (): { readonly chunks: Array<Uint8Array>; size: number } => ({ chunks: [], size: 0 }),
      (body, chunk) => {
        body.chunks.push(chunk)
        body.size += chunk.byteLength
        return body.size > maxBytes ? Effect.fail(unusable("its response is too long")) : Effect.succeed(body)
      },
    ),
    Effect.map(({ chunks }) => Buffer.concat(chunks).toString("utf8")),
  )

/**
 * Returns a response of any status; does not follow redirects. `path` begins with a slash. Fails if the server is
 * unreachable or the body exceeds `maxBytes`.
 */
export const post = Effect.fnUntraced(function* (
  client: HttpClient.HttpClient,
  { key, url }: Server,
  path: string,
  content: object | FormData,
  maxBytes: number,
) {
  const response = yield* HttpClientRequest.post(`${url}${path}`).pipe(
    key === undefined ? (request) => request : HttpClientRequest.bearerToken(key),
    HttpClientRequest.acceptJson,
    HttpClientRequest.setHeader("user-agent", userAgent),
    content instanceof FormData ? HttpClientRequest.bodyFormData(content) : HttpClientRequest.bodyJsonUnsafe(content),
    client.execute,
    Effect.mapError(unreachable),
    // do not send trace ids to another company
    Effect.provideService(HttpClient.TracerPropagationEnabled, false),
  )
  return { response, body: yield* bodyOf(response, maxBytes) }
})

export const isSuccess = ({ status }: HttpClientResponse.HttpClientResponse): boolean => status >= 200 && status < 300
