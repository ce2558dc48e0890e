/** What a worker does with emails. */
import { Context, Duration, Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import * as FailureLog from "../platform/queue/FailureLog.ts"
import { ProviderStanding } from "../platform/queue/ProviderStanding.ts"
import { type Claim, newClaim } from "../platform/queue/QueueSql.ts"
import * as WorkQueue from "../platform/queue/WorkQueue.ts"
import type { InvitationId, OrganizationId } from "../values/Ids.ts"
import * as RetryPolicy from "../values/RetryPolicy.ts"
import { EmailLinks, fillLinks, notificationUrl, withoutLinkTokens } from "./EmailLinks.ts"
import { type EmailJob, EmailRepository, type EmailSettlement, subscriptionOf } from "./EmailRepository.ts"
import { EmailSender } from "./EmailSender.ts"
import { ImmediateEmails } from "./ImmediateEmails.ts"
import { type FollowUpJob, InvitationEmails, type InvitationJob } from "./InvitationEmails.ts"
import { mailboxEmailSender } from "./MailboxEmailSender.ts"

/** Covers waiting, an attempt (at most 45 s) and settling. */
const lease = Duration.minutes(3)
/** Longer than an attempt, so that draining workers settle it. */
const grace = Duration.seconds(50)

/** Providers recover within hours; the first retry is soon, for the candidate. */
export const retries: RetryPolicy.RetryOptions = { first: Duration.seconds(30), cap: Duration.hours(1), times: 8 }

/** Emails of one invitation that `sendNow` sends. */
const maxAtOnce = 10

interface EmailOutcome extends EmailSettlement {
  readonly job: EmailJob
  /** Why the provider refuses this service. */
  readonly refusal: string | null
  readonly reports: "delivered" | "bounce" | "dropped" | "unsubscribed" | null
}

const outcomeOf = (
  job: EmailJob,
  provider: string,
  state: EmailSettlement["state"],
  rest: Partial<EmailOutcome> = {},
): EmailOutcome => ({
  id: job.id,
  claim_id: job.claim_id,
  state,
  delay: undefined,
  provider,
  provider_message_id: null,
  error: null,
  refusal: null,
  reports: null,
  job,
  ...rest,
})

const isOfInvitation = (job: EmailJob): job is InvitationJob =>
  job.kind.startsWith("invitation") && job.invitation_id !== null

const isFollowUp = (job: EmailJob): job is FollowUpJob => job.submission_id !== null

const memberFields = (links: EmailLinks["Service"], job: EmailJob) => ({
  fromName: job.organization_name,
  senderName: null,
  replyTo: null,
  unsubscribeUrl: notificationUrl(links, job),
})

/** A removed member gets no notifications. */
const isToRemoved = ({ kind, member_id }: EmailJob) => subscriptionOf[kind] !== undefined && member_id === null

/** The log has no addresses. */
const withoutAddresses = (reason: string | null): string | null =>
  reason === null ? null : reason.replaceAll(/[^\s<>"(),;:]+@[^\s<>"'(),;]+/g, "(address)")

const logFieldsOf = ({ error, job, refusal }: EmailOutcome) => ({
  mail: job.id,
  kind: job.kind,
  organization: job.organization_id,
  attempt: job.attempts + 1,
  reason: withoutAddresses(error),
  // the operator has to act
  ...(refusal === null ? {} : { refused: "this service", because: refusal }),
})

const makeWarn = ({ set }: ProviderStanding["Service"]) => {
  const failures = FailureLog.make("sending emails")
  return Effect.fnUntraced(function* (all: ReadonlyArray<EmailOutcome>) {
    // emails that stay here say nothing about the provider
    const outcomes = all.filter(({ job }) => !job.stays)
    const refused = outcomes.find(({ refusal }) => refusal !== null)
    if (refused !== undefined) set(refused.refusal ?? undefined)
    else if (outcomes.some(({ state }) => state === "sent")) set(undefined)
    for (const outcome of outcomes.filter(({ state }) => state === "failed")) {
      yield* Effect.logWarning("an email failed and is not retried", logFieldsOf(outcome))
    }
    const retried =
      refused?.state === "queued" ? refused : outcomes.find(({ error, state }) => state === "queued" && error !== null)
    if (retried !== undefined) {
      const message = "emails could not be sent and are retried, for example this one"
      return yield* failures.warn("retried", message, logFieldsOf(retried))
    }
    if (outcomes.some(({ state }) => state === "sent")) yield* failures.worked
  })
}

export class EmailQueue extends Context.Service<EmailQueue>()("interview-invitations/emails/EmailQueue", {
  make: Effect.gen(function* () {
    const nextDelay = yield* RetryPolicy.nextDelay(yield* RetryPolicy.policy("email", retries))
    const warn = makeWarn(yield* ProviderStanding)
    const config = yield* Config
    const { transaction } = yield* Database
    const emailLinks = yield* EmailLinks
    const ids = yield* Ids
    const repository = yield* EmailRepository
    const chosenSender = yield* EmailSender
    const invitationEmails = yield* InvitationEmails

    const senderOf = ({ stays }: EmailJob) => (stays ? mailboxEmailSender : chosenSender)

    /** Undefined: it is no longer due; for example, the invitation has ended or was started. */
    const compose = Effect.fnUntraced(function* (job: EmailJob) {
      if (isOfInvitation(job)) return yield* invitationEmails.compose(job, senderOf(job).tracks)
      if (isFollowUp(job)) return yield* invitationEmails.composeFollowUp(job)
      if (job.content === null || isToRemoved(job)) return undefined
      return { content: job.content, isSuppressed: false, addressed: () => memberFields(emailLinks, job) }
    })

    const perform = Effect.fn("EmailQueue.perform")(function* (job: EmailJob) {
      const emailSender = senderOf(job)
      const outcome = (state: EmailSettlement["state"], rest?: Partial<EmailOutcome>) =>
        outcomeOf(job, emailSender.provider, state, rest)
      const mail = yield* compose(job)
      if (mail === undefined) return outcome("cancelled")
      const { addressed, content, isSuppressed } = mail
      if (isSuppressed) {
        return outcome("cancelled", { error: "the address has unsubscribed", reports: "unsubscribed" })
      }
      const { hostname } = new URL(config.appUrl)
      const messageId = job.message_id ?? `${job.id}@${hostname}`
      // another claim has the row: this outcome is ignored
      if (!(yield* repository.begin(job, content, messageId))) return outcome("queued")
      const filled = fillLinks(emailLinks, job, content)
      return yield* emailSender
        .send({ id: job.id, messageId, to: job.recipient, ...filled, ...addressed(filled) })
        .pipe(
          Effect.map(({ delivered, providerMessageId }) =>
            outcome("sent", { reports: delivered ? "delivered" : null, provider_message_id: providerMessageId }),
          ),
          Effect.catchTag("EmailNotSent", ({ bounced, permanent, reason, refusal = null }) =>
            Effect.map(permanent ? Effect.undefined : nextDelay(job.attempts + 1), (delay) => {
              // mail servers may quote the email with its links
              const error = withoutLinkTokens(reason)
              // a failure without a report of the provider counts as one
              return delay === undefined
                ? outcome("failed", { error, refusal, reports: bounced ? "bounce" : "dropped" })
                : outcome("queued", { delay, error, refusal })
            }),
          ),
        )
    })

    const settle = Effect.fn("EmailQueue.settle")(function* (outcomes: ReadonlyArray<EmailOutcome>) {
      const settlements = outcomes.map(({ job: _, refusal: __, reports: ___, ...settlement }) => settlement)
      const settled = new Set(yield* repository.settleJobs(settlements))
      const mailsOf = (test: (outcome: EmailOutcome) => boolean) =>
        outcomes.flatMap((outcome) => {
          const { id, invitation_id, organization_id } = outcome.job
          return invitation_id !== null && settled.has(id) && test(outcome)
            ? [{ id: invitation_id, organization_id, email_id: id }]
            : []
        })
      const reporting = (report: EmailOutcome["reports"]) => mailsOf(({ reports }) => reports === report)
      const sent = mailsOf(({ state }) => state === "sent")
      yield* invitationEmails.sent(sent, reporting("delivered"))
      yield* invitationEmails.report("bounce", reporting("bounce"))
      yield* invitationEmails.report("dropped", reporting("dropped"))
      yield* invitationEmails.refuse(reporting("unsubscribed"))
    }, transaction)

    const queue = yield* WorkQueue.make<EmailJob, EmailOutcome, string>({
      table: "email",
      lease,
      concurrency: 20,
      claim: Effect.fn("EmailQueue.claim")((claim: Claim) => repository.claim(claim)),
      perform,
      settle: (outcomes) => Effect.andThen(settle(outcomes), warn(outcomes)),
      abandon: (job) =>
        Effect.succeed(
          outcomeOf(job, senderOf(job).provider, "failed", {
            error: WorkQueue.abandonedReason(job),
            reports: "dropped",
          }),
        ),
      settlesByTrace: true,
      grace,
      // the provider may have accepted an interrupted email and may report it meanwhile
      releaseAfter: lease,
    })

    const sendNow = Effect.fn("EmailQueue.sendNow")(function* (organization: OrganizationId, invitation: InvitationId) {
      const claim = yield* newClaim(ids, maxAtOnce, lease)
      const jobs = yield* repository.claim({ ...claim, organization }, invitation)
      if (jobs.length > 0) yield* queue.settle(yield* Effect.forEach(jobs, perform))
    })
    return { queue, sendNow }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provideMerge(ProviderStanding.layer))

  static readonly immediate = Layer.effect(
    ImmediateEmails,
    Effect.map(this, ({ sendNow }) => ImmediateEmails.of({ sendNow })),
  )
}
