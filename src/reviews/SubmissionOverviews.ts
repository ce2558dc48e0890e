/** Reads everything that the page of a submission shows. */
import { Context, Effect, Layer } from "effect"
import type { Member } from "../accounts/members/Member.ts"
import { Organizations } from "../accounts/Organizations.ts"
import { may } from "../accounts/Permissions.ts"
import type { SubmissionOrder } from "../ats/Order.ts"
import { OrderRepository } from "../ats/OrderRepository.ts"
import type { Letter } from "../invitations/FollowUpRepository.ts"
import { FollowUps } from "../invitations/FollowUps.ts"
import { type InvitationRecord, Invitations } from "../invitations/Invitations.ts"
import { listHref, queryOf, queryText, searchOfList, visibleSearch } from "../submissions/SubmissionSearch.ts"
import { type Neighbours, type SubmissionRecord, Submissions } from "../submissions/Submissions.ts"
import type { TagRef } from "../submissions/Tag.ts"
import { parseId, QuestionId, type SubmissionId } from "../values/Ids.ts"
import { Assignments, type SubmissionReviewers } from "./Assignments.ts"
import { Comments, type SubmissionComments } from "./Comments.ts"
import { GuestLinks, type SubmissionLinks } from "./GuestLinks.ts"
import { HistoryRepository, type SubmissionHistory } from "./HistoryRepository.ts"
import { Reviews, type SubmissionReviews } from "./Reviews.ts"
import { Tags } from "./Tags.ts"

export interface SubmissionOverview extends SubmissionRecord {
  readonly reviews: SubmissionReviews
  readonly history: SubmissionHistory
  /** Of hiring systems, newest first. */
  readonly orders: ReadonlyArray<SubmissionOrder>
  /** The newest invitation. */
  readonly invited: InvitationRecord | undefined
  /** Position in the list that the member came from; undefined: no list. */
  readonly around: SubmissionSurroundings | undefined
  /** About decisions, newest first. */
  readonly letters: ReadonlyArray<Letter>
  /** That the organization offers. */
  readonly rejectReasons: ReadonlyArray<string>
  /** Undefined: the reader may not ask members for reviews. */
  readonly reviewers: SubmissionReviewers | undefined
  /** Undefined: the reader may not comment. */
  readonly comments: SubmissionComments | undefined
  /** Undefined: the reader may not share the submission. */
  readonly links: SubmissionLinks | undefined
  /** The organization's; undefined: the reader may not tag the submission. */
  readonly knownTags: ReadonlyArray<TagRef> | undefined
}

/** What reviewers and readers without an account do not see. */
export const nothingElse = {
  history: { invitations: [], requests: [], mails: [], changes: [], complete_since: null },
  orders: [],
  invited: undefined,
  letters: [],
  rejectReasons: [],
  reviewers: undefined,
  links: undefined,
  comments: undefined,
  knownTags: undefined,
} as const satisfies Partial<SubmissionOverview>

export interface SubmissionSurroundings extends Neighbours {
  /** The query string of the list. */
  readonly list: string
  readonly href: string
}

interface WantedOverview {
  /** The query string of the list that the member came from. */
  readonly list: string | undefined
  /** The question whose answer's comments are shown. */
  readonly about: string | undefined
  /** Of the history: only what happened before it. */
  readonly before: Date | undefined
  /** From 1. */
  readonly commentPage: number
}

export class SubmissionOverviews extends Context.Service<SubmissionOverviews>()(
  "interview-invitations/reviews/SubmissionOverviews",
  {
    make: Effect.gen(function* () {
      const assignments = yield* Assignments
      const comments = yield* Comments
      const guestLinks = yield* GuestLinks
      const historyRepository = yield* HistoryRepository
      const followUps = yield* FollowUps
      const invitations = yield* Invitations
      const organizations = yield* Organizations
      const orderRepository = yield* OrderRepository
      const { list: listReviews } = yield* Reviews
      const submissions = yield* Submissions
      const tags = yield* Tags

      const surroundings = Effect.fnUntraced(function* (member: Member, id: SubmissionId, list: string | undefined) {
        if (list === undefined) return undefined
        const search = visibleSearch(member, searchOfList(list))
        const found = yield* submissions.neighbours(member, search, id)
        return { ...found, list: queryText(queryOf(search)), href: listHref(search) } satisfies SubmissionSurroundings
      })

      const read = Effect.fn("SubmissionOverviews.read")(function* (
        member: Member,
        text: string,
        { about, before, commentPage, list }: WantedOverview,
      ) {
        const record = yield* submissions.read(member, text)
        const { id, invitation } = record.detail
        if (!may(member, "readSubmissions"))
          return {
            ...record,
            ...nothingElse,
            around: { ...(yield* assignments.around(member, id)), list: "", href: "/home" },
            reviews: yield* listReviews(member, id),
          } satisfies SubmissionOverview
        const {
          around,
          comments: written,
          history,
          invited,
          knownTags,
          letters,
          links,
          orders,
          reasons,
          reviewers,
          reviews,
        } = yield* Effect.all(
          {
            around: surroundings(member, id, list),
            reasons: organizations.reasons(member),
            reviewers: assignments.ofSubmission(member, id),
            links: guestLinks.ofSubmission(member, id),
            comments: comments.list(member, id, { about: parseId(QuestionId, about), page: commentPage }),
            knownTags: tags.list(member),
            letters: followUps.letters(member, id),
            reviews: listReviews(member, id),
            history: historyRepository.read(member.organizationId, id, before),
            orders: orderRepository.ofSubmission(member.organizationId, id),
            invited: invitation === null ? Effect.succeed(undefined) : invitations.read(member, invitation.id),
          },
          { concurrency: 4 },
        )
        return {
          ...record,
          around,
          reviews,
          history,
          orders,
          invited,
          knownTags,
          letters,
          reviewers,
          links,
          comments: written,
          rejectReasons: reasons.reject_reasons,
        } satisfies SubmissionOverview
      })

      return { read }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
