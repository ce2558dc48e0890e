/** Addresses and labels of invitations. */
import type { InvitationStatus } from "../../submissions/InvitationStatus.ts"

export const invitationsHref = "/invitations"
export const invitationHref = (id: string): string => `${invitationsHref}/${encodeURIComponent(id)}`

export const statusNames: ReadonlyArray<readonly [InvitationStatus, string]> = [
  ["pending", "Not sent yet"],
  ["sent", "Email sent"],
  ["delivered", "Delivered"],
  ["opened", "Opened"],
  ["clicked", "Link followed"],
  ["failed", "Email failed"],
  ["cancelled", "Cancelled"],
  ["expired", "Expired"],
]

export const statusText = (status: InvitationStatus, declined: boolean): string =>
  declined ? "Declined" : (statusNames.find(([one]) => one === status)?.[1] ?? status)

export const statusClass = (status: InvitationStatus): string =>
  status === "failed" ? "tag bad" : status === "cancelled" || status === "expired" ? "tag off" : "tag on"

const mails: Readonly<Record<string, string>> = {
  invitation: "Invitation",
  invitation_extension: "New deadline",
  invitation_time: "More time to answer",
  invitation_reminder: "Reminder",
  receipt: "Receipt of the answers",
  decision_advance: "Advanced",
  decision_reject: "Rejected",
}

export const mailName = (kind: string): string => mails[kind] ?? "Email"
