/** Reports on mails before they are stored, and how they are read from SendGrid's Event Webhook. */
import { Option, Schema } from "effect"
import { EmailId } from "../values/Ids.ts"

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
