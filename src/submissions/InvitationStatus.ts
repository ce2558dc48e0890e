/** The states of an invitation; the steps between them are in invitations/Invitation.ts. */
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
]).annotate({ identifier: "InvitationStatus" })
export type InvitationStatus = typeof InvitationStatus.Type
