/** Receives and stores SendGrid's Event Webhook, signed with ECDSA and SHA-256 over timestamp and body. */
import { type KeyObject, verify } from "node:crypto"
import { Effect, Result } from "effect"
import { HttpRouter } from "effect/http"
import { Config } from "../config/Config.ts"
import { EmailEventReceiver } from "./EmailEventReceiver.ts"
import { ageFault, receiveEvents } from "./ProviderEvents.ts"
import { fieldOf, type ProviderReport, textOf } from "./ProviderReport.ts"

const signatureHeader = "x-twilio-email-event-webhook-signature"
const timestampHeader = "x-twilio-email-event-webhook-timestamp"

/** False also for a malformed signature. */
const isSigned = (key: KeyObject, timestamp: string, body: Uint8Array, signature: string) =>
  Result.getOrElse(
    Result.try(() =>
      verify("sha256", Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, "base64")),
    ),
    () => false,
  )

/** `email_id` is a custom argument; sg_message_id begins with the response's X-Message-Id. */
export const read = (entry: unknown): ProviderReport | undefined => {
  const kind = textOf(entry, "event")
  if (kind === undefined) return undefined
  return {
    id: fieldOf(entry, "sg_event_id"),
    kind,
    emailId: fieldOf(entry, "email_id"),
    providerMessageId: textOf(entry, "sg_message_id")?.split(".")[0],
  }
}

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { emailEvents } = yield* Config
    const emailEventReceiver = yield* EmailEventReceiver
    const handle = receiveEvents<KeyObject>(
      {
        provider: "sendgrid",
        key: emailEvents.sendgrid,
        setting: "SENDGRID_EVENTS_KEY",
        refuseHeaders: ({ headers, now }) => {
          const timestamp = headers[timestampHeader]
          if (headers[signatureHeader] === undefined || timestamp === undefined) return "the request is not signed"
          return ageFault(/^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN, now)
        },
        refuseBody: ({ body, headers }, key) =>
          isSigned(key, headers[timestampHeader] ?? "", body, headers[signatureHeader] ?? "")
            ? undefined
            : "the signature does not match the request",
        entriesOf: (json) => Effect.succeed(Array.isArray(json) ? json : [json]),
        read,
      },
      emailEventReceiver,
    )
    yield* router.add("POST", "/providers/sendgrid/events", handle)
  }),
)
