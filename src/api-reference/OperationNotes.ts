/** Examples of each operation. */
import * as Examples from "./Examples.ts"
import type { Example, ExampleMap } from "./OpenApiDocument.ts"

export interface OperationNotes {
  readonly request?: ExampleMap
  readonly isBodyOptional?: boolean
  readonly ignoresIdempotencyKey?: boolean
  readonly response: ExampleMap
  /** By status, of responses that are files. */
  readonly files?: Readonly<Record<string, string>>
}

const example = (summary: string, value: unknown): Example => ({ summary, value })

const results = (summary: string, value: unknown): Example => example(summary, { results: value })

const page = (summary: string, ...items: ReadonlyArray<unknown>): Example =>
  example(summary, { results: items, next_cursor: null })

/** By operationId. */
export const operationNotes: Readonly<Record<string, OperationNotes>> = {
  createInterviewSet: {
    request: {
      interview: example("An interview", Examples.createInterviewSet),
      cv_set: example("A CV set", Examples.createCvSet),
    },
    response: { interview: results("The interview", Examples.interviewSet) },
  },
  listInterviewSets: {
    response: { page: page("The only page", Examples.interviewSetSummary) },
  },
  getInterviewSet: {
    response: { interview: results("The interview", Examples.interviewSet) },
  },
  updateInterviewSet: {
    request: { title: example("Another title, and more minutes", Examples.updateInterviewSet) },
    response: { changed: results("The interview with its changes", Examples.updatedInterviewSet) },
  },
  archiveInterviewSet: {
    response: { archived: results("The archived interview", Examples.archivedInterviewSet) },
  },
  unarchiveInterviewSet: {
    response: { used: results("The interview, in use again", Examples.interviewSet) },
  },
  inviteCandidates: {
    request: {
      set: example("Three candidates to a set", Examples.inviteToSet),
      project: example("To a job post of a project", Examples.inviteToProject),
      no_mail: example("Without an email: share the link yourself", Examples.inviteWithoutMail),
    },
    response: {
      set: results("One invited, one with an invalid address, one with only a CV", Examples.invited),
      no_mail: results("Without an email", Examples.invitedWithoutMail),
    },
  },
  listInvitations: {
    response: { page: page("The only page", Examples.deliveredInvitation) },
  },
  getInvitation: {
    response: { delivered: results("The email was delivered", Examples.deliveredInvitation) },
  },
  resendInvitation: {
    response: {
      delivered: results("The email is queued again", { ...Examples.deliveredInvitation, email_status: "queued" }),
    },
  },
  correctInvitation: {
    request: { address: example("Another address", Examples.correction) },
    response: { corrected: results("The email is queued again", Examples.correctedInvitation) },
  },
  extendInvitation: {
    request: { week: example("One week longer", Examples.extension) },
    response: { extended: results("The deadline has moved", Examples.extendedInvitation) },
  },
  cancelInvitation: {
    response: { cancelled: results("The invitation is cancelled", Examples.cancelledInvitation) },
  },
  completeTestInterview: {
    request: { poor: example("Poor answers", { answers: "poor" }) },
    isBodyOptional: true,
    response: {
      completed: results("The answers are submitted", {
        ...Examples.openedInvitation,
        submission: { ...Examples.openedInvitation.submission, status_text: "completed" },
      }),
    },
  },
  openTestInvitation: {
    response: { opened: results("The link was followed", Examples.openedInvitation) },
  },
  declineTestInterview: {
    request: { reason: example("With a reason", { reason: "I have accepted another offer." }) },
    isBodyOptional: true,
    response: {
      declined: results("The candidate has declined", {
        ...Examples.openedInvitation,
        submission: { ...Examples.openedInvitation.submission, status_text: "withdrawn" },
        declined_at: Examples.times.opened,
      }),
    },
  },
  expireTestInvitation: {
    response: {
      expired: results("The deadline has passed", {
        ...Examples.deliveredInvitation,
        status_text: "expired",
        submission: { ...Examples.deliveredInvitation.submission, status_text: "expired" },
        expires_at: Examples.times.opened,
      }),
    },
  },
  bounceTestInvitation: {
    response: {
      failed: results("The email came back", {
        ...Examples.deliveredInvitation,
        status_text: "failed",
        failure_reason: "bounce",
        failed_at: Examples.times.opened,
      }),
    },
  },
  complainAboutTestInvitation: {
    response: {
      spam: results("The email was marked as spam", { ...Examples.deliveredInvitation, mails_stopped: true }),
    },
  },
  emptyTestMode: {
    response: { empty: results("Test mode is empty", { is_empty: true }) },
  },
  getSubmission: {
    response: { evaluated: results("An evaluated interview", Examples.submissionDetail) },
  },
  getRecording: {
    response: {},
    files: {
      200: "The recording",
      206: "The part of the recording that the header Range names; Content-Range says which, and ETag of which content",
    },
  },
  getAnswerFile: {
    response: {},
    files: { 200: "The uploaded file" },
  },
  getCv: {
    response: {},
    files: { 200: "The CV" },
  },
  listCandidates: {
    response: { page: page("The only page", Examples.candidate) },
  },
  getCandidate: {
    response: { found: results("A candidate with one submission", Examples.candidateDetail) },
  },
  exportCandidate: {
    response: { data: results("The beginning of an export", Examples.candidateExport) },
  },
  eraseCandidate: {
    request: { confirm: example("Confirmed by the id", { confirm: Examples.ids.ada }) },
    ignoresIdempotencyKey: true,
    response: { erased: results("Erased", Examples.erasedCandidate) },
  },
  listSuppressions: {
    response: { page: page("The only page", Examples.suppression) },
  },
  suppressAddress: {
    request: { address: example("An address", { email: "charles@example.com" }) },
    response: { suppressed: results("Suppressed", { ...Examples.suppression, reason: "manual" }) },
  },
  releaseSuppression: {
    response: { released: results("Released", { id: Examples.ids.suppression, deleted: true }) },
  },
  listMembers: {
    response: { page: page("The only page", Examples.member) },
  },
  getMember: {
    response: { member: results("A member", Examples.member) },
  },
  listSubmissions: {
    response: { page: page("The only page", Examples.submissionSummary) },
  },
  decideSubmission: {
    request: {
      advance: example("Advance the candidate", Examples.decideSubmission),
      clear: example("Clear the decision", { decision: null, version: 1 }),
    },
    response: { decided: results("The candidate advances", Examples.decidedSubmission) },
  },
  undoDecision: {
    request: { undo: example("Undo the decision", { version: 1 }) },
    response: { undone: results("There is no decision", Examples.undoneSubmission) },
  },
  moveSubmission: {
    request: { stage: example("To a stage", Examples.moveSubmission) },
    response: { moved: results("The candidate is in the stage", Examples.movedSubmission) },
  },
  listComments: {
    response: { page: page("The only page", Examples.comment) },
  },
  listStages: {
    response: { stages: results("One stage", [{ ...Examples.stage, decision: null }]) },
  },
  listTags: {
    response: { tags: results("One tag", [Examples.tag]) },
  },
  listProjects: {
    response: { page: page("The only page", Examples.project) },
  },
  createProject: {
    request: { create: example("A project", { name: Examples.project.name }) },
    response: { created: results("The new project", Examples.project) },
  },
  getProject: { response: { project: results("The project", Examples.project) } },
  renameProject: {
    request: { name: example("Another name", { name: "Payments team" }) },
    response: { renamed: results("The project with its name", { ...Examples.project, name: "Payments team" }) },
  },
  listJobPosts: {
    response: { page: page("The only page", Examples.jobPost) },
  },
  getJobPost: { response: { jobPost: results("The job post", Examples.jobPost) } },
  createJobPost: {
    request: {
      create: example("A job post", { project_id: Examples.project.id, title: Examples.jobPost.title }),
    },
    response: { created: results("The new job post", Examples.jobPost) },
  },
  updateJobPost: {
    request: { close: example("Close it", { status: "closed" }) },
    response: { closed: results("The closed job post", { ...Examples.jobPost, status: "closed" }) },
  },
  listEvents: {
    response: {
      events: example("Four events", {
        results: [Examples.failedEvent, Examples.deliveredEvent, Examples.completedEvent, Examples.evaluatedEvent],
        next_cursor: "Nzk0IDc",
      }),
    },
  },
  listWebhookEndpoints: {
    response: { page: page("The only page", Examples.webhookEndpoint) },
  },
  createWebhookEndpoint: {
    request: { create: example("An endpoint for two events", Examples.createWebhookEndpoint) },
    response: { created: results("The new endpoint", Examples.createdWebhookEndpoint) },
  },
  getWebhookEndpoint: {
    response: { healthy: results("Its last attempt succeeded", Examples.webhookEndpoint) },
  },
  updateWebhookEndpoint: {
    request: {
      activate: example("Activate it and send its parked deliveries", { status: "active", send_parked: true }),
    },
    response: { changed: results("The endpoint is active", Examples.webhookEndpoint) },
  },
  deleteWebhookEndpoint: {
    response: { deleted: results("Deleted", { id: Examples.ids.endpoint, deleted: true }) },
  },
  rotateWebhookSecret: {
    request: { leaked: example("The secret has leaked", { end_old_secret: true }) },
    isBodyOptional: true,
    response: { rotated: results("Both secrets sign for 24 hours", Examples.rotatedWebhookEndpoint) },
  },
  testWebhookEndpoint: {
    request: { completed: example("One event", { event: "interview.status.update.completed" }) },
    isBodyOptional: true,
    ignoresIdempotencyKey: true,
    response: { delivered: results("The receiver acknowledged it", Examples.webhookTest) },
  },
  listWebhookDeliveries: {
    response: { page: page("The only page", Examples.resentDelivery, Examples.failedDelivery) },
  },
  resendWebhookDelivery: {
    response: { queued: results("It is queued", Examples.resentDelivery) },
  },
  resendFailedWebhookDeliveries: {
    request: { outage: example("All that failed in an outage", Examples.resendFailed) },
    response: { queued: results("All are queued", { queued: 214, has_more: false }) },
  },
  listRequests: {
    response: { page: page("The only page", Examples.loggedRequest) },
  },
  getRequest: {
    response: { refused: results("An invite that was refused", Examples.loggedRequest) },
  },
  rehearseWebhookEndpoint: {
    response: { begun: results("It has begun", Examples.begunRehearsal) },
  },
  listWebhookRehearsals: {
    response: { page: page("The only page", Examples.rehearsalSummary) },
  },
  getWebhookRehearsal: {
    response: { ended: results("One step failed; the others are left out", Examples.failedRehearsal) },
  },
  getAccount: {
    response: {
      me: results("A key with two scopes", {
        mode: "live",
        organization: Examples.organization,
        api_key: {
          id: Examples.ids.apiKey,
          name: "Hiring system",
          description: null,
          value: "iv_live_ab12cd34.****",
          scopes: ["create_set", "invite_candidates"],
          status: "active",
          expired: false,
          expires_at: null,
          last_used_at: Examples.times.keyUsed,
          created_at: Examples.times.keyMade,
        },
      }),
    },
  },
}
