/** The stored forms of an invite: its drafts, and its results (platform/http/FormIdempotency.ts). */
import { Duration, Effect, Schema } from "effect"
import type { WorkspaceRequest } from "../accounts/Workspace.ts"
import { InterviewSets, type SetRecord } from "../interview-sets/InterviewSets.ts"
import { FormIdempotency, type FormKind } from "../platform/http/FormIdempotency.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Ids } from "../platform/NewIds.ts"
import { FormId, type InterviewSetId } from "../values/Ids.ts"
import { InviteDraft, Origin } from "./InviteDraft.ts"
import { InviteResult } from "./InviteResult.ts"
import { inviteHref } from "./pages/InvitePage.ts"

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

const lost = (set: string) => seeOther(`${inviteHref(set)}?done=lost`)

/** What a request to an invite's pages names: the set, and a stored draft. */
export const makeInviteDrafts = Effect.gen(function* () {
  const formIdempotency = yield* FormIdempotency
  const ids = yield* Ids
  const interviewSets = yield* InterviewSets

  const recordOf = ({ member, param }: WorkspaceRequest) => interviewSets.read(member, param("id"))

  const findDraft = Effect.fnUntraced(function* ({ member }: WorkspaceRequest, { set }: SetRecord, id: string) {
    const sent = yield* formIdempotency.find(member, id, draftForm(set.id))
    return sent?._tag === "Answered" ? sent.answer : undefined
  })

  /** Stores the draft under a new id, with a new id of the invite; returns the id. */
  const storeDraft = Effect.fnUntraced(function* (
    { member }: WorkspaceRequest,
    { set }: SetRecord,
    draft: InviteDraft,
  ) {
    const id = yield* ids.make(FormId)
    const stored = { ...draft, id: yield* ids.make(FormId) }
    yield* formIdempotency.once(member, id, draftForm(set.id), Effect.succeed(stored))
    return id
  })

  return { recordOf, findDraft, storeDraft, lost }
})
