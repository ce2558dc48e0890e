/** Reads everything that the page of a submission shows. */
import { Context, Effect, Layer } from "effect"
import type { Member } from "../accounts/Member.ts"
import type { SubmissionOrder } from "../ats/Order.ts"
import { OrderRepository } from "../ats/OrderRepository.ts"
import { type InvitationRecord, Invitations } from "../invitations/Invitations.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import { listHref, queryOf, queryText, searchOfList } from "../submissions/SubmissionSearch.ts"
import { type Neighbours, type SubmissionRecord, Submissions } from "../submissions/Submissions.ts"
import type { SubmissionId } from "../values/Ids.ts"
import { HistoryRepository, type SubmissionHistory } from "./HistoryRepository.ts"
import { Reviews, type SubmissionReviews } from "./Reviews.ts"

export interface SubmissionOverview extends SubmissionRecord {
  readonly reviews: SubmissionReviews
  readonly history: SubmissionHistory
  /** Of hiring systems, newest first. */
  readonly orders: ReadonlyArray<SubmissionOrder>
  /** The newest invitation. */
  readonly invited: InvitationRecord | undefined
  /** Position in the list that the member came from; undefined: no list. */
  readonly around: SubmissionSurroundings | undefined
}

export interface SubmissionSurroundings extends Neighbours {
  /** The query string of the list. */
  readonly list: string
  readonly href: string
}

const surroundings = Effect.fnUntraced(function* (member: Member, id: SubmissionId, list: string | undefined) {
  if (list === undefined) return undefined
  const search = searchOfList(list)
  const found = yield* (yield* Submissions).neighbours(member, search, id)
  return { ...found, list: queryText(queryOf(search)), href: listHref(search) } satisfies SubmissionSurroundings
})

/** `list`: the query string of the list that the member came from. */
const read = Effect.fn("SubmissionOverviews.read")(function* (member: Member, text: string, list: string | undefined) {
  const record = yield* (yield* Submissions).read(member, text)
  const { id, invitation } = record.detail
  const { around, history, invited, orders, reviews } = yield* Effect.all(
    {
      around: surroundings(member, id, list),
      reviews: (yield* Reviews).list(member, id),
      history: (yield* HistoryRepository).read(member.organizationId, id),
      orders: (yield* OrderRepository).ofSubmission(member.organizationId, id),
      invited: invitation === null ? Effect.succeed(undefined) : (yield* Invitations).read(member, invitation.id),
    },
    { concurrency: 4 },
  )
  return { ...record, around, reviews, history, orders, invited } satisfies SubmissionOverview
})

const useCases = { read }

export class SubmissionOverviews extends Context.Service<SubmissionOverviews, Methods<typeof useCases>>()(
  "interview-invitations/reviews/SubmissionOverviews",
) {
  static readonly layer = Layer.effect(
    SubmissionOverviews,
    methods([HistoryRepository, Invitations, OrderRepository, Reviews, Submissions], useCases),
  )
}
