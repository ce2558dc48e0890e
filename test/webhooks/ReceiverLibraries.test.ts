/** Real deliveries over HTTP, verified by receiver libraries. */

import { createHmac } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Webhook } from "standardwebhooks"
import Stripe from "stripe"
import { operator } from "../../src/accounts/Viewer.ts"
import * as UndiciWebhookTransport from "../../src/webhooks/deliveries/UndiciWebhookTransport.ts"
import { WebhookTransport } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import { verifyWebhook } from "../../src/webhooks/deliveries/WebhookVerification.ts"
import { EndpointSecrets } from "../../src/webhooks/endpoints/EndpointSecrets.ts"
import { loopback, receiver } from "../port/receivers.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Webhooks from "../support/Webhooks.ts"

interface Delivery {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A title with characters that serializers often change. */
const title = 'Zoë\u0308 "C:\\temp\\" 日本語 👩‍💻🚀 \u2028 \\u0041 </script> % %s'

/** Three deliveries: before, during and after the overlap of two secrets. */
const deliveries = Effect.gen(function* () {
  const transport = yield* WebhookTransport
  const received: Array<Delivery> = []
  const { url } = yield* receiver(async (request, response) => {
    received.push({ headers: request.headers, body: Buffer.concat(await request.toArray()) })
    response.end()
  })
  const secrets = yield* Effect.gen(function* () {
    // these libraries use the machine's clock
    yield* TestClock.setTime(Date.now())
    const endpointSecrets = yield* EndpointSecrets
    const organization = yield* Scenario.organization({ title })
    const { id, secret } = yield* Scenario.endpoint(organization.id, { url })
    const candidate = yield* Scenario.invited(organization)
    const deliver = Effect.andThen(Scenario.publish(candidate), Webhooks.round)
    yield* deliver
    const next = yield* endpointSecrets.regenerate(operator(organization.id), id)
    yield* deliver
    yield* endpointSecrets.removePrevious(operator(organization.id), id)
    yield* deliver
    return { old: Redacted.value(secret), next: Redacted.value(next) }
  }).pipe(Pod.provide({ receive: transport.post }))
  assert.deepStrictEqual(
    received.map(({ headers }) => String(headers["x-webhook-signature"]).split("v1=").length - 1),
    [1, 2, 1],
  )
  return { received, secrets }
}).pipe(
  Effect.scoped,
  Effect.provide(
    UndiciWebhookTransport.layer({ allowed: loopback, timeout: Duration.seconds(30), connectionsPerOrigin: 4 }),
  ),
)

const signature = ({ headers }: Delivery) => String(headers["x-webhook-signature"])

type Verify = (delivery: Delivery, secret: string) => unknown

/** Each returns the JSON or throws. */
const verifiers: Record<string, Verify> = {
  "the package's function": (delivery, secret) => {
    verifyWebhook({ body: delivery.body, header: signature(delivery), secrets: [secret] })
    return JSON.parse(delivery.body.toString())
  },
  "Stripe's constructEvent": (delivery, secret) =>
    Stripe.webhooks.constructEvent(delivery.body, signature(delivery), secret.replace("whsec_", "")),
  "Standard Webhooks": ({ body, headers }, secret) =>
    new Webhook(secret).verify(
      body,
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    ),
}

const isRefused = (verify: Verify, delivery: Delivery, secret: string) => {
  try {
    verify(delivery, secret)
    return false
  } catch {
    return true
  }
}

/** The delivery with one bit of its body flipped. */
const altered = ({ body, headers }: Delivery, at: number): Delivery => {
  const bytes = Buffer.from(body)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  return { headers, body: bytes }
}

describe("real deliveries", () => {
  it.effect("are accepted with the secrets that sign them and rejected with others", () =>
    Effect.gen(function* () {
      const { received, secrets } = yield* deliveries
      for (const [name, verify] of Object.entries(verifiers)) {
        for (const [i, { old, next }] of [
          { old: true, next: false },
          { old: true, next: true },
          { old: false, next: true },
        ].entries()) {
          const delivery = received[i] ?? assert.fail("not delivered")
          for (const [secret, signs] of [
            [secrets.old, old],
            [secrets.next, next],
            [`whsec_${"0".repeat(64)}`, false],
          ] as const) {
            if (signs) assert.nestedPropertyVal(verify(delivery, secret), "data.interview_name", title, name)
            else assert.isTrue(isRefused(verify, delivery, secret), `${name}, delivery ${i}`)
          }
        }
      }
    }),
  )

  it.effect(
    "are accepted until the overlap ends by a receiver that reads only the first v1 and has the old secret",
    () =>
      Effect.gen(function* () {
        const { received, secrets } = yield* deliveries
        const accepts = (delivery: Delivery, secret: string) => {
          const [, t = "", digest = ""] = /^t=(\d+),v1=(\w+)/.exec(signature(delivery)) ?? []
          const [, standard = ""] = /^v1,(\S+)/.exec(String(delivery.headers["webhook-signature"])) ?? []
          const hex = secret.replace("whsec_", "")
          const id = String(delivery.headers["webhook-id"])
          const isSigned = createHmac("sha256", hex).update(`${t}.`).update(delivery.body).digest("hex") === digest
          const key = Buffer.from(hex, "base64")
          const mac = createHmac("sha256", key).update(`${id}.${t}.`).update(delivery.body).digest("base64")
          assert.strictEqual(mac === standard, isSigned, "both headers have the same order")
          return isSigned
        }
        assert.deepStrictEqual(
          received.map((delivery) => [accepts(delivery, secrets.old), accepts(delivery, secrets.next)]),
          [
            [true, false],
            [true, false],
            [false, true],
          ],
        )
      }),
  )

  it.effect("are rejected with a changed byte, time or id", () =>
    Effect.gen(function* () {
      const { received, secrets } = yield* deliveries
      const delivery = received[1] ?? assert.fail("not delivered")
      const { body, headers } = delivery
      const later = String(Number(headers["webhook-timestamp"]) + 1)
      for (const [name, verify] of Object.entries(verifiers)) {
        for (let at = 0; at < body.length; at++) {
          assert.isTrue(isRefused(verify, altered(delivery, at), secrets.old), `${name}, byte ${at}`)
        }
        const restamped = signature(delivery).replace(/t=\d+/, `t=${later}`)
        const forged = { "x-webhook-signature": restamped, "webhook-timestamp": later }
        assert.isTrue(isRefused(verify, { body, headers: { ...headers, ...forged } }, secrets.old), name)
      }
      const renamed = { body, headers: { ...headers, "webhook-id": "0192f0c1-0000-7000-8000-000000000001" } }
      assert.isTrue(isRefused(verifiers["Standard Webhooks"] ?? assert.fail(), renamed, secrets.old))
    }),
  )

  it.effect("are rejected by Stripe's constructEvent with the prefixed secret", () =>
    Effect.gen(function* () {
      const { received, secrets } = yield* deliveries
      const delivery = received[0] ?? assert.fail("not delivered")
      const prefixed: Verify = ({ body }, secret) => Stripe.webhooks.constructEvent(body, signature(delivery), secret)
      assert.isTrue(isRefused(prefixed, delivery, secrets.old))
    }),
  )
})
