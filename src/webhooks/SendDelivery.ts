/** One attempt: signed with the endpoint's secrets, posted, judged by the answer's status. */
import { Clock, Context, Effect, Tracer } from "effect"
import type { UnreadableSecret } from "../platform/crypto/SecretBox.ts"
import { traceparentOf } from "../platform/telemetry/Traceparent.ts"
import type { EndpointId, EventId } from "../values/Ids.ts"
import { type Attempt, isAcknowledged } from "./Delivery.ts"
import { Endpoints } from "./Endpoints.ts"
import { type SigningKey, signatureHeaders, signingKey } from "./Signature.ts"
import { type TransportResult, WebhookTransport } from "./WebhookTransport.ts"

/** What is sent, and where; secrets as they are stored, the previous one only while it still signs. */
export interface Message {
  readonly endpoint_id: EndpointId
  readonly event_id: EventId
  readonly url: string
  readonly body: string
  readonly secret: Uint8Array
  readonly previous_secret: Uint8Array | null
}

const userAgent = "interview-invitations/1"

/** The headers of one attempt; `at` is when it begins, in milliseconds. */
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

/** Endpoints whose keys are remembered; more than that, and all are forgotten. */
const mostKeys = 10_000

/**
 * Gives what sends a message once. Plain functions in few steps: this runs for each delivery.
 *
 * Keys are made once for each secret: to sign with a fresh one costs four times as much. `skew`: what a clock that is to
 * be trusted more shows beyond this process's one; receivers refuse signatures of a clock that is minutes off.
 */
export const makeSend = Effect.gen(function* () {
  const endpoints = yield* Endpoints
  const transport = yield* WebhookTransport
  const known = new Map<EndpointId, ReadonlyArray<{ readonly sealed: Uint8Array; readonly key: SigningKey }>>()

  const keyOf = (id: EndpointId, sealed: Uint8Array): Effect.Effect<SigningKey, UnreadableSecret> => {
    const kept = known.get(id)?.find((one) => Buffer.compare(one.sealed, sealed) === 0)
    if (kept !== undefined) return Effect.succeed(kept.key)
    return Effect.map(endpoints.openSecret(id, sealed), (secret) => {
      if (known.size >= mostKeys) known.clear()
      const key = signingKey(secret)
      // the current secret and the one before: what is older is used no more
      known.set(id, [{ sealed, key }, ...(known.get(id) ?? [])].slice(0, 2))
      return key
    })
  }

  const keysOf = ({ endpoint_id, previous_secret, secret }: Message) =>
    Effect.flatMap(keyOf(endpoint_id, secret), (key) =>
      previous_secret === null
        ? Effect.succeed([key])
        : Effect.match(keyOf(endpoint_id, previous_secret), {
            onSuccess: (previous) => [key, previous],
            // only the current secret signs
            onFailure: () => [key],
          }),
    )

  return (message: Message, skew: number): Effect.Effect<Attempt, UnreadableSecret> =>
    Effect.flatMap(keysOf(message), (keys) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const at = Math.round(now + skew)
        const body = Buffer.from(message.body)
        const headers = headersOf({ eventId: message.event_id, body, keys }, at)
        return Effect.withFiber((fiber) => {
          const traceparent = traceparentOf(Context.getOrUndefined(fiber.context, Tracer.ParentSpan))
          if (traceparent !== undefined) headers["traceparent"] = traceparent
          return Effect.map(transport.post({ url: message.url, headers, body }), (result) => describe(at, result))
        })
      }),
    )
})

/** An attempt as it is kept: what was answered, or in plain words why there was no answer. */
const describe = (at: number, result: TransportResult): Attempt => {
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
