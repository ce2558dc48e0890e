/** The states of an invitation; invitations/Invitation.ts shows their order. */
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
