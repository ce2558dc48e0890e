/** Rates, combines, stores and publishes evaluations (docs/evaluation.md). */
import { Context, Duration, Effect, Layer } from "effect"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import * as FailureLog from "../platform/queue/FailureLog.ts"
import * as WorkQueue from "../platform/queue/WorkQueue.ts"
import { RecordEntries } from "../record/RecordEntries.ts"
import { definedOnly } from "../values/definedOnly.ts"
import { EvaluationId, type SubmissionId } from "../values/Ids.ts"
import * as RetryPolicy from "../values/RetryPolicy.ts"
import { Events, type Occurrence } from "../webhooks/events/Events.ts"
import { Computation, ComputationFailed } from "./computation/Computation.ts"
import { inputOf, textWarningsOf } from "./EvaluatedTexts.ts"
import {
  type EvaluationInput,
  type EvaluationResult,
  EvaluationType,
  notScored,
  unreadable,
  withWarnings,
} from "./Evaluation.ts"
import {
  type EvaluationJob,
  EvaluationRepository,
  type EvaluationSettlement,
  type HeldEvaluation,
} from "./EvaluationRepository.ts"
import { Evaluator, type EvaluatorUnavailable } from "./Evaluator.ts"
import { combineHolistic } from "./Holistic.ts"

/** Stored with each evaluation. Increase it when `combineHolistic` changes. */
const combiner = "holistic/1"

/** Longer than the 8 minutes of ModelEvaluator.ts. */
const lease = Duration.minutes(10)

/** About two hours; then the submission is not_scored. */
export const retries: RetryPolicy.RetryOptions = { first: Duration.seconds(15), cap: Duration.minutes(30), times: 10 }

const maxSentHeld = 200

interface EvaluationOutcome extends EvaluationSettlement {
  readonly job: EvaluationJob
}

const warned = (job: EvaluationJob, result: EvaluationResult): EvaluationResult =>
  withWarnings(result, [...textWarningsOf(job), ...(result.warnings ?? [])])

const unanswered = { evaluator: null, model: null, raw: null }

const done = (job: EvaluationJob, rest: Omit<EvaluationSettlement, "id" | "claim_id" | "state" | "delay">) => ({
  id: job.id,
  claim_id: job.claim_id,
  job,
  state: "done" as const,
  delay: undefined,
  ...rest,
})

const logGivenUp = (job: EvaluationJob, reason: string) =>
  Effect.logWarning("an evaluation was given up", { submission: job.submission_id, reason })

/** Stores no text of the candidate, because it may be unredacted. */
const giveUp = Effect.fnUntraced(function* (job: EvaluationJob, reason: string) {
  yield* logGivenUp(job, reason)
  const result = notScored({ ...inputOf(job), sources: [] }, reason)
  return done(job, { ...unanswered, input: null, result, error: reason })
})

const occurrenceOf = (links: EmailLinks["Service"], evaluation: HeldEvaluation): Occurrence => ({
  subject: evaluation,
  event: definedOnly({
    event_type: "interview.evaluation.update" as const,
    interview_name: evaluation.interview_name,
    evaluation_type: evaluation.evaluation_type,
    evaluation_score: evaluation.result.score,
    score_status: evaluation.result.score_status,
    submission_url: links.submission(evaluation.submission_id),
    warnings: evaluation.result.warnings,
  }),
})

const rank = ({ evaluation_type }: HeldEvaluation): number => EvaluationType.literals.indexOf(evaluation_type)

export class EvaluationQueue extends Context.Service<EvaluationQueue>()(
  "interview-invitations/evaluations/EvaluationQueue",
  {
    make: Effect.gen(function* () {
      const { run } = yield* Computation
      const { transaction } = yield* Database
      const emailLinks = yield* EmailLinks
      const repository = yield* EvaluationRepository
      const evaluator = yield* Evaluator
      const events = yield* Events
      const ids = yield* Ids
      const recordEntries = yield* RecordEntries
      const failures = FailureLog.make("evaluating")
      const nextDelay = yield* RetryPolicy.nextDelay(yield* RetryPolicy.policy("evaluation", retries))

      const retry = Effect.fnUntraced(function* (
        job: EvaluationJob,
        input: EvaluationInput,
        { reason, retryable }: EvaluatorUnavailable,
      ) {
        const delay = retryable ? yield* nextDelay(job.attempts + 1) : undefined
        if (delay === undefined) {
          yield* logGivenUp(job, reason)
          return done(job, { ...unanswered, input, error: reason, result: notScored(input) })
        }
        const message = "the evaluator is unavailable; evaluations are retried, for example this one"
        yield* failures.warn("unavailable", message, { submission: job.submission_id, reason })
        const failed = done(job, { ...unanswered, input, error: reason, result: null })
        return { ...failed, state: "queued" as const, delay }
      })

      const evaluate = Effect.fnUntraced(function* (job: EvaluationJob) {
        const own = inputOf(job)
        const { input, isReadable } = yield* run("redact", { input: own, person: job.person })
        if (input.requirements.length === 0)
          return done(job, { ...unanswered, input, error: null, result: notScored(input) })
        if (!isReadable) return done(job, { ...unanswered, input, error: null, result: warned(job, unreadable(input)) })
        return yield* evaluator.evaluate(input).pipe(
          Effect.tap(failures.worked),
          Effect.flatMap((output) => run("conclude", { input: own, redacted: input, output })),
          Effect.map(
            (concluded): EvaluationOutcome =>
              done(job, { ...concluded, result: warned(job, concluded.result), input, error: null }),
          ),
          Effect.catchTag("EvaluatorUnavailable", (unavailable) => retry(job, input, unavailable)),
        )
      })

      /** Dies when the computation fails: the worker tries three times (platform/queue/QueueSql.ts). */
      const perform = Effect.fn("EvaluationQueue.perform")(
        evaluate,
        // KeywordEvaluator dies with ComputationFailed
        Effect.catchDefect((defect) =>
          defect instanceof ComputationFailed ? Effect.fail(defect) : Effect.die(defect),
        ),
        (evaluated, job) =>
          Effect.catchTag(evaluated, "ComputationFailed", (failed) =>
            WorkQueue.treatmentOf(job) === "performAlone" ? giveUp(job, failed.reason) : Effect.die(failed),
          ),
      )

      const combine = Effect.fnUntraced(function* (submissions: ReadonlyArray<SubmissionId>) {
        const made = yield* Effect.forEach(yield* repository.missingHolistic(submissions), (pair) =>
          Effect.map(ids.make(EvaluationId), (id) => {
            const { cv, cv_evaluation_id, cv_input_hash, interview, interview_evaluation_id, interview_input_hash } =
              pair
            const input = { interview_title: pair.interview_name, cv_input_hash, interview_input_hash }
            const result = combineHolistic(cv, interview)
            const holistic: HeldEvaluation = { ...pair, id, evaluation_type: "holistic", result }
            return {
              holistic,
              row: { id, result, evaluator: combiner, input, cv_evaluation_id, interview_evaluation_id },
            }
          }),
        )
        const reported = new Set(yield* repository.insertHolistic(made.map(({ row }) => row)))
        yield* recordEntries.addEvaluations(made.map(({ row }) => row.id))
        return made.flatMap(({ holistic }) => (reported.has(holistic.id) ? [holistic] : []))
      })

      const report = Effect.fn("EvaluationQueue.report")(function* (evaluations: ReadonlyArray<HeldEvaluation>) {
        const sorted = evaluations.toSorted((one, other) => rank(one) - rank(other))
        for (const [organization, group] of Map.groupBy(sorted, ({ organization_id }) => organization_id)) {
          const eventIds = yield* events.publish(
            organization,
            group.map((evaluation) => occurrenceOf(emailLinks, evaluation)),
          )
          yield* repository.markReported(
            group.flatMap(({ id }, i) => {
              const event_id = eventIds[i]
              return event_id === undefined ? [] : [{ id, event_id }]
            }),
          )
        }
      })

      /** Locks the submissions: if a CV and an interview evaluation end at once, the second transaction combines them. */
      const settle = Effect.fn("EvaluationQueue.settle")(function* (outcomes: ReadonlyArray<EvaluationOutcome>) {
        const settled = yield* repository.settleJobs(outcomes.map(({ job: _, ...settlement }) => settlement))
        const reported = new Set(settled)
        yield* recordEntries.addEvaluations(outcomes.flatMap(({ job, state }) => (state === "done" ? [job.id] : [])))
        const ended = outcomes.flatMap(({ job, state }) => (state === "done" ? [job.submission_id] : []))
        const combined = yield* combine([...new Set(ended)])
        yield* report([
          ...outcomes.flatMap(({ job, result }) =>
            reported.has(job.id) && result !== null ? [{ ...job, result }] : [],
          ),
          ...combined,
        ])
      }, transaction)

      /** Publishes due held evaluations, each once across all pods. Returns their number. */
      const sendHeld = Effect.gen(function* () {
        const due = yield* repository.claimHeld(maxSentHeld)
        yield* report(due)
        return due.length
      }).pipe(transaction, Effect.withSpan("EvaluationQueue.sendHeld"))

      const queue = yield* WorkQueue.make<EvaluationJob, EvaluationOutcome, string>({
        table: "evaluation",
        lease,
        concurrency: 4,
        claim: Effect.fn("EvaluationQueue.claim")(repository.claim),
        perform,
        settle,
        abandon: (job) => giveUp(job, WorkQueue.abandonedReason(job)),
        settlesByTrace: true,
      })
      return { queue, sendHeld }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
