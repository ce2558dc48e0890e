/** Verifies deliveries, for receivers (docs/webhooks.md); exported as `interview-invitations/webhooks`. */
import { isSignedWith, parseSignature, secretPrefix } from "./Signature.ts"

export interface WebhookVerification {
  /** The raw body, as bytes or decoded as UTF-8. */
  readonly body: Uint8Array | string
  /** X-Webhook-Signature; null, undefined and "": missing. */
  readonly header: string | ReadonlyArray<string> | null | undefined
  /** As displayed, `whsec_…`. One match is enough: give both during a replacement. */
  readonly secrets: ReadonlyArray<string>
  /** Seconds by which `t` may differ from `now`; 300 by default. */
  readonly toleranceSeconds?: number
  /** Seconds since 1970; this machine's clock by default. */
  readonly now?: number
}

/**
 * Why a delivery is rejected:
 *
 * - `no_secret`: no secret was given, or one is empty or not a string.
 * - `malformed`: X-Webhook-Signature is not `t=<seconds>,v1=<hex>`.
 * - `too_old`, `too_new`: `t` is further from `now` than allowed.
 * - `mismatch`: no v1 is the digest of `t` and this body with one of the secrets.
 */
export type WebhookFault = "no_secret" | "missing" | "malformed" | "too_old" | "too_new" | "mismatch"

/** Respond with 401. The message is for logs. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
  readonly reason: WebhookFault

  constructor(reason: WebhookFault, message: string) {
    super(message)
    this.reason = reason
  }
}

const isSecret = (secret: unknown): boolean => typeof secret === "string" && secret !== "" && secret !== secretPrefix

/** Undefined when the delivery is genuine. Compares in constant time. */
export const findWebhookFault = ({
  body,
  header,
  now = Math.floor(Date.now() / 1000),
  secrets,
  toleranceSeconds = 300,
}: WebhookVerification): WebhookVerificationError | undefined => {
  const errorOf = (reason: WebhookFault, message: string) => new WebhookVerificationError(reason, message)
  // JavaScript callers may pass [process.env.SECRET] with an unset variable
  const given: unknown = secrets
  if (!Array.isArray(given) || given.length === 0 || !given.every(isSecret)) {
    return errorOf("no_secret", "No secret was given, or one is empty")
  }
  const text = typeof header === "string" ? header : (header ?? []).join(",")
  if (text === "") return errorOf("missing", "X-Webhook-Signature is missing")
  const signature = parseSignature(text)
  if (signature === undefined) return errorOf("malformed", "X-Webhook-Signature is not t=<seconds>,v1=<hex>")
  const age = now - Number(signature.t)
  const allowed = `${toleranceSeconds} are allowed`
  // negated, so that NaN is rejected
  if (!(age <= toleranceSeconds)) return errorOf("too_old", `The signature is ${age} seconds old, ${allowed}`)
  if (!(age >= -toleranceSeconds)) return errorOf("too_new", `The signature is ${-age} seconds ahead, ${allowed}`)
  if (secrets.some((secret) => isSignedWith(secret, signature, body))) return undefined
  return errorOf("mismatch", "No v1 is the signature of this body with any of the secrets")
}

/** Throws a WebhookVerificationError unless the delivery is genuine. */
export const verifyWebhook = (delivery: WebhookVerification): void => {
  const error = findWebhookFault(delivery)
  if (error !== undefined) throw error
}
