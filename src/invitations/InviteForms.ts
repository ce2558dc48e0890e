/** The stored forms of an invite: its drafts, and its results (platform/http/FormSubmissions.ts). */
import { Duration, Schema } from "effect"
import type { FormKind } from "../platform/http/FormSubmissions.ts"
import type { InterviewSetId } from "../values/Ids.ts"
import { InviteDraft, Origin } from "./InviteDraft.ts"
import { InviteResult } from "./InviteResult.ts"

/** Each step stores a new draft, so that the browser's back button shows what was entered. */
export const draftForm = (set: InterviewSetId): FormKind<InviteDraft> => ({
  name: `interview_set.invite_draft ${set}`,
  answer: InviteDraft,
  kept: Duration.hours(6),
})

const InviteOutcome = Schema.Struct({
  results: Schema.Array(InviteResult),
  origins: Schema.Array(Origin),
  /** Positions of the results whose candidates had an open invitation. */
  before: Schema.Array(Schema.Int),
  /** Entries with errors, and those with unsubscribed addresses. */
  leftOut: Schema.Array(Origin),
  /** Entries of a person whom an earlier entry names. */
  repeated: Schema.optionalKey(Schema.Array(Schema.Struct({ origin: Origin, first: Origin }))),
})

export type InviteOutcome = typeof InviteOutcome.Type

export const inviteForm = (set: InterviewSetId): FormKind<InviteOutcome> => ({
  name: `interview_set.invite ${set}`,
  answer: InviteOutcome,
  kept: Duration.hours(1),
})
