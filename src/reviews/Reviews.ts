/** Members review a submission: ratings, a note, mentions of colleagues. */
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { may } from "../accounts/Permissions.ts"
import { operator, readerOf } from "../accounts/Viewer.ts"
import { Database } from "../platform/database/Database.ts"
import { type GuestId, type OrganizationId, parseId, SubmissionId } from "../values/Ids.ts"
import { Conflict, Invalid, NotAllowed, NotFound } from "../values/Problem.ts"
import type { GuestIdentity } from "./GuestLink.ts"
import { makeNotifyMentioned } from "./Mentions.ts"
import { type ReviewChange, reviewErrors, type VisibleReviews, visibleReviews } from "./Review.ts"
import { type Colleague, ReviewRepository, type ReviewRow } from "./ReviewRepository.ts"

export interface SubmissionReviews extends VisibleReviews<ReviewRow> {
  /** Members whom a note can mention, without the member. */
  readonly colleagues: ReadonlyArray<Colleague>
}

export class Reviews extends Context.Service<Reviews>()("interview-invitations/reviews/Reviews", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const notifyMentioned = yield* makeNotifyMentioned
    const reviewRepository = yield* ReviewRepository

    /** The caller has checked that the member may see the submission. */
    const list = Effect.fn("Reviews.list")(function* (member: Member, submission: SubmissionId) {
      const { organizationId } = member
      const all = yield* reviewRepository.list(organizationId, [submission])
      const colleagues = yield* reviewRepository.colleagues(organizationId, submission)
      return {
        ...visibleReviews(
          member.id,
          all,
          !may(member, "readSubmissions") || (yield* reviewRepository.hidesReviews(organizationId)),
        ),
        colleagues: colleagues.filter(({ id }) => id !== member.id),
      } satisfies SubmissionReviews
    })

    /**
     * Saves the member's review as a draft, which only its author sees, or sends it. A sent review can be changed by sending it again.
     * Colleagues whom it mentions get one email each when it is sent.
     * `changes`: of the review when the form was rendered, 0 if there was none. Returns the new number. Conflict: it was changed
     * since, or the person was erased.
     */
    const save = Effect.fn("Reviews.save")(function* (
      member: Member,
      text: string,
      change: ReviewChange & { readonly changes: number; readonly isSent: boolean },
    ) {
      const { organizationId } = member
      const id = parseId(SubmissionId, text)
      const found = id === undefined ? undefined : yield* reviewRepository.lock(organizationId, id, readerOf(member))
      if (found === undefined) return yield* new NotFound({ record: "submission" })
      if (found.is_erased) return yield* new Conflict({ reason: "the candidate's personal data was erased" })
      const all = yield* reviewRepository.list(organizationId, [found.id])
      const own = all.find((review) => review.member.id === member.id)
      if ((own?.changes ?? 0) !== change.changes)
        return yield* new Conflict({ reason: "you changed the review in another window or on another device" })
      if (!change.isSent && own?.sent_at != null) return yield* new Conflict({ reason: "you have sent the review" })
      const { isSent } = change
      const errors = reviewErrors(change, found.requirements, isSent)
      if (errors.length > 0) return yield* new Invalid({ errors })
      const colleagues = yield* reviewRepository.colleagues(organizationId, found.id)
      const chosen = colleagues.filter(
        (colleague) => colleague.id !== member.id && change.mentioned.includes(colleague.id),
      )
      const earlier = own?.mentioned ?? []
      const mentioned = isSent ? [...new Set([...earlier, ...chosen.map((colleague) => colleague.id)])] : []
      const note = change.note.replaceAll("\r\n", "\n").trim()
      yield* reviewRepository.store(organizationId, {
        submission: found.id,
        author: { member: member.id },
        ratings: change.ratings,
        note,
        mentioned,
        isSent,
      })
      const changes = change.changes + 1
      if (!isSent) return changes
      yield* notifyMentioned(
        member,
        found.id,
        "review of",
        found.interview_name,
        chosen.filter((colleague) => !earlier.includes(colleague.id)),
      )
      // the audit log gets no ratings and note, so that an erasure deletes them with the review
      yield* auditLog.note(member, "submission", own?.sent_at == null ? "review" : "change_review", found.id)
      return changes
    }, transaction)

    /** Undefined: the guest has sent none. */
    const ofGuest = Effect.fn("Reviews.ofGuest")(function* (
      organization: OrganizationId,
      submission: SubmissionId,
      guest: GuestId,
    ) {
      const all = yield* reviewRepository.list(organization, [submission])
      return all.find(({ guest_id }) => guest_id === guest)
    })

    /** Sends the review of a guest, or changes it. Conflict: as for `save`. */
    const saveOfGuest = Effect.fn("Reviews.saveOfGuest")(function* (
      organization: OrganizationId,
      submission: SubmissionId,
      guest: GuestIdentity & { readonly id: GuestId },
      { changes, note, ratings }: Omit<ReviewChange, "mentioned"> & { readonly changes: number },
    ) {
      const found = yield* reviewRepository.lock(organization, submission, undefined)
      if (found === undefined || found.is_erased)
        return yield* new Conflict({ reason: "the candidate's personal data was erased" })
      const own = yield* ofGuest(organization, submission, guest.id)
      if ((own?.changes ?? 0) !== changes)
        return yield* new Conflict({ reason: "you changed the review in another window" })
      const errors = reviewErrors({ ratings, note, mentioned: [] }, found.requirements, true)
      if (errors.length > 0) return yield* new Invalid({ errors })
      yield* reviewRepository.store(organization, {
        submission,
        author: { guest: guest.id },
        ratings,
        note: note.replaceAll("\r\n", "\n").trim(),
        mentioned: [],
        isSent: true,
      })
      const action = own === undefined ? "review" : "change_review"
      yield* auditLog.note(operator(organization), "submission", action, submission, { guest: guest.id })
    }, transaction)

    /** The member sees the scores of all submissions for `scoresShownFor` hours. */
    const showScores = Effect.fn("Reviews.showScores")(function* (member: Member) {
      if (!may(member, "showScores")) return yield* new NotAllowed({ record: "page" })
      yield* reviewRepository.showScores(member.organizationId, member.id)
      yield* auditLog.note(member, "member", "show_scores", member.id)
    }, transaction)

    /** The member's own review; undefined: there is none. The caller has checked that the member may see the submission. */
    const own = Effect.fn("Reviews.own")(function* (member: Member, submission: SubmissionId) {
      const all = yield* reviewRepository.list(member.organizationId, [submission])
      return all.find((review) => review.member.id === member.id)
    })

    return { list, own, save, ofGuest, saveOfGuest, showScores }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
