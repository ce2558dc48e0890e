/** Values of all examples: Nordlicht invites three candidates for a backend engineer; one answers and is evaluated. */

import { MemberDetail } from "../accounts/members/MemberApi.ts"
import { LoggedRequest } from "../accounts/requests/LoggedRequest.ts"
import { emptyEventCandidate } from "../candidates/Candidate.ts"
import { type Criterion, narrate, withTotal } from "../evaluations/Evaluation.ts"
import { importanceOf } from "../interview-sets/Importance.ts"
import {
  type CreateInterviewSet,
  InterviewSetDetail,
  InterviewSetSummary,
  questionModeIds,
  questionTypeIds,
  type UpdateInterviewSet,
} from "../interview-sets/InterviewSet.ts"
import { type CorrectInvitation, type ExtendInvitation, InvitationDetail } from "../invitations/Invitation.ts"
import type { InviteRequest } from "../invitations/InviteRequest.ts"
import { InviteResult } from "../invitations/InviteResult.ts"
import { Suppression } from "../invitations/Suppression.ts"
import { PersonSummary } from "../privacy/Person.ts"
import type { DecideSubmission, MoveSubmission } from "../reviews/SubmissionChange.ts"
import type { SubmissionDecision } from "../submissions/Decision.ts"
import type { HiringStageRef } from "../submissions/HiringStage.ts"
import { SubmissionDetail, SubmissionSummary } from "../submissions/SubmissionDetail.ts"
import {
  AtsCandidateId,
  CandidateId,
  EventId,
  InterviewSetId,
  InvitationId,
  OrganizationId,
  SubmissionId,
} from "../values/Ids.ts"
import { exampleOf } from "../values/SchemaExample.ts"
import { DeliveryDetail, type ResendFailed, TestResult } from "../webhooks/deliveries/Delivery.ts"
import { type CreateEndpoint, EndpointDetail, type EndpointWithSecret } from "../webhooks/endpoints/Endpoint.ts"
import * as WebhookEvent from "../webhooks/events/WebhookEvent.ts"
import { sample } from "../webhooks/events/WebhookSample.ts"
import { RehearsalDetail, RehearsalSummary } from "../webhooks/rehearsals/Rehearsal.ts"
import { stepNames } from "../webhooks/rehearsals/RehearsalSteps.ts"

export const organization = { id: 42, name: "Nordlicht" }

export const ids = {
  apiKey: "01a1e3a1-5850-7233-bc63-4e2eea769688",
  suppression: "01a20c8e-3d1f-7a44-b6c2-90e5d3f1a8b7",
  member: "01a1e39f-2b40-7c0e-a5d8-3f6b1c9e7a52",
  project: "01a1e3a5-9548-7cfc-bce6-f8e9a55b4e46",
  jobPost: "01a1e3a5-f93e-7e8c-bb1c-9e236dc5cd4f",
  set: "01a207a2-5dac-7a52-8f9a-f965feb89787",
  based: "01a207a2-5dac-7abb-b21b-17393e68f8be",
  service: "01a207a2-5dac-7624-b0b8-8fdefd97ecf0",
  typescript: "01a207a2-5dac-728f-88d8-cf8ca305006f",
  postgres: "01a207a2-5dac-712d-9b2e-8afc7cd37e6f",
  mentoring: "01a207a2-5dac-7705-a63a-980a0a9ec5b8",
  access: "01a207a2-5dac-7815-9f85-544b9aaa1774",
  ada: "01a207a6-8d9a-7aff-85a1-7978b66cb697",
  adaInvitation: "01a207a6-8d9a-733f-b0d0-584314ebf067",
  adaSubmission: "01a207a6-8d9a-7f29-b911-199b1f1e3728",
  charles: "01a207a6-8d9a-71aa-8607-d69cbf84de05",
  charlesInvitation: "01a207a6-8d9a-7c58-88f6-a8b05f25da3a",
  charlesSubmission: "01a207a6-8d9a-7ca5-bfad-a6c817d4ae34",
  grace: "01a207a6-8d99-7d1c-9b21-5a8c3e0f7b64",
  graceSubmission: "01a207a6-8d9a-743c-a103-2fe3641ce9f9",
  failed: "01a207a6-8d9c-7b31-b1bd-f5909d91f2a2",
  delivered: "01a207a6-93d2-7bf4-a696-fc139d0cce3d",
  completed: "01a20cd4-e2b5-719d-99a4-631e740e7dce",
  evaluated: "01a20cd4-f087-78e8-8a80-1c3420a5f624",
  request: "01a207a6-8d9a-7c1b-8f5e-2b9d4e6a7c30",
  tested: "01a20ce2-0b3c-782a-9f05-2a176df76d12",
  decided: "01a21304-2fc4-7b1c-9d0e-4f5a6b7c8d92",
  moved: "01a21306-51d0-7c2e-8b64-0d9e3f1a5c27",
  reviewed: "01a2130f-7b40-71d6-9c05-4e8d2a6b1f38",
  comment: "01a21303-8a10-7d55-8c3e-7b1f2e9d4a60",
  stage: "01a1e3a2-07f8-7f10-b3d9-52c6a8e1d403",
  tag: "01a1e3a2-5b1c-7c42-9d0e-6f8b21c4a7d5",
  endpoint: "01a1e3a9-1c70-7d45-9a3e-6b0f2c8d7e19",
  rehearsal: "01a20ce1-4d10-7a63-8c52-1f9b3e7d5a04",
  rehearsed: "3f7a1c52-9e04-8b6d-a1c7-52e0d94b7f13",
}

export const atsAda = "7c9a1f0e-52d4-4b1c-9f3a-6f2f0d6f6a11"

const setReference = { external_id: "job-182", metadata: { department: "Payments" } }

export const setRef = { id: ids.set, title: "Backend Engineer", external_id: setReference.external_id }

const adaReference = { external_id: "application-4711", metadata: { source: "job fair" } }
export const adaRef = {
  id: ids.ada,
  ats_candidate_id: atsAda,
  ...adaReference,
  email: "ada@example.com",
  name: "Ada Lovelace",
}
const { id: _, ...adaEntry } = adaRef

const link = (token: string) => `https://app.interviews.example/i/${token}`
export const adaLink = link("AQGiB6aOGnM_sNBYQxTr8GcPjW0p5cB2mQf7yXn4kLeV")
export const charlesLink = link("AQGiB6aOGnxYiPaosF8l2jqTz1o9dHrKc6uWb3xNs0Ya")

export const submissionUrl = `https://app.interviews.example/submissions/${ids.adaSubmission}`

export const times = {
  keyMade: "2026-11-16T09:12:44.368Z",
  keyUsed: "2026-11-23T09:04:31.113Z",
  projectMade: "2026-11-16T09:17:22.120Z",
  jobPostMade: "2026-11-16T09:17:47.710Z",
  setMade: "2026-11-23T09:00:11.052Z",
  setChanged: "2026-11-24T09:00:00.730Z",
  invited: "2026-11-23T09:04:45.466Z",
  sent: "2026-11-23T09:04:46.870Z",
  delivered: "2026-11-23T09:04:47.058Z",
  opened: "2026-11-24T08:51:02.377Z",
  initiated: "2026-11-24T08:52:40.914Z",
  started: "2026-11-24T08:54:03.260Z",
  completed: "2026-11-24T09:13:27.989Z",
  evaluated: "2026-11-24T09:13:31.527Z",
  overridden: "2026-11-25T13:40:08.615Z",
  decided: "2026-11-25T14:02:51.204Z",
  commented: "2026-11-25T14:02:08.336Z",
  moved: "2026-11-25T14:05:10.416Z",
  contested: "2026-11-26T08:30:00.250Z",
  answerDue: "2026-12-26T08:30:00.250Z",
  expires: "2026-12-23T09:04:45.466Z",
  extended: "2026-12-30T17:00:00.000Z",
  endpointMade: "2026-11-16T09:21:30.544Z",
  resent: "2026-11-24T10:20:05.402Z",
  archived: "2026-11-26T09:00:51.114Z",
  rotated: "2026-11-26T08:00:00.000Z",
  overlapEnds: "2026-11-27T08:00:00.000Z",
}

const questions = [
  {
    title: "Where are you based?",
    question_mode: "pre_screening",
    question_type: "radio",
    options: [{ title: "In the European Union" }, { title: "Elsewhere" }],
  },
  {
    title: "A service you built",
    content: "Tell us about a TypeScript service that you built and ran. What was your part?",
    hint: "What it did, how much load it took, what you decided.",
    question_mode: "interview",
    question_type: "text",
    attributes: { source: "ats", question: 17 },
  },
] as const

const requirements = [
  { title: "TypeScript services in production", cfg_importance_id: 273 },
  { title: "PostgreSQL: query plans and indexes", cfg_importance_id: 272 },
  { title: "Mentoring colleagues" },
]

export const createInterviewSet = {
  title: setRef.title,
  position: "Senior Backend Engineer",
  description: "Two short questions about how you work. Answer in your own words.",
  interview_duration: 30,
  cfg_lingual_ids: [1],
  number_of_retakes: 0,
  job_locations: [{ country: "US", region: "NY", city: "New York" }],
  ...setReference,
  iai_questions: questions,
  iai_requirements: requirements,
  com_accesses: [{ email: "mira@nordlicht.example", fullname: "Mira Lindqvist" }],
} satisfies typeof CreateInterviewSet.Encoded

export const createCvSet: typeof CreateInterviewSet.Encoded = {
  title: "Backend Engineer, CVs",
  set_type: 2,
  iai_requirements: [{ title: "TypeScript services in production", cfg_importance_id: 273 }],
}

const questionIds = [ids.based, ids.service]
const requirementIds = [ids.typescript, ids.postgres, ids.mentoring]

export const interviewSet = exampleOf(InterviewSetDetail, {
  ...createInterviewSet,
  id: ids.set,
  set_type: 1,
  iai_questions: questions.map((question, i) => ({
    ...question,
    id: questionIds[i],
    cfg_question_mode_id: questionModeIds[question.question_mode],
    cfg_question_type_id: questionTypeIds[question.question_type],
    options:
      "options" in question ? question.options.map((option, index) => ({ ...option, id: String(index + 1) })) : [],
  })),
  iai_requirements: requirements.map((requirement, i) => ({
    ...requirement,
    id: requirementIds[i],
    cfg_importance_id: importanceOf(requirement.cfg_importance_id).id,
  })),
  com_accesses: createInterviewSet.com_accesses.map((access) => ({ ...access, id: ids.access })),
  version: "1795424411.052318",
  created_at: times.setMade,
  updated_at: times.setMade,
})

export const updateInterviewSet: typeof UpdateInterviewSet.Encoded = {
  version: interviewSet.version,
  title: "Senior Backend Engineer",
  interview_duration: 45,
}

export const updatedInterviewSet = {
  ...interviewSet,
  version: "1795510800.730041",
  title: "Senior Backend Engineer",
  interview_duration: 45,
  updated_at: times.setChanged,
}

export const archivedInterviewSet = {
  ...interviewSet,
  version: "1795683651.114970",
  archived_at: times.archived,
  updated_at: times.archived,
}

export const project = { id: ids.project, name: "Platform team", created_at: times.projectMade }

export const jobPost = {
  id: ids.jobPost,
  com_project_id: ids.project,
  title: "Backend Engineer, Berlin",
  status: "open",
  created_at: times.jobPostMade,
} as const

export const interviewSetSummary = exampleOf(InterviewSetSummary, interviewSet)

export const inviteToSet: typeof InviteRequest.Encoded = {
  com_interview_set_id: ids.set,
  invitation_message: "Hello {{name}}, we liked your profile and would like to hear more.",
  candidates: [
    adaEntry,
    { email: "charles@example", firstname: "Charles", lastname: "Babbage" },
    { name: "Grace Hopper", cv_link: "https://files.nordlicht.example/cv/grace-hopper.pdf" },
  ],
}

export const inviteToProject: typeof InviteRequest.Encoded = {
  com_project_id: ids.project,
  com_job_post_id: ids.jobPost,
  candidates: [adaEntry],
}

export const inviteWithoutMail: typeof InviteRequest.Encoded = {
  com_interview_set_id: ids.set,
  send_invite: false,
  candidates: [adaEntry],
}

const invalidAddress = "the email address is not valid: no invitation was sent"

const adaResult = {
  email_address: adaRef.email,
  candidate: adaRef,
  submission: { id: ids.adaSubmission, status_text: "need_interview", interview_url: adaLink },
} as const

export const invited = [
  exampleOf(InviteResult, {
    ...adaResult,
    invitation: {
      id: ids.adaInvitation,
      email: adaRef.email,
      status_text: "pending",
      is_new: true,
      email_status: "queued",
      interview_url: adaLink,
    },
  }),
  exampleOf(InviteResult, {
    email_address: "charles@example",
    candidate: { id: ids.charles, email: "charles@example", name: "Charles Babbage" },
    invitation: {
      id: ids.charlesInvitation,
      email: "charles@example",
      status_text: "failed",
      is_new: true,
      interview_url: charlesLink,
    },
    submission: { id: ids.charlesSubmission, status_text: "need_interview", interview_url: charlesLink },
    error_message: invalidAddress,
    invitation_error_message: invalidAddress,
  }),
  exampleOf(InviteResult, {
    cv_link: "https://files.nordlicht.example/cv/grace-hopper.pdf",
    candidate: { id: ids.grace, name: "Grace Hopper" },
    submission: { id: ids.graceSubmission, status_text: "cv_processing" },
  }),
]

export const invitedWithoutMail = [exampleOf(InviteResult, adaResult)]

export const deliveredInvitation = exampleOf(InvitationDetail, {
  id: ids.adaInvitation,
  status_text: "delivered",
  email: adaRef.email,
  interview_url: adaLink,
  interview_set: setRef,
  candidate: adaRef,
  submission: { id: ids.adaSubmission, status_text: "need_interview" },
  expires_at: times.expires,
  time_factor: 1,
  sent_at: times.sent,
  delivered_at: times.delivered,
  created_at: times.invited,
  updated_at: times.delivered,
})

export const extension: typeof ExtendInvitation.Encoded = { expires_at: times.extended }

export const extendedInvitation = {
  ...deliveredInvitation,
  expires_at: times.extended,
  updated_at: times.opened,
}

export const correction: typeof CorrectInvitation.Encoded = {
  email: adaRef.email ?? "",
  previous_email: "ada@exmaple.com",
}

export const correctedInvitation = {
  ...deliveredInvitation,
  status_text: "pending",
  email_status: "queued",
  sent_at: null,
  delivered_at: null,
  updated_at: times.opened,
}

export const openedInvitation = {
  ...deliveredInvitation,
  status_text: "clicked",
  submission: { ...deliveredInvitation.submission, status_text: "initiated" },
  opened_at: times.opened,
  clicked_at: times.opened,
  updated_at: times.opened,
}

export const cancelledInvitation = {
  ...deliveredInvitation,
  status_text: "cancelled",
  submission: { id: ids.adaSubmission, status_text: "withdrawn" },
  cancelled_at: times.opened,
  updated_at: times.opened,
}

const answer =
  "For four years I built and ran a TypeScript service in production that delivers notifications for 300 shops. One PostgreSQL query took nine seconds. The query plan showed a sequential scan, so I added a partial index, and it fell to 12 milliseconds."

const rated: Readonly<
  Record<string, { readonly score: number; readonly rationale: string; readonly quotes: ReadonlyArray<string> }>
> = {
  [ids.typescript]: {
    score: 5,
    rationale: "1 sentence on: TypeScript, services, production.",
    quotes: [
      "For four years I built and ran a TypeScript service in production that delivers notifications for 300 shops.",
    ],
  },
  [ids.postgres]: {
    score: 7.5,
    rationale: "2 sentences on: PostgreSQL, query, plans, indexes.",
    quotes: [
      "The query plan showed a sequential scan, so I added a partial index, and it fell to 12 milliseconds.",
      "One PostgreSQL query took nine seconds.",
    ],
  },
  [ids.mentoring]: { score: 0, rationale: "No sentence supports this. Looked for: Mentoring, colleagues.", quotes: [] },
}

const criteria = interviewSet.iai_requirements.map(({ cfg_importance_id, id, title }): Criterion => {
  const { quotes = [], rationale = "", score = null } = rated[id] ?? {}
  return {
    requirement_id: id,
    title: title ?? "",
    cfg_importance_id,
    weight: importanceOf(cfg_importance_id).weight,
    score,
    score_status: "scored",
    rationale,
    evidence: quotes.map((quote) => ({ quote, source: "answer", question_id: ids.service })),
  }
})

const evaluation = withTotal(criteria, narrate(criteria))

const submissionHead = {
  id: ids.adaSubmission,
  submission_url: submissionUrl,
  status_text: "evaluated" as const,
  interview_set: setRef,
  candidate: adaRef,
  invitation: { id: ids.adaInvitation, status_text: "clicked" as const },
}

const decision: typeof SubmissionDecision.Encoded = {
  decision: "advance",
  reason: "Describes the query plan precisely.",
  decided_by: { id: ids.member, name: "Rita Meyer" },
  decided_at: times.decided,
}

export const stage: typeof HiringStageRef.Encoded = { id: ids.stage, name: "Phone call" }

const submissionSteps = {
  initiated_at: times.initiated,
  started_at: times.started,
  completed_at: times.completed,
  declined_at: null,
  decline_reason: null,
}

export const tag = { id: ids.tag, name: "Backend" }

export const submissionDetail = exampleOf(SubmissionDetail, {
  ...submissionHead,
  ...evaluation,
  decision,
  decision_version: 1,
  stage,
  stage_version: 1,
  has_knock_out: false,
  tags: [tag],
  evaluations: [
    {
      evaluation_type: "interview",
      ...evaluation,
      evaluator: "keyword/1",
      evaluated_at: times.evaluated,
      override: {
        score: 6.5,
        reason: "In the call she described in detail how she trains two juniors.",
        member: { id: ids.member, name: "Rita Meyer" },
        at: times.overridden,
      },
    },
  ],
  answers: [
    {
      question_id: ids.based,
      title: questions[0].title,
      attempt: 1,
      options: [{ id: "1", title: questions[0].options[0].title }],
    },
    { question_id: ids.service, title: questions[1].title, attempt: 1, content: answer },
  ],
  ...submissionSteps,
})

export const submissionSummary = exampleOf(SubmissionSummary, {
  ...submissionDetail,
  created_at: times.invited,
  updated_at: times.moved,
})

const keyDecision: SubmissionDecision = {
  decision: "advance",
  reason: decision.reason,
  decided_by: { id: ids.apiKey, name: "API key Hiring system", type: "api_key" },
  decided_at: times.decided,
}

export const decideSubmission: typeof DecideSubmission.Encoded = {
  decision: "advance",
  reason: decision.reason,
  version: 0,
}

export const decidedSubmission = {
  id: ids.adaSubmission,
  decision: keyDecision,
  decision_version: 1,
  stage: null,
  stage_version: 0,
}

export const undoneSubmission = {
  ...decidedSubmission,
  decision: { ...keyDecision, decision: null, reason: null },
  decision_version: 2,
}

export const moveSubmission: typeof MoveSubmission.Encoded = { stage_id: stage.id, version: 0, decision_version: 1 }

export const movedSubmission = { ...decidedSubmission, stage, stage_version: 1 }

export const comment = {
  id: ids.comment,
  author: { id: ids.member, name: "Rita Meyer" },
  question_id: ids.service,
  text: "The index is the right answer. Let us ask about locks in the call.",
  created_at: times.commented,
  changed_at: null,
}

const ada: WebhookEvent.EventSubject = {
  interview_set_id: InterviewSetId.make(setRef.id),
  candidate_id: CandidateId.make(ids.ada),
  candidate_email: adaRef.email,
  invitation_id: InvitationId.make(ids.adaInvitation),
  ats_candidate_id: AtsCandidateId.make(atsAda),
  ...adaReference,
  submission_id: SubmissionId.make(ids.adaSubmission),
}

const charles: WebhookEvent.EventSubject = {
  ...ada,
  candidate_id: CandidateId.make(ids.charles),
  candidate_email: "charles@example",
  invitation_id: InvitationId.make(ids.charlesInvitation),
  ...emptyEventCandidate,
  submission_id: SubmissionId.make(ids.charlesSubmission),
}

/** The sample of a sub-event, with values of this story. */
const eventOf = (
  name: string,
  id: string,
  at: string,
  data: Readonly<Record<string, unknown>> = {},
  { isTest = false, subject = ada } = {},
): { readonly event_id: string } => {
  const event = { ...sample(name, ""), ...data } as WebhookEvent.EventData
  const { body } = WebhookEvent.make({
    id: EventId.make(id),
    organizationId: OrganizationId.make(organization.id),
    at: new Date(at),
    subject,
    event,
    isTest,
  })
  return JSON.parse(body)
}

export const failedEvent = eventOf(
  "invitation.status.update.invitation_email_failed",
  ids.failed,
  times.invited,
  { reason: "invalid_email", interview_name: setRef.title },
  { subject: charles },
)

export const deliveredEvent = eventOf(
  "invitation.status.update.invitation_email_delivered",
  ids.delivered,
  times.delivered,
)

export const completedEvent = eventOf("interview.status.update.completed", ids.completed, times.completed, {
  interview_name: setRef.title,
})

const scored = { interview_name: setRef.title, evaluation_score: evaluation.score, submission_url: submissionUrl }

export const evaluatedEvent = eventOf("interview.evaluation.update.scored", ids.evaluated, times.evaluated, scored)

/** Sent by `webhook test`. */
export const testEvent = eventOf("interview.evaluation.update.scored", ids.tested, times.evaluated, scored, {
  isTest: true,
})

export const decidedEvent = eventOf("submission.decision.update.advance", ids.decided, times.decided, {
  interview_name: setRef.title,
  ...decision,
  submission_url: submissionUrl,
})

export const movedEvent = eventOf("submission.stage.update.moved", ids.moved, times.moved, {
  interview_name: setRef.title,
  stage,
  moved_by: decision.decided_by,
  moved_at: times.moved,
  submission_url: submissionUrl,
})

export const reviewedEvent = eventOf("submission.review.requested", ids.reviewed, times.contested, {
  interview_name: setRef.title,
  requested_at: times.contested,
  due_at: times.answerDue,
  submission_url: submissionUrl,
})

/** Signs the examples (Placeholders.ts); `timestamp` in Unix seconds. */
export const signing = {
  secret: "whsec_1f0e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0",
  timestamp: 1795511612,
}

export const createWebhookEndpoint = {
  name: "Hiring system",
  url: "https://ats.nordlicht.example/hooks/interviews",
  events: ["interview.status.update.completed", "interview.evaluation.update"],
  max_per_minute: 600,
} satisfies typeof CreateEndpoint.Encoded

export const webhookEndpoint = exampleOf(EndpointDetail, {
  ...createWebhookEndpoint,
  id: ids.endpoint,
  status: "active",
  consecutive_failures: 0,
  last_success_at: times.evaluated,
  secret_since: times.endpointMade,
  created_at: times.endpointMade,
})

export const createdWebhookEndpoint: typeof EndpointWithSecret.Encoded = {
  ...webhookEndpoint,
  last_success_at: null,
  secret: "whsec_3f1c9a7e5b2d80647188a3c5e7f9012b4d6f8a0c2e4f6071839ab5cd7ef01234",
}

export const rotatedWebhookEndpoint: typeof EndpointWithSecret.Encoded = {
  ...webhookEndpoint,
  secret_since: times.rotated,
  previous_secret_until: times.overlapEnds,
  secret: "whsec_b81d6c0f4e2a97355a6c8e0f1b3d5f7092a4c6e8f00b1d2f3a5c7e91b3d5f708",
}

export const loggedRequest = exampleOf(LoggedRequest, {
  request_id: ids.request,
  created_at: times.invited,
  api_key: { id: ids.apiKey, name: "Hiring system" },
  method: "POST",
  operation: "inviteCandidates",
  path: "/company/integration/interview/candidate/invite/v1",
  query: null,
  status: 422,
  problem: { code: "validation_failed", errors: [{ pointer: "#/candidates/1/email", code: "required" }] },
  duration_ms: 12,
  idempotency_key: true,
  replayed: false,
  client: "python-requests/2.32.3",
})

export const webhookTest = exampleOf(TestResult, {
  delivered: true,
  event: "interview.evaluation.update.scored",
  event_id: ids.tested,
  body: JSON.stringify(testEvent),
  attempt: { at: times.evaluated, status: 200, duration_ms: 84, answer: "" },
})

export const failedDelivery = exampleOf(DeliveryDetail, {
  id: "17",
  state: "failed",
  event_id: ids.completed,
  event: "interview.status.update.completed",
  attempts: [
    {
      at: times.completed,
      status: 503,
      duration_ms: 61,
      error: "The receiver answered 503",
      answer: "maintenance",
    },
  ],
  created_at: times.completed,
  finished_at: times.completed,
  resent_at: times.resent,
})

export const candidate = exampleOf(PersonSummary, {
  id: ids.ada,
  ats_candidate_id: AtsCandidateId.make(atsAda),
  name: adaRef.name,
  firstname: "Ada",
  lastname: "Lovelace",
  email: adaRef.email,
  submissions: 1,
  created_at: times.invited,
})

const stored = { submissions: 1, invitations: 1, emails: 2, answers: 2, files: 1, cvs: 1, evaluations: 2, events: 7 }

export const candidateDetail = { ...candidate, is_on_legal_hold: false, stored }

export const candidateExport = {
  candidate: { id: ids.ada, email: adaRef.email, name: adaRef.name, created_at: times.invited },
  suppressed: false,
}

export const erasedCandidate = {
  id: ids.ada,
  erased: true,
  erased_at: times.resent,
  previously_erased_at: null,
  removed: stored,
}

export const suppression = exampleOf(Suppression, {
  id: ids.suppression,
  email: "charles@example.com",
  reason: "unsubscribed",
  created_at: times.opened,
})

export const member = exampleOf(MemberDetail, {
  id: ids.member,
  email: "maria@nordlicht.example",
  name: "Maria Keller",
  role: "admin",
  has_joined: true,
  has_second_factor: true,
  created_at: times.keyMade,
  last_seen_at: times.opened,
})

export const resendFailed: ResendFailed = {
  since: "2026-11-24T09:00:00.000Z",
  until: "2026-11-24T11:00:00.000Z",
  event_types: ["interview.status.update"],
}

/** `failedDelivery`, sent again. */
export const resentDelivery = exampleOf(DeliveryDetail, {
  id: "18",
  state: "queued",
  event_id: ids.completed,
  event: "interview.status.update.completed",
  created_at: times.resent,
  next_attempt_at: times.resent,
})

const rehearsal = {
  id: ids.rehearsal,
  endpoint_id: ids.endpoint,
  url: createWebhookEndpoint.url,
  total_steps: stepNames.length,
  created_at: times.evaluated,
}

export const begunRehearsal = exampleOf(RehearsalDetail, {
  ...rehearsal,
  state: "running",
  counts: { passed: 0, warning: 0, failed: 0, skipped: 0 },
})

const endedRehearsal = {
  ...rehearsal,
  state: "done" as const,
  counts: { passed: 11, warning: 0, failed: 1, skipped: 1 },
  ended_at: times.evaluated,
}

export const rehearsalSummary = exampleOf(RehearsalSummary, endedRehearsal)

/** With one of its steps. */
export const failedRehearsal = exampleOf(RehearsalDetail, {
  ...endedRehearsal,
  steps: [
    {
      name: "old_signature" as const,
      title: "Refuses an old signature",
      result: "failed",
      finding: "The receiver accepted an event that was signed 10 minutes ago: it answered 200.",
      advice:
        "Refuse a time t of X-Webhook-Signature that is more than five minutes from the receiver’s clock, with 401: otherwise a recorded request can be sent again later.",
      documentation: "/docs/webhooks#verifying-webhooks",
      requests: 1,
      p95_ms: null,
      exchanges: [
        {
          at: times.evaluated,
          event_id: ids.rehearsed,
          headers: { "content-type": "application/json", "webhook-id": ids.rehearsed },
          body: JSON.stringify(testEvent),
          status: 200,
          duration_ms: 38,
          error: null,
          answer: "",
        },
      ],
    },
  ],
})
