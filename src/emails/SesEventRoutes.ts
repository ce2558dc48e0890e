/** Receives and stores the events of Amazon SES, which an SNS topic posts. Confirms the topic's subscription. */
import { Effect, Layer, Option, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { Config } from "../config/Config.ts"
import type { TopicArn } from "../config/EmailSettings.ts"
import { operatorClient } from "../platform/outbound/OperatorClient.ts"
import { EmailEventReceiver } from "./EmailEventReceiver.ts"
import { ageFault, receiveEvents, UnreachableProvider } from "./ProviderEvents.ts"
import { fieldOf, type ProviderReport, type ReportFacts, textOf } from "./ProviderReport.ts"
import { snsTopic } from "./SnsMessage.ts"

interface Meaning {
  readonly kind: string
  readonly facts: ReportFacts
}

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined)

/** Subtypes of emails that SES did not send, because the address is on a suppression list. */
const suppressed = ["Suppressed", "OnAccountSuppressionList", "UnsubscribedRecipient"]

const bounce = (event: unknown): Meaning => {
  const recipient = first(fieldOf(event, "bounce", "bouncedRecipients"))
  const subtype = textOf(event, "bounce", "bounceSubType") ?? ""
  return {
    kind: suppressed.includes(subtype) ? "dropped" : "bounce",
    facts: {
      reason: (textOf(recipient, "diagnosticCode") ?? "").replace(/^smtp;\s*/i, ""),
      status: textOf(recipient, "status") ?? "",
      about: subtype === "NoEmail" ? "recipient" : "other",
    },
  }
}

const complaint = (event: unknown): Meaning => {
  if (textOf(event, "complaint", "complaintSubType") === "OnAccountSuppressionList")
    return { kind: "dropped", facts: {} }
  const isWithdrawn = textOf(event, "complaint", "complaintFeedbackType") === "not-spam"
  return { kind: isWithdrawn ? "notspam" : "spamreport", facts: {} }
}

const meaningOf = (event: unknown): Meaning | undefined => {
  switch (textOf(event, "eventType")) {
    case "Send":
      return { kind: "processed", facts: {} }
    case "Delivery":
      return { kind: "delivered", facts: {} }
    case "DeliveryDelay":
      return { kind: "deferred", facts: {} }
    case "Bounce":
      return bounce(event)
    case "Complaint":
      return complaint(event)
    case "Reject":
      return { kind: "dropped", facts: { reason: textOf(event, "reject", "reason") ?? "" } }
    case "Rendering Failure":
      return { kind: "dropped", facts: {} }
    case "Open":
      return { kind: "open", facts: {} }
    case "Click":
      return { kind: "click", facts: { url: textOf(event, "click", "link") ?? "" } }
    case "Subscription": {
      const isAll = fieldOf(event, "subscription", "newTopicPreferences", "unsubscribeAll") === true
      return { kind: isAll ? "unsubscribe" : "subscriptionchange", facts: {} }
    }
    default:
      return undefined
  }
}

/** `entry`: an event, with the id of its SNS message, which is the same when SNS repeats it. */
const read = (entry: unknown): ProviderReport | undefined => {
  const event = fieldOf(entry, "event")
  const meaning = meaningOf(event)
  if (meaning === undefined) return undefined
  return {
    ...meaning,
    id: fieldOf(entry, "id"),
    emailId: first(fieldOf(event, "mail", "tags", "email_id")),
    providerMessageId: fieldOf(event, "mail", "messageId"),
  }
}

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))

const routes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { emailEvents } = yield* Config
    const emailEventReceiver = yield* EmailEventReceiver
    const topic = emailEvents.ses === undefined ? undefined : yield* snsTopic(emailEvents.ses)

    const unreachable = (error: { readonly message: string }) =>
      Effect.andThen(
        Effect.logWarning("Amazon SNS cannot be reached; its message is refused for now", { reason: error.message }),
        new UnreachableProvider(),
      )

    const refuse = Effect.fnUntraced(function* (message: unknown, now: number, { arn }: TopicArn) {
      if (textOf(message, "TopicArn") !== arn) return "the message is not of the topic in SES_TOPIC_ARN"
      const isGenuine = yield* topic?.isGenuine(message).pipe(Effect.catch(unreachable)) ?? Effect.succeed(false)
      if (!isGenuine) return "the signature does not match the message"
      return ageFault(Date.parse(textOf(message, "Timestamp") ?? "") / 1000, now)
    })

    const entriesOf = Effect.fnUntraced(function* (message: unknown) {
      switch (textOf(message, "Type")) {
        case "SubscriptionConfirmation": {
          yield* topic?.confirm(textOf(message, "Token") ?? "").pipe(Effect.catch(unreachable)) ?? Effect.void
          yield* Effect.logInfo("the subscription of SES_TOPIC_ARN is confirmed")
          return []
        }
        case "UnsubscribeConfirmation":
          yield* Effect.logWarning("the subscription of SES_TOPIC_ARN was removed: no reports arrive any more")
          return []
        default: {
          const event = parse(textOf(message, "Message") ?? "")
          // SES's test of a new destination is a sentence
          return Option.isSome(event) ? [{ id: textOf(message, "MessageId"), event: event.value }] : []
        }
      }
    })

    const handle = receiveEvents<TopicArn>(
      {
        provider: "ses",
        key: emailEvents.ses,
        setting: "SES_TOPIC_ARN",
        refuse: ({ json, now }, key) => refuse(json, now, key),
        entriesOf,
        read,
        status: 200,
      },
      emailEventReceiver,
    )
    yield* router.add("POST", "/providers/ses/events", handle)
  }),
)

export const layer = Layer.unwrap(
  Effect.map(Config, ({ outboundProxy }) => routes.pipe(Layer.provide(operatorClient(outboundProxy)))),
)
