/** Members override a score or have a submission evaluated again. */
import { Context, Effect, Layer } from "effect"
import { AuditLogRepository } from "../accounts/AuditLogRepository.ts"
import { memberName } from "../accounts/members/Member.ts"
import { MemberRepository } from "../accounts/members/MemberRepository.ts"
import type { EvaluationType } from "../evaluations/Evaluation.ts"
import { type Evaluable, EvaluationRepository, type NewestEvaluation } from "../evaluations/EvaluationRepository.ts"
import { type Override, overrideErrors } from "../evaluations/Override.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { EvaluationId, type MemberId, type OrganizationId, type SubmissionId } from "../values/Ids.ts"
import { Conflict, Invalid, NotFound } from "../values/Problem.ts"

/** Names the newest evaluation of a type. */
export interface Reviewed {
  readonly submission: SubmissionId
  readonly evaluation_type: EvaluationType
  readonly member: MemberId
}

const batch = 500

export class Overrides extends Context.Service<Overrides>()("interview-invitations/reviews/Overrides", {
  make: Effect.gen(function* () {
    const auditLogRepository = yield* AuditLogRepository
    const { time, transaction } = yield* Database
    const evaluationRepository = yield* EvaluationRepository
    const ids = yield* Ids
    const memberRepository = yield* MemberRepository

    const nameOf = Effect.fnUntraced(function* (organization: OrganizationId, id: MemberId) {
      const member = yield* memberRepository.find(organization, id)
      return member === undefined ? yield* new NotFound({ record: "member" }) : memberName(member)
    })

    const newestOf = Effect.fnUntraced(function* (
      organization: OrganizationId,
      { evaluation_type, submission }: Reviewed,
    ) {
      const newest = yield* evaluationRepository.newest(organization, submission, evaluation_type)
      return newest ?? (yield* new NotFound({ record: "evaluation" }))
    })

    const change = Effect.fnUntraced(function* (
      organization: OrganizationId,
      { evaluation_type, member, submission }: Reviewed,
      newest: NewestEvaluation,
      after: Override | null,
    ) {
      const { id, override: before } = newest
      if (before === null && after === null) return
      yield* evaluationRepository.setOverride(organization, id, after)
      const detail = { submission_id: submission, evaluation_type, before, after }
      const action = "evaluation.override"
      yield* auditLogRepository.write(organization, [
        { member_id: member, action, record_type: "evaluation", record_id: id, detail },
      ])
    })

    const queue = Effect.fnUntraced(function* (
      organization: OrganizationId,
      member: MemberId | null,
      submissions: ReadonlyArray<Pick<Evaluable, "submission_id" | "types">>,
    ) {
      const queued = yield* Effect.forEach(
        submissions.flatMap(({ submission_id, types }) => types.map((type) => ({ submissionId: submission_id, type }))),
        (evaluation) => Effect.map(ids.make(EvaluationId), (id) => ({ ...evaluation, id })),
      )
      yield* evaluationRepository.queueAll(organization, queued)
      yield* auditLogRepository.write(
        organization,
        submissions.map(({ submission_id, types }) => ({
          member_id: member,
          action: "submission.evaluate_again",
          record_type: "submission",
          record_id: submission_id,
          detail: { types },
        })),
      )
      return queued.length
    })

    /**
     * Keeps the evaluator's score and events. The override stays when the same text is evaluated again. Conflict: the person
     * was erased.
     */
    const override = Effect.fn("Overrides.override")(function* (
      organization: OrganizationId,
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
      const member = { id: reviewed.member, name: yield* nameOf(organization, reviewed.member) }
      const at = (yield* time).toISOString()
      const newest = yield* newestOf(organization, reviewed)
      if (newest.is_erased) return yield* new Conflict({ reason: "the candidate's personal data were erased" })
      yield* change(organization, reviewed, newest, { score, reason: reason.trim(), member, at })
    }, transaction)

    const withdrawOverride = Effect.fn("Overrides.withdrawOverride")(function* (
      organization: OrganizationId,
      reviewed: Reviewed,
    ) {
      yield* nameOf(organization, reviewed.member)
      yield* change(organization, reviewed, yield* newestOf(organization, reviewed), null)
    }, transaction)

    /** Returns the queued types. Conflict: nothing to evaluate, or an evaluation is queued. `member` null: a command. */
    const evaluateAgain = Effect.fn("Overrides.evaluateAgain")(function* (
      organization: OrganizationId,
      submission: SubmissionId,
      member: MemberId | null,
    ) {
      const [found] = yield* evaluationRepository.evaluable(organization, [submission])
      if (found === undefined) return yield* new NotFound({ record: "submission" })
      if (found.is_queued) return yield* new Conflict({ reason: "the submission is being evaluated already" })
      if (found.types.length === 0) {
        return yield* new Conflict({
          reason: "there is nothing to evaluate: no readable CV and no submitted answers",
        })
      }
      yield* queue(organization, member, [found])
      return found.types
    }, transaction)

    /** Queues evaluations again that ended as not_scored since `since`, because the evaluator was unavailable. */
    const evaluateUnanswered = Effect.fn("Overrides.evaluateUnanswered")(function* (
      organization: OrganizationId,
      since: Date,
    ) {
      // evaluations queued here may fail before the last batch and must not be queued twice
      const until = yield* time
      let total = 0
      while (true) {
        const count = yield* transaction(
          Effect.flatMap(evaluationRepository.unanswered(organization, { since, until }, batch), (submissions) =>
            queue(organization, null, submissions),
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
