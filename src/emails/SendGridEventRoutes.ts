/** Receives and stores SendGrid's Event Webhook, signed with ECDSA and SHA-256 over timestamp and body. */
import { type KeyObject, verify } from "node:crypto"
import { Clock, Effect, Option, Schema } from "effect"
import { HttpRouter, HttpServerRespondable, HttpServerResponse } from "effect/http"
import { Config } from "../config/Config.ts"
import * as Body from "../platform/http/Body.ts"
import { BadRequest, Unauthorized } from "../platform/http/ProblemApi.ts"
import { EmailEventReceiver } from "./EmailEventReceiver.ts"

const signatureHeader = "x-twilio-email-event-webhook-signature"
const timestampHeader = "x-twilio-email-event-webhook-timestamp"

/** Seconds. SendGrid retries for 24 hours with one signature. Reports are kept longer, so replays store nothing. */
const maxAge = 25 * 3_600
/** Seconds. */
const maxClockLead = 600

const problem = (error: BadRequest | Unauthorized) => HttpServerRespondable.toResponse(error)
const unauthorized = (detail: string) => problem(new Unauthorized({ detail }))

/** False also for a malformed signature. */
const isSigned = (key: KeyObject, timestamp: string, body: Uint8Array, signature: string) =>
  Effect.orElseSucceed(
    Effect.try(() =>
      verify("sha256", Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, "base64")),
    ),
    () => false,
  )

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { sendgridEventsKey } = yield* Config
    const emailEventReceiver = yield* EmailEventReceiver

    yield* router.add("POST", "/providers/sendgrid/events", ({ headers }) =>
      Effect.gen(function* () {
        const signature = headers[signatureHeader]
        const timestamp = headers[timestampHeader]
        if (sendgridEventsKey === undefined) return yield* unauthorized("this service has no SENDGRID_EVENTS_KEY")
        if (signature === undefined || timestamp === undefined) return yield* unauthorized("the request is not signed")
        const age = (yield* Clock.currentTimeMillis) / 1000 - Number(timestamp)
        if (!/^\d{1,12}$/.test(timestamp) || age > maxAge || age < -maxClockLead) {
          return yield* unauthorized("the timestamp is too old, or in the future")
        }
        const body = yield* Body.bytes
        if (!(yield* isSigned(sendgridEventsKey, timestamp, body, signature))) {
          return yield* unauthorized("the signature does not match the request")
        }
        const json = parse(Buffer.from(body).toString("utf8"))
        if (Option.isNone(json)) return yield* problem(new BadRequest({ detail: "the body is not JSON" }))
        yield* emailEventReceiver.receiveSendGrid(Array.isArray(json.value) ? json.value : [json.value])
        return HttpServerResponse.empty()
      }),
    )
  }),
)
