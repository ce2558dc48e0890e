/**
 * Verifies deliveries synchronously with node:crypto (docs/webhooks.md); exported as `interview-invitations/webhooks`. The rules
 * are those of the SDK, which computes digests with Web Crypto.
 */
import { defaultTolerance, mismatch, readSignature, WebhookVerificationError } from "../../sdk/WebhookSignature.ts"
import { isSignedWith } from "./Signature.ts"

export { type WebhookFault, WebhookVerificationError } from "../../sdk/WebhookSignature.ts"

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

/** Throws a WebhookVerificationError unless the delivery is genuine. Compares in constant time. */
export const verifyWebhook = ({
  body,
  header,
  now = Math.floor(Date.now() / 1000),
  secrets,
  toleranceSeconds = defaultTolerance,
}: WebhookVerification): void => {
  const signature = readSignature({ header, now, secrets, toleranceSeconds })
  if (!secrets.some((secret) => isSignedWith(secret, signature, body))) throw mismatch()
}

/** Undefined when the delivery is genuine. */
export const findWebhookFault = (delivery: WebhookVerification): WebhookVerificationError | undefined => {
  try {
    verifyWebhook(delivery)
    return undefined
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error
    throw error
  }
}
