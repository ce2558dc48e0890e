/**
 * Invitations: their states, and what the mail's provider reports about them (spec, Invitation email status).
 *
 * ```
 * pending ─→ sent ─→ delivered ─→ opened ─→ clicked      each step may skip ahead, none goes back
 *    └────────┴──────────┴──→ failed                     cancelled and expired end any of them
 * ```
 */
import { Schema } from "effect"

export const InvitationStatus = Schema.Literals([
  "pending",
  "sent",
  "delivered",
  "opened",
  "clicked",
  "failed",
  "cancelled",
  "expired",
])
export type InvitationStatus = typeof InvitationStatus.Type

/** `data.status` of invitation.status.update; invitation_email_accepted is reserved and never sent. */
export type EmailStatus =
  | "invitation_email_delivered"
  | "invitation_email_opened"
  | "invitation_email_clicked"
  | "invitation_email_failed"
  | "invitation_email_spam"

/** What a provider, or the service itself, reports on a mail that was sent. */
export type EmailSignal = "delivered" | "opened" | "clicked" | "spam" | "bounce" | "dropped"

/** The event's status for a signal (contract, E-mail). */
export const emailStatus = (signal: EmailSignal): EmailStatus => {
  switch (signal) {
    case "delivered":
      return "invitation_email_delivered"
    case "opened":
      return "invitation_email_opened"
    case "clicked":
      return "invitation_email_clicked"
    case "spam":
      return "invitation_email_spam"
    case "bounce":
    case "dropped":
      return "invitation_email_failed"
  }
}

/** Why the service itself did not send. */
export type RefusalReason = "invalid_email" | "unsubscribed"

/** Values for the tokens of an invitation's message. */
export interface MessageTokens {
  readonly name: string
  readonly firstname: string
  readonly lastname: string
  readonly interview: string
  readonly organization: string
  readonly deadline: string
}

/**
 * Replaces `{{name}}` and the other known tokens; an unknown token stays as it is. `escape` is applied to each value
 * (HTML mail), never to the message around it.
 */
export const fillTokens = (message: string, tokens: MessageTokens, escape: (value: string) => string = (v) => v) =>
  message.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(tokens, name) ? escape(tokens[name as keyof MessageTokens]) : whole,
  )

/**
 * A candidate's name for people: the given one, else first and last name, else the address's local part
 * (contract, Invite).
 */
export const displayName = (candidate: {
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  readonly email: string | null
}): string =>
  candidate.name?.trim() ||
  [candidate.firstname, candidate.lastname].filter((part) => part?.trim()).join(" ") ||
  candidate.email?.split("@")[0] ||
  ""
