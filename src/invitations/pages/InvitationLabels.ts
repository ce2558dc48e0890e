/** Addresses, labels and controls of invitations. */
import { type Html, html } from "../../platform/http/Html.ts"
import type { InvitationStatus } from "../../submissions/InvitationStatus.ts"
import { knownLetterTokens, knownTokens, type MessageTokens } from "../Invitation.ts"

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
  accommodation: "Answer to the request",
  result: "Page with the result",
  person_review: "Answer to the request for a person",
}

export const mailName = (kind: string): string => mails[kind] ?? "Email"

const tokens: Readonly<Record<keyof MessageTokens, string>> = {
  name: "Name",
  firstname: "First name",
  lastname: "Last name",
  interview: "Interview",
  organization: "Organization",
  deadline: "Deadline",
}

/**
 * Insert words in double braces at the cursor of a field; without scripts, a note names the words. `isLetter`: about a decision,
 * which has no deadline.
 */
export const insertButtons = (field: string, isLetter = false): Html =>
  html`<p class="chips inserts" hidden><span class="note">Insert:</span> ${Object.entries(tokens)
    .filter(([token]) => !isLetter || token !== "deadline")
    .map(
      ([token, name]) =>
        html`<button type="button" class="secondary${token === "deadline" ? " only-invitations" : null}" data-inserts="{{${token}}}" data-into="${field}">${name}</button>\n`,
    )}</p>
<noscript><p class="note">${isLetter ? knownLetterTokens : knownTokens} are filled in for each candidate.</p></noscript>`
