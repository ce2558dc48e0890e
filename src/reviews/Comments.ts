/** Members comment on submissions and answers, and mention colleagues with an @ and the name. */
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import { type Member, memberName } from "../accounts/members/Member.ts"
import { renderComment } from "../accounts/members/MemberEmail.ts"
import { Notifications } from "../accounts/members/Notifications.ts"
import { may } from "../accounts/Permissions.ts"
import { readerOf, type Viewer } from "../accounts/Viewer.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { Database } from "../platform/database/Database.ts"
import { Submissions } from "../submissions/Submissions.ts"
import { type PageRequest, pageOf } from "../values/Cursor.ts"
import type { CommentId, QuestionId, SubmissionId } from "../values/Ids.ts"
import { Conflict, Invalid, NotAllowed, NotFound } from "../values/Problem.ts"
import { commentErrors, commentsPerPage, maxComments, mentionedIn } from "./Comment.ts"
import { CommentRepository } from "./CommentRepository.ts"
import { makeNotifyMentioned } from "./Mentions.ts"
import { type Colleague, ReviewRepository } from "./ReviewRepository.ts"

const erased = new Conflict({ reason: "the candidate's personal data was erased" })

const cleaned = (text: string): string => text.replaceAll("\r\n", "\n").trim()

export class Comments extends Context.Service<Comments>()("interview-invitations/reviews/Comments", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const emailLinks = yield* EmailLinks
    const notifications = yield* Notifications
    const notifyMentioned = yield* makeNotifyMentioned
    const repository = yield* CommentRepository
    const reviewRepository = yield* ReviewRepository
    const submissions = yield* Submissions

    /**
     * One page of the comments, the newest first; on it they are oldest first. The caller has checked that the member may see
     * the submission. `page`: from 1. `about`: only comments on this question's answer, if it has any.
     */
    const list = Effect.fn("Comments.list")(function* (
      { organizationId }: Member,
      submission: SubmissionId,
      { about, page }: { readonly about: QuestionId | undefined; readonly page: number },
    ) {
      const counts = yield* repository.counts(organizationId, submission)
      const ofAbout = counts.find(({ question_id }) => about !== undefined && question_id === about)
      const total = counts.reduce((sum, { count }) => sum + count, 0)
      const pages = Math.max(1, Math.ceil((ofAbout?.count ?? total) / commentsPerPage))
      const number = Math.min(Math.max(1, page), pages)
      const at = { limit: commentsPerPage, offset: (number - 1) * commentsPerPage }
      const shown = ofAbout === undefined ? undefined : about
      const rows = total === 0 ? [] : yield* repository.list(organizationId, submission, { about: shown, ...at })
      return { counts, total, pages, number, about: shown, rows }
    })

    /** Newest first. */
    const listPage = Effect.fn("Comments.listPage")(function* (viewer: Viewer, text: string, request: PageRequest) {
      const submission = yield* submissions.requireReadable(viewer, text)
      const rows = yield* repository.page(viewer.organizationId, submission, request)
      return pageOf("comments", rows, request, ({ changes: _, member, mentioned: _m, position: _p, ...comment }) => ({
        ...comment,
        author: member,
      }))
    })

    const locked = Effect.fnUntraced(function* (member: Member, submission: SubmissionId) {
      if (!may(member, "comment")) return yield* new NotAllowed({ record: "submission" })
      const found = yield* repository.lock(member.organizationId, submission, readerOf(member))
      if (found === undefined) return yield* new NotFound({ record: "submission" })
      return found.is_erased ? yield* erased : found
    })

    /** Those who see comments. */
    const colleaguesOf = Effect.fnUntraced(function* (member: Member, submission: SubmissionId) {
      const all = yield* reviewRepository.colleagues(member.organizationId, submission)
      return all.filter(({ id, role }) => id !== member.id && may({ role }, "comment"))
    })

    /** Those who review the candidate, without those whom the mention tells already. */
    const notifyInvolved = (
      member: Member,
      submission: SubmissionId,
      interview: string,
      colleagues: ReadonlyArray<Colleague>,
      mentioned: ReadonlyArray<Colleague>,
    ) =>
      notifications.notify(
        member.organizationId,
        "review_comment",
        colleagues
          .filter((one) => one.is_involved && (one.mails_mentions === "off" || !mentioned.includes(one)))
          .map(({ email, id, mails_comments }) => ({ id, email, time: mails_comments })),
        { kind: "comments", submissions: [submission], by: member.id },
        (unsubscribeUrl) =>
          renderComment({
            organization: member.organizationName,
            author: memberName(member),
            interview,
            url: emailLinks.submission(submission),
            unsubscribeUrl,
          }),
      )

    /**
     * Colleagues whom the text mentions, and those who review the candidate, get to know it. The same `id` again changes
     * nothing.
     */
    const add = Effect.fn("Comments.add")(function* (
      member: Member,
      submission: SubmissionId,
      {
        id,
        question,
        text: typed,
      }: { readonly id: CommentId; readonly question: QuestionId | null; readonly text: string },
    ) {
      const found = yield* locked(member, submission)
      const text = cleaned(typed)
      const errors = commentErrors(text)
      if (errors.length > 0) return yield* new Invalid({ errors })
      if (found.comments >= maxComments)
        return yield* new Conflict({ reason: `a candidate has at most ${maxComments} comments` })
      const colleagues = yield* colleaguesOf(member, submission)
      const mentioned = mentionedIn(text, colleagues)
      const isNew = yield* repository.insert(member.organizationId, submission, {
        id,
        member: member.id,
        question_id: question !== null && found.questions.includes(question) ? question : null,
        text,
        mentioned: mentioned.map((one) => one.id),
      })
      if (!isNew) return
      yield* notifyMentioned(member, submission, "comment on", found.interview_name, mentioned)
      yield* notifyInvolved(member, submission, found.interview_name, colleagues, mentioned)
      yield* auditLog.note(member, "submission", "comment", submission)
    }, transaction)

    /** `text` null: deletes it. `changes`: of the comment that the page showed. Conflict: it was changed or deleted since. */
    const change = Effect.fn("Comments.change")(function* (
      member: Member,
      submission: SubmissionId,
      { changes, id, text: typed }: { readonly id: CommentId; readonly changes: number; readonly text: string | null },
    ) {
      const found = yield* locked(member, submission)
      const stored = yield* repository.find(member.organizationId, submission, id)
      if (stored === undefined) return yield* new Conflict({ reason: "the comment was deleted" })
      if (stored.member.id !== member.id) return yield* new NotAllowed({ record: "comment" })
      if (stored.changes !== changes)
        return yield* new Conflict({ reason: "you changed the comment in another window or on another device" })
      if (typed === null) {
        yield* repository.remove(member.organizationId, id)
        yield* auditLog.note(member, "submission", "delete_comment", submission)
        return
      }
      const text = cleaned(typed)
      const errors = commentErrors(text)
      if (errors.length > 0) return yield* new Invalid({ errors })
      const mentioned = mentionedIn(text, yield* colleaguesOf(member, submission))
      const added = mentioned.filter((one) => !stored.mentioned.includes(one.id))
      yield* repository.update(member.organizationId, {
        id,
        text,
        mentioned: [...stored.mentioned, ...added.map((one) => one.id)],
      })
      yield* notifyMentioned(member, submission, "comment on", found.interview_name, added)
      yield* auditLog.note(member, "submission", "change_comment", submission)
    }, transaction)

    return { list, listPage, add, change }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(Submissions.layer))
}

export type SubmissionComments = Effect.Success<ReturnType<Comments["Service"]["list"]>>
