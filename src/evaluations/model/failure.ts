/**
 * What goes wrong between the service and a model's server, as effect's AiError, in words that an operator understands.
 * They never hold the key, nor anything that a server sent: servers repeat what they were asked.
 */
import { Clock, Duration, Effect } from "effect"
import { AiError } from "effect/ai"
import type { HttpClientResponse } from "effect/http"

export const failure = (reason: AiError.AiErrorReason): AiError.AiError =>
  AiError.make({ module: "ChatCompletions", method: "generateText", reason })

/** What the server itself may mend: it is overloaded, broken or away. */
export const away = (description: string) => failure(new AiError.InternalProviderError({ description }))

/** The model answered, with nothing that can be used. */
export const unusable = (description: string) => failure(new AiError.InvalidOutputError({ description }))

/** The model, or a filter before it, would not answer. */
export const declined = (description: string) => failure(new AiError.ContentPolicyError({ description }))

const wrong = (description: string) => failure(new AiError.InvalidRequestError({ description }))

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). */
const retryAfter = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<Duration.Duration | undefined> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const header = response.headers["retry-after"]?.trim() ?? ""
    if (/^\d{1,9}(?:\.\d+)?$/.test(header)) return Duration.seconds(Number(header))
    const date = Date.parse(header)
    return Number.isNaN(date) ? undefined : Duration.millis(Math.max(0, date - now))
  })

/** The word that a server's error has for itself, if it is one. */
const codeOf = (said: string): string => /"(?:code|type)"\s*:\s*"([a-z][\w.-]{0,60})"/i.exec(said)?.[1] ?? ""

/** The error of a status that is no success; `said` is the answer's body. */
export const ofStatus = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse, said: string) {
  const { status } = response
  if (status === 429) {
    if (/insufficient_quota|billing/.test(said)) return failure(new AiError.QuotaExhaustedError({}))
    const after = yield* retryAfter(response)
    return failure(new AiError.RateLimitError(after === undefined ? {} : { retryAfter: after }))
  }
  if (status >= 500 || status === 408 || status === 409 || status === 425) return away(`it answered ${status}`)
  if (status === 401) return failure(new AiError.AuthenticationError({ kind: "InvalidKey" }))
  if (status === 403) return failure(new AiError.AuthenticationError({ kind: "InsufficientPermissions" }))
  if (status === 404) return wrong("it knows no such address or model (404): check MODEL_URL and MODEL_NAME")
  if (status >= 300 && status < 400)
    return wrong(`it answered with a redirect (${status}): MODEL_URL must be where it leads`)
  if (/content_filter|content_policy/.test(said)) return declined("a filter of the model's server refused the text")
  const code = codeOf(said)
  return wrong(`it refused the request (${status}${code === "" ? "" : `, ${code}`}): its context may be too short`)
})

/** The reason in words, for whoever runs the service. */
export const reasonOf = ({ reason }: AiError.AiError): string => {
  const said = (): string => {
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
  return `The model's server: ${said()}`
}
