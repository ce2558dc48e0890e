/** The queue of mails: written when their turn comes, sent, and settled together with what they tell about. */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { renderInvitation } from "../invitations/InvitationEmail.ts"
import { InvitationRepository, type InvitationView } from "../invitations/InvitationRepository.ts"
import { Invitations } from "../invitations/Invitations.ts"
import { Database } from "../platform/database/Database.ts"
import { ids } from "../platform/NewIds.ts"
import { abandonedReason, type WorkQueue } from "../platform/queue/WorkQueue.ts"
import { isAnswerable } from "../submissions/Submission.ts"
import { ClaimId } from "../values/Ids.ts"
import * as RetryPolicy from "../values/RetryPolicy.ts"
import {
  type EmailJob,
  type EmailKind,
  type EmailSettlement,
  type InvitationMail,
  EmailRepository as Repository,
} from "./EmailRepository.ts"
import { EmailSender } from "./EmailSender.ts"
import { fillLinks } from "./LinkSlots.ts"
import { withoutLinkTokens } from "./LinkTokens.ts"
import { Links } from "./MailLinks.ts"
import { trackingOf, unaddressed } from "./Tracking.ts"

/** Longer than any provider is waited for: three times a generous minute. */
const lease = Duration.minutes(3)
/** The longest that a sender waits is 45 seconds (emails/SmtpEmailSender.ts); then it has to be settled. */
const grace = Duration.seconds(50)

const isOfInvitation = (kind: EmailKind): kind is InvitationMail => kind.startsWith("invitation")

/**
 * Whether a mail about an invitation still tells something when its turn comes: the invitation itself while there is
 * something to answer and time to do it, the other mails until the candidate has started.
 */
const isWorthSending = (
  kind: InvitationMail,
  { answer_until, expired, status, submission_status }: InvitationView,
  now: number,
): boolean => {
  if (submission_status === "started" && answer_until !== null && answer_until.getTime() <= now) return false
  if (expired || status === "failed" || status === "cancelled" || status === "expired") return false
  return isAnswerable(submission_status) && (kind === "invitation" || submission_status !== "started")
}

/** Mails that are tried again are told of this often at most: one outage delays them all. */
const retryNotice = Duration.minutes(1)

/** What a provider said without the addresses in it: those stay out of the log. */
const withoutAddresses = (reason: string | null): string | null =>
  reason === null ? null : reason.replaceAll(/[^\s<>"(),;:]+@[^\s<>"'(),;]+/g, "(address)")

interface EmailOutcome extends EmailSettlement {
  readonly job: EmailJob
  /** What it tells of its invitation beside that the mail was sent. */
  readonly tells: "delivered" | "bounce" | "dropped" | "unsubscribed" | null
}

export class Emails extends Context.Service<Emails, { readonly queue: WorkQueue<EmailJob, EmailOutcome> }>()(
  "interview-invitations/emails/Emails",
) {
  static readonly layer = Layer.effect(
    Emails,
    Effect.gen(function* () {
      const { appUrl } = yield* Config
      const { transaction } = yield* Database
      const invitationRows = yield* InvitationRepository
      const invitations = yield* Invitations
      const links = yield* Links
      const newId = yield* ids
      const repository = yield* Repository
      const sender = yield* EmailSender
      const nextDelay = yield* RetryPolicy.nextDelay(yield* RetryPolicy.policy("email", RetryPolicy.email))

      const { hostname } = new URL(appUrl)
      const tracking = trackingOf(links, sender.tracks)

      /** What is to be said to whom; undefined when there is nothing to say any more. */
      const write = Effect.fn("Emails.write")(function* (job: EmailJob) {
        const { invitation_id, kind } = job
        if (!isOfInvitation(kind) || invitation_id === null) {
          return job.content === null ? undefined : { content: job.content }
        }
        const invitation = yield* invitationRows.find(job.organization_id, invitation_id)
        if (invitation === undefined) return undefined
        if (!isWorthSending(kind, invitation, yield* Clock.currentTimeMillis)) return undefined
        // written at an earlier attempt: every attempt says the same
        const content = job.content ?? renderInvitation(invitation, tracking.slotsOf(job.id), kind)
        return { content, invitation }
      })

      const outcomeOf =
        (job: EmailJob) =>
        (state: EmailSettlement["state"], rest: Partial<EmailOutcome> = {}): EmailOutcome => ({
          id: job.id,
          claim_id: job.claim_id,
          state,
          delay: undefined,
          provider: sender.provider,
          provider_message_id: null,
          error: null,
          tells: null,
          job,
          ...rest,
        })

      const perform = Effect.fn("Emails.perform")(function* (job: EmailJob) {
        const outcome = outcomeOf(job)
        const mail = yield* write(job)
        if (mail === undefined) return outcome("cancelled")
        const { content, invitation } = mail
        if (invitation !== undefined && (yield* invitationRows.isSuppressed(job.organization_id, job.recipient))) {
          return outcome("cancelled", { error: "the address has unsubscribed", tells: "unsubscribed" })
        }
        const messageId = job.message_id ?? `${job.id}@${hostname}`
        if (!(yield* repository.begin(job, content, messageId))) return outcome("queued")
        const filled = fillLinks(links, job, content)
        const outgoing = {
          id: job.id,
          messageId,
          to: job.recipient,
          ...filled,
          ...(invitation === undefined ? unaddressed : tracking.addressed(invitation, filled)),
        }
        return yield* sender.send(outgoing).pipe(
          Effect.map(({ delivered, providerMessageId }) =>
            outcome("sent", { tells: delivered ? "delivered" : null, provider_message_id: providerMessageId }),
          ),
          Effect.catchTag("EmailNotSent", ({ bounced, permanent, reason }) =>
            Effect.map(permanent ? Effect.undefined : nextDelay(job.attempts + 1), (delay) => {
              // a mail server may quote the refused mail with its links
              const error = withoutLinkTokens(reason)
              return delay === undefined
                ? outcome("failed", { error, tells: bounced ? "bounce" : "dropped" })
                : outcome("queued", { delay, error })
            }),
          ),
        )
      })

      let noticed = Number.NEGATIVE_INFINITY
      /** Says what an operator may have to mend: every mail that is given up, and now and then one that is tried again. */
      const tell = Effect.fnUntraced(function* (outcomes: ReadonlyArray<EmailOutcome>) {
        const factsOf = ({ error, job }: EmailOutcome) => ({
          mail: job.id,
          kind: job.kind,
          organization: job.organization_id,
          attempt: job.attempts + 1,
          reason: withoutAddresses(error),
        })
        for (const outcome of outcomes.filter(({ state }) => state === "failed")) {
          yield* Effect.logWarning("a mail was not sent and is not tried again", factsOf(outcome))
        }
        const later = outcomes.filter(({ error, state }) => state === "queued" && error !== null)
        const [one] = later
        const now = yield* Clock.currentTimeMillis
        if (one === undefined || now - noticed < Duration.toMillis(retryNotice)) return
        noticed = now
        yield* Effect.logWarning("mails are not sent for now and tried again: one of them", factsOf(one))
      })

      /** One transaction: a mail is settled with its invitation's step and event, or it is not settled. */
      const settle = Effect.fn("Emails.settle")(function* (outcomes: ReadonlyArray<EmailOutcome>) {
        const settled = new Set(
          yield* repository.settle(outcomes.map(({ job: _, tells: __, ...settlement }) => settlement)),
        )
        const of = (test: (outcome: EmailOutcome) => boolean) =>
          outcomes.flatMap((outcome) => {
            const { id, invitation_id, organization_id } = outcome.job
            return invitation_id !== null && settled.has(id) && test(outcome)
              ? [{ id: invitation_id, organization_id, email_id: id }]
              : []
          })
        yield* invitations.sent(
          of(({ state }) => state === "sent"),
          of(({ tells }) => tells === "delivered"),
        )
        yield* invitations.report(
          "bounce",
          of(({ tells }) => tells === "bounce"),
        )
        yield* invitations.report(
          "dropped",
          of(({ tells }) => tells === "dropped"),
        )
        yield* invitations.refuse(
          "unsubscribed",
          of(({ tells }) => tells === "unsubscribed"),
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
          settle: (outcomes) => Effect.andThen(settle(outcomes), tell(outcomes)),
          release: repository.release,
          startAlone: repository.startAlone,
          abandon: (job) => Effect.succeed(outcomeOf(job)("failed", { error: abandonedReason, tells: "dropped" })),
          settlesByTrace: true,
          grace,
          // a provider may have taken what was interrupted: time for its report comes before another attempt
          leavesToLease: true,
        },
      })
    }),
  )
}
