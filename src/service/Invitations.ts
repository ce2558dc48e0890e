/** Invitations after they were made: read, sent again, extended, cancelled, and told about by the mail (contract, States). */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { EmailId, type InvitationId, type OrganizationId } from "../domain/Ids.ts"
import {
  candidateRef,
  type EmailSignal,
  type EmailStatus,
  type ExtendInvitation,
  emailStatus,
  type InvitationDetail,
  type RefusalReason,
  whyNotCancel,
  whyNotExtend,
  whyNotResend,
} from "../domain/Invitation.ts"
import { type Page, type PageRequest, pageOf } from "../domain/Page.ts"
import { Conflict, type Invalid, invalid, NotFound } from "../domain/Problem.ts"
import { Database } from "../repository/Database.ts"
import { EmailHistory } from "../repository/EmailHistory.ts"
import { Emails, type InvitationMail } from "../repository/Emails.ts"
import { type InvitationDetailRow, InvitationDetails, type InvitationFilter } from "../repository/InvitationDetails.ts"
import { InvitationRenewals } from "../repository/InvitationRenewals.ts"
import {
  type InvitationRef,
  type InvitationSubject,
  type MailRef,
  Invitations as Repository,
} from "../repository/Invitations.ts"
import { Suppressions } from "../repository/Suppressions.ts"
import { Events } from "./Events.ts"
import { ids } from "./Ids.ts"
import { Links } from "./Links.ts"

/** A deadline further away is a slip of the keyboard. */
const longestExtension = Duration.days(366)

export class Invitations extends Context.Service<
  Invitations,
  {
    readonly list: (
      organization: OrganizationId,
      filter: InvitationFilter,
      page: PageRequest,
    ) => Effect.Effect<Page<InvitationDetail>>
    readonly find: (organization: OrganizationId, id: InvitationId) => Effect.Effect<InvitationDetail, NotFound>
    /**
     * Queues one more mail with the same link to who has something left to answer. While a mail of the invitation is
     * queued, nothing more is: of two who ask at once, one queues. The status does not step back, except that an
     * invitation which failed is pending again.
     */
    readonly resend: (
      organization: OrganizationId,
      id: InvitationId,
    ) => Effect.Effect<InvitationDetail, NotFound | Conflict>
    /** The same; tells whether it changed anything. */
    readonly sendAgain: (organization: OrganizationId, id: InvitationId) => Effect.Effect<boolean, NotFound | Conflict>
    /**
     * The same for each invitation of which a mail has failed since then and none was sent after it, also not meanwhile by
     * somebody else. What may not be sent again is told, and the others go on.
     */
    readonly resendFailed: (
      organization: OrganizationId,
      since: Date,
    ) => Effect.Effect<{
      readonly queued: number
      readonly refused: ReadonlyArray<{ readonly invitation_id: InvitationId; readonly reason: string }>
    }>
    /**
     * Takes the invitation back and withdraws its submission; what is cancelled already is answered as it is. Makes no
     * event. A mail that a worker has in hand at this moment may still leave; its link says that it was cancelled.
     */
    readonly cancel: (
      organization: OrganizationId,
      id: InvitationId,
    ) => Effect.Effect<InvitationDetail, NotFound | Conflict>
    /**
     * Gives who has not started more time, until the deadline or to answer, and tells it by a mail: what the mail before
     * says is wrong from then on, and nobody uses time that nobody knows of. No mail goes to who wants none, which the
     * answer says (mails_stopped). The same a second time changes nothing.
     */
    readonly extend: (
      organization: OrganizationId,
      id: InvitationId,
      request: ExtendInvitation,
    ) => Effect.Effect<InvitationDetail, NotFound | Conflict | Invalid>
    /** The provider took the mails; `delivered` names those that have arrived with that. */
    readonly sent: (invitations: ReadonlyArray<InvitationRef>, delivered: ReadonlyArray<MailRef>) => Effect.Effect<void>
    /**
     * What became of mails. The first report of its kind makes an event, whatever was reported before; that a mail was
     * dropped is none of an invitation that another mail has brought.
     */
    readonly report: (signal: EmailSignal, mails: ReadonlyArray<MailRef>) => Effect.Effect<void>
    /** Those whose first mail the service itself did not send: failed, with an event that names the interview. */
    readonly refuse: (reason: RefusalReason, invitations: ReadonlyArray<InvitationRef>) => Effect.Effect<void>
  }
>()("interview-invitations/service/Invitations") {
  static readonly layer = Layer.effect(
    Invitations,
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const details = yield* InvitationDetails
      const emails = yield* Emails
      const events = yield* Events
      const history = yield* EmailHistory
      const links = yield* Links
      const newId = yield* ids
      const renewals = yield* InvitationRenewals
      const repository = yield* Repository
      const suppressions = yield* Suppressions

      const shown = (row: InvitationDetailRow, suppressed: ReadonlySet<string>): InvitationDetail => ({
        ...row,
        interview_url: links.interview({ _tag: "Invitation", id: row.id }),
        candidate: candidateRef(row.candidate),
        mails_stopped: suppressed.has(row.email),
      })

      const find = Effect.fn("Invitations.find")(function* (organization: OrganizationId, id: InvitationId) {
        const row = yield* details.find(organization, id)
        if (row === undefined) return yield* new NotFound({ record: "invitation" })
        return shown(row, yield* suppressions.among(organization, [row.email]))
      })

      const publish = (
        subjects: ReadonlyArray<InvitationSubject & { readonly interview_name?: string }>,
        status: EmailStatus,
        reason: string,
      ) =>
        Effect.forEach(
          Map.groupBy(subjects, ({ organization_id }) => organization_id),
          ([organization, ofOrganization]) =>
            events.publish(
              organization,
              ofOrganization.map(({ ats_candidate_id, candidate_id, email, id, submission_id, ...rest }) => ({
                subject: {
                  interview_set_id: rest.interview_set_id,
                  candidate_id,
                  candidate_email: email,
                  invitation_id: id,
                  submission_id,
                  ats_candidate_id,
                },
                event: {
                  event_type: "invitation.status.update",
                  status,
                  reason,
                  ...(rest.interview_name === undefined ? {} : { interview_name: rest.interview_name }),
                },
              })),
            ),
          { discard: true },
        )

      const report = Effect.fn("Invitations.report")(function* (signal: EmailSignal, mails: ReadonlyArray<MailRef>) {
        if (mails.length === 0) return
        yield* publish(yield* repository.recordSignal(signal, mails), emailStatus(signal), signal)
      })

      const queue = Effect.fn("Invitations.queue")(function* (
        organization: OrganizationId,
        id: InvitationId,
        kind: InvitationMail,
        recipient: string,
      ) {
        const mail = { id: yield* newId(EmailId), invitation_id: id, kind, recipient, content: null }
        yield* emails.insert(organization, [mail])
      })

      /** `unwanted`: it was by the time that the invitation is held; `waiting`: a mail is queued already. */
      const sendAgain = Effect.fnUntraced(function* (
        organization: OrganizationId,
        id: InvitationId,
        wanted: Effect.Effect<boolean>,
      ) {
        const keepsPlace = yield* renewals.keepPlace(organization, id)
        const invitation = yield* repository.hold(organization, id)
        if (invitation === undefined) return yield* new NotFound({ record: "invitation" })
        if (!(yield* wanted)) return "unwanted"
        const { email, mail_queued } = invitation
        const reason = whyNotResend(invitation)
        if (reason !== undefined) return yield* new Conflict({ reason })
        if (yield* repository.isSuppressed(organization, email)) {
          return yield* new Conflict({ reason: "this address has unsubscribed: invite the candidate at another one" })
        }
        if (invitation.status === "failed") {
          if (!keepsPlace) return yield* new Conflict({ reason: "its mail has failed at this moment: send it again" })
          yield* renewals.reopen(organization, id)
        }
        if (mail_queued) return invitation.status === "failed" ? "queued" : "waiting"
        yield* queue(organization, id, "invitation", email)
        return "queued"
      }, transaction)

      return Invitations.of({
        list: Effect.fn("Invitations.list")(function* (organization, filter, page) {
          const rows = yield* details.list(organization, filter, page)
          const suppressed = yield* suppressions.among(
            organization,
            rows.map(({ email }) => email),
          )
          return pageOf("invitations", rows, page.limit, ({ position: _, ...row }) => shown(row, suppressed))
        }),
        find,
        resend: Effect.fn("Invitations.resend")(function* (organization, id) {
          yield* sendAgain(organization, id, Effect.succeed(true))
          return yield* find(organization, id)
        }, transaction),
        sendAgain: Effect.fn("Invitations.sendAgain")(function* (organization, id) {
          return (yield* sendAgain(organization, id, Effect.succeed(true))) === "queued"
        }),
        resendFailed: Effect.fn("Invitations.resendFailed")(function* (organization, since) {
          const failed = yield* history.failedInvitations(organization, since)
          const results = yield* Effect.forEach(failed, (invitation_id) =>
            sendAgain(organization, invitation_id, history.isFailed(organization, since, invitation_id)).pipe(
              Effect.map((sent) => ({ queued: sent !== "unwanted", refused: [] })),
              Effect.catchTags({
                Conflict: ({ reason }) => Effect.succeed({ queued: false, refused: [{ invitation_id, reason }] }),
                NotFound: () => Effect.succeed({ queued: false, refused: [{ invitation_id, reason: "it is gone" }] }),
              }),
            ),
          )
          return {
            queued: results.filter(({ queued }) => queued).length,
            refused: results.flatMap(({ refused }) => refused),
          }
        }),
        extend: Effect.fn("Invitations.extend")(function* (organization, id, { expires_at, time_factor }) {
          const until = expires_at ? new Date(expires_at) : undefined
          const factor = time_factor ?? undefined
          if (!until && !factor) {
            return yield* invalid("#", "required", "must have expires_at, time_factor or both")
          }
          const latest = new Date((yield* Clock.currentTimeMillis) + Duration.toMillis(longestExtension))
          if (until !== undefined && until > latest) {
            yield* find(organization, id)
            return yield* invalid("#/expires_at", "out_of_range", `must not be later than ${latest.toISOString()}`)
          }
          const extended = until && (yield* renewals.extend(organization, id, until))
          const slowed = factor && (yield* renewals.slow(organization, id, factor))
          if ((until && !extended) || (factor && !slowed)) {
            const standing = yield* repository.hold(organization, id)
            if (standing === undefined) return yield* new NotFound({ record: "invitation" })
            const reason = whyNotExtend(standing)
            if (reason !== undefined) return yield* new Conflict({ reason })
            if (until && until < standing.expires_at) {
              const message = `must be later than the present deadline, ${standing.expires_at.toISOString()}`
              return yield* invalid("#/expires_at", "out_of_range", message)
            }
            if (factor && factor > standing.time_factor && !standing.timed) {
              return yield* new Conflict({
                reason:
                  "the interview has no time limit: everybody may take as long as they need, without a time_factor",
              })
            }
            // what is stored has two decimals
            if (factor && factor < standing.time_factor - 0.005) {
              const message = `must be no less than the present factor, ${standing.time_factor}`
              return yield* invalid("#/time_factor", "out_of_range", message)
            }
          }
          const changed = extended || slowed
          const invitation = yield* find(organization, id)
          if (changed && !changed.mail_tells && !invitation.mails_stopped) {
            yield* queue(organization, id, extended ? "invitation_extension" : "invitation_time", changed.email)
          }
          return invitation
        }, transaction),
        cancel: Effect.fn("Invitations.cancel")(function* (organization, id) {
          if (!(yield* repository.cancel(organization, id))) {
            const standing = yield* repository.hold(organization, id)
            if (standing === undefined) return yield* new NotFound({ record: "invitation" })
            if (standing.status !== "cancelled") return yield* new Conflict({ reason: whyNotCancel(standing) })
          }
          return yield* find(organization, id)
        }, transaction),
        sent: Effect.fn("Invitations.sent")(function* (invitations, delivered) {
          if (invitations.length === 0) return
          yield* repository.markSent(invitations)
          yield* report("delivered", delivered)
        }, transaction),
        report: (signal, mails) => transaction(report(signal, mails)),
        refuse: Effect.fn("Invitations.refuse")(function* (reason, invitations) {
          yield* publish(yield* repository.refuse(reason, invitations), "invitation_email_failed", reason)
        }, transaction),
      })
    }),
  )
}
