import { assert, describe, it } from "@effect/vitest"
import { formatSecret, signatureHeaders, signingKey, signingKeys } from "../../src/webhooks/deliveries/Signature.ts"
import { findWebhookFault } from "../../src/webhooks/deliveries/WebhookVerification.ts"

/**
 * The vectors below come from openssl 3, with the variables named as here:
 *
 * ```
 * T=1767225600  ID=0192f0c1-0000-7000-8000-000000000001  B='{"event_id":"0192f0c1-0000-7000-8000-000000000001","name":"Zoë"}'
 * spec:      printf '%s' "$T.$B" | openssl dgst -sha256 -hmac $HEX
 * standard:  printf '%s' "$ID.$T.$B" | openssl dgst -sha256 -mac HMAC \
 *              -macopt hexkey:$(printf %s $HEX | base64 -d | xxd -p -c 256) -binary | base64
 * misused:   printf '%s' "$T.$B" | openssl dgst -sha256 -hmac whsec_$HEX
 * ```
 */
const timestamp = 1767225600
const eventId = "0192f0c1-0000-7000-8000-000000000001"
const text = '{"event_id":"0192f0c1-0000-7000-8000-000000000001","name":"Zoë"}'
const body = new TextEncoder().encode(text)
const current = {
  hex: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
  spec: "6f7c38d470013d22c28151571b8756674436041fe988f2a174d3a25cc6f576c1",
  standard: "dLk0ptrvZBfOjH+KiOW59A4xFt7F+scCygLhql/0vHA=",
  misused: "e525e122d8e87375e34df30697ce728f73296a103ac774618be51133fb3d95dd",
}
const previous = {
  hex: "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100",
  spec: "f69c56126b619c3b2102de95e5bf3cececf35113c7026d926b6463147e23404b",
  standard: "o0NM0mQ6Kswp3ADRot4FYrtB7B5i4M+KrfEfBdjicWI=",
}

describe("formatSecret", () => {
  it("shows 32 bytes as whsec_ and lower-case hex", () => {
    assert.strictEqual(formatSecret(Uint8Array.from({ length: 32 }, (_, i) => i)), `whsec_${current.hex}`)
  })
})

describe("signatureHeaders", () => {
  const input = { eventId, timestamp, body }

  it("makes the digests of openssl, for X-Webhook-Signature and Standard Webhooks", () => {
    for (const secret of [current, previous]) {
      assert.deepStrictEqual(signatureHeaders({ ...input, keys: [signingKey(`whsec_${secret.hex}`)] }), {
        "x-webhook-signature": `t=${timestamp},v1=${secret.spec}`,
        "webhook-id": eventId,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": `v1,${secret.standard}`,
      })
    }
  })

  it("signs with both keys while one replaces the other, the previous one first", () => {
    const keys = signingKeys(signingKey(current.hex), signingKey(previous.hex))
    const headers = signatureHeaders({ ...input, keys })
    assert.strictEqual(headers["x-webhook-signature"], `t=${timestamp},v1=${previous.spec},v1=${current.spec}`)
    assert.strictEqual(headers["webhook-signature"], `v1,${previous.standard} v1,${current.standard}`)
  })
})

describe("findWebhookFault", () => {
  const secret = `whsec_${current.hex}`
  const header = `t=${timestamp},v1=${current.spec}`
  const good = { secrets: [secret], header, body, now: timestamp }
  const other = `v1=${previous.spec}`

  it.each([
    ["the displayed secret", good],
    ["the secret without its prefix", { ...good, secrets: [current.hex] }],
    ["a t at the edge of the window", { ...good, now: timestamp + 300 }],
    ["a t that is ahead, within the window", { ...good, now: timestamp - 300 }],
    ["a wider window", { ...good, now: timestamp + 900, toleranceSeconds: 900 }],
    ["the right digest after another one", { ...good, header: `t=${timestamp},${other},v1=${current.spec}` }],
    ["the old secret during the overlap", { ...good, secrets: [previous.hex], header: `${header},${other}` }],
    [
      "the right digest after nine others",
      { ...good, header: `t=${timestamp},${`${other},`.repeat(9)}v1=${current.spec}` },
    ],
    ["spaces after the commas, and unknown versions", { ...good, header: `${header}, v0=ab, v2=cd` }],
  ])("accepts %s", (_, input) => {
    assert.isUndefined(findWebhookFault(input))
  })

  it.each([
    ["too_old", "a t that is too old", { ...good, now: timestamp + 301 }],
    ["too_new", "a t that is too far ahead", { ...good, now: timestamp - 301 }],
    ["too_old", "a clock that is NaN", { ...good, now: Number.NaN }],
    ["too_new", "another t within reach of now", { ...good, header: header.replace("t=1767", "t=1768") }],
    ["mismatch", "a t that was not signed", { ...good, header: header.replace("5600,", "5601,") }],
    ["mismatch", "a body that was altered", { ...good, body: new TextEncoder().encode(text.replace("Zoë", "Zoe")) }],
    ["mismatch", "a body that was serialized again", { ...good, body: new TextEncoder().encode(` ${text}`) }],
    ["mismatch", "another secret", { ...good, secrets: [previous.hex] }],
    ["mismatch", "a digest made with the prefixed secret", { ...good, header: `t=${timestamp},v1=${current.misused}` }],
    ["mismatch", "a digest that is cut short", { ...good, header: header.slice(0, -2) }],
    ["mismatch", "an odd number of digits", { ...good, header: header.slice(0, -1) }],
    ["mismatch", "an odd digit too many", { ...good, header: `${header}a` }],
    ["mismatch", "a byte too many", { ...good, header: `${header}ab` }],
    ["mismatch", "text after the digest", { ...good, header: `${header}zz` }],
    ["mismatch", "an empty digest", { ...good, header: `t=${timestamp},v1=` }],
    ["missing", "an empty header", { ...good, header: "" }],
    ["malformed", "a header without t", { ...good, header: `v1=${current.spec}` }],
    ["malformed", "a header without v1", { ...good, header: `t=${timestamp},v0=${current.spec}` }],
    [
      "malformed",
      "more than ten v1",
      { ...good, header: `t=${timestamp},${`${other},`.repeat(10)}v1=${current.spec}` },
    ],
    ["malformed", "a t that is not a number", { ...good, header: `t=now,v1=${current.spec}` }],
    ["malformed", "a negative t", { ...good, header: `t=-1,v1=${current.spec}` }],
    ["malformed", "a t beyond all dates", { ...good, header: `t=1767225600000000000000,v1=${current.spec}` }],
    ["malformed", "the digest alone", { ...good, header: current.spec }],
  ] as const)("rejects as %s: %s", (fault, _, input) => {
    assert.strictEqual(findWebhookFault(input)?.reason, fault)
  })
})
