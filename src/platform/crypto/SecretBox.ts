/**
 * Encrypts secrets at rest (AES-256-GCM) and signs links (HMAC-SHA-256), each under a key derived from SECRET_KEY
 * (HKDF-SHA-256, RFC 5869). The first key encrypts and signs, all keys decrypt and verify.
 */
import { createHmac, createSecretKey, type KeyObject } from "node:crypto"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { Aead, type CryptoError, Kdf, SecureRandom } from "effect/crypto"
import { isSameSecret } from "./SecretComparison.ts"

const nonceLength = 12
const utf8 = (text: string) => new TextEncoder().encode(text)

export class UnreadableSecret extends Schema.TaggedError<UnreadableSecret>()("UnreadableSecret", {}) {
  override get message() {
    return "no key of SECRET_KEY decrypts the secret of this webhook: put back the key that encrypted it, or regenerate the secret"
  }
}

export class SecretBox extends Context.Service<
  SecretBox,
  {
    /** Decrypts only with the same `context`. */
    readonly encrypt: (plaintext: Uint8Array, context: string) => Effect.Effect<Uint8Array>
    /** Undefined: no key decrypts it, or the context differs. */
    readonly open: (encrypted: Uint8Array, context: string) => Effect.Effect<Uint8Array | undefined>
    /** One per key; reveals nothing about its key. */
    readonly fingerprints: ReadonlyArray<Uint8Array>
    readonly sign: (data: Uint8Array) => Uint8Array
    /** In constant time. */
    readonly verify: (tag: Uint8Array, data: Uint8Array) => boolean
  }
>()("interview-invitations/platform/crypto/SecretBox") {
  static readonly layer = (secretKeys: ReadonlyArray<Redacted.Redacted<Uint8Array>>) =>
    Layer.effect(
      SecretBox,
      Effect.gen(function* () {
        const aead = yield* Aead.Aead
        const kdf = yield* Kdf.Kdf
        const random = yield* SecureRandom.SecureRandom
        const derive = (secret: Redacted.Redacted<Uint8Array>, purpose: string) =>
          kdf.derive(Kdf.hkdfSha256, Redacted.value(secret), {
            salt: new Uint8Array(32),
            info: utf8(`interview-invitations/${purpose}`),
            length: 32,
          })
        const encryptionKeys = yield* Effect.forEach(secretKeys, (secret) =>
          Effect.flatMap(derive(secret, "secrets"), (bytes) => Aead.key(Aead.aes256Gcm, bytes)),
        )
        const signingKeys = yield* Effect.forEach(secretKeys, (secret) =>
          Effect.map(derive(secret, "links"), (bytes) => createSecretKey(bytes)),
        )
        const fingerprints = yield* Effect.forEach(secretKeys, (secret) => derive(secret, "fingerprint"))
        const encryptionKey = yield* Effect.fromNullishOr(encryptionKeys[0])
        const signingKey = yield* Effect.fromNullishOr(signingKeys[0])
        // effect's Mac makes a key object per signature, a quarter of an invite of 1,000 candidates
        const tag = (key: KeyObject, data: Uint8Array) =>
          new Uint8Array(createHmac("sha256", key).update(data).digest().subarray(0, 16))

        const open = Effect.fnUntraced(function* (encrypted: Uint8Array, context: string) {
          const options = { nonce: encrypted.subarray(0, nonceLength), aad: utf8(context) }
          return yield* Effect.firstSuccessOf(
            encryptionKeys.map(
              (key): Effect.Effect<Uint8Array, CryptoError.CryptoError> =>
                aead.decrypt(key, encrypted.subarray(nonceLength), options),
            ),
          )
        })

        return SecretBox.of({
          encrypt: Effect.fn("SecretBox.encrypt")(function* (plaintext, context) {
            const nonce = yield* random.randomBytes(nonceLength)
            const ciphertext = yield* aead.encrypt(encryptionKey, plaintext, { nonce, aad: utf8(context) })
            return new Uint8Array(Buffer.concat([nonce, ciphertext]))
          }, Effect.orDie),
          open: (encrypted, context) => Effect.orElseSucceed(open(encrypted, context), () => undefined),
          fingerprints,
          sign: (data) => tag(signingKey, data),
          // tries every key, so that the time does not reveal which one signed
          verify: (claimed, data) => signingKeys.map((key) => isSameSecret(tag(key, data), claimed)).includes(true),
        })
      }),
    )
}
