/**
 * Verification of deliveries, for receivers (spec, Webhook signature). Plain synchronous functions on node:crypto; the
 * package exports them as `interview-invitations/webhooks`.
 *
 * ```ts
 * verifyWebhook({
 *   body: await request.bytes(),
 *   header: request.headers.get("x-webhook-signature"),
 *   secrets: [process.env.WEBHOOK_SECRET ?? ""],
 * })
 * ```
 */
import { isSignedWith, parseSignature, secretPrefix } from "./Signature.ts"

export interface WebhookVerification {
  /** The request's body as it came: the raw bytes, or their text if they were decoded as UTF-8 and no more. */
  readonly body: Uint8Array | string
  /** The value of X-Webhook-Signature; null, undefined and an empty text are a header that is missing. */
  readonly header: string | ReadonlyArray<string> | null | undefined
  /** Secrets as they were shown, `whsec_…`. One match is enough, so that a new and an old one can stand here. */
  readonly secrets: ReadonlyArray<string>
  /** How far `t` may be from `now`, either way, in seconds: 300 unless told. */
  readonly toleranceSeconds?: number
  /** Seconds since the epoch: this machine's clock unless told. */
  readonly now?: number
}

/**
 * Why a delivery must not be trusted:
 *
 * - `no_secret`: no secret was given, or one of them is empty or no text: whoever knows that can sign.
 * - `missing`: there is no X-Webhook-Signature.
 * - `malformed`: it is not `t=<seconds>,v1=<hex>`.
 * - `too_old`, `too_new`: `t` is further from `now` than allowed.
 * - `mismatch`: no v1 is the digest of `t` and this body under one of the secrets.
 */
export type WebhookFault = "no_secret" | "missing" | "malformed" | "too_old" | "too_new" | "mismatch"

/** A delivery that must not be trusted; answer it with 401. The message is for logs. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
  readonly reason: WebhookFault

  constructor(reason: WebhookFault, message: string) {
    super(message)
    this.reason = reason
  }
}

const isSecret = (secret: unknown): boolean => typeof secret === "string" && secret !== "" && secret !== secretPrefix

/** What is wrong with a delivery; undefined means that it is genuine. Digests are compared in constant time. */
export const findWebhookFault = ({
  body,
  header,
  now = Math.floor(Date.now() / 1000),
  secrets,
  toleranceSeconds = 300,
}: WebhookVerification): WebhookVerificationError | undefined => {
  const fault = (reason: WebhookFault, message: string) => new WebhookVerificationError(reason, message)
  // of `[process.env.SECRET]` JavaScript makes `[undefined]`, whatever the type says
  const given: unknown = secrets
  if (!Array.isArray(given) || given.length === 0 || !given.every(isSecret)) {
    return fault("no_secret", "There is no secret to verify the signature with, or an empty one")
  }
  const text = typeof header === "string" ? header : (header ?? []).join(",")
  if (text === "") return fault("missing", "X-Webhook-Signature is missing")
  const signature = parseSignature(text)
  if (signature === undefined) return fault("malformed", "X-Webhook-Signature is not t=<seconds>,v1=<hex>")
  const age = now - Number(signature.t)
  const allowed = `${toleranceSeconds} are allowed`
  // "not within" and not "beyond": a window or clock that is NaN lets nothing pass
  if (!(age <= toleranceSeconds)) return fault("too_old", `The signature is ${age} seconds old, ${allowed}`)
  if (!(age >= -toleranceSeconds)) return fault("too_new", `The signature is ${-age} seconds ahead, ${allowed}`)
  if (secrets.some((secret) => isSignedWith(secret, signature, body))) return undefined
  return fault("mismatch", "The signature is not of this body under this secret")
}

/** Returns if the delivery is genuine, else throws a WebhookVerificationError. */
export const verifyWebhook = (delivery: WebhookVerification): void => {
  const fault = findWebhookFault(delivery)
  if (fault !== undefined) throw fault
}
