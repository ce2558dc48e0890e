/** Stores reports on emails for EmailEventProcessor.ts. */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { EmailId, parseId } from "../values/Ids.ts"
import { readBounceReport } from "./BounceReport.ts"
import { EmailEventRepository } from "./EmailEventRepository.ts"
import { withoutLinkTokens } from "./EmailLinks.ts"
import { mailReportOf, type ProviderReport } from "./ProviderReport.ts"

/** Longer than providers repeat reports, and than their signatures are accepted. */
const retention = Duration.days(30)

export class EmailEventReceiver extends Context.Service<EmailEventReceiver>()(
  "interview-invitations/emails/EmailEventReceiver",
  {
    make: Effect.gen(function* () {
      const repository = yield* EmailEventRepository

      /**
       * Stores a provider's entries, each once. Skips unreadable ones, for which `read` returns undefined, and those about
       * emails of other systems.
       */
      const receive = Effect.fn("EmailEventReceiver.receive")(function* (
        provider: string,
        entries: ReadonlyArray<unknown>,
        read: (entry: unknown) => ProviderReport | undefined,
      ) {
        const reports = entries
          .map((entry) => mailReportOf(entry, read(entry)))
          .filter((report) => report !== undefined)
        const stored = yield* repository.insert(provider, reports)
        const unread = entries.length - reports.length
        if (unread > 0) yield* Effect.logWarning("a provider sent unreadable reports on emails", { provider, unread })
        yield* Effect.logDebug("a provider reported on emails", { provider, entries: entries.length, stored })
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

      return { receive, receiveBounce, forget }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
