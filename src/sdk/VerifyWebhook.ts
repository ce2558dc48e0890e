/** Verifies webhooks with Web Crypto (docs/webhooks.md); exported as `@interview-invitations/sdk/webhooks`. */
import type { WebhookEvent } from "./Contract.ts"
import { defaultTolerance, mismatch, readSignature, type SignatureCheck, secretPrefix } from "./WebhookSignature.ts"

export type {
  DecisionEvent,
  EvaluationEvent,
  InterviewStatusEvent,
  InvitationStatusEvent,
  ReviewEvent,
  StageEvent,
  WebhookEvent,
} from "./Contract.ts"
export { type WebhookFault, WebhookVerificationError } from "./WebhookSignature.ts"

/** `headers` of a `Request`, or of Node's `IncomingMessage`. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

export type WebhookDelivery = {
  /** The raw body, as bytes or decoded as UTF-8; not parsed and serialized again. */
  readonly body: Uint8Array | string
  /** Seconds by which the signature's time may differ from `now`; 300 by default. */
  readonly tolerance?: number
  /** By default the current time. */
  readonly now?: Date
} & (
  | { readonly headers: WebhookHeaders }
  | {
      /** The value of X-Webhook-Signature. */
      readonly signature: string | null | undefined
    }
) &
  (
    | {
        /** As displayed, `whsec_…`. */
        readonly secret: string
      }
    | {
        /** One match is enough. Pass both during a replacement. */
        readonly secrets: ReadonlyArray<string>
      }
  )

const signatureName = "x-webhook-signature"

const isHeaders = (headers: WebhookHeaders): headers is { readonly get: (name: string) => string | null } =>
  typeof headers["get"] === "function"

const signatureOf = (headers: WebhookHeaders): SignatureCheck["header"] => {
  if (isHeaders(headers)) return headers.get(signatureName)
  return Object.entries(headers).find(([name]) => name.toLowerCase() === signatureName)?.[1]
}

/** Undefined unless the text is a SHA-256 in lower-case hex. */
const bytesOf = (hex: string): Uint8Array<ArrayBuffer> | undefined =>
  /^[0-9a-f]{64}$/.test(hex)
    ? Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16))
    : undefined

const keyOf = (secret: string) => {
  const text = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret
  const hmac = { name: "HMAC", hash: "SHA-256" }
  return crypto.subtle.importKey("raw", new TextEncoder().encode(text), hmac, false, ["sign"])
}

/** Compares two SHA-256 in constant time. */
const isEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.reduce((difference, byte, index) => difference | (byte ^ (b[index] ?? 256)), 0) === 0

/** `<t>.<body>` */
const signedBytes = (t: string, body: Uint8Array | string): Uint8Array<ArrayBuffer> => {
  const prefix = new TextEncoder().encode(`${t}.`)
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body
  const all = new Uint8Array(prefix.length + bytes.length)
  all.set(prefix)
  all.set(bytes, prefix.length)
  return all
}

/**
 * Verifies a delivery and returns its event. Throws a WebhookVerificationError with a `reason` unless the delivery is
 * genuine and recent. Compares in constant time.
 *
 * Skip events of an unknown `event_type`: types may be added.
 */
export const verifyWebhook = async (delivery: WebhookDelivery): Promise<WebhookEvent> => {
  const { body, now = new Date(), tolerance = defaultTolerance } = delivery
  const secrets = "secrets" in delivery ? delivery.secrets : [delivery.secret]
  const { digests, t } = readSignature({
    header: "headers" in delivery ? signatureOf(delivery.headers) : delivery.signature,
    secrets,
    toleranceSeconds: tolerance,
    now: Math.floor(now.getTime() / 1000),
  })
  const signed = signedBytes(t, body)
  const signatures = digests.flatMap((digest) => bytesOf(digest) ?? [])
  const keys = await Promise.all(secrets.map(keyOf))
  // one HMAC for each secret: the sender chooses how many v1 there are
  const digestsOfBody = await Promise.all(keys.map((key) => crypto.subtle.sign("HMAC", key, signed)))
  const expected = digestsOfBody.map((digest) => new Uint8Array(digest))
  if (!signatures.some((signature) => expected.some((digest) => isEqual(signature, digest)))) throw mismatch()
  return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body))
}
