/** What people do with evaluations: a score of their own beside the evaluator's, and having them made again. */
import { Context, Effect, Layer } from "effect"
import type { EvaluationType } from "../domain/Evaluation.ts"
import { EvaluationId, type MemberId, type OrganizationId, type SubmissionId } from "../domain/Ids.ts"
import { type Override, overrideFaults } from "../domain/Override.ts"
import { Conflict, Invalid, NotFound } from "../domain/Problem.ts"
import { AuditLogRepository } from "../repository/AuditLogRepository.ts"
import { Database } from "../repository/Database.ts"
import { type Evaluable, EvaluationRepository, type QueuedType } from "../repository/EvaluationRepository.ts"
import { ids } from "./Ids.ts"

/** An evaluation as people name it: the newest of its type. */
export interface Reviewed {
  readonly submission: SubmissionId
  readonly evaluation_type: EvaluationType
  /** Who does it. */
  readonly member: MemberId
}

/** Submissions that one transaction queues. */
const batch = 500

export class Reviews extends Context.Service<
  Reviews,
  {
    /**
     * Puts a member's own score beside the evaluator's, in place of one that is there. Both stand: neither the figures at
     * the top nor events change. It stays when the same text is evaluated again, and not when another one is.
     */
    readonly override: (
      organization: OrganizationId,
      override: Reviewed & {
        /** Out of 10, at most one decimal. */
        readonly score: number
        /** 10 to 2000 characters. */
        readonly reason: string
      },
    ) => Effect.Effect<void, Invalid | NotFound>
    /** Takes that score away; where there is none, nothing changes. */
    readonly withdrawOverride: (organization: OrganizationId, reviewed: Reviewed) => Effect.Effect<void, NotFound>
    /**
     * Has the newest CV that was read and the answers that were submitted evaluated again, what of it there is; tells
     * which. Conflict: there is nothing to evaluate, or an evaluation waits already. `member` null: a command.
     */
    readonly evaluateAgain: (
      organization: OrganizationId,
      submission: SubmissionId,
      member: MemberId | null,
    ) => Effect.Effect<ReadonlyArray<QueuedType>, NotFound | Conflict>
    /**
     * Has evaluated again what ended since then as not_scored because the evaluator was unavailable; returns how many
     * evaluations that are.
     */
    readonly evaluateUnanswered: (organization: OrganizationId, since: Date) => Effect.Effect<number>
  }
>()("interview-invitations/service/Reviews") {
  static readonly layer = Layer.effect(
    Reviews,
    Effect.gen(function* () {
      const { time, transaction } = yield* Database
      const auditLog = yield* AuditLogRepository
      const newId = yield* ids
      const repository = yield* EvaluationRepository

      /** Writes what a person says of an evaluation, and who said what before. */
      const change = Effect.fnUntraced(function* (
        organization: OrganizationId,
        { evaluation_type, member, submission }: Reviewed,
        after: Override | null,
      ) {
        const newest = yield* repository.newest(organization, submission, evaluation_type)
        if (newest === undefined) return yield* new NotFound({ record: "evaluation" })
        const { id, override: before } = newest
        if (before === null && after === null) return
        yield* repository.setOverride(organization, id, after)
        const detail = { submission_id: submission, evaluation_type, before, after }
        const action = "evaluation.override"
        yield* auditLog.write(organization, [
          { member_id: member, action, record_type: "evaluation", record_id: id, detail },
        ])
      })

      const queue = Effect.fnUntraced(function* (
        organization: OrganizationId,
        member: MemberId | null,
        submissions: ReadonlyArray<Pick<Evaluable, "submission_id" | "types">>,
      ) {
        const queued = yield* Effect.forEach(
          submissions.flatMap(({ submission_id, types }) =>
            types.map((type) => ({ submissionId: submission_id, type })),
          ),
          (evaluation) => Effect.map(newId(EvaluationId), (id) => ({ ...evaluation, id })),
        )
        yield* repository.queueAll(organization, queued)
        yield* auditLog.write(
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

      return Reviews.of({
        override: Effect.fn("Reviews.override")(function* (organization, { reason, score, ...reviewed }) {
          const errors = overrideFaults(score, reason)
          if (errors.length > 0) return yield* new Invalid({ errors })
          const name = yield* repository.memberName(organization, reviewed.member)
          if (name === undefined) return yield* new NotFound({ record: "member" })
          const at = (yield* time).toISOString()
          const member = { id: reviewed.member, name }
          yield* change(organization, reviewed, { score, reason: reason.trim(), member, at })
        }, transaction),
        withdrawOverride: Effect.fn("Reviews.withdrawOverride")(function* (organization, reviewed) {
          const name = yield* repository.memberName(organization, reviewed.member)
          if (name === undefined) return yield* new NotFound({ record: "member" })
          yield* change(organization, reviewed, null)
        }, transaction),
        evaluateAgain: Effect.fn("Reviews.evaluateAgain")(function* (organization, submission, member) {
          const [found] = yield* repository.evaluable(organization, [submission])
          if (found === undefined) return yield* new NotFound({ record: "submission" })
          if (found.is_queued) return yield* new Conflict({ reason: "the submission is being evaluated already" })
          if (found.types.length === 0) {
            return yield* new Conflict({
              reason: "there is nothing to evaluate: no CV was read, and no answers were submitted",
            })
          }
          yield* queue(organization, member, [found])
          return found.types
        }, transaction),
        evaluateUnanswered: Effect.fn("Reviews.evaluateUnanswered")(function* (organization, since) {
          // what this queues may end without an answer before the last batch: it is not queued again
          const until = yield* time
          let total = 0
          while (true) {
            const count = yield* transaction(
              Effect.flatMap(repository.unanswered(organization, { since, until }, batch), (submissions) =>
                queue(organization, null, submissions),
              ),
            )
            total += count
            if (count === 0) return total
          }
        }),
      })
    }),
  )
}
