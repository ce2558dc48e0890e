/**
 * Candidates ask for a person, instead of the evaluator or after its result; members answer. While a request is open, and after
 * it was granted, the score is not used anywhere (docs/candidate-rights.md): `submission.score_unused` in sql/06_submissions.sql.
 */
import { Context, Effect, Layer } from "effect"
import { logoOf } from "../accounts/Appearance.ts"
import { AuditLog } from "../accounts/AuditLog.ts"
import { type Member, memberName } from "../accounts/members/Member.ts"
import { renderPersonReviewRequest } from "../accounts/members/MemberEmail.ts"
import { Notifications } from "../accounts/members/Notifications.ts"
import { may } from "../accounts/Permissions.ts"
import { operator, readerOf } from "../accounts/Viewer.ts"
import { candidateRef } from "../candidates/Candidate.ts"
import { EmailLinks, linkSlot } from "../emails/EmailLinks.ts"
import { EvaluationRepository, type EvaluationSubject } from "../evaluations/EvaluationRepository.ts"
import { FollowUpRepository } from "../invitations/FollowUpRepository.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import { EmailId, PersonReviewId, parseId } from "../values/Ids.ts"
import { Conflict, NotAllowed, NotFound } from "../values/Problem.ts"
import { Events } from "../webhooks/events/Events.ts"
import { answersTo, type PersonReview, type PersonReviewAnswer, type PersonReviewOutcome } from "./PersonReview.ts"
import { renderPersonReviewAnswer } from "./PersonReviewEmail.ts"
import { type ListedPersonReview, PersonReviewRepository } from "./PersonReviewRepository.ts"

/** The submission of a candidate who asks. */
export interface AskingSubject extends EvaluationSubject {
  readonly organization_name: string
}

const record = "request for a review by a person"

export class PersonReviews extends Context.Service<PersonReviews>()(
  "interview-invitations/person-reviews/PersonReviews",
  {
    make: Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const { time, transaction } = yield* Database
      const emailLinks = yield* EmailLinks
      const evaluationRepository = yield* EvaluationRepository
      const events = yield* Events
      const followUpRepository = yield* FollowUpRepository
      const ids = yield* Ids
      const notifications = yield* Notifications
      const repository = yield* PersonReviewRepository
      const { wake } = yield* QueueNotifier

      const publish = (
        subject: EvaluationSubject,
        { due_at, kind, requested_at }: Pick<PersonReview, "kind" | "requested_at" | "due_at">,
        done: {
          readonly status: "requested" | "answered" | "withdrawn"
          readonly outcome?: PersonReviewOutcome
          readonly by?: Member
          readonly at?: string
        },
      ) =>
        events.publish(subject.organization_id, [
          {
            subject,
            event: {
              event_type: "submission.review",
              interview_name: subject.interview_name,
              status: done.status,
              kind,
              outcome: done.outcome ?? null,
              requested_at,
              due_at,
              answered_at: done.at ?? null,
              answered_by: done.by === undefined ? null : { id: done.by.id, name: memberName(done.by) },
              submission_url: emailLinks.submission(subject.submission_id),
            },
          },
        ])

      /** Tells members. Without effect when `canRequest` is false. Needs a transaction. */
      const request = Effect.fn("PersonReviews.request")(function* (subject: AskingSubject, text: string) {
        const { organization_id, submission_id } = subject
        const id = yield* ids.make(PersonReviewId)
        const asked = yield* repository.insert(organization_id, submission_id, { id, text })
        if (asked === undefined) return
        yield* evaluationRepository.reschedule(organization_id, submission_id)
        yield* auditLog.note(operator(organization_id), "submission", "request_person", submission_id, {
          kind: asked.kind,
        })
        yield* publish(subject, asked, { status: "requested" })
        yield* notifications.notify(
          organization_id,
          "person_review_request",
          yield* repository.recipients(organization_id, submission_id),
          { kind: "person_reviews", submissions: [submission_id] },
          (unsubscribeUrl) =>
            renderPersonReviewRequest({
              organization: subject.organization_name,
              interview: subject.interview_name,
              url: emailLinks.absolute("/person-reviews"),
              unsubscribeUrl,
            }),
        )
      })

      /** By the candidate. Without effect if no request is open. Needs a transaction. */
      const withdraw = Effect.fn("PersonReviews.withdraw")(function* (subject: EvaluationSubject) {
        const { organization_id, submission_id } = subject
        const open = yield* repository.open(organization_id, submission_id)
        if (open === undefined) return
        yield* repository.answer(organization_id, open.id, { outcome: "withdrawn", text: "", by: null })
        yield* evaluationRepository.reschedule(organization_id, submission_id)
        yield* auditLog.note(operator(organization_id), "submission", "withdraw_person_request", submission_id)
        const at = (yield* time).toISOString()
        yield* publish(subject, open, { status: "withdrawn", outcome: "withdrawn", at })
      })

      /** Open requests, those due first, and answered ones, newest first. Reviewers may not see them. */
      const list = Effect.fn("PersonReviews.list")(function* (member: Member) {
        if (!may(member, "answerCandidates")) return yield* new NotAllowed({ record })
        const { organizationId } = member
        const named = (rows: ReadonlyArray<ListedPersonReview>) =>
          rows.map((row) => ({ ...row, candidate: candidateRef(row.candidate) }))
        return {
          waiting: named(yield* repository.list(organizationId, readerOf(member))),
          answered: named(yield* repository.answered(organizationId, readerOf(member))),
        }
      })

      const count = Effect.fn("PersonReviews.count")(function* (member: Member) {
        return may(member, "answerCandidates")
          ? yield* repository.count(member.organizationId, readerOf(member))
          : { count: 0, overdue: 0 }
      })

      const tell = Effect.fnUntraced(function* (
        { organization_id, submission_id }: EvaluationSubject,
        given: { readonly outcome: PersonReviewAnswer; readonly text: string },
      ) {
        const [view] = yield* followUpRepository.views(organization_id, [submission_id])
        if (view === undefined || view.email === null) return
        const own = view.appearance === null ? undefined : logoOf(view.appearance)
        const logo = own === undefined ? undefined : { ...own, href: emailLinks.absolute(own.href) }
        const id = yield* ids.make(EmailId)
        const content = renderPersonReviewAnswer(view, given, logo, linkSlot(id, "interview"))
        const mail = { id, submission_id, kind: "person_review", recipient: view.email, ...content } as const
        yield* followUpRepository.queueLetters(organization_id, [mail], yield* time)
        yield* wake("email")
      })

      /** The candidate gets an email. Conflict: answered or withdrawn meanwhile, or not an answer to this request. */
      const answer = Effect.fn("PersonReviews.answer")(function* (
        member: Member,
        text: string,
        given: { readonly outcome: PersonReviewAnswer; readonly text: string },
      ) {
        if (!may(member, "answerCandidates")) return yield* new NotAllowed({ record })
        const { organizationId } = member
        const id = parseId(PersonReviewId, text)
        const asked = id === undefined ? undefined : yield* repository.lock(organizationId, id, readerOf(member))
        if (asked === undefined) return yield* new NotFound({ record })
        if (!asked.readable) return yield* new NotAllowed({ record })
        if (asked.outcome === "withdrawn")
          return yield* new Conflict({ reason: "the candidate has withdrawn the request" })
        if (asked.outcome !== null) return yield* new Conflict({ reason: "a colleague has answered it meanwhile" })
        if (!answersTo[asked.kind].includes(given.outcome))
          return yield* new Conflict({ reason: "this is not an answer to the request: reload the page" })
        yield* repository.answer(organizationId, asked.id, { ...given, by: member.id })
        if (given.outcome === "by_person") yield* evaluationRepository.supersede(organizationId, asked.submission_id)
        yield* evaluationRepository.reschedule(organizationId, asked.submission_id)
        const { kind } = asked
        yield* auditLog.note(member, "submission", "answer_person_request", asked.submission_id, {
          kind,
          outcome: given.outcome,
        })
        const at = (yield* time).toISOString()
        yield* publish(asked, asked, { status: "answered", outcome: given.outcome, by: member, at })
        yield* tell(asked, given)
      }, transaction)

      return { request, withdraw, list, count, answer }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}

export type PersonReviewList = Effect.Success<ReturnType<PersonReviews["Service"]["list"]>>
