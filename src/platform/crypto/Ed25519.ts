/** Signatures with Ed25519 (RFC 8032). Keys are 32 bytes: a seed, and the public key that follows from it. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign as signBytes, verify } from "node:crypto"

/** DER before the bytes of a key (RFC 8410). */
const privatePrefix = Buffer.from("302e020100300506032b657004220420", "hex")
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex")

export const keyLength = 32

export const signingKey = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: "der", type: "pkcs8" })

export const publicKeyOf = (seed: Uint8Array): Uint8Array =>
  new Uint8Array(
    createPublicKey(signingKey(seed)).export({ format: "der", type: "spki" }).subarray(publicPrefix.length),
  )

export const verificationKey = (publicKey: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([publicPrefix, publicKey]), format: "der", type: "spki" })

export const sign = (key: KeyObject, message: Uint8Array): Uint8Array => new Uint8Array(signBytes(null, message, key))

export const isSignedBy = (key: KeyObject, message: Uint8Array, signature: Uint8Array): boolean =>
  verify(null, message, key, signature)

/** SHA-256 of the public key, hexadecimal. */
export const fingerprintOf = (publicKey: Uint8Array): string => createHash("sha256").update(publicKey).digest("hex")
