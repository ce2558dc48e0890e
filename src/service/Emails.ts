/** The queue of mails: written when their turn comes, sent, and settled together with what they tell about. */
import { Context, Duration, Effect, Layer } from "effect"
import { ClaimId } from "../domain/Ids.ts"
import * as RetryPolicy from "../domain/RetryPolicy.ts"
import { EmailSender } from "../port/EmailSender.ts"
import { Database } from "../repository/Database.ts"
import { type EmailJob, type EmailSettlement, type InvitationMail, Emails as Repository } from "../repository/Emails.ts"
import { Invitations as InvitationRows, type InvitationView } from "../repository/Invitations.ts"
import { renderInvitation } from "./emails/InvitationEmail.ts"
import { ids } from "./Ids.ts"
import { Invitations } from "./Invitations.ts"
import { Links } from "./Links.ts"
import type { WorkQueue } from "./WorkQueue.ts"

/** Longer than any provider is waited for: three times a generous minute. */
const lease = Duration.minutes(3)

/** Whether a mail about an invitation still tells something when its turn comes. */
const isWorthSending = (kind: InvitationMail, { expired, status, submission_status }: InvitationView): boolean => {
  if (status === "failed" || status === "cancelled" || status === "expired") return false
  return (
    kind === "invitation" || (!expired && (submission_status === "need_interview" || submission_status === "initiated"))
  )
}

interface EmailOutcome extends EmailSettlement {
  readonly job: EmailJob
  readonly delivered: boolean
}

export class Emails extends Context.Service<Emails, { readonly queue: WorkQueue<EmailJob, EmailOutcome> }>()(
  "interview-invitations/service/Emails",
) {
  static readonly layer = Layer.effect(
    Emails,
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const invitationRows = yield* InvitationRows
      const invitations = yield* Invitations
      const links = yield* Links
      const newId = yield* ids
      const repository = yield* Repository
      const sender = yield* EmailSender
      const nextDelay = yield* RetryPolicy.nextDelay(RetryPolicy.schedule(RetryPolicy.email))

      /** The mail's text; undefined when there is nothing to say any more. */
      const write = Effect.fn("Emails.write")(function* (job: EmailJob) {
        if (job.kind === "endpoint_deactivated" || job.invitation_id === null) return job.content ?? undefined
        const invitation = yield* invitationRows.find(job.organization_id, job.invitation_id)
        if (invitation === undefined || !isWorthSending(job.kind, invitation)) return undefined
        // who has been written to before may have asked for no more since
        if (job.kind !== "invitation" && (yield* invitationRows.isSuppressed(job.organization_id, job.recipient))) {
          return undefined
        }
        // written at an earlier attempt: every attempt says the same
        if (job.content !== null) return job.content
        const interviewUrl = links.interview({ _tag: "Invitation", id: invitation.id })
        const content = renderInvitation(invitation, { interviewUrl }, job.kind)
        yield* repository.write(job.organization_id, job.id, content)
        return content
      })

      const perform = Effect.fn("Emails.perform")(function* (job: EmailJob) {
        const outcome = (state: EmailSettlement["state"], rest: Partial<EmailOutcome> = {}): EmailOutcome => ({
          id: job.id,
          claim_id: job.claim_id,
          state,
          delay: undefined,
          provider: sender.provider,
          provider_message_id: null,
          error: null,
          delivered: false,
          job,
          ...rest,
        })
        const content = yield* write(job)
        if (content === undefined) return outcome("cancelled")
        return yield* sender.send({ id: job.id, to: job.recipient, ...content }).pipe(
          Effect.map(({ delivered, providerMessageId }) =>
            outcome("sent", { delivered, provider_message_id: providerMessageId }),
          ),
          Effect.catchTag("EmailNotSent", ({ permanent, reason }) =>
            Effect.map(permanent ? Effect.undefined : nextDelay(job.attempts + 1), (delay) =>
              outcome(delay === undefined ? "failed" : "queued", { delay, error: reason }),
            ),
          ),
        )
      })

      /** One transaction: a mail is settled with its invitation's step and event, or it is not settled. */
      const settle = Effect.fn("Emails.settle")(function* (outcomes: ReadonlyArray<EmailOutcome>) {
        const settled = new Set(
          yield* repository.settle(outcomes.map(({ delivered: _, job: __, ...settlement }) => settlement)),
        )
        const of = (test: (outcome: EmailOutcome) => boolean) =>
          outcomes.flatMap((outcome) => {
            const { id, invitation_id, organization_id } = outcome.job
            return invitation_id !== null && settled.has(id) && test(outcome)
              ? [{ id: invitation_id, organization_id }]
              : []
          })
        yield* invitations.sent(
          of(({ state }) => state === "sent"),
          of(({ delivered }) => delivered),
        )
        yield* invitations.report(
          "dropped",
          // a reminder that can not be sent takes nothing from the invitation that was
          of(({ job, state }) => state === "failed" && job.kind === "invitation"),
        )
      }, transaction)

      return Emails.of({
        queue: {
          table: "email",
          concurrency: 20,
          claim: Effect.fn("Emails.claim")(function* (limit) {
            return yield* repository.claim({ limit, lease, claimId: yield* newId(ClaimId) })
          }),
          perform,
          settle,
          release: repository.release,
        },
      })
    }),
  )
}
