/** Applies providers' reports on emails to invitations and the suppression list. */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { Database, isOutage } from "../platform/database/Database.ts"
import type { EmailId } from "../values/Ids.ts"
import { type EmailSignal, meaningOf, signalOrder } from "./EmailEvent.ts"
import { EmailEventRepository, type WaitingReport } from "./EmailEventRepository.ts"
import { InvitationEmails } from "./InvitationEmails.ts"
import { refusalOf, unclear } from "./Refusal.ts"
import { SuppressionRepository } from "./SuppressionRepository.ts"

const maxBatch = 1_000

type FailureBody = Option.Option.Value<ReturnType<typeof decodeFailure>>

const isTrue = Schema.Literals([true, "true"])

/** SendGrid's field, and that of ReportFacts. */
const decodeMachine = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Union([Schema.Struct({ sg_machine_open: isTrue }), Schema.Struct({ machine: Schema.Literal(true) })]),
  ),
)

/** Fetched by a mail program before a person sees the email, such as Apple Mail Privacy Protection. */
const isByMachine = (body: string): boolean => Option.isSome(decodeMachine(body))

const decodeClick = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ url: Schema.String })))

/** The `reason` of a provider's report, or the `diagnostic` of a bounce report, with the enhanced status code beside it. */
const decodeFailure = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      status: Schema.optional(Schema.NullOr(Schema.String)),
      reason: Schema.optional(Schema.NullOr(Schema.String)),
      diagnostic: Schema.optional(Schema.NullOr(Schema.String)),
      type: Schema.optional(Schema.NullOr(Schema.String)),
      about: Schema.optional(Schema.String),
    }),
  ),
)

const failureOf = ({ body, kind }: Pick<WaitingReport, "body" | "kind">) => {
  const { about, diagnostic, reason, status, type } = Option.getOrElse(decodeFailure(body), () => ({}) as FailureBody)
  const reply = reason ?? diagnostic ?? ""
  const refusal = refusalOf(reply, status)
  if (refusal !== unclear) {
    return { isBounce: refusal.side === "recipient", refusal: refusal.side === "sender" ? refusal.what : undefined }
  }
  // the provider's own judgement remains; SendGrid's only without a reason
  const isSendGrids = about === undefined && reply === "" && !status && kind === "bounce" && type !== "blocked"
  return { isBounce: about === "recipient" || isSendGrids, refusal: undefined }
}

/** Ignores clicks on the unsubscribe link. */
const signalOf = ({ body, kind }: WaitingReport): EmailSignal | null => {
  const { signal } = meaningOf(kind)
  if (signal === "bounce") return failureOf({ body, kind }).isBounce ? "bounce" : "dropped"
  if ((signal === "opened" || signal === "clicked") && isByMachine(body)) return null
  if (signal !== "clicked") return signal
  const clicked = Option.match(decodeClick(body), { onNone: () => "", onSome: ({ url }) => url })
  return clicked.includes("/unsubscribe/") ? null : signal
}

export class EmailEventProcessor extends Context.Service<EmailEventProcessor>()(
  "interview-invitations/emails/EmailEventProcessor",
  {
    make: Effect.gen(function* () {
      const { transaction } = yield* Database
      const emailEventRepository = yield* EmailEventRepository
      const invitationEmails = yield* InvitationEmails
      const suppressionRepository = yield* SuppressionRepository

      const settleHandedOver = Effect.fnUntraced(function* (provider: string | null, emails: ReadonlyArray<EmailId>) {
        const settled = yield* emailEventRepository.settleHandedOver(provider, emails)
        const ofInvitations = settled.flatMap(({ invitation_id: id, organization_id }) =>
          id === null ? [] : [{ id, organization_id }],
        )
        yield* invitationEmails.sent(ofInvitations, [])
        return settled.length
      })

      const applyAll = Effect.fnUntraced(function* (waiting: ReadonlyArray<WaitingReport>) {
        // a report proves that the provider has the email, so it is not sent again after a crash or a restore
        for (const [name, ofProvider] of Map.groupBy(waiting, ({ provider }) => provider)) {
          yield* settleHandedOver(name, [...new Set(ofProvider.map(({ email_id }) => email_id))])
        }
        const signals = Map.groupBy(waiting, signalOf)
        for (const signal of signalOrder) {
          const mails = (signals.get(signal) ?? []).flatMap(({ email_id, invitation_id: id, organization_id }) =>
            id === null ? [] : [{ id, organization_id, email_id }],
          )
          yield* invitationEmails.report(signal, mails)
        }
        const refused = waiting.find(
          (report) => meaningOf(report.kind).signal === "bounce" && failureOf(report).refusal,
        )
        if (refused !== undefined) {
          const refusal = failureOf(refused).refusal
          yield* Effect.logWarning("a mail server refused this service, not the recipient", {
            mail: refused.email_id,
            refusal,
          })
        }
        yield* suppressionRepository.add(
          waiting.flatMap(({ kind, organization_id, recipient: email }) => {
            const reason = meaningOf(kind).suppression
            return reason === null ? [] : [{ organization_id, email, reason }]
          }),
        )
        yield* emailEventRepository.markApplied(
          waiting.map(({ id }) => id),
          null,
        )
      }, transaction)

      /** Applies one report; records the error if it fails. */
      const applyOne = (report: WaitingReport) =>
        applyAll([report]).pipe(
          Effect.catchDefect((defect) =>
            isOutage(defect)
              ? Effect.die(defect)
              : Effect.andThen(
                  Effect.logError("a report on an email cannot be applied", { id: report.id }, defect),
                  emailEventRepository.markApplied([report.id], "the report cannot be applied"),
                ),
          ),
        )

      const apply = transaction(
        Effect.gen(function* () {
          const waiting = yield* emailEventRepository.take(maxBatch)
          if (waiting.length === 0) return 0
          // a savepoint: its failure is rolled back, and the rows stay locked
          yield* applyAll(waiting).pipe(
            Effect.catchDefect((defect) =>
              isOutage(defect) ? Effect.die(defect) : Effect.forEach(waiting, applyOne, { discard: true }),
            ),
          )
          return waiting.length
        }),
      ).pipe(Effect.withSpan("EmailEventProcessor.apply"))

      /**
       * Settles as sent those of the queued emails that a provider had accepted before the database was restored to an earlier
       * moment. Returns their number.
       */
      const markSent = Effect.fn("EmailEventProcessor.markSent")(
        (emails: ReadonlyArray<EmailId>) => settleHandedOver(null, emails),
        transaction,
      )

      return { apply, markSent }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
