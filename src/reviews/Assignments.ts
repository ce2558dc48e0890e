/** Members ask other members to review submissions. */
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import { type Member, memberName } from "../accounts/members/Member.ts"
import { renderAssignment } from "../accounts/members/MemberEmail.ts"
import { Notifications } from "../accounts/members/Notifications.ts"
import { may } from "../accounts/Permissions.ts"
import { readerOf } from "../accounts/Viewer.ts"
import { candidateRef } from "../candidates/Candidate.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { Database } from "../platform/database/Database.ts"
import { mayReadReplica } from "../platform/database/Replica.ts"
import type { MemberId, SubmissionId } from "../values/Ids.ts"
import { NotAllowed } from "../values/Problem.ts"
import { AssignmentRepository, type NewAssignment } from "./AssignmentRepository.ts"

/** Submissions on a page of the list. */
export const assignmentsPerPage = 50

/** Open submissions among which the next one of a reviewer is found. */
const maxOpen = 500

export class Assignments extends Context.Service<Assignments>()("interview-invitations/reviews/Assignments", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const emailLinks = yield* EmailLinks
    const notifications = yield* Notifications
    const repository = yield* AssignmentRepository

    /** One email to each asked member who wants it at once, but the one who asks. */
    const notify = Effect.fnUntraced(function* (member: Member, added: ReadonlyArray<NewAssignment>) {
      for (const [id, all] of Map.groupBy(added, ({ member_id }) => member_id)) {
        const [first] = all
        if (first === undefined || id === member.id) continue
        const { email, mails_assignments: time, set_title, submission_id } = first
        yield* notifications.notify(
          member.organizationId,
          "review_assignment",
          [{ id, email, time }],
          { kind: "assignments", submissions: all.map((one) => one.submission_id), by: member.id },
          (unsubscribeUrl) =>
            renderAssignment({
              organization: member.organizationName,
              author: memberName(member),
              interview: all.every((one) => one.set_title === set_title) ? set_title : undefined,
              count: all.length,
              url: all.length === 1 ? emailLinks.submission(submission_id) : emailLinks.assigned,
              unsubscribeUrl,
            }),
        )
      }
    })

    /**
     * Asks the members to review the submissions. Leaves out erased candidates, members who are asked already, and recruiters
     * without access to the interview set. Returns the submissions that have a new reviewer.
     */
    const assign = Effect.fn("Assignments.assign")(function* (
      member: Member,
      submissions: ReadonlyArray<SubmissionId>,
      members: ReadonlyArray<MemberId>,
    ) {
      if (!may(member, "assignReviewers")) return yield* new NotAllowed({ record: "submission" })
      if (submissions.length === 0 || members.length === 0) return []
      const organization = member.organizationId
      const added = yield* repository.insert(organization, submissions, members, member.id, readerOf(member))
      yield* auditLog.noteAll(
        member,
        "submission",
        "assign",
        added.map(({ member_name, submission_id }) => [submission_id, { member: member_name }]),
      )
      yield* notify(member, added)
      return [...new Set(added.map(({ submission_id }) => submission_id))]
    }, transaction)

    /** The caller has checked that the member may see the submission. False: the colleague was not asked. */
    const unassign = Effect.fn("Assignments.unassign")(function* (
      member: Member,
      submission: SubmissionId,
      colleague: MemberId,
    ) {
      if (!may(member, "assignReviewers")) return yield* new NotAllowed({ record: "submission" })
      const name = yield* repository.remove(member.organizationId, submission, colleague)
      if (name === undefined) return false
      yield* auditLog.note(member, "submission", "unassign", submission, { member: name })
      return true
    }, transaction)

    /** Who is asked, and who else can be. The caller has checked that the member may see the submission. */
    const ofSubmission = Effect.fn("Assignments.ofSubmission")(function* (member: Member, submission: SubmissionId) {
      const asked = yield* repository.ofSubmission(member.organizationId, submission)
      const all = yield* repository.assignable(member.organizationId, [submission])
      return { asked, others: all.filter(({ id }) => !asked.some((one) => one.id === id)) }
    })

    const assignable = Effect.fn("Assignments.assignable")((member: Member, submissions: ReadonlyArray<SubmissionId>) =>
      repository.assignable(member.organizationId, submissions),
    )

    /** What the member is asked to review, open ones first, up to `mostCounted` open and reviewed ones. `page`: from 1. */
    const mine = Effect.fn("Assignments.mine")(function* (member: Member, page: number, limit = assignmentsPerPage) {
      const reader = readerOf(member)
      const { open, reviewed } = yield* repository.counts(member.organizationId, member.id, reader)
      const all = open + reviewed
      const pages = Math.max(1, Math.ceil(all / limit))
      const number = Math.min(Math.max(1, page), pages)
      const at = { limit, offset: (number - 1) * limit }
      const rows = all === 0 ? [] : yield* repository.list(member.organizationId, member.id, reader, at)
      return { all, open, number, pages, rows: rows.map((row) => ({ ...row, candidate: candidateRef(row.candidate) })) }
    }, mayReadReplica)

    /** The open submissions before and after one. After one that is no longer open: the first open one. */
    const around = Effect.fn("Assignments.around")(function* (member: Member, submission: SubmissionId) {
      const open = yield* repository.open(member.organizationId, member.id, readerOf(member), maxOpen)
      const at = open.indexOf(submission)
      return { previous: at > 0 ? open[at - 1] : undefined, next: open[at + 1] }
    })

    return { assign, unassign, ofSubmission, assignable, mine, around }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}

export type SubmissionReviewers = Effect.Success<ReturnType<Assignments["Service"]["ofSubmission"]>>
export type OwnAssignments = Effect.Success<ReturnType<Assignments["Service"]["mine"]>>
