/** What emails/ needs of invitations/, implemented in invitations/InvitationEmailsAdapter.ts. */
import { Context, type Effect } from "effect"
import type { EmailId, InvitationId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { EmailSignal } from "./EmailEvent.ts"
import type { EmailJob, InvitationMail, RenderedEmail } from "./EmailRepository.ts"
import type { OutgoingEmail } from "./EmailSender.ts"

export interface InvitationRef {
  readonly id: InvitationId
  readonly organization_id: OrganizationId
}

/** Reports by link lack `email_id`. */
export interface MailRef extends InvitationRef {
  readonly email_id?: EmailId
}

export type InvitationJob = EmailJob & { readonly kind: InvitationMail; readonly invitation_id: InvitationId }

/** An email after the interview. */
export type FollowUpJob = EmailJob & { readonly submission_id: SubmissionId }

export interface ComposedEmail {
  /** With slots in place of its links (EmailLinks.ts). */
  readonly content: RenderedEmail
  readonly isSuppressed: boolean
  readonly addressed: (
    content: RenderedEmail,
  ) => Pick<OutgoingEmail, "html" | "fromName" | "senderName" | "replyTo" | "unsubscribeUrl">
}

export class InvitationEmails extends Context.Service<
  InvitationEmails,
  {
    /** The same for every attempt. Undefined: the invitation has ended or was started. */
    readonly compose: (job: InvitationJob, providerTracks: boolean) => Effect.Effect<ComposedEmail | undefined>
    /** Undefined: the interview is open again, another decision was made, or the candidate was erased. */
    readonly composeFollowUp: (job: FollowUpJob) => Effect.Effect<ComposedEmail | undefined>
    /** `delivered`: emails that the provider delivered at once. */
    readonly sent: (invitations: ReadonlyArray<InvitationRef>, delivered: ReadonlyArray<MailRef>) => Effect.Effect<void>
    readonly report: (signal: EmailSignal, mails: ReadonlyArray<MailRef>) => Effect.Effect<void>
    /** Fails invitations whose recipients have unsubscribed. */
    readonly refuse: (invitations: ReadonlyArray<InvitationRef>) => Effect.Effect<void>
  }
>()("interview-invitations/emails/InvitationEmails") {}
