/** Stores reports on emails for EmailEventProcessor.ts. */
import { createHash } from "node:crypto"
import { Clock, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { EmailId, parseId } from "../values/Ids.ts"
import { readBounceReport } from "./BounceReport.ts"
import { EmailEventRepository, type MailReport } from "./EmailEventRepository.ts"
import { withoutLinkTokens } from "./EmailLinks.ts"

/** Longer than providers repeat reports. */
const retention = Duration.days(30)
/** Characters; SendGrid's reports have some hundred. */
const maxReportLength = 20_000

const token = (maxLength: number) =>
  Schema.String.check(Schema.isPattern(new RegExp(`^[\\x21-\\x7e]{1,${maxLength}}$`)))

const decodeEntry = Schema.decodeUnknownOption(Schema.Struct({ event: token(50) }))
const decodeReportId = Schema.decodeUnknownOption(Schema.Struct({ sg_event_id: token(200) }))
const decodeMessageId = Schema.decodeUnknownOption(Schema.Struct({ sg_message_id: token(500) }))
const decodeEmailId = Schema.decodeUnknownOption(Schema.Struct({ email_id: EmailId }))

const decodeAddress = Schema.decodeUnknownOption(Schema.Struct({ url: Schema.String.check(Schema.isMaxLength(2_000)) }))

/** Keeps the beginning, and the link of a click. */
const shortened = (entry: unknown, text: string): string =>
  JSON.stringify({ ...Option.getOrUndefined(decodeAddress(entry)), cut: text.slice(0, maxReportLength).toWellFormed() })

/** Undefined: no event. `email_id` is a custom argument; sg_message_id begins with the response's X-Message-Id. */
const readSendGridEntry = (entry: unknown): MailReport | undefined => {
  const event = decodeEntry(entry)
  if (Option.isNone(event)) return undefined
  const text = JSON.stringify(entry)
  return {
    provider_event_id: Option.match(decodeReportId(entry), {
      onNone: () => createHash("sha256").update(text).digest("base64url"),
      onSome: ({ sg_event_id }) => sg_event_id,
    }),
    kind: event.value.event,
    email_id: Option.getOrNull(Option.map(decodeEmailId(entry), ({ email_id }) => email_id)),
    provider_message_id: Option.getOrNull(
      Option.map(decodeMessageId(entry), ({ sg_message_id }) => sg_message_id.split(".")[0] ?? null),
    ),
    body: withoutLinkTokens(text.length > maxReportLength ? shortened(entry, text) : text),
  }
}

export class EmailEventReceiver extends Context.Service<EmailEventReceiver>()(
  "interview-invitations/emails/EmailEventReceiver",
  {
    make: Effect.gen(function* () {
      const repository = yield* EmailEventRepository

      /** Skips unreadable and known entries, and emails of other systems. */
      const receiveSendGrid = Effect.fn("EmailEventReceiver.receiveSendGrid")(function* (
        entries: ReadonlyArray<unknown>,
      ) {
        const reports = entries.map(readSendGridEntry).filter((report) => report !== undefined)
        const stored = yield* repository.insert("sendgrid", reports)
        const unread = entries.length - reports.length
        if (unread > 0) yield* Effect.logWarning("SendGrid sent unreadable entries", { unread })
        yield* Effect.logDebug("SendGrid reported", { entries: entries.length, stored })
        return stored
      })

      /** Undefined: no report on an email of this service. */
      const receiveBounce = Effect.fn("EmailEventReceiver.receiveBounce")(function* (message: string) {
        const report = readBounceReport(message)
        const emailId = parseId(EmailId, report?.emailId)
        if (report === undefined || emailId === undefined) return undefined
        if (!(yield* repository.isKnown(emailId))) return undefined
        const { diagnostic, kind, status } = report
        yield* repository.insert("smtp", [
          {
            // one report of a kind is enough: an email has one recipient
            provider_event_id: `${emailId} ${kind}`,
            kind,
            email_id: emailId,
            provider_message_id: null,
            body: JSON.stringify({ status, diagnostic: withoutLinkTokens(diagnostic ?? "").slice(0, 2_000) || null }),
          },
        ])
        return report
      })

      const forget = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        return yield* repository.deleteBefore(new Date(now - Duration.toMillis(retention)), 5_000)
      }).pipe(Effect.withSpan("EmailEventReceiver.forget"))

      return { receiveSendGrid, receiveBounce, forget }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
