/** The queue of evaluations, and the events that wait for an improvement window to close (contract, Evaluation). */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { chosenOptions, optionText } from "../interview-sets/OptionText.ts"
import { Database } from "../platform/database/Database.ts"
import { ids } from "../platform/NewIds.ts"
import { abandonedReason, treatmentOf, type WorkQueue } from "../platform/queue/WorkQueue.ts"
import { ClaimId, EvaluationId, type SubmissionId } from "../values/Ids.ts"
import * as RetryPolicy from "../values/RetryPolicy.ts"
import { Events, type Occurrence } from "../webhooks/Events.ts"
import { Computation, ComputationFailed } from "./computation/Computation.ts"
import { type EvaluationInput, type EvaluationResult, EvaluationType, notScored, unreadable } from "./Evaluation.ts"
import {
  type AnsweredQuestion,
  type EvaluationJob,
  EvaluationRepository,
  type EvaluationSettlement,
  type EvaluationSubject,
  type HeldEvaluation,
} from "./EvaluationRepository.ts"
import { Evaluator } from "./Evaluator.ts"
import { combineHolistic } from "./Holistic.ts"

/** Who combines; the number changes whenever the same two would be combined differently. */
const combiner = "holistic/1"

const rank = ({ evaluation_type }: HeldEvaluation): number => EvaluationType.literals.indexOf(evaluation_type)

/** An evaluator may ask a model several times. */
const lease = Duration.minutes(10)

/** Evaluations that are tried again are told of this often at most: one outage delays them all. */
const retryNotice = Duration.minutes(1)

interface EvaluationOutcome extends EvaluationSettlement {
  readonly job: EvaluationJob
}

export class EvaluationQueue extends Context.Service<
  EvaluationQueue,
  {
    readonly queue: WorkQueue<EvaluationJob, EvaluationOutcome>
    /** Sends the events of held evaluations that have come due, each once whatever the number of pods; returns how many. */
    readonly sendHeld: Effect.Effect<number>
  }
>()("interview-invitations/evaluations/EvaluationQueue") {
  static readonly layer = Layer.effect(
    EvaluationQueue,
    Effect.gen(function* () {
      const { run } = yield* Computation
      const { transaction } = yield* Database
      const evaluator = yield* Evaluator
      const events = yield* Events
      const links = yield* EmailLinks
      const newId = yield* ids
      const repository = yield* EvaluationRepository
      let noticed = Number.NEGATIVE_INFINITY
      const nextDelay = yield* RetryPolicy.nextDelay(yield* RetryPolicy.policy("evaluation", RetryPolicy.evaluation))

      const occurrence = (
        subject: EvaluationSubject & Pick<HeldEvaluation, "evaluation_type">,
        result: EvaluationResult,
      ): Occurrence => ({
        subject,
        event: {
          event_type: "interview.evaluation.update",
          interview_name: subject.interview_name,
          evaluation_type: subject.evaluation_type,
          evaluation_score: result.score,
          score_status: result.score_status,
          submission_url: links.submission(subject.submission_id),
        },
      })

      /** Ends an evaluation without an answer of the evaluator. Drops the candidate's text, which may not be redacted. */
      const giveUp = Effect.fnUntraced(function* (job: EvaluationJob, reason: string) {
        yield* Effect.logWarning("an evaluation was given up", { submission: job.submission_id, reason })
        const { claim_id, id } = job
        const result = notScored({ ...inputOf(job), sources: [] }, reason)
        const unknown = { evaluator: null, model: null, raw: null, input: null }
        return { id, claim_id, job, ...unknown, result, error: reason, state: "done" as const, delay: undefined }
      })

      const evaluate = Effect.fnUntraced(function* (job: EvaluationJob) {
        const own = inputOf(job)
        const { input, isReadable } = yield* run("redact", { input: own, person: job.person })
        const common = { id: job.id, claim_id: job.claim_id, job, input }
        const done = { ...common, state: "done" as const, delay: undefined }
        const unknown = { evaluator: null, model: null, raw: null, error: null }
        // no evaluator can rate without requirements, or without text
        if (input.requirements.length === 0) return { ...done, ...unknown, result: notScored(input) }
        if (!isReadable) return { ...done, ...unknown, result: unreadable(input) }
        return yield* evaluator.evaluate(input).pipe(
          Effect.flatMap((output) => run("conclude", { input: own, redacted: input, output })),
          Effect.map((concluded) => ({ ...done, ...concluded, error: null })),
          Effect.catchTag("EvaluatorUnavailable", ({ reason, retryable }) =>
            Effect.gen(function* () {
              const delay = retryable ? yield* nextDelay(job.attempts + 1) : undefined
              const unanswered = { ...common, ...unknown, error: reason }
              if (delay !== undefined) {
                const now = yield* Clock.currentTimeMillis
                if (now - noticed >= Duration.toMillis(retryNotice)) {
                  noticed = now
                  yield* Effect.logWarning("the evaluator is away, and asked again: one of its evaluations", {
                    submission: job.submission_id,
                    reason,
                  })
                }
                return { ...unanswered, result: null, state: "queued" as const, delay }
              }
              yield* Effect.logWarning("an evaluation was given up", { submission: job.submission_id, reason })
              return { ...unanswered, ...done, result: notScored(input) }
            }),
          ),
        )
      })

      /** Dies when the computation fails, so that the evaluation is tried three times in all (platform/queue/Queue.ts). */
      const perform = Effect.fn("EvaluationQueue.perform")(
        evaluate,
        // the keyword evaluator dies with it, because its port has no error for it
        Effect.catchDefect((defect) =>
          defect instanceof ComputationFailed ? Effect.fail(defect) : Effect.die(defect),
        ),
        (evaluated, job) =>
          Effect.catchTag(evaluated, "ComputationFailed", (failed) =>
            treatmentOf(job) === "performAlone" ? giveUp(job, failed.reason) : Effect.die(failed),
          ),
      )

      /** Combines what these submissions have of both, and returns what is to be told now. */
      const combine = Effect.fnUntraced(function* (submissions: ReadonlyArray<SubmissionId>) {
        const made = yield* Effect.forEach(yield* repository.missingHolistic(submissions), (pair) =>
          Effect.map(newId(EvaluationId), (id) => {
            const { cv, cv_evaluation_id, cv_input_hash, interview, interview_evaluation_id, interview_input_hash } =
              pair
            const input = { interview_title: pair.interview_name, cv_input_hash, interview_input_hash }
            const result = combineHolistic(cv, interview)
            const subject: HeldEvaluation = { ...pair, id, evaluation_type: "holistic", result }
            return {
              subject,
              row: { id, result, evaluator: combiner, input, cv_evaluation_id, interview_evaluation_id },
            }
          }),
        )
        const due = new Set(yield* repository.insertHolistic(made.map(({ row }) => row)))
        return made.flatMap(({ subject }) => (due.has(subject.id) ? [subject] : []))
      })

      /**
       * One transaction: the results, what is combined of them, the submission's step and the events stand together. It
       * holds the submissions, so of a CV's and an interview's evaluation that end at once one comes second, and combines.
       */
      const settle = Effect.fn("EvaluationQueue.settle")(function* (outcomes: ReadonlyArray<EvaluationOutcome>) {
        const due = new Set(yield* repository.settle(outcomes.map(({ job: _, ...settlement }) => settlement)))
        const ended = outcomes.flatMap(({ job, state }) => (state === "done" ? [job.submission_id] : []))
        const combined = yield* combine([...new Set(ended)])
        yield* report([
          ...outcomes.flatMap(({ job, result }) => (due.has(job.id) && result !== null ? [{ ...job, result }] : [])),
          ...combined,
        ])
      }, transaction)

      /** Of one submission the parts are told before the whole. */
      const report = Effect.fn("EvaluationQueue.report")(function* (evaluations: ReadonlyArray<HeldEvaluation>) {
        yield* Effect.forEach(
          Map.groupBy(
            evaluations.toSorted((one, other) => rank(one) - rank(other)),
            ({ organization_id }) => organization_id,
          ),
          ([organization, group]) =>
            Effect.gen(function* () {
              const eventIds = yield* events.publish(
                organization,
                group.map((evaluation) => occurrence(evaluation, evaluation.result)),
              )
              yield* repository.markReported(
                group.flatMap(({ id }, i) => {
                  const event_id = eventIds[i]
                  return event_id === undefined ? [] : [{ id, event_id }]
                }),
              )
            }),
          { discard: true },
        )
      })

      return EvaluationQueue.of({
        queue: {
          table: "evaluation",
          concurrency: 4,
          claim: Effect.fn("EvaluationQueue.claim")(function* (limit) {
            return yield* repository.claim({ limit, lease, claimId: yield* newId(ClaimId) })
          }),
          perform,
          settle,
          release: repository.release,
          startAlone: repository.startAlone,
          abandon: (job) => giveUp(job, abandonedReason),
          settlesByTrace: true,
        },
        sendHeld: Effect.gen(function* () {
          const due = yield* repository.claimHeld(200)
          yield* report(due)
          return due.length
        }).pipe(transaction, Effect.withSpan("EvaluationQueue.sendHeld")),
      })
    }),
  )
}

/** What was asked and said. */
const inputOf = (job: EvaluationJob): EvaluationInput => ({
  interview_title: job.interview_name,
  position: job.position,
  language: job.languages[0] ?? null,
  requirements: job.requirements,
  ...(job.cv_text === null && job.cv_error !== null ? { missing: job.cv_error } : {}),
  sources: [
    ...job.answers.map((answer) => ({
      source: "answer" as const,
      question_id: answer.question_id,
      question: answer.question,
      text: textOf(answer, job.languages),
      ...(answer.file_type === null ? {} : { file: answer.file_type }),
    })),
    ...(job.cv_text === null ? [] : [{ source: "cv" as const, question_id: null, question: null, text: job.cv_text }]),
  ],
})

/** An answer in words: what was written, and the titles of what was chosen. */
const textOf = ({ content, option_ids, options }: AnsweredQuestion, languages: ReadonlyArray<string>): string => {
  const chosen = chosenOptions(options, option_ids).map((option) => optionText(option, languages).title)
  return [content, ...chosen].filter((part) => part?.trim()).join("\n")
}
