/**
 * Codes of authenticator apps (TOTP, RFC 6238: HMAC-SHA-1, 6 digits, 30 seconds, which all apps support) and recovery
 * codes.
 */
import { hash } from "node:crypto"
import { Secret, TOTP } from "otpauth"
import { encode } from "uqr"

export const secretLength = 20

/** Seconds of a time step. */
const period = 30

/** RFC 6238, 5.2: clocks may differ by one step. */
const window = 1

export const recoveryCodes = 10

/** Bytes; 16 characters in base32. */
export const recoveryLength = 10

const totpOf = (secret: Uint8Array, label = "") =>
  new TOTP({
    issuer: "Interview invitations",
    label,
    algorithm: "SHA1",
    digits: 6,
    period,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
  })

/** The time step of a code, which the library compares in constant time; undefined: wrong. */
export const stepOf = (secret: Uint8Array, typed: string, at: Date): number | undefined => {
  const token = typed.replaceAll(/\s/g, "")
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = totpOf(secret).validate({ token, timestamp: at.getTime(), window })
  return delta === null ? undefined : Math.floor(at.getTime() / 1000 / period) + delta
}

/** The address that authenticator apps read from a QR code. */
export const uriOf = (secret: Uint8Array, email: string): string => totpOf(secret, email).toString()

const base32 = (bytes: Uint8Array): string => new Secret({ buffer: new Uint8Array(bytes).buffer }).base32

/** In groups of four characters. */
const grouped = (text: string): string => (text.match(/.{1,4}/g) ?? []).join(" ")

export const keyText = (secret: Uint8Array): string => grouped(base32(secret))

export const recoveryText = (bytes: Uint8Array): string => grouped(base32(bytes)).toLowerCase().replaceAll(" ", "-")

/** Undefined: no recovery code. Digits that base32 lacks are read as the letters that look like them. */
export const recoveryHash = (typed: string): Uint8Array | undefined => {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("0", "o").replaceAll("1", "l")
  return /^[a-z2-7]{16}$/.test(code) ? new Uint8Array(hash("sha256", code, "buffer")) : undefined
}

/** An SVG path of the dark modules, and their number in a row. */
export const qrPath = (text: string): { readonly size: number; readonly path: string } => {
  const { data, size } = encode(text, { ecc: "M", border: 4 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("")
  return { size, path }
}
