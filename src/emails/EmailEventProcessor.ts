/** Applies what was reported on mails: to their invitations, and to the addresses that want no more of them. */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { Database, inTransaction, isOutage } from "../platform/database/Database.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { EmailEventRepository, type WaitingReport } from "./EmailEventRepository.ts"
import { InvitationEmails } from "./InvitationEmails.ts"
import type { EmailSignal } from "./MailOutcome.ts"
import { meaningOf, signalOrder } from "./MailOutcome.ts"
import { SuppressionRepository } from "./SuppressionRepository.ts"

const most = 1_000

const decodeClick = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ url: Schema.String })))

/** A click leads to the interview, unless it leads to the page that unsubscribes. */
const signalOf = ({ body, kind }: WaitingReport): EmailSignal | null => {
  const { signal } = meaningOf(kind)
  if (signal !== "clicked") return signal
  const url = Option.match(decodeClick(body), { onNone: () => "", onSome: ({ url }) => url })
  return url.includes("/unsubscribe/") ? null : signal
}

const applyAll = Effect.fnUntraced(function* (waiting: ReadonlyArray<WaitingReport>) {
  const reports = yield* EmailEventRepository
  const invitations = yield* InvitationEmails
  const suppressions = yield* SuppressionRepository
  // whatever a provider says about a mail, it has it: a worker that ended before it could note so need not send again
  for (const [provider, ofProvider] of Map.groupBy(waiting, ({ provider }) => provider)) {
    const sent = yield* reports.settleHanded(provider, [...new Set(ofProvider.map(({ email_id }) => email_id))])
    yield* invitations.sent(sent, [])
  }
  const signals = Map.groupBy(waiting, signalOf)
  for (const signal of signalOrder) {
    const about = (signals.get(signal) ?? []).flatMap(({ email_id, invitation_id: id, organization_id }) =>
      id === null ? [] : [{ id, organization_id, email_id }],
    )
    yield* invitations.report(signal, about)
  }
  yield* suppressions.add(
    waiting.flatMap(({ kind, organization_id, recipient: email }) => {
      const reason = meaningOf(kind).suppression
      return reason === null ? [] : [{ organization_id, email, reason }]
    }),
  )
  yield* reports.markApplied(
    waiting.map(({ id }) => id),
    null,
  )
}, inTransaction)

/** Alone: what makes a batch fail must not keep the others of it from being applied. */
const applyOne = (report: WaitingReport) =>
  Effect.flatMap(EmailEventRepository, (reports) =>
    applyAll([report]).pipe(
      Effect.catchDefect((defect) =>
        isOutage(defect)
          ? Effect.die(defect)
          : Effect.andThen(
              Effect.logError("a report on a mail can not be applied", { id: report.id }, defect),
              reports.markApplied([report.id], "it can not be applied"),
            ),
      ),
    ),
  )

/**
 * Applies up to 1,000 reports that wait, in one transaction with the events they make; returns how many. One that
 * can not be applied is set aside with the reason, and the others go on.
 */
const apply = inTransaction(
  Effect.gen(function* () {
    const reports = yield* EmailEventRepository
    const waiting = yield* reports.take(most)
    if (waiting.length === 0) return 0
    // a transaction inside is a savepoint: what fails in it is undone, and the rows stay held
    yield* applyAll(waiting).pipe(
      Effect.catchDefect((defect) =>
        isOutage(defect) ? Effect.die(defect) : Effect.forEach(waiting, applyOne, { discard: true }),
      ),
    )
    return waiting.length
  }),
).pipe(Effect.withSpan("EmailEventProcessor.apply"))

const useCases = { apply }

export class EmailEventProcessor extends Context.Service<EmailEventProcessor, Methods<typeof useCases>>()(
  "interview-invitations/emails/EmailEventProcessor",
) {
  static readonly layer = Layer.effect(
    EmailEventProcessor,
    methods([Database, EmailEventRepository, InvitationEmails, SuppressionRepository], useCases),
  )
}
