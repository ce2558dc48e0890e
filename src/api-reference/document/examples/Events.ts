/** Examples of events, as webhooks deliver them and as they are read back. */
import { schemaVersion } from "../../../webhooks/WebhookEvent.ts"
import type { EvaluationEvent, InterviewStatusEvent, InvitationStatusEvent } from "../WebhookEvents.ts"
import { adaRef, atsAda, ids, organization, setRef, submissionUrl, times } from "./Story.ts"

const ada = { candidate_id: adaRef.id, candidate_email: adaRef.email }
const adaAdditional = { invitation_id: ids.adaInvitation, ats_candidate_id: atsAda }

export const failed: typeof InvitationStatusEvent.Encoded = {
  schema_version: schemaVersion,
  event_type: "invitation.status.update",
  event_id: ids.failed,
  timestamp: times.invited,
  organization_id: organization.id,
  data: {
    interview_set_id: setRef.id,
    candidate_id: ids.charles,
    candidate_email: "charles@example",
    status: "invitation_email_failed",
    reason: "invalid_email",
    interview_name: setRef.title,
    invitation_id: ids.charlesInvitation,
    ats_candidate_id: null,
    submission_id: ids.charlesSubmission,
  },
}

export const delivered: typeof InvitationStatusEvent.Encoded = {
  schema_version: schemaVersion,
  event_type: "invitation.status.update",
  event_id: ids.delivered,
  timestamp: times.delivered,
  organization_id: organization.id,
  data: {
    interview_set_id: setRef.id,
    ...ada,
    status: "invitation_email_delivered",
    reason: "delivered",
    ...adaAdditional,
    submission_id: ids.adaSubmission,
  },
}

export const completed: typeof InterviewStatusEvent.Encoded = {
  schema_version: schemaVersion,
  event_type: "interview.status.update",
  event_id: ids.completed,
  timestamp: times.completed,
  organization_id: organization.id,
  data: {
    interview_set_id: setRef.id,
    interview_name: setRef.title,
    ...ada,
    status: "completed",
    ...adaAdditional,
    submission_id: ids.adaSubmission,
  },
}

export const evaluated: typeof EvaluationEvent.Encoded = {
  schema_version: schemaVersion,
  event_type: "interview.evaluation.update",
  event_id: ids.evaluated,
  timestamp: times.evaluated,
  organization_id: organization.id,
  data: {
    interview_set_id: setRef.id,
    interview_name: setRef.title,
    ...ada,
    evaluation_type: "interview",
    evaluation_score: 5.3,
    score_status: "scored",
    submission_id: ids.adaSubmission,
    submission_url: submissionUrl,
    ...adaAdditional,
  },
}

/** What `webhook test` delivers. */
export const tested: typeof EvaluationEvent.Encoded = {
  ...evaluated,
  event_id: ids.tested,
  data: { ...evaluated.data, timestamp: times.evaluated },
  is_test: true,
}
