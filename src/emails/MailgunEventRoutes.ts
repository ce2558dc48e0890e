/**
 * Receives and stores Mailgun's webhooks. The signature (HMAC and SHA-256) is in the body and covers a timestamp and a
 * token, not the report: the token is the report's id, so one that is sent again, with another report, stores nothing.
 */
import { createHmac } from "node:crypto"
import { Effect, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import { Config } from "../config/Config.ts"
import { isSameSecret } from "../platform/crypto/SecretComparison.ts"
import { EmailEventReceiver } from "./EmailEventReceiver.ts"
import { ageFault, receiveEvents } from "./ProviderEvents.ts"
import { fieldOf, type ProviderReport, type ReportFacts, textOf } from "./ProviderReport.ts"

const refuse = (json: unknown, now: number, key: Redacted.Redacted): string | undefined => {
  const timestamp = textOf(json, "signature", "timestamp")
  const token = textOf(json, "signature", "token")
  // of a subaccount's report: by the key of the account
  const signatures = ["signature", "parent-signature"].flatMap((name) => textOf(json, "signature", name) ?? [])
  if (timestamp === undefined || token === undefined || signatures.length === 0) return "the request is not signed"
  if (!/^\d{1,12}$/.test(timestamp)) return ageFault(Number.NaN, now)
  const expected = createHmac("sha256", Redacted.value(key))
    .update(timestamp + token)
    .digest("hex")
  const isGenuine = signatures.some((signature) => isSameSecret(signature, expected))
  return isGenuine ? ageFault(Number(timestamp), now) : "the signature does not match the request"
}

interface Meaning {
  readonly kind: string
  readonly facts: ReportFacts
}

const failed = (event: unknown): Meaning => {
  if (textOf(event, "severity") === "temporary") return { kind: "deferred", facts: {} }
  const reason = textOf(event, "delivery-status", "message") || textOf(event, "delivery-status", "description") || ""
  const status = textOf(event, "delivery-status", "enhanced-code") ?? ""
  // to an address that bounced, complained or unsubscribed before
  const isSuppressed = (textOf(event, "reason") ?? "").startsWith("suppress-")
  return { kind: isSuppressed ? "dropped" : "bounce", facts: { reason, status, about: "other" } }
}

const clientOf = (event: unknown): ReportFacts =>
  (textOf(event, "client-info", "bot") ?? "") === "" ? {} : { machine: true }

const meaningOf = (event: unknown): Meaning | undefined => {
  switch (textOf(event, "event")) {
    case "delivered":
      return { kind: "delivered", facts: {} }
    case "failed":
      return failed(event)
    case "opened":
      return { kind: "open", facts: clientOf(event) }
    case "clicked":
      return { kind: "click", facts: { ...clientOf(event), url: textOf(event, "url") ?? "" } }
    case "complained":
      return { kind: "spamreport", facts: {} }
    case "unsubscribed":
      return { kind: "unsubscribe", facts: {} }
    case "rejected":
      return { kind: "dropped", facts: { reason: textOf(event, "reject", "reason") ?? "" } }
    case "accepted":
      return { kind: "processed", facts: {} }
    default:
      return undefined
  }
}

const read = (entry: unknown): ProviderReport | undefined => {
  const event = fieldOf(entry, "event-data")
  const meaning = meaningOf(event)
  if (meaning === undefined) return undefined
  return {
    ...meaning,
    id: fieldOf(entry, "signature", "token"),
    emailId: fieldOf(event, "user-variables", "email_id"),
    providerMessageId: fieldOf(event, "message", "headers", "message-id"),
  }
}

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { emailEvents } = yield* Config
    const emailEventReceiver = yield* EmailEventReceiver
    const handle = receiveEvents<Redacted.Redacted>(
      {
        provider: "mailgun",
        key: emailEvents.mailgun,
        setting: "MAILGUN_EVENTS_KEY",
        refuse: ({ json, now }, key) => Effect.sync(() => refuse(json, now, key)),
        entriesOf: (json) => Effect.succeed([json]),
        read,
        // Mailgun repeats after any other status
        status: 200,
      },
      emailEventReceiver,
    )
    yield* router.add("POST", "/providers/mailgun/events", handle)
  }),
)
