/** The package's verification for receivers, on the vectors and other input. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { signatureHeaders, signingKey } from "../../src/webhooks/deliveries/Signature.ts"
import {
  findWebhookFault,
  verifyWebhook,
  type WebhookVerification,
  WebhookVerificationError,
} from "../../src/webhooks/deliveries/WebhookVerification.ts"
import { importsOf } from "../support/imports.ts"
import file from "./signature-vectors.json" with { type: "json" }

const encode = (text: string) => new TextEncoder().encode(text)
const reason = (delivery: WebhookVerification) => findWebhookFault(delivery)?.reason ?? "accepted"

describe("the vectors", () => {
  it.each(file.vectors)("$verdict: $name", ({ body, headers, now, secrets, verdict }) => {
    const header = headers["x-webhook-signature"]
    assert.strictEqual(reason({ body: encode(body), header, secrets, now }), verdict)
    assert.strictEqual(reason({ body, header, secrets, now }), verdict)
  })

  it("with signed_with equal the headers that this service sends", () => {
    const sent = file.vectors.filter(({ signed_with }) => signed_with !== undefined)
    assert.isAbove(sent.length, 10)
    for (const { body, headers, name, signed_with = [], timestamp } of sent) {
      const eventId = headers["webhook-id"] ?? ""
      const input = { eventId, timestamp, body: encode(body), keys: signed_with.map(signingKey) }
      assert.deepStrictEqual(signatureHeaders(input), { ...headers }, name)
    }
  })
})

describe("verifyWebhook", () => {
  const secret = `whsec_${"0123456789abcdef".repeat(4)}`
  const sign = (timestamp: number, body: Uint8Array) =>
    signatureHeaders({ eventId: "x", timestamp, body, keys: [signingKey(secret)] })["x-webhook-signature"]
  const now = 1767225600
  const body = encode("{}")
  const good = { body, header: sign(now, body), secrets: [secret], now }

  it("throws an error with its reason; returns nothing for a genuine delivery", () => {
    assert.isUndefined(verifyWebhook(good))
    try {
      verifyWebhook({ ...good, now: now + 412 })
      assert.fail("accepted")
    } catch (error) {
      assert.instanceOf(error, WebhookVerificationError)
      assert.deepInclude(error, {
        name: "WebhookVerificationError",
        reason: "too_old",
        message: "The signature is 412 seconds old, 300 are allowed",
      })
    }
  })

  it("uses this machine's clock by default", () => {
    const seconds = Math.floor(Date.now() / 1000)
    const at = (t: number) => reason({ body, header: sign(t, body), secrets: [secret] })
    assert.deepStrictEqual([at(seconds), at(seconds - 400), at(seconds + 400)], ["accepted", "too_old", "too_new"])
  })

  it.each([
    [300, "accepted"],
    [-300, "accepted"],
    [301, "too_old"],
    [-301, "too_new"],
  ])("allows five minutes by default: %s seconds after t: %s", (after, verdict) => {
    assert.strictEqual(reason({ ...good, now: now + after }), verdict)
  })

  it.each([
    [900, 900, "accepted"],
    [900, -900, "accepted"],
    [900, 901, "too_old"],
    [900, -901, "too_new"],
    [0, 0, "accepted"],
    [0, 1, "too_old"],
    [Number.NaN, 0, "too_old"],
    [300, Number.NaN, "too_old"],
  ])("with a window of %s seconds, %s seconds after t: %s", (toleranceSeconds, after, verdict) => {
    assert.strictEqual(reason({ ...good, toleranceSeconds, now: now + after }), verdict)
  })

  it("accepts the header as a string or an array", () => {
    const header = good.header ?? ""
    assert.strictEqual(reason({ ...good, header: [header] }), "accepted")
    assert.strictEqual(reason({ ...good, header: header.split(",") }), "accepted")
    for (const none of [undefined, null, "", []]) assert.strictEqual(reason({ ...good, header: none }), "missing")
  })

  it("accepts bytes that are not UTF-8, also in the middle of a buffer", () => {
    const buffer = Uint8Array.from([1, 0xff, 0x00, 0xc3, 0x28, 2])
    const bytes = buffer.subarray(1, 5)
    assert.strictEqual(reason({ ...good, body: bytes, header: sign(now, bytes) }), "accepted")
    const text = new TextDecoder().decode(bytes)
    assert.strictEqual(reason({ ...good, body: text, header: sign(now, bytes) }), "mismatch")
  })

  it("rejects everything without a secret or with an empty one", () => {
    // JavaScript callers may pass missing environment variables
    const untyped: ReadonlyArray<ReadonlyArray<string>> = JSON.parse('[[null], "", null]')
    for (const secrets of [[], [""], [secret, ""], ["whsec_", secret], ...untyped]) {
      assert.strictEqual(reason({ ...good, secrets }), "no_secret")
    }
  })

  it("imports node:crypto only", () => {
    const reached = (path: string): ReadonlyArray<string> =>
      importsOf(readFileSync(path, "utf8")).flatMap(({ name }) =>
        name.startsWith(".") ? reached(join(dirname(path), name)) : [name],
      )
    const entry = join(import.meta.dirname, "../../src/webhooks/deliveries/WebhookVerification.ts")
    assert.deepStrictEqual([...new Set(reached(entry))], ["node:crypto"])
  })
})
