/** States of an invitation (diagram: invitations/Invitation.ts). */
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
