/** Members override a score or have a submission evaluated again. */
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import { type Member, memberName } from "../accounts/members/Member.ts"
import { MemberRepository } from "../accounts/members/MemberRepository.ts"
import type { Author } from "../accounts/Viewer.ts"
import type { EvaluationType } from "../evaluations/Evaluation.ts"
import { type Evaluable, EvaluationRepository, type NewestEvaluation } from "../evaluations/EvaluationRepository.ts"
import { type Override, overrideErrors } from "../evaluations/Override.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { RecordEntries } from "../record/RecordEntries.ts"
import { EvaluationId, type SubmissionId } from "../values/Ids.ts"
import { Conflict, Invalid, NotFound } from "../values/Problem.ts"

/** Names the newest evaluation of a type. */
export interface Reviewed {
  readonly submission: SubmissionId
  readonly evaluation_type: EvaluationType
}

const batch = 500

export class Overrides extends Context.Service<Overrides>()("interview-invitations/reviews/Overrides", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { time, transaction } = yield* Database
    const evaluationRepository = yield* EvaluationRepository
    const ids = yield* Ids
    const memberRepository = yield* MemberRepository
    const recordEntries = yield* RecordEntries

    /** Not found: the member was removed since the request began. */
    const nameOf = Effect.fnUntraced(function* ({ id, organizationId }: Member) {
      const member = yield* memberRepository.find(organizationId, id)
      return member === undefined ? yield* new NotFound({ record: "member" }) : memberName(member)
    })

    const newestOf = Effect.fnUntraced(function* ({ organizationId }: Member, reviewed: Reviewed) {
      const newest = yield* evaluationRepository.newest(organizationId, reviewed.submission, reviewed.evaluation_type)
      return newest ?? (yield* new NotFound({ record: "evaluation" }))
    })

    const change = Effect.fnUntraced(function* (
      member: Member,
      { evaluation_type, submission }: Reviewed,
      newest: NewestEvaluation,
      after: Override | null,
    ) {
      const { id, override: before } = newest
      if (before === null && after === null) return
      yield* evaluationRepository.setOverride(member.organizationId, id, after)
      const detail = { submission_id: submission, evaluation_type, before, after }
      yield* auditLog.note(member, "evaluation", "override", id, detail)
      yield* recordEntries.add(member.organizationId, [
        {
          submission,
          kind: "override",
          evaluation: id,
          facts: { evaluation: id, type: evaluation_type, by: member.id, is_withdrawn: after === null },
          content: { before, after },
        },
      ])
    })

    const queue = Effect.fnUntraced(function* (
      author: Author,
      submissions: ReadonlyArray<Pick<Evaluable, "submission_id" | "types">>,
    ) {
      const queued = yield* Effect.forEach(
        submissions.flatMap(({ submission_id, types }) => types.map((type) => ({ submissionId: submission_id, type }))),
        (evaluation) => Effect.map(ids.make(EvaluationId), (id) => ({ ...evaluation, id })),
      )
      yield* evaluationRepository.queueAll(author.organizationId, queued)
      yield* auditLog.noteAll(
        author,
        "submission",
        "evaluate_again",
        submissions.map(({ submission_id, types }) => [submission_id, { types }]),
      )
      return queued.length
    })

    /**
     * Keeps the evaluator's score and events. The override stays when the same text is evaluated again. Conflict: the person
     * was erased.
     */
    const override = Effect.fn("Overrides.override")(function* (
      member: Member,
      {
        reason,
        score,
        ...reviewed
      }: Reviewed & {
        /** Out of 10, at most one decimal. */
        readonly score: number
        /** 10 to 2000 characters. */
        readonly reason: string
      },
    ) {
      const errors = overrideErrors(score, reason)
      if (errors.length > 0) return yield* new Invalid({ errors })
      const by = { id: member.id, name: yield* nameOf(member) }
      const at = (yield* time).toISOString()
      const newest = yield* newestOf(member, reviewed)
      if (newest.is_erased) return yield* new Conflict({ reason: "the candidate's personal data were erased" })
      yield* change(member, reviewed, newest, { score, reason: reason.trim(), member: by, at })
    }, transaction)

    const withdrawOverride = Effect.fn("Overrides.withdrawOverride")(function* (member: Member, reviewed: Reviewed) {
      yield* nameOf(member)
      yield* change(member, reviewed, yield* newestOf(member, reviewed), null)
    }, transaction)

    /** Returns the queued types. Conflict: nothing to evaluate, or an evaluation is queued. */
    const evaluateAgain = Effect.fn("Overrides.evaluateAgain")(function* (author: Author, submission: SubmissionId) {
      const [found] = yield* evaluationRepository.evaluable(author.organizationId, [submission])
      if (found === undefined) return yield* new NotFound({ record: "submission" })
      if (found.score_unused) {
        return yield* new Conflict({
          reason: "the candidate asked for a review by a person, so the evaluator does not evaluate this submission",
        })
      }
      if (found.is_queued) return yield* new Conflict({ reason: "the submission is being evaluated already" })
      if (found.types.length === 0) {
        return yield* new Conflict({
          reason: "there is nothing to evaluate: no readable CV and no submitted answers",
        })
      }
      yield* queue(author, [found])
      return found.types
    }, transaction)

    /** Queues evaluations again that ended as not_scored since `since`, because the evaluator was unavailable. */
    const evaluateUnanswered = Effect.fn("Overrides.evaluateUnanswered")(function* (author: Author, since: Date) {
      // evaluations queued here may fail before the last batch and must not be queued twice
      const until = yield* time
      let total = 0
      while (true) {
        const count = yield* transaction(
          Effect.flatMap(
            evaluationRepository.unanswered(author.organizationId, { since, until }, batch),
            (submissions) => queue(author, submissions),
          ),
        )
        total += count
        if (count === 0) return total
      }
    })

    return { override, withdrawOverride, evaluateAgain, evaluateUnanswered }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
