/** Takes in what providers and mail servers report on mails: stored, each once, to be applied a moment later. */
import { createHash } from "node:crypto"
import { Clock, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { type Methods, methods } from "../platform/UseCases.ts"
import { EmailId } from "../values/Ids.ts"
import { readBounceReport } from "./BounceReport.ts"
import { EmailEventRepository } from "./EmailEventRepository.ts"
import { withoutLinkTokens } from "./LinkTokens.ts"
import { readSendGridEntry } from "./MailReport.ts"

/** Providers repeat a report for days, not for weeks. */
const kept = Duration.days(30)
/** Characters of a report; theirs have some hundred. */
const longest = 20_000

const decodeAddress = Schema.decodeUnknownOption(Schema.Struct({ url: Schema.String.check(Schema.isMaxLength(2_000)) }))

/** What is kept of a report that is too long: how it begins, and where a click led to. */
const shortened = (entry: unknown, text: string): string =>
  JSON.stringify({ ...Option.getOrUndefined(decodeAddress(entry)), cut: text.slice(0, longest).toWellFormed() })

/**
 * The entries of one request of SendGrid's Event Webhook. Each stands for itself: what cannot be read, what is known
 * already and what is about no mail of this service is passed over. Returns how many were stored.
 */
const receiveSendGrid = Effect.fn("EmailEvents.receiveSendGrid")(function* (entries: ReadonlyArray<unknown>) {
  const repository = yield* EmailEventRepository
  const reports = entries.flatMap((entry) => {
    const report = readSendGridEntry(entry)
    if (report === undefined) return []
    const text = JSON.stringify(entry)
    // some kinds of report have no id: the same text is then the same report
    const provider_event_id = report.provider_event_id ?? createHash("sha256").update(text).digest("base64url")
    const body = withoutLinkTokens(text.length > longest ? shortened(entry, text) : text)
    return [{ ...report, provider_event_id, body }]
  })
  const stored = yield* repository.insert("sendgrid", reports)
  const unread = entries.length - reports.length
  if (unread > 0) yield* Effect.logWarning("SendGrid sent entries that can not be read", { unread })
  yield* Effect.logDebug("SendGrid reported", { entries: entries.length, stored })
  return stored
})

/**
 * A message from the mailbox that bounces go to (emails/BounceReport.ts). Returns what it reports on a mail of this
 * service; undefined when it does not.
 */
const receiveBounce = Effect.fn("EmailEvents.receiveBounce")(function* (message: string) {
  const repository = yield* EmailEventRepository
  const report = readBounceReport(message)
  const emailId = Schema.decodeUnknownOption(EmailId)(report?.emailId)
  if (report === undefined || Option.isNone(emailId)) return undefined
  if (!(yield* repository.isKnown(emailId.value))) return undefined
  const { diagnostic, kind, status } = report
  yield* repository.insert("smtp", [
    {
      // a mail has one recipient: of each kind one report says it all
      provider_event_id: `${emailId.value} ${kind}`,
      kind,
      email_id: emailId.value,
      provider_message_id: null,
      body: JSON.stringify({ status, diagnostic: withoutLinkTokens(diagnostic ?? "").slice(0, 2_000) || null }),
    },
  ])
  return report
})

/** Deletes reports that are older than 30 days, some thousand at a time; returns how many. */
const forget = Effect.gen(function* () {
  const repository = yield* EmailEventRepository
  const now = yield* Clock.currentTimeMillis
  return yield* repository.deleteBefore(new Date(now - Duration.toMillis(kept)), 5_000)
}).pipe(Effect.withSpan("EmailEvents.forget"))

const useCases = { receiveSendGrid, receiveBounce, forget }

export class EmailEvents extends Context.Service<EmailEvents, Methods<typeof useCases>>()(
  "interview-invitations/emails/EmailEvents",
) {
  static readonly layer = Layer.effect(EmailEvents, methods([EmailEventRepository], useCases))
}
