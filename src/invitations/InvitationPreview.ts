/** Invitations as candidates would get them, with example links. */

import { logoOf, noAppearance } from "../accounts/Appearance.ts"
import { type CandidateFields, sampleCandidate } from "../candidates/Candidate.ts"
import { type Html, html } from "../platform/http/Html.ts"
import type { Logo } from "../platform/http/PageParts.ts"
import { type Language, languageOf } from "../texts/Texts.ts"
import { isEmailAddress } from "../values/EmailAddress.ts"
import { CandidateId, InterviewSetId, InvitationId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import { renderInvitation, senderOf } from "./InvitationEmailTemplate.ts"
import type { Sender } from "./InviteRepository.ts"

export interface EmailPreview {
  /** "": the candidate has no address yet. */
  readonly recipient: string
  readonly isSample: boolean
  readonly sender: string
  readonly replyTo: string | null
  readonly language: Language
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Previewed {
  readonly sender: Sender
  readonly candidate: Pick<CandidateFields, "email" | "firstname" | "lastname" | "name">
  readonly isSample: boolean
  readonly message: string | null
  readonly expiresAt: Date
  readonly appUrl: string
  /** Candidates get a notice about the rating by software. */
  readonly hasNotice?: boolean
  /** Instead of the stored one. */
  readonly logo?: Logo | undefined
}

const noId = "00000000-0000-0000-0000-000000000000"

const ids = {
  id: InvitationId.make(noId),
  organization_id: OrganizationId.make(1),
  interview_set_id: InterviewSetId.make(noId),
  submission_id: SubmissionId.make(noId),
  candidate_id: CandidateId.make(noId),
}

export const previewInvitation = ({
  appUrl,
  candidate: { email, firstname, lastname, name },
  expiresAt,
  hasNotice = false,
  isSample,
  logo,
  message,
  sender,
}: Previewed): EmailPreview => {
  const view = {
    ...ids,
    ...sender,
    name,
    firstname,
    lastname,
    submission_status: "need_interview" as const,
    answer_until: null,
    email: email ?? "",
    message,
    status: "pending" as const,
    expires_at: expiresAt,
    expired: false,
    has_notice: hasNotice,
  }
  const stored = logoOf(sender.appearance ?? noAppearance)
  const { fromName, replyTo, senderName } = senderOf(sender)
  return {
    // an address that is still being typed is none
    recipient: isEmailAddress(view.email) ? view.email : "",
    isSample,
    sender: senderName ?? fromName,
    replyTo,
    language: languageOf(sender.languages),
    ...renderInvitation(view, {
      interviewUrl: `${appUrl}/i/example`,
      unsubscribeUrl: `${appUrl}/unsubscribe/example`,
      logo: logo ?? (stored && { ...stored, href: `${appUrl}${stored.href}` }),
    }),
  }
}

/** Who gets the email, from whom, and its subject. */
export const previewHeaders = ({
  isSample,
  language,
  recipient,
  replyTo,
  sender,
  subject,
}: EmailPreview): ReadonlyArray<readonly [name: string, value: Html]> => [
  [
    "To",
    isSample ? html`a sample candidate, ${sampleCandidate.name}` : html`<bdi>${recipient || "no address yet"}</bdi>`,
  ],
  ["From", html`<bdi>${sender}</bdi>`],
  ...(replyTo === null ? [] : [["Reply to", html`<bdi>${replyTo}</bdi>`] as const]),
  ["Subject", html`<bdi lang="${language}">${subject}</bdi>`],
]
