/** What the document says of each operation beside its contract: examples, and what a success means. */
import type { Example, Examples } from "./Document.ts"
import * as Events from "./examples/Events.ts"
import * as InterviewSets from "./examples/InterviewSets.ts"
import * as Invitations from "./examples/Invitations.ts"
import { ids, organization, times } from "./examples/Story.ts"
import * as Submissions from "./examples/Submissions.ts"

export interface OperationNotes {
  /** What a success means. */
  readonly success: string
  readonly request?: Examples
  readonly response: Examples
}

const example = (summary: string, value: unknown): Example => ({ summary, value })

const results = (summary: string, value: unknown): Example => example(summary, { results: value })

/** A list's only page. */
const page = (summary: string, ...items: ReadonlyArray<unknown>): Example =>
  example(summary, { results: items, next_cursor: null })

/** By operationId. */
export const operations: Readonly<Record<string, OperationNotes>> = {
  "interviewSets.create": {
    success: "The set as it is stored",
    request: {
      interview: example("An interview", InterviewSets.createInterviewSet),
      cv_set: example("A CV set", InterviewSets.createCvSet),
    },
    response: { interview: results("The interview", InterviewSets.interviewSet) },
  },
  "interviewSets.list": {
    success: "One page of sets",
    response: { page: page("The only page", InterviewSets.interviewSetSummary) },
  },
  "interviewSets.read": {
    success: "The set as it is stored",
    response: { interview: results("The interview", InterviewSets.interviewSet) },
  },
  "invitations.invite": {
    success: "One result for each candidate, in the order of the request; some may have failed",
    request: {
      set: example("Three candidates to a set", Invitations.inviteToSet),
      project: example("To a job post of a project", Invitations.inviteToProject),
      no_mail: example("Without a mail: hand over the link yourself", Invitations.inviteWithoutMail),
    },
    response: {
      set: results("One invited, one with a wrong address, one with a CV alone", Invitations.invited),
      no_mail: results("Without a mail", Invitations.invitedWithoutMail),
    },
  },
  "invitations.list": {
    success: "One page of invitations",
    response: { page: page("The only page", Invitations.deliveredInvitation) },
  },
  "invitations.read": {
    success: "The invitation",
    response: { delivered: results("The mail has arrived", Invitations.deliveredInvitation) },
  },
  "invitations.resend": {
    success: "The invitation; its mail is queued once more",
    response: { delivered: results("The mail is queued once more", Invitations.deliveredInvitation) },
  },
  "invitations.extend": {
    success: "The invitation with its new deadline",
    request: { week: example("One week more", Invitations.extension) },
    response: { extended: results("The deadline has moved", Invitations.extendedInvitation) },
  },
  "invitations.cancel": {
    success: "The cancelled invitation",
    response: { cancelled: results("The invitation is cancelled", Invitations.cancelledInvitation) },
  },
  "submissions.detail": {
    success: "The submission with its evaluations and answers",
    response: { evaluated: results("An evaluated interview", Submissions.submissionDetail) },
  },
  "submissions.list": {
    success: "One page of submissions",
    response: { page: page("The only page", Submissions.submissionSummary) },
  },
  "projects.list": {
    success: "One page of projects",
    response: {
      page: page("The only page", { id: ids.project, name: "Platform team", created_at: times.projectMade }),
    },
  },
  "projects.jobPosts": {
    success: "One page of job posts",
    response: {
      page: page("The only page", {
        id: ids.jobPost,
        com_project_id: ids.project,
        title: "Backend Engineer, Berlin",
        status: "open",
        created_at: times.jobPostMade,
      }),
    },
  },
  "events.list": {
    success: "Events behind the cursor, oldest first; an empty list when there is nothing new",
    response: {
      events: example("Four events", {
        results: [Events.failed, Events.delivered, Events.completed, Events.evaluated],
        next_cursor: "Nzk0IDc",
      }),
    },
  },
  "account.me": {
    success: "The organization and the key",
    response: {
      me: results("A key with two scopes", {
        organization,
        api_key: {
          id: ids.apiKey,
          name: "Hiring system",
          description: null,
          value: "iv_live_ab12cd34.****",
          scopes: ["create_set", "invite_candidates"],
          status: "active",
          expired: false,
          expires_at: null,
          last_used_at: times.keyUsed,
          created_at: times.keyMade,
        },
      }),
    },
  },
}
