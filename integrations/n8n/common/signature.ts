import { createHmac, timingSafeEqual } from "node:crypto"

/** Seconds by which a signature's time may differ from the clock of n8n. */
export const tolerance = 300

/** The service sends one v1 for each valid secret, at most two. */
const maxDigests = 10

export interface Delivery {
  /** The header X-Webhook-Signature. */
  readonly header: string | undefined
  /** The bytes as received. */
  readonly body: Buffer
  /** As the service shows them, `whsec_…`. */
  readonly secrets: ReadonlyArray<string>
  /** Seconds since 1970. */
  readonly now: number
}

export type Verdict =
  | { readonly isGenuine: false; readonly reason: string }
  | {
      readonly isGenuine: true
      /** The index of the secret that signed. */
      readonly secret: number
      /** Another secret signed too: the secret is being replaced. */
      readonly hasOthers: boolean
    }

const refused = (reason: string): Verdict => ({ isGenuine: false, reason })

/**
 * Checks X-Webhook-Signature, `t=<unix seconds>,v1=<hex>`: the time, and the HMAC-SHA256 of `<t>.<body>` in constant time
 * with each of the secrets. During the replacement of a secret the header has two v1, of which one match is enough.
 */
export const verify = ({ body, header, now, secrets }: Delivery): Verdict => {
  if (secrets.length === 0) return refused("no secret is stored: unpublish and publish the workflow")
  if (header === undefined || header === "") return refused("X-Webhook-Signature is missing")
  const parts = header.split(",").map((part) => part.trim())
  const t = parts.find((part) => part.startsWith("t="))?.slice(2) ?? ""
  const given = parts.filter((part) => part.startsWith("v1=")).map((part) => part.slice(3))
  if (!/^\d{1,12}$/.test(t) || given.length === 0 || given.length > maxDigests) {
    return refused("X-Webhook-Signature is malformed")
  }
  if (Math.abs(now - Number(t)) > tolerance) {
    return refused(`the signature's time differs by more than ${tolerance} seconds from the clock of n8n`)
  }
  const digests = given.filter((hex) => /^[0-9a-f]{64}$/.test(hex)).map((hex) => Buffer.from(hex, "hex"))
  for (const [index, secret] of secrets.entries()) {
    const expected = createHmac("sha256", secret.replace(/^whsec_/, ""))
      .update(`${t}.`)
      .update(body)
      .digest()
    if (digests.some((digest) => timingSafeEqual(digest, expected))) {
      return { isGenuine: true, secret: index, hasOthers: digests.length > 1 }
    }
  }
  return refused("no v1 is the signature of this body with the stored secret")
}
