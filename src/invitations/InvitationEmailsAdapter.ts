/** Composes the mails of invitations for the email queue, and passes on what is reported of them. */
import { Clock, Effect, Layer } from "effect"
import { EmailLinks } from "../emails/EmailLinks.ts"
import type { InvitationMail, RenderedEmail } from "../emails/EmailRepository.ts"
import { InvitationEmails, type InvitationJob } from "../emails/InvitationEmails.ts"
import { isAnswerable } from "../submissions/Submission.ts"
import { renderInvitation } from "./InvitationEmail.ts"
import { InvitationRepository, type InvitationView } from "./InvitationRepository.ts"
import { Invitations } from "./Invitations.ts"
import { trackingOf } from "./Tracking.ts"

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

const compose = Effect.fn("InvitationEmails.compose")(function* (job: InvitationJob, providerTracks: boolean) {
  const invitations = yield* InvitationRepository
  const invitation = yield* invitations.find(job.organization_id, job.invitation_id)
  if (invitation === undefined || !isWorthSending(job.kind, invitation, yield* Clock.currentTimeMillis))
    return undefined
  const tracking = trackingOf(yield* EmailLinks, providerTracks)
  return {
    // written at an earlier attempt: every attempt says the same
    content: job.content ?? renderInvitation(invitation, tracking.slotsOf(job.id), job.kind),
    isSuppressed: yield* invitations.isSuppressed(job.organization_id, job.recipient),
    addressed: (content: RenderedEmail) => tracking.addressed(invitation, content),
  }
})

export const layer = Layer.effect(
  InvitationEmails,
  Effect.gen(function* () {
    const { refuse, report, sent } = yield* Invitations
    const context = yield* Effect.context<InvitationRepository | EmailLinks>()
    return InvitationEmails.of({
      compose: (job, providerTracks) => Effect.provideContext(compose(job, providerTracks), context),
      sent,
      report,
      refuse: (invitations) => refuse("unsubscribed", invitations),
    })
  }),
)
