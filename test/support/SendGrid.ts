/** Posts events as SendGrid's Event Webhook does, signed with a key pair of the tests. */
import { generateKeyPairSync, sign } from "node:crypto"
import { Clock, Effect } from "effect"
import * as Api from "./Api.ts"

const pair = generateKeyPairSync("ec", { namedCurve: "P-256" })

export const eventsKey = pair.publicKey.export({ type: "spki", format: "der" }).toString("base64")

export interface PostOptions {
  /** Age of the signature in seconds; 0 by default. */
  readonly age?: number
  readonly signature?: string | undefined
  readonly timestamp?: string | undefined
}

/** `timestamp` is in seconds. */
export const signed = (body: string, timestamp = String(Math.floor(Date.now() / 1000))) => ({
  "x-twilio-email-event-webhook-timestamp": timestamp,
  "x-twilio-email-event-webhook-signature": sign("sha256", Buffer.from(timestamp + body), pair.privateKey).toString(
    "base64",
  ),
})

/** `signature` and `timestamp` replace the valid headers; undefined removes them. */
export const postRaw = Effect.fnUntraced(function* (body: string, options: PostOptions = {}) {
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const timestamp = String(now - (options.age ?? 0))
  const headers = {
    ...signed(body, timestamp),
    "content-type": "application/json",
    ...("signature" in options ? { "x-twilio-email-event-webhook-signature": options.signature } : {}),
    ...("timestamp" in options ? { "x-twilio-email-event-webhook-timestamp": options.timestamp } : {}),
  }
  return yield* Api.call("POST", "/providers/sendgrid/events", {
    raw: body,
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  })
})

/** Posts entries as an array with varied white space. */
export const post = (entries: ReadonlyArray<unknown>, options?: PostOptions) =>
  postRaw(`[${entries.map((entry) => JSON.stringify(entry, null, 1)).join(",\r\n")}]\r\n`, options)

let count = 0

/** Has a new sg_event_id unless `more` has one. */
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
