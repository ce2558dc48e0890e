/**
 * Composes emails of invitations, with tracking links unless the provider tracks, and records reports (docs/mails.md).
 */
import { Clock, Effect, Layer } from "effect"
import { type Appearance, logoOf } from "../accounts/Appearance.ts"
import { EmailLinks, linkSlot } from "../emails/EmailLinks.ts"
import type { EmailKind, InvitationMail, RenderedEmail } from "../emails/EmailRepository.ts"
import type { OutgoingEmail } from "../emails/EmailSender.ts"
import { type FollowUpJob, InvitationEmails, type InvitationJob } from "../emails/InvitationEmails.ts"
import { SuppressionRepository } from "../emails/SuppressionRepository.ts"
import { html } from "../platform/http/Html.ts"
import { isAnswerable, isSubmitted } from "../submissions/Submission.ts"
import type { EmailId } from "../values/Ids.ts"
import { FollowUpRepository, type FollowUpView } from "./FollowUpRepository.ts"
import { renderReceipt } from "./FollowUpTemplate.ts"
import { type InvitationLinks, renderInvitation, senderOf } from "./InvitationEmailTemplate.ts"
import { InvitationReports } from "./InvitationReports.ts"
import { InvitationRepository, type InvitationView } from "./InvitationRepository.ts"

/** After the start, only the kind `invitation` is due. */
const isStillDue = (
  kind: InvitationMail,
  { answer_until, expired, status, submission_status }: InvitationView,
  now: number,
): boolean => {
  if (submission_status === "started" && answer_until !== null && answer_until.getTime() <= now) return false
  if (expired || status === "failed" || status === "cancelled" || status === "expired") return false
  return isAnswerable(submission_status) && (kind === "invitation" || submission_status !== "started")
}

const slotsOf = (id: EmailId, providerTracks: boolean): InvitationLinks => ({
  interviewUrl: linkSlot(id, "interview"),
  unsubscribeUrl: linkSlot(id, "unsubscribe"),
  ...(providerTracks ? {} : { openPixelUrl: linkSlot(id, "opened") }),
})

const absoluteLogo = ({ absolute }: EmailLinks["Service"], appearance: Appearance | null) => {
  const logo = appearance === null ? undefined : logoOf(appearance)
  return logo === undefined ? undefined : { ...logo, href: absolute(logo.href) }
}

const href = (url: string) => html`href="${url}"`.toString()

/** The link to copy is not tracked. */
const addressedOf = (
  links: EmailLinks["Service"],
  invitation: InvitationView,
  content: RenderedEmail,
  providerTracks: boolean,
): Pick<OutgoingEmail, "html" | "fromName" | "senderName" | "replyTo" | "unsubscribeUrl"> => ({
  html: providerTracks
    ? content.html
    : content.html.replaceAll(
        href(links.interview({ _tag: "Invitation", id: invitation.id })),
        href(links.mail("Clicked", invitation.id)),
      ),
  ...senderOf(invitation),
  unsubscribeUrl: links.mail("Unsubscribe", invitation.id),
})

const compose = Effect.fn("InvitationEmails.compose")(function* (job: InvitationJob, providerTracks: boolean) {
  const repository = yield* InvitationRepository
  const invitation = yield* repository.find(job.organization_id, job.invitation_id)
  if (invitation === undefined || !isStillDue(job.kind, invitation, yield* Clock.currentTimeMillis)) return undefined
  const emailLinks = yield* EmailLinks
  const suppressionRepository = yield* SuppressionRepository
  const logo = absoluteLogo(emailLinks, invitation.appearance)
  return {
    content: job.content ?? renderInvitation(invitation, { ...slotsOf(job.id, providerTracks), logo }, job.kind),
    isSuppressed: (yield* suppressionRepository.among(job.organization_id, [job.recipient])).has(job.recipient),
    addressed: (content: RenderedEmail) => addressedOf(emailLinks, invitation, content, providerTracks),
  }
})

/** The text of a letter was written by a member; that of a receipt is written now. */
const composeFollowUp = Effect.fn("InvitationEmails.composeFollowUp")(function* (job: FollowUpJob) {
  const repository = yield* FollowUpRepository
  const [view] = yield* repository.views(job.organization_id, [job.submission_id])
  if (view === undefined || view.email === null || !isFollowUpDue(job.kind, view)) return undefined
  const emailLinks = yield* EmailLinks
  const suppressionRepository = yield* SuppressionRepository
  const content =
    job.content ?? renderReceipt(view, absoluteLogo(emailLinks, view.appearance), linkSlot(job.id, "interview"))
  return {
    content,
    isSuppressed: (yield* suppressionRepository.among(job.organization_id, [job.recipient])).has(job.recipient),
    addressed: (filled: RenderedEmail) => ({ html: filled.html, ...senderOf(view), unsubscribeUrl: null }),
  }
})

/** A retake withdraws the receipt until it ends; a changed decision withdraws its letter; an answer stays. */
const isFollowUpDue = (kind: EmailKind, { decision, status }: FollowUpView): boolean =>
  kind === "accommodation" ||
  kind === "person_review" ||
  kind === "result" ||
  (kind === "receipt" ? isSubmitted(status) : kind === `decision_${decision}`)

export const layer = Layer.effect(
  InvitationEmails,
  Effect.gen(function* () {
    const { refuse, report, sent } = yield* InvitationReports
    const context = yield* Effect.context<
      InvitationRepository | FollowUpRepository | EmailLinks | SuppressionRepository
    >()
    return InvitationEmails.of({
      compose: (job, providerTracks) => Effect.provideContext(compose(job, providerTracks), context),
      composeFollowUp: (job) => Effect.provideContext(composeFollowUp(job), context),
      sent,
      report,
      refuse: (invitations) => refuse("unsubscribed", invitations),
    })
  }),
)
