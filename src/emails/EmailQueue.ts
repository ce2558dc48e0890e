/** The queue of mails: written when their turn comes, sent, and settled together with what they tell about. */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { Database } from "../platform/database/Database.ts"
import { ids } from "../platform/NewIds.ts"
import { abandonedReason, type WorkQueue } from "../platform/queue/WorkQueue.ts"
import { ClaimId } from "../values/Ids.ts"
import * as RetryPolicy from "../values/RetryPolicy.ts"
import { EmailLinks } from "./EmailLinks.ts"
import { type EmailJob, type EmailSettlement, EmailRepository as Repository } from "./EmailRepository.ts"
import { EmailSender } from "./EmailSender.ts"
import { InvitationEmails, type InvitationJob } from "./InvitationEmails.ts"
import { fillLinks } from "./LinkSlots.ts"
import { withoutLinkTokens } from "./LinkTokens.ts"

/** Longer than any provider is waited for: three times a generous minute. */
const lease = Duration.minutes(3)
/** The longest that a sender waits is 45 seconds (emails/SmtpEmailSender.ts); then it has to be settled. */
const grace = Duration.seconds(50)

const isOfInvitation = (job: EmailJob): job is InvitationJob =>
  job.kind.startsWith("invitation") && job.invitation_id !== null

/** The fields of a mail to a member: nothing is counted, and there is nothing to unsubscribe from. */
const unaddressed = { fromName: null, replyTo: null, unsubscribeUrl: null }

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

export class EmailQueue extends Context.Service<EmailQueue, { readonly queue: WorkQueue<EmailJob, EmailOutcome> }>()(
  "interview-invitations/emails/EmailQueue",
) {
  static readonly layer = Layer.effect(
    EmailQueue,
    Effect.gen(function* () {
      const { appUrl } = yield* Config
      const { transaction } = yield* Database
      const invitations = yield* InvitationEmails
      const links = yield* EmailLinks
      const newId = yield* ids
      const repository = yield* Repository
      const sender = yield* EmailSender
      const nextDelay = yield* RetryPolicy.nextDelay(yield* RetryPolicy.policy("email", RetryPolicy.email))

      const { hostname } = new URL(appUrl)

      /** The mail; undefined when there is nothing left to say. */
      const write = (job: EmailJob) =>
        isOfInvitation(job)
          ? invitations.compose(job, sender.tracks)
          : Effect.succeed(
              job.content === null
                ? undefined
                : { content: job.content, isSuppressed: false, addressed: () => unaddressed },
            )

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

      const perform = Effect.fn("EmailQueue.perform")(function* (job: EmailJob) {
        const outcome = outcomeOf(job)
        const mail = yield* write(job)
        if (mail === undefined) return outcome("cancelled")
        const { addressed, content, isSuppressed } = mail
        if (isSuppressed) {
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
          ...addressed(filled),
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
      const settle = Effect.fn("EmailQueue.settle")(function* (outcomes: ReadonlyArray<EmailOutcome>) {
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
        yield* invitations.refuse(of(({ tells }) => tells === "unsubscribed"))
      }, transaction)

      return EmailQueue.of({
        queue: {
          table: "email",
          concurrency: 20,
          claim: Effect.fn("EmailQueue.claim")(function* (limit) {
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
