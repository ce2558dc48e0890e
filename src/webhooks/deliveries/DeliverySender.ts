/** One attempt: sign, post, judge by the status. */
import { Clock, Context, type Duration, Effect, type Fiber, Tracer } from "effect"
import type { UnreadableSecret } from "../../platform/crypto/SecretBox.ts"
import { traceparentOf } from "../../platform/telemetry/Traceparent.ts"
import { storable } from "../../values/Fields.ts"
import type { EndpointId, EventId } from "../../values/Ids.ts"
import { userAgent } from "../../values/UserAgent.ts"
import { type EndpointFormat, isChat } from "../chat/ChatMessage.ts"
import { ChatMessages } from "../chat/ChatMessages.ts"
import { EndpointSecrets } from "../endpoints/EndpointSecrets.ts"
import { recordOf } from "../endpoints/StaticHeaders.ts"
import { type Attempt, isAcknowledged } from "./Delivery.ts"
import { retryAfter } from "./RetryAfter.ts"
import { type SigningKey, signatureHeaders, signingKey, signingKeys } from "./Signature.ts"
import { type OutboundResult, WebhookTransport } from "./WebhookTransport.ts"

export interface Message {
  readonly event_id: EventId
  readonly body: string
  readonly endpoint: {
    readonly id: EndpointId
    readonly url: string
    readonly format: EndpointFormat
    /** Encrypted. */
    readonly secret: Uint8Array
    /** Null: it no longer signs. */
    readonly previous_secret: Uint8Array | null
    /** Static headers, encrypted. */
    readonly headers: Uint8Array | null
  }
}

export interface Sent {
  readonly attempt: Attempt
  /** How long the receiver asks to wait before the next attempt; only of failures. */
  readonly retryAfter: Duration.Duration | undefined
}

/**
 * `skew`: the database's clock minus this process's, in milliseconds. Receivers refuse signatures that are minutes off.
 */
export type DeliverySender = (message: Message, skew: number) => Effect.Effect<Sent, UnreadableSecret>

type StaticHeaderRecord = Readonly<Record<string, string>>

/** What the secrets of an endpoint open to. */
interface Credentials {
  readonly keys: ReadonlyArray<SigningKey>
  readonly extra: StaticHeaderRecord | undefined
}

const maxCached = 10_000

/** The headers of the service. `at`: milliseconds since 1970. */
export const headersOf = (
  {
    body,
    eventId,
    keys,
  }: { readonly eventId: EventId; readonly body: Uint8Array; readonly keys: ReadonlyArray<SigningKey> },
  at: number,
): Record<string, string> => ({
  "content-type": "application/json",
  "user-agent": userAgent,
  ...signatureHeaders({ eventId, timestamp: Math.floor(at / 1000), body, keys }),
})

const isSame = (one: Uint8Array | null, other: Uint8Array | null): boolean =>
  one === other || (one !== null && other !== null && Buffer.compare(one, other) === 0)

/** Runs for each delivery: no generator, no span, and one Effect where the credentials are cached. */
export const makeDeliverySender: Effect.Effect<
  DeliverySender,
  never,
  ChatMessages | EndpointSecrets | WebhookTransport
> = Effect.gen(function* () {
  // of the layer, as the worker's, from whose times `skew` comes
  const clock = yield* Clock.Clock
  const chatMessages = yield* ChatMessages
  const { open, openAddress, openHeaders } = yield* EndpointSecrets
  const webhookTransport = yield* WebhookTransport
  const cache = new Map<EndpointId, { readonly endpoint: Message["endpoint"]; readonly credentials: Credentials }>()

  const cached = (endpoint: Message["endpoint"]): Credentials | undefined => {
    const known = cache.get(endpoint.id)
    return known !== undefined &&
      isSame(known.endpoint.secret, endpoint.secret) &&
      isSame(known.endpoint.previous_secret, endpoint.previous_secret) &&
      isSame(known.endpoint.headers, endpoint.headers)
      ? known.credentials
      : undefined
  }

  /** A previous secret that no key decrypts no longer signs. */
  const decrypt = Effect.fnUntraced(function* (endpoint: Message["endpoint"]) {
    const { headers, id, previous_secret, secret } = endpoint
    const key = signingKey(yield* open(id, secret))
    const previous =
      previous_secret === null
        ? undefined
        : yield* Effect.match(open(id, previous_secret), { onSuccess: signingKey, onFailure: () => undefined })
    const credentials: Credentials = {
      keys: signingKeys(key, previous),
      extra: headers === null ? undefined : recordOf(yield* openHeaders(id, headers)),
    }
    if (cache.size >= maxCached) cache.clear()
    cache.set(id, { endpoint, credentials })
    return credentials
  })

  const post = (
    { body: text, endpoint: { url }, event_id }: Message,
    { extra, keys }: Credentials,
    skew: number,
    fiber: Fiber.Fiber<unknown, unknown>,
  ): Effect.Effect<Sent> => {
    const at = Math.round(clock.currentTimeMillisUnsafe() + skew)
    const body = Buffer.from(text)
    const own = headersOf({ eventId: event_id, body, keys }, at)
    const headers = extra === undefined ? own : { ...extra, ...own }
    const traceparent = traceparentOf(Context.getOrUndefined(fiber.context, Tracer.ParentSpan))
    if (traceparent !== undefined) headers["traceparent"] = traceparent
    return Effect.map(webhookTransport.post({ url, headers, body }), (result) => sentOf(at, result))
  }

  /** A message to a channel: its secret is the address, and nothing is signed. No trace ids go to another company. */
  const postMessage = Effect.fnUntraced(function* ({ body: event, endpoint }: Message, skew: number) {
    if (!isChat(endpoint.format)) return yield* Effect.die(new Error("the endpoint is no channel"))
    const url = yield* openAddress(endpoint.id, endpoint.secret)
    const body = Buffer.from(yield* chatMessages.render(endpoint.format, event))
    const at = Math.round(clock.currentTimeMillisUnsafe() + skew)
    const headers = { "content-type": "application/json", "user-agent": userAgent }
    return sentOf(at, yield* webhookTransport.post({ url, headers, body }))
  })

  return (message, skew) =>
    Effect.withFiber((fiber): Effect.Effect<Sent, UnreadableSecret> => {
      if (isChat(message.endpoint.format)) return postMessage(message, skew)
      const credentials = cached(message.endpoint)
      return credentials === undefined
        ? Effect.flatMap(decrypt(message.endpoint), (decrypted) => post(message, decrypted, skew, fiber))
        : post(message, credentials, skew, fiber)
    })
})

const sentOf = (at: number, result: OutboundResult): Sent => {
  if (result._tag === "Failed" || result.retryAfter === undefined || isAcknowledged(result.status)) {
    return { attempt: attemptOf(at, result), retryAfter: undefined }
  }
  const wait = retryAfter(result.retryAfter, at + result.durationMs)
  const attempt = attemptOf(at, result)
  const error = wait === undefined ? attempt.error : `${attempt.error}, with Retry-After: ${result.retryAfter.trim()}`
  return { attempt: { ...attempt, error }, retryAfter: wait }
}

const attemptOf = (at: number, result: OutboundResult): Attempt => {
  const common = { at: new Date(at).toISOString(), duration_ms: result.durationMs }
  if (result._tag === "Failed") return { ...common, status: null, error: storable(result.message), answer: null }
  const { location, status } = result
  // a text that Postgres refuses would keep the whole batch from being settled
  const answer = storable(result.body)
  if (isAcknowledged(status)) return { ...common, status, error: null, answer }
  const redirect = location === undefined ? "" : ` to ${storable(location)}`
  const error =
    status >= 300 && status < 400
      ? `The receiver answered ${status}, a redirect${redirect}; redirects are not followed`
      : `The receiver answered ${status}`
  return { ...common, status, error, answer }
}
