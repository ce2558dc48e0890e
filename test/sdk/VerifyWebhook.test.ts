/** Verification with Web Crypto: the shared vectors, and generated deliveries. */
import { assert, describe, it, vi } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { evaluatedEvent } from "../../src/api-reference/Examples.ts"
import { verifyWebhook, type WebhookDelivery, WebhookVerificationError } from "../../src/sdk/VerifyWebhook.ts"
import { signatureHeaders, signingKey } from "../../src/webhooks/deliveries/Signature.ts"
import file from "../webhooks/signature-vectors.json" with { type: "json" }

const encode = (text: string) => new TextEncoder().encode(text)

/** `accepted`, or the reason of the rejection. */
const verdictOf = (delivery: WebhookDelivery) =>
  verifyWebhook(delivery).then(
    () => "accepted",
    (error: unknown) => {
      if (error instanceof WebhookVerificationError) return error.reason
      // the vectors have bodies that are not JSON
      if (error instanceof SyntaxError) return "accepted"
      throw error
    },
  )

const seconds = 1767225600
const now = new Date(seconds * 1000)
const secret = `whsec_${"0123456789abcdef".repeat(4)}`
const sign = (body: Uint8Array, secrets: ReadonlyArray<string>, timestamp = seconds) =>
  signatureHeaders({ eventId: "x", timestamp, body, keys: secrets.map(signingKey) })

describe("the vectors", () => {
  it.each(file.vectors)("$verdict: $name", async ({ body, headers, now, secrets, verdict }) => {
    const signature = headers["x-webhook-signature"]
    const at = { secrets, now: new Date(now * 1000) }
    assert.strictEqual(await verdictOf({ body: encode(body), signature, ...at }), verdict)
    assert.strictEqual(await verdictOf({ body, headers: { ...headers }, ...at }), verdict)
  })
})

describe("verifyWebhook", () => {
  const text = JSON.stringify(evaluatedEvent)
  const body = encode(text)
  const headers = sign(body, [secret])

  it("returns the event, typed by event_type", async () => {
    const event = await verifyWebhook({ body, headers, secret, now })
    assert.deepStrictEqual<unknown>(event, evaluatedEvent)
    if (event.event_type !== "interview.evaluation.update") return assert.fail(event.event_type)
    const score: number | null = event.data.evaluation_score
    assert.isNumber(score)
  })

  it("reads headers of a Request and of node:http, in upper or lower case", async () => {
    const signature = headers["x-webhook-signature"] ?? ""
    const forms = [new Headers(headers), { "X-Webhook-Signature": signature }, { "x-webhook-signature": [signature] }]
    for (const form of forms) assert.strictEqual(await verdictOf({ body, headers: form, secret, now }), "accepted")
    for (const none of [new Headers(), {}, { "x-webhook-signature": undefined }]) {
      assert.strictEqual(await verdictOf({ body, headers: none, secret, now }), "missing")
    }
  })

  it("accepts either secret during a replacement", async () => {
    const both = { body, headers: sign(body, [`${secret}0`, secret]), now }
    for (const one of [secret, `${secret}0`]) assert.strictEqual(await verdictOf({ ...both, secret: one }), "accepted")
    const given = { body, headers, now, secrets: ["whsec_other", secret] }
    assert.strictEqual(await verdictOf(given), "accepted")
  })

  it("computes one HMAC for each secret with up to ten v1, and none with more", async () => {
    const wrong = `v1=${"0".repeat(64)}`
    const signature = (headers["x-webhook-signature"] ?? "").replace(",", `,${Array(9).fill(wrong).join(",")},`)
    const spies = [vi.spyOn(crypto.subtle, "sign"), vi.spyOn(crypto.subtle, "verify")]
    const count = () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
    try {
      const secrets = ["whsec_other", secret]
      assert.strictEqual(await verdictOf({ body, signature, secrets, now }), "accepted")
      assert.strictEqual(count(), 2)
      assert.strictEqual(await verdictOf({ body, signature: `${signature},${wrong}`, secrets, now }), "malformed")
      assert.strictEqual(count(), 2)
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
  })

  it("allows five minutes by default", async () => {
    const at = (offset: number, tolerance?: number) =>
      verdictOf({
        ...{ body, headers, secret, now: new Date((seconds + offset) * 1000) },
        ...(tolerance === undefined ? {} : { tolerance }),
      })
    assert.deepStrictEqual(await Promise.all([300, 301, -300, -301].map((offset) => at(offset))), [
      "accepted",
      "too_old",
      "accepted",
      "too_new",
    ])
    assert.strictEqual(await at(900, 900), "accepted")
    assert.strictEqual(await at(0, Number.NaN), "too_old")
    const current = sign(body, [secret], Math.floor(Date.now() / 1000))
    assert.strictEqual(await verdictOf({ body, headers: current, secret }), "accepted")
  })

  const bytes = Arbitrary.array(Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))), {
    minLength: 1,
    maxLength: 200,
  })
  const place = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })))
  const key = Arbitrary.schema(Schema.String.check(Schema.isPattern(/^[!-~\u00a0-\uffff]{1,80}$/)))

  it.effect.prop(
    "accepts any signed bytes, and no delivery with one bit flipped in the body, t, digest or secret",
    [bytes, key, place],
    ([values, text, at]) =>
      Effect.promise(async () => {
        const genuine = Uint8Array.from(values)
        const given = `whsec_${text}`
        const signature = sign(genuine, [given])["x-webhook-signature"] ?? ""
        const flipped = (bytes: Uint8Array, bit: number) =>
          bytes.map((byte, index) => (index === bit % bytes.length ? byte ^ (1 << (at % 8)) : byte))
        assert.strictEqual(await verdictOf({ body: genuine, signature, secret: given, now }), "accepted")
        const altered = flipped(genuine, at)
        assert.strictEqual(await verdictOf({ body: altered, signature, secret: given, now }), "mismatch")
        const later = signature.replace(`t=${seconds}`, `t=${seconds + 1 + (at % 300)}`)
        assert.strictEqual(await verdictOf({ body: genuine, signature: later, secret: given, now }), "mismatch")
        const digest = signature.slice(signature.indexOf("v1=") + 3)
        const index = at % digest.length
        const wrong = digest.slice(0, index) + (digest[index] === "0" ? "1" : "0") + digest.slice(index + 1)
        const forged = signature.replace(digest, wrong)
        assert.strictEqual(await verdictOf({ body: genuine, signature: forged, secret: given, now }), "mismatch")
        assert.strictEqual(await verdictOf({ body: genuine, signature, secret: `${given}!`, now }), "mismatch")
      }),
  )
})
