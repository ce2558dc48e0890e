/** Short hashes that tell versions of a value apart, such as the filters of a list. Not for secrets. */
import { hash } from "node:crypto"

/** 8 characters of base64url: 48 bits of the SHA-256 of the value's JSON. */
export const shortHashOf = (value: unknown): string => hash("sha256", JSON.stringify(value), "base64url").slice(0, 8)
