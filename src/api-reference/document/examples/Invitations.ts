/** Examples of invitations: three candidates are invited, one of them in each way. */
import type { ExtendInvitation, InvitationDetail } from "../../../invitations/Invitation.ts"
import type { InviteRequest } from "../../../invitations/InviteRequest.ts"
import type { InviteResult } from "../../../invitations/InviteResult.ts"
import { adaLink, adaRef, atsAda, charlesLink, ids, setRef, times } from "./Story.ts"

export const inviteToSet: typeof InviteRequest.Encoded = {
  com_interview_set_id: ids.set,
  invitation_message: "Hello {{name}}, we liked your profile and would like to hear more.",
  candidates: [
    { ats_candidate_id: atsAda, email: "ada@example.com", name: "Ada Lovelace" },
    { email: "charles@example", firstname: "Charles", lastname: "Babbage" },
    { name: "Grace Hopper", cv_link: "https://files.nordlicht.example/cv/grace-hopper.pdf" },
  ],
}

export const inviteToProject: typeof InviteRequest.Encoded = {
  com_project_id: ids.project,
  com_job_post_id: ids.jobPost,
  candidates: [{ ats_candidate_id: atsAda, email: "ada@example.com", name: "Ada Lovelace" }],
}

export const inviteWithoutMail: typeof InviteRequest.Encoded = {
  com_interview_set_id: ids.set,
  send_invite: false,
  candidates: [{ ats_candidate_id: atsAda, email: "ada@example.com", name: "Ada Lovelace" }],
}

const refused = "the e-mail address is not valid: no invitation was sent"

export const invited: ReadonlyArray<typeof InviteResult.Encoded> = [
  {
    email_address: "ada@example.com",
    cv_link: null,
    invitation: {
      id: ids.adaInvitation,
      email: "ada@example.com",
      status_text: "pending",
      interview_url: adaLink,
    },
    submission: { id: ids.adaSubmission, status_text: "need_interview", interview_url: adaLink },
  },
  {
    email_address: "charles@example",
    cv_link: null,
    invitation: {
      id: ids.charlesInvitation,
      email: "charles@example",
      status_text: "failed",
      interview_url: charlesLink,
    },
    submission: { id: ids.charlesSubmission, status_text: "need_interview", interview_url: charlesLink },
    error_message: refused,
    invitation_error_message: refused,
  },
  {
    email_address: null,
    cv_link: "https://files.nordlicht.example/cv/grace-hopper.pdf",
    invitation: null,
    submission: { id: ids.graceSubmission, status_text: "cv_processing", interview_url: null },
  },
]

export const invitedWithoutMail: ReadonlyArray<typeof InviteResult.Encoded> = [
  {
    email_address: "ada@example.com",
    cv_link: null,
    invitation: null,
    submission: { id: ids.adaSubmission, status_text: "need_interview", interview_url: adaLink },
  },
]

export const deliveredInvitation: typeof InvitationDetail.Encoded = {
  id: ids.adaInvitation,
  status_text: "delivered",
  email: "ada@example.com",
  interview_url: adaLink,
  failure_reason: null,
  interview_set: setRef,
  candidate: adaRef,
  submission: { id: ids.adaSubmission, status_text: "need_interview" },
  expires_at: times.expires,
  time_factor: 1,
  sent_at: times.sent,
  delivered_at: times.delivered,
  opened_at: null,
  clicked_at: null,
  failed_at: null,
  cancelled_at: null,
  declined_at: null,
  mails_stopped: false,
  created_at: times.invited,
}

export const extension: typeof ExtendInvitation.Encoded = { expires_at: times.extended }

export const extendedInvitation: typeof InvitationDetail.Encoded = {
  ...deliveredInvitation,
  expires_at: times.extended,
}

export const cancelledInvitation: typeof InvitationDetail.Encoded = {
  ...deliveredInvitation,
  status_text: "cancelled",
  submission: { id: ids.adaSubmission, status_text: "withdrawn" },
  cancelled_at: times.opened,
}
