/** Compares secrets in constant time. */
import { hash, timingSafeEqual } from "node:crypto"

const digest = (secret: string | Uint8Array) => hash("sha256", secret, "buffer")

/** Texts are compared as UTF-8. The time reveals neither the contents nor, as the digests are compared, the lengths. */
export const isSameSecret = (one: string | Uint8Array, other: string | Uint8Array): boolean =>
  timingSafeEqual(digest(one), digest(other))
