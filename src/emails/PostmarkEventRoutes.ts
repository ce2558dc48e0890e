/**
 * Receives and stores Postmark's webhooks. Postmark signs nothing: its requests carry a secret, as the password of basic
 * authentication or in a header of the webhook.
 */
import { Effect, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import { Config } from "../config/Config.ts"
import { isSameSecret } from "../platform/crypto/SecretComparison.ts"
import { EmailEventReceiver } from "./EmailEventReceiver.ts"
import { receiveEvents } from "./ProviderEvents.ts"
import { fieldOf, type ProviderReport, type ReportFacts, textOf } from "./ProviderReport.ts"

const secretHeader = "x-webhook-secret"

/** Undefined: none, or not as RFC 7617 says. */
const passwordOf = (authorization: string | undefined): string | undefined => {
  const [, encoded] = /^basic\s+([\w+/=-]+)$/i.exec(authorization ?? "") ?? []
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, "base64").toString("utf8")
  const colon = pair.indexOf(":")
  return colon < 0 ? undefined : pair.slice(colon + 1)
}

/** Bounce types about which no mail server has refused the email. */
const bounceKinds: Readonly<Record<string, string>> = {
  Transient: "deferred",
  DnsError: "deferred",
  Unsubscribe: "unsubscribe",
  SpamComplaint: "spamreport",
  AutoResponder: "autoresponder",
  AddressChange: "autoresponder",
  ChallengeVerification: "autoresponder",
  Subscribe: "subscribe",
  OpenRelayTest: "openrelaytest",
  Unknown: "unknown",
  InboundError: "inbounderror",
  ManuallyDeactivated: "dropped",
  Unconfirmed: "dropped",
  SMTPApiError: "dropped",
  TemplateRenderingFailed: "dropped",
}

/** Types that say that the address does not exist. */
const recipientTypes = ["HardBounce", "BadEmailAddress"]

const bounce = (entry: unknown): { readonly kind: string; readonly facts: ReportFacts } => {
  const type = textOf(entry, "Type") ?? ""
  return {
    kind: bounceKinds[type] ?? "bounce",
    facts: {
      reason: (textOf(entry, "Details") ?? "").replace(/^smtp;\s*/i, ""),
      about: recipientTypes.includes(type) ? "recipient" : "other",
    },
  }
}

/** A suppression by the recipient; others follow a bounce, a complaint or an act of the account. */
const isUnsubscribed = (entry: unknown): boolean =>
  fieldOf(entry, "SuppressSending") === true &&
  textOf(entry, "SuppressionReason") === "ManualSuppression" &&
  textOf(entry, "Origin") === "Recipient"

const meaningOf = (entry: unknown): { readonly kind: string; readonly facts: ReportFacts } | undefined => {
  switch (textOf(entry, "RecordType")) {
    case "Delivery":
      return { kind: "delivered", facts: {} }
    case "Bounce":
      return bounce(entry)
    case "SpamComplaint":
      return { kind: "spamreport", facts: {} }
    case "Open":
      return { kind: "open", facts: {} }
    case "Click":
      return { kind: "click", facts: { url: textOf(entry, "OriginalLink") ?? "" } }
    case "SubscriptionChange":
      return { kind: isUnsubscribed(entry) ? "unsubscribe" : "subscriptionchange", facts: {} }
    default:
      return undefined
  }
}

/** When it happened: Postmark has no id for most reports. */
const momentOf = (entry: unknown): string =>
  ["DeliveredAt", "BouncedAt", "ReceivedAt", "ChangedAt"].flatMap((name) => textOf(entry, name) ?? []).join(" ")

const read = (entry: unknown): ProviderReport | undefined => {
  const meaning = meaningOf(entry)
  const messageId = textOf(entry, "MessageID")
  if (meaning === undefined || messageId === undefined) return undefined
  return {
    ...meaning,
    // blanks would be refused
    id: [messageId, textOf(entry, "RecordType"), momentOf(entry)].join("/").replaceAll(/\s/g, "_"),
    emailId: fieldOf(entry, "Metadata", "email_id"),
    providerMessageId: messageId,
  }
}

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { emailEvents } = yield* Config
    const emailEventReceiver = yield* EmailEventReceiver
    const handle = receiveEvents<Redacted.Redacted>(
      {
        provider: "postmark",
        key: emailEvents.postmark,
        setting: "POSTMARK_EVENTS_SECRET",
        refuseHeaders: ({ headers }, secret) => {
          const given = headers[secretHeader] ?? passwordOf(headers["authorization"])
          if (given === undefined) return `the request has neither basic authentication nor ${secretHeader}`
          return isSameSecret(given, Redacted.value(secret)) ? undefined : "the secret is wrong"
        },
        entriesOf: (json) => Effect.succeed([json]),
        read,
        // another status fails Postmark's check of the address
        status: 200,
      },
      emailEventReceiver,
    )
    yield* router.add("POST", "/providers/postmark/events", handle)
  }),
)
