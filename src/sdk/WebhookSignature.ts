/** Parses and checks X-Webhook-Signature (docs/webhooks.md), except for the digests, which need Web Crypto or node:crypto. */

/** The signing key is the text after it. */
export const secretPrefix = "whsec_"

/** Seconds by which `t` may differ from the receiver's clock. */
export const defaultTolerance = 300

/**
 * Why a delivery is rejected:
 *
 * - `no_secret`: no secret was given, or one is empty or not a string.
 * - `missing`: there is no X-Webhook-Signature.
 * - `malformed`: X-Webhook-Signature is not `t=<seconds>,v1=<hex>`, or has more than 10 v1.
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

/** `t` as written; the digests of v1. */
export interface ParsedSignature {
  readonly t: string
  readonly digests: ReadonlyArray<string>
}

/** The service sends one v1 for each valid secret, at most two. */
const maxDigests = 10

/** Undefined without a `t` of 1 to 12 digits or a v1, and with more than `maxDigests` v1. */
export const parseSignature = (header: string): ParsedSignature | undefined => {
  const parts = header.split(",").map((part) => part.trim())
  const t = parts.find((part) => part.startsWith("t="))?.slice(2)
  const digests = parts.filter((part) => part.startsWith("v1=")).map((part) => part.slice(3))
  const hasDigests = digests.length > 0 && digests.length <= maxDigests
  return t === undefined || !/^\d{1,12}$/.test(t) || !hasDigests ? undefined : { t, digests }
}

const isSecret = (secret: unknown): boolean => typeof secret === "string" && secret !== "" && secret !== secretPrefix

export interface SignatureCheck {
  readonly header: string | ReadonlyArray<string> | null | undefined
  readonly secrets: ReadonlyArray<string>
  readonly toleranceSeconds: number
  /** Seconds since 1970. */
  readonly now: number
}

/** Checks everything except the digests. Throws a WebhookVerificationError unless secrets, signature and `t` are valid. */
export const readSignature = ({ header, now, secrets, toleranceSeconds }: SignatureCheck): ParsedSignature => {
  // JavaScript callers may pass [process.env.SECRET] with an unset variable
  const given: unknown = secrets
  if (!Array.isArray(given) || given.length === 0 || !given.every(isSecret)) {
    throw new WebhookVerificationError("no_secret", "No secret was given, or one is empty")
  }
  const text = typeof header === "string" ? header : (header ?? []).join(",")
  if (text === "") throw new WebhookVerificationError("missing", "X-Webhook-Signature is missing")
  const signature = parseSignature(text)
  if (signature === undefined) {
    throw new WebhookVerificationError(
      "malformed",
      "X-Webhook-Signature is not t=<seconds>,v1=<hex>, or has too many v1",
    )
  }
  const age = now - Number(signature.t)
  const allowed = `${toleranceSeconds} are allowed`
  // negated, so that NaN is rejected
  if (!(age <= toleranceSeconds)) {
    throw new WebhookVerificationError("too_old", `The signature is ${age} seconds old, ${allowed}`)
  }
  if (!(age >= -toleranceSeconds)) {
    throw new WebhookVerificationError("too_new", `The signature is ${-age} seconds ahead, ${allowed}`)
  }
  return signature
}

export const mismatch = () =>
  new WebhookVerificationError("mismatch", "No v1 is the signature of this body with any of the secrets")
