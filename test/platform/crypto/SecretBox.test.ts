/** Encryption and signatures under a list of keys. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SecretBox } from "../../../src/platform/crypto/SecretBox.ts"

const secret = (fill: number) => Redacted.make(new Uint8Array(32).fill(fill))
const bytes = (text: string) => new TextEncoder().encode(text)

/** A SecretBox with these keys. */
const box = (...keys: ReadonlyArray<number>) =>
  Effect.provide(SecretBox, SecretBox.layer(keys.map(secret)).pipe(Layer.provide(NodeCrypto.layer)), { local: true })

const flipped = (whole: Uint8Array, at: number) => whole.map((byte, i) => (i === at ? byte ^ 1 : byte))

describe("SecretBox", () => {
  it.effect("decrypts what it encrypted, and never encrypts alike twice", () =>
    Effect.gen(function* () {
      const { encrypt, open } = yield* box(1)
      for (const text of ["", "whsec", "ü".repeat(5000)]) {
        const sealed = yield* encrypt(bytes(text), "webhook_endpoint 1")
        if (text !== "") assert.notInclude(Buffer.from(sealed).toString("utf8"), text)
        assert.deepStrictEqual(yield* open(sealed, "webhook_endpoint 1"), bytes(text))
      }
      assert.notDeepEqual(yield* encrypt(bytes("a"), "x"), yield* encrypt(bytes("a"), "x"))
    }),
  )

  it.effect("decrypts nothing under another context or key, nor altered or shortened data", () =>
    Effect.gen(function* () {
      const { encrypt, open } = yield* box(1)
      const sealed = yield* encrypt(bytes("whsec"), "webhook_endpoint 1")
      assert.isUndefined(yield* open(sealed, "webhook_endpoint 2"))
      assert.isUndefined(yield* (yield* box(2)).open(sealed, "webhook_endpoint 1"))
      for (let at = 0; at < sealed.length; at++) {
        assert.isUndefined(yield* open(flipped(sealed, at), "webhook_endpoint 1"))
      }
      for (let length = 0; length < sealed.length; length++) {
        assert.isUndefined(yield* open(sealed.subarray(0, length), "webhook_endpoint 1"))
      }
    }),
  )

  it.effect("decrypts with replaced keys, and encrypts with the first", () =>
    Effect.gen(function* () {
      const before = yield* box(1)
      const during = yield* box(2, 1)
      const after = yield* box(2)
      const old = yield* before.encrypt(bytes("old"), "x")
      const fresh = yield* during.encrypt(bytes("fresh"), "x")
      assert.deepStrictEqual(yield* during.open(old, "x"), bytes("old"))
      assert.deepStrictEqual(yield* after.open(fresh, "x"), bytes("fresh"))
      assert.isUndefined(yield* before.open(fresh, "x"))
      assert.isUndefined(yield* after.open(old, "x"))
    }),
  )

  it.effect("signs with the first key and verifies with all", () =>
    Effect.gen(function* () {
      const before = yield* box(1)
      const during = yield* box(2, 1)
      const old = before.sign(bytes("data"))
      const fresh = during.sign(bytes("data"))
      assert.lengthOf(old, 16)
      assert.isTrue(during.verify(old, bytes("data")))
      assert.isTrue(during.verify(fresh, bytes("data")))
      assert.isFalse(before.verify(fresh, bytes("data")))
      assert.isFalse(during.verify(fresh, bytes("date")))
      assert.isFalse(during.verify(fresh.subarray(0, 15), bytes("data")))
      for (let at = 0; at < 16; at++) assert.isFalse(during.verify(flipped(fresh, at), bytes("data")))
    }),
  )
})
