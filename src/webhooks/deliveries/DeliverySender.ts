/** One attempt: sign, post, judge by the status. */
import { Clock, Context, type Duration, Effect, Tracer } from "effect"
import type { UnreadableSecret } from "../../platform/crypto/SecretBox.ts"
import { traceparentOf } from "../../platform/telemetry/Traceparent.ts"
import type { EndpointId, EventId } from "../../values/Ids.ts"
import { userAgent } from "../../values/UserAgent.ts"
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

interface CachedKey {
  readonly encrypted: Uint8Array
  readonly key: SigningKey
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

/** A cached key signs four times as fast. */
const cachedKeys = (open: EndpointSecrets["Service"]["open"]) => {
  const cache = new Map<EndpointId, ReadonlyArray<CachedKey>>()
  return (id: EndpointId, encrypted: Uint8Array): Effect.Effect<SigningKey, UnreadableSecret> => {
    const cached = cache.get(id)?.find((one) => Buffer.compare(one.encrypted, encrypted) === 0)
    if (cached !== undefined) return Effect.succeed(cached.key)
    return Effect.map(open(id, encrypted), (secret) => {
      if (cache.size >= maxCached) cache.clear()
      const key = signingKey(secret)
      cache.set(id, [{ encrypted, key }, ...(cache.get(id) ?? [])].slice(0, 2))
      return key
    })
  }
}

/** Caches decrypted headers, as the keys above, so that they are not decrypted for each delivery. */
const cachedHeaders = (openHeaders: EndpointSecrets["Service"]["openHeaders"]) => {
  const cache = new Map<EndpointId, { readonly encrypted: Uint8Array; readonly headers: StaticHeaderRecord }>()
  return (id: EndpointId, encrypted: Uint8Array): Effect.Effect<StaticHeaderRecord, UnreadableSecret> => {
    const cached = cache.get(id)
    if (cached !== undefined && Buffer.compare(cached.encrypted, encrypted) === 0) return Effect.succeed(cached.headers)
    return Effect.map(openHeaders(id, encrypted), (opened) => {
      if (cache.size >= maxCached) cache.clear()
      const headers = recordOf(opened)
      cache.set(id, { encrypted, headers })
      return headers
    })
  }
}

const keysOf = (
  keyOf: ReturnType<typeof cachedKeys>,
  { id, previous_secret, secret }: Message["endpoint"],
): Effect.Effect<ReadonlyArray<SigningKey>, UnreadableSecret> =>
  Effect.flatMap(keyOf(id, secret), (key) =>
    previous_secret === null
      ? Effect.succeed(signingKeys(key, undefined))
      : Effect.match(keyOf(id, previous_secret), {
          onSuccess: (previous) => signingKeys(key, previous),
          onFailure: () => signingKeys(key, undefined),
        }),
  )

const post = (
  transport: WebhookTransport["Service"],
  { body: text, endpoint: { url }, event_id }: Message,
  keys: ReadonlyArray<SigningKey>,
  extra: StaticHeaderRecord | undefined,
  at: number,
): Effect.Effect<Sent> => {
  const body = Buffer.from(text)
  const own = headersOf({ eventId: event_id, body, keys }, at)
  const headers: Record<string, string> = extra === undefined ? own : { ...extra, ...own }
  return Effect.withFiber((fiber) => {
    const traceparent = traceparentOf(Context.getOrUndefined(fiber.context, Tracer.ParentSpan))
    if (traceparent !== undefined) headers["traceparent"] = traceparent
    return Effect.map(transport.post({ url, headers, body }), (result) => sentOf(at, result))
  })
}

/** Runs for each delivery: no generator, no span. */
export const makeDeliverySender: Effect.Effect<DeliverySender, never, EndpointSecrets | WebhookTransport> = Effect.gen(
  function* () {
    const { open, openHeaders } = yield* EndpointSecrets
    const keyOf = cachedKeys(open)
    const extraOf = cachedHeaders(openHeaders)
    const webhookTransport = yield* WebhookTransport
    const send = (message: Message, extra: StaticHeaderRecord | undefined, skew: number) =>
      Effect.flatMap(keysOf(keyOf, message.endpoint), (keys) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          post(webhookTransport, message, keys, extra, Math.round(now + skew)),
        ),
      )
    return (message, skew) => {
      const { headers, id } = message.endpoint
      return headers === null
        ? send(message, undefined, skew)
        : Effect.flatMap(extraOf(id, headers), (extra) => send(message, extra, skew))
    }
  },
)

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
  if (result._tag === "Failed") return { ...common, status: null, error: result.message, answer: null }
  const { body, location, status } = result
  if (isAcknowledged(status)) return { ...common, status, error: null, answer: body }
  const redirect = location === undefined ? "" : ` to ${location}`
  const error =
    status >= 300 && status < 400
      ? `The receiver answered ${status}, a redirect${redirect}; redirects are not followed`
      : `The receiver answered ${status}`
  return { ...common, status, error, answer: body }
}
