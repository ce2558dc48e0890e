/** Examples and success descriptions of each operation. */
import * as Examples from "./Examples.ts"
import type { Example, ExampleMap } from "./OpenApiDocument.ts"

export interface OperationNotes {
  readonly success: string
  readonly request?: ExampleMap
  readonly isBodyOptional?: boolean
  readonly ignoresIdempotencyKey?: boolean
  readonly response: ExampleMap
}

const example = (summary: string, value: unknown): Example => ({ summary, value })

const results = (summary: string, value: unknown): Example => example(summary, { results: value })

const page = (summary: string, ...items: ReadonlyArray<unknown>): Example =>
  example(summary, { results: items, next_cursor: null })

/** By operationId. */
export const operationNotes: Readonly<Record<string, OperationNotes>> = {
  createInterviewSet: {
    success: "The set as it is stored",
    request: {
      interview: example("An interview", Examples.createInterviewSet),
      cv_set: example("A CV set", Examples.createCvSet),
    },
    response: { interview: results("The interview", Examples.interviewSet) },
  },
  listInterviewSets: {
    success: "One page of sets",
    response: { page: page("The only page", Examples.interviewSetSummary) },
  },
  getInterviewSet: {
    success: "The set as it is stored",
    response: { interview: results("The interview", Examples.interviewSet) },
  },
  inviteCandidates: {
    success: "One result per candidate, in the order of the request; some may have failed",
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
    success: "One page of invitations",
    response: { page: page("The only page", Examples.deliveredInvitation) },
  },
  getInvitation: {
    success: "The invitation",
    response: { delivered: results("The email was delivered", Examples.deliveredInvitation) },
  },
  resendInvitation: {
    success: "The invitation; its email is queued again",
    response: {
      delivered: results("The email is queued again", { ...Examples.deliveredInvitation, email_status: "queued" }),
    },
  },
  extendInvitation: {
    success: "The invitation with its new deadline",
    request: { week: example("One week longer", Examples.extension) },
    response: { extended: results("The deadline has moved", Examples.extendedInvitation) },
  },
  cancelInvitation: {
    success: "The cancelled invitation",
    response: { cancelled: results("The invitation is cancelled", Examples.cancelledInvitation) },
  },
  getSubmission: {
    success: "The submission with its evaluations and answers",
    response: { evaluated: results("An evaluated interview", Examples.submissionDetail) },
  },
  listSubmissions: {
    success: "One page of submissions",
    response: { page: page("The only page", Examples.submissionSummary) },
  },
  listProjects: {
    success: "One page of projects",
    response: {
      page: page("The only page", {
        id: Examples.ids.project,
        name: "Platform team",
        created_at: Examples.times.projectMade,
      }),
    },
  },
  listJobPosts: {
    success: "One page of job posts",
    response: {
      page: page("The only page", {
        id: Examples.ids.jobPost,
        com_project_id: Examples.ids.project,
        title: "Backend Engineer, Berlin",
        status: "open",
        created_at: Examples.times.jobPostMade,
      }),
    },
  },
  listEvents: {
    success: "Events after the cursor, oldest first; an empty list when there are none",
    response: {
      events: example("Four events", {
        results: [Examples.failedEvent, Examples.deliveredEvent, Examples.completedEvent, Examples.evaluatedEvent],
        next_cursor: "Nzk0IDc",
      }),
    },
  },
  listWebhookEndpoints: {
    success: "One page of endpoints",
    response: { page: page("The only page", Examples.webhookEndpoint) },
  },
  createWebhookEndpoint: {
    success: "The endpoint and its secret",
    request: { create: example("An endpoint for two events", Examples.createWebhookEndpoint) },
    response: { created: results("The new endpoint", Examples.createdWebhookEndpoint) },
  },
  getWebhookEndpoint: {
    success: "The endpoint",
    response: { healthy: results("Its last attempt succeeded", Examples.webhookEndpoint) },
  },
  updateWebhookEndpoint: {
    success: "The endpoint with its changes",
    request: {
      activate: example("Activate it and send its parked deliveries", { status: "active", send_parked: true }),
    },
    response: { changed: results("The endpoint is active", Examples.webhookEndpoint) },
  },
  deleteWebhookEndpoint: {
    success: "The endpoint is deleted",
    response: { deleted: results("Deleted", { id: Examples.ids.endpoint, deleted: true }) },
  },
  rotateWebhookSecret: {
    success: "The endpoint and its new secret",
    request: { leaked: example("The secret has leaked", { end_old_secret: true }) },
    isBodyOptional: true,
    response: { rotated: results("Both secrets sign for 24 hours", Examples.rotatedWebhookEndpoint) },
  },
  testWebhookEndpoint: {
    success: "The event that was sent, and the receiver's response",
    request: { completed: example("One event", { event: "interview.status.update.completed" }) },
    isBodyOptional: true,
    ignoresIdempotencyKey: true,
    response: { delivered: results("The receiver acknowledged it", Examples.webhookTest) },
  },
  listWebhookDeliveries: {
    success: "One page of deliveries",
    response: { page: page("The only page", Examples.resentDelivery, Examples.failedDelivery) },
  },
  resendWebhookDelivery: {
    success: "The new delivery",
    response: { queued: results("It is queued", Examples.resentDelivery) },
  },
  getAccount: {
    success: "The organization and the key",
    response: {
      me: results("A key with two scopes", {
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
