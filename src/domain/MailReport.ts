/**
 * What providers report on a mail, and what each kind of report means for its invitation (contract, E-mail). Kinds are
 * called as SendGrid's Event Webhook calls them; other sources use the same names.
 */
import { Option, Schema } from "effect"
import { EmailId } from "./Ids.ts"
import type { EmailSignal } from "./Invitation.ts"

/** Why an organization must not write to an address. */
export type SuppressionReason = "spam" | "unsubscribed"

export interface ReportMeaning {
  readonly signal: EmailSignal | null
  /** The recipient wants no more mails of this organization. */
  readonly suppression: SuppressionReason | null
}

const signal = (one: EmailSignal): ReportMeaning => ({ signal: one, suppression: null })
const unsubscribed: ReportMeaning = { signal: null, suppression: "unsubscribed" }

/** SendGrid tells a blocked mail from a bounced one by `type` alone; either way it did not arrive. */
const meanings = new Map<string, ReportMeaning>([
  ["delivered", signal("delivered")],
  ["open", signal("opened")],
  ["click", signal("clicked")],
  ["bounce", signal("bounce")],
  ["blocked", signal("bounce")],
  ["dropped", signal("dropped")],
  ["spamreport", { signal: "spam", suppression: "spam" }],
  ["unsubscribe", unsubscribed],
  ["group_unsubscribe", unsubscribed],
])

/** Of processed, deferred and every kind that is not known: nothing, it is kept and that is all. */
export const meaningOf = (kind: string): ReportMeaning => meanings.get(kind) ?? { signal: null, suppression: null }

const plain = new Map([
  ["processed", "taken by the provider"],
  ["delivered", "delivered"],
  ["deferred", "delayed: the mail server tries again"],
  ["open", "opened"],
  ["click", "a link was followed"],
  ["bounce", "not delivered"],
  ["blocked", "not delivered"],
  ["dropped", "not sent by the provider"],
  ["spamreport", "reported as spam: no more mails go there"],
  ["unsubscribe", "unsubscribed: no more mails go there"],
  ["group_unsubscribe", "unsubscribed: no more mails go there"],
])

/** What a kind of report says, for people; a kind that is not known as it is. */
export const plainKind = (kind: string): string => plain.get(kind) ?? kind

/** The kinds that say that a mail did not arrive. */
export const failureKinds: ReadonlyArray<string> = [...meanings].flatMap(([kind, { signal }]) =>
  signal === "bounce" || signal === "dropped" ? [kind] : [],
)

/**
 * Signals in the order in which they come about: reports that arrive together are applied in this one, whatever theirs.
 */
export const signalOrder: ReadonlyArray<EmailSignal> = ["delivered", "opened", "clicked", "spam", "bounce", "dropped"]

/** A report before it is stored: it names its mail by our id, or by the id that the provider gave it. */
export interface MailReport {
  /** The provider's id of the report; null: it has none, and its text stands for it. */
  readonly provider_event_id: string | null
  readonly kind: string
  readonly email_id: EmailId | null
  readonly provider_message_id: string | null
}

const text = (most: number) => Schema.String.check(Schema.isPattern(new RegExp(`^[\\x21-\\x7e]{1,${most}}$`)))

const decodeEntry = Schema.decodeUnknownOption(Schema.Struct({ event: text(50) }))
const decodeReportId = Schema.decodeUnknownOption(Schema.Struct({ sg_event_id: text(200) }))
const decodeMessageId = Schema.decodeUnknownOption(Schema.Struct({ sg_message_id: text(500) }))
const decodeEmailId = Schema.decodeUnknownOption(Schema.Struct({ email_id: EmailId }))

/**
 * One entry of SendGrid's Event Webhook; undefined: it says nothing that could be used. Its mail's id comes back as the
 * custom argument `email_id`; sg_message_id begins with the X-Message-Id that the mail was taken under.
 */
export const readSendGridEntry = (entry: unknown): MailReport | undefined =>
  Option.match(decodeEntry(entry), {
    onNone: () => undefined,
    onSome: ({ event }) => ({
      provider_event_id: Option.getOrNull(Option.map(decodeReportId(entry), ({ sg_event_id }) => sg_event_id)),
      kind: event,
      email_id: Option.getOrNull(Option.map(decodeEmailId(entry), ({ email_id }) => email_id)),
      provider_message_id: Option.getOrNull(
        Option.map(decodeMessageId(entry), ({ sg_message_id }) => sg_message_id.split(".")[0] ?? null),
      ),
    }),
  })
