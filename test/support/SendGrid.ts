/** SendGrid's side of its Event Webhook: the key it signs with, and what it posts. */
import { generateKeyPairSync, sign } from "node:crypto"
import { Clock, Effect } from "effect"
import * as Api from "./Api.ts"

const pair = generateKeyPairSync("ec", { namedCurve: "P-256" })

/** The verification key, as SendGrid shows it. */
export const eventsKey = pair.publicKey.export({ type: "spki", format: "der" }).toString("base64")

export interface Posted {
  /** Seconds since now. */
  readonly age?: number
  readonly signature?: string | undefined
  readonly timestamp?: string | undefined
}

/** The headers of a body that is signed now. */
export const signed = (body: string, timestamp = String(Math.floor(Date.now() / 1000))) => ({
  "x-twilio-email-event-webhook-timestamp": timestamp,
  "x-twilio-email-event-webhook-signature": sign("sha256", Buffer.from(timestamp + body), pair.privateKey).toString(
    "base64",
  ),
})

/** Posts a body, signed at this time unless told otherwise. */
export const postRaw = Effect.fnUntraced(function* (body: string, posted: Posted = {}) {
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const timestamp = String(now - (posted.age ?? 0))
  const headers = {
    ...signed(body, timestamp),
    "content-type": "application/json",
    ...("signature" in posted ? { "x-twilio-email-event-webhook-signature": posted.signature } : {}),
    ...("timestamp" in posted ? { "x-twilio-email-event-webhook-timestamp": posted.timestamp } : {}),
  }
  return yield* Api.call("POST", "/providers/sendgrid/events", {
    raw: body,
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  })
})

/** The documented form: an array, four spaces and line breaks as they please. */
export const post = (entries: ReadonlyArray<unknown>, posted?: Posted) =>
  postRaw(`[${entries.map((entry) => JSON.stringify(entry, null, 1)).join(",\r\n")}]\r\n`, posted)

let count = 0

/** An entry about a mail; its sg_event_id is new unless given. */
export const entry = (event: string, emailId: string | undefined, more: object = {}) => ({
  email: "ada@example.com",
  timestamp: 1_767_225_600,
  "smtp-id": "<14c5d75ce93.dfd.64b469@ismtpd-555>",
  event,
  category: [],
  sg_event_id: `event-${++count}-${event}==`,
  sg_message_id: "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
  ...(emailId === undefined ? {} : { email_id: emailId }),
  ...more,
})
