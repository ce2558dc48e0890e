/**
 * What the email queue and the provider's reports need to know of invitations: what a mail says, and what becomes of the
 * invitation. invitations/InvitationEmailsAdapter.ts implements it; this folder knows no invitation.
 */
import { Context, type Effect } from "effect"
import type { EmailId, InvitationId, OrganizationId } from "../values/Ids.ts"
import type { EmailJob, InvitationMail, RenderedEmail } from "./EmailRepository.ts"
import type { OutgoingEmail } from "./EmailSender.ts"
import type { EmailSignal } from "./MailOutcome.ts"

export interface InvitationRef {
  readonly id: InvitationId
  readonly organization_id: OrganizationId
}

/** An invitation, with the mail of it that something is reported of where that is known: links name only the invitation. */
export interface MailRef extends InvitationRef {
  readonly email_id?: EmailId
}

/** A queued mail about an invitation. */
export type InvitationJob = EmailJob & { readonly kind: InvitationMail; readonly invitation_id: InvitationId }

/** A mail about an invitation, ready to be sent. */
export interface ComposedEmail {
  /** With slots in place of its links (LinkSlots.ts). */
  readonly content: RenderedEmail
  /** True when the recipient is on the organization's suppression list. */
  readonly isSuppressed: boolean
  /** The fields of the outgoing mail beside its plain text; `content` has its links filled in. */
  readonly addressed: (
    content: RenderedEmail,
  ) => Pick<OutgoingEmail, "html" | "fromName" | "replyTo" | "unsubscribeUrl">
}

export class InvitationEmails extends Context.Service<
  InvitationEmails,
  {
    /**
     * The mail; undefined when the invitation has ended, or the candidate has started. Every attempt says the same.
     * `providerTracks`: the provider counts opens and clicks itself.
     */
    readonly compose: (job: InvitationJob, providerTracks: boolean) => Effect.Effect<ComposedEmail | undefined>
    /** Marks invitations as sent. `delivered`: the mails that the provider delivered at once. */
    readonly sent: (invitations: ReadonlyArray<InvitationRef>, delivered: ReadonlyArray<MailRef>) => Effect.Effect<void>
    /** Records what a provider reports on mails, with the webhook events (MailOutcome.ts). */
    readonly report: (signal: EmailSignal, mails: ReadonlyArray<MailRef>) => Effect.Effect<void>
    /** Fails invitations whose recipients have unsubscribed. */
    readonly refuse: (invitations: ReadonlyArray<InvitationRef>) => Effect.Effect<void>
  }
>()("interview-invitations/emails/InvitationEmails") {}
