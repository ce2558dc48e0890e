/** Reads all that a member sees on the page of a submission. */
import { Context, Effect, Layer } from "effect"
import type { Member } from "../accounts/Member.ts"
import { type InvitationRecord, Invitations } from "../invitations/Invitations.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { type SubmissionRecord, Submissions } from "../submissions/Submissions.ts"
import { HistoryRepository, type SubmissionHistory } from "./HistoryRepository.ts"
import { Reviews, type SubmissionReviews } from "./Reviews.ts"

export interface SubmissionOverview extends SubmissionRecord {
  readonly reviews: SubmissionReviews
  readonly history: SubmissionHistory
  /** The newest one. */
  readonly invited: InvitationRecord | undefined
}

const read = Effect.fn("SubmissionOverviews.read")(function* (member: Member, text: string) {
  const record = yield* (yield* Submissions).read(member, text)
  const { id, invitation } = record.detail
  const { history, invited, reviews } = yield* Effect.all(
    {
      reviews: (yield* Reviews).list(member, id),
      history: (yield* HistoryRepository).read(member.organizationId, id),
      invited: invitation === null ? Effect.succeed(undefined) : (yield* Invitations).read(member, invitation.id),
    },
    { concurrency: 3 },
  )
  return { ...record, reviews, history, invited } satisfies SubmissionOverview
})

const useCases = { read }

export class SubmissionOverviews extends Context.Service<SubmissionOverviews, Methods<typeof useCases>>()(
  "interview-invitations/reviews/SubmissionOverviews",
) {
  static readonly layer = Layer.effect(
    SubmissionOverviews,
    methods([HistoryRepository, Invitations, Reviews, Submissions], useCases),
  )
}
