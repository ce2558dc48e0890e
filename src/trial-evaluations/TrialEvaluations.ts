/**
 * Evaluates stored submissions with other requirements, weights, texts or evaluators, and stores nothing.
 *
 * `submissions` reads those of a set in batches; `evaluate` computes the result of one. Both are used by the page "What
 * would change?", by `evaluation compare`, and by audits that change the texts.
 */
import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import { Computation, ComputationFailed } from "../evaluations/computation/Computation.ts"
import { inputOf } from "../evaluations/EvaluatedTexts.ts"
import {
  type EvaluationRequirement,
  type EvaluationResult,
  isReadable,
  notScored,
  unreadable,
} from "../evaluations/Evaluation.ts"
import { Evaluator } from "../evaluations/Evaluator.ts"
import type { InterviewSetId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import {
  type EvaluatedPart,
  type EvaluatedSubmission,
  haveSameTexts,
  resultOf,
  reweighed,
  type TrialInput,
} from "./TrialEvaluation.ts"
import { type EvaluatedRow, type SubmissionPosition, TrialEvaluationRepository } from "./TrialEvaluationRepository.ts"

/** The evaluation can not be computed: its texts were deleted, or the computation failed. `reason` is a sentence. */
export class NotComputable extends Schema.TaggedError<NotComputable>()("NotComputable", {
  reason: Schema.String,
}) {
  override get message() {
    return this.reason
  }
}

export interface SubmissionSelection {
  /**
   * `stored`: the redacted input of each evaluation, else the current texts. `current`: the unredacted texts of now, with
   * the person, so that names can be changed too; they are redacted before they are evaluated.
   */
  readonly texts?: "stored" | "current"
  /** So many submissions, the same ones each time; without it, all. */
  readonly sample?: number | undefined
  readonly after?: SubmissionPosition | undefined
}

/** What differs from the stored evaluation. */
export interface TrialPlan {
  /** In place of those that were evaluated. Ids pair them with the stored ones. */
  readonly requirements?: ReadonlyArray<EvaluationRequirement> | undefined
  /** In place of the organization's. */
  readonly evaluator?: Evaluator["Service"] | undefined
  /** Changes the texts, and the person of unredacted ones, before they are redacted and evaluated. */
  readonly change?: ((input: TrialInput) => TrialInput) | undefined
}

export interface TrialPart {
  readonly evaluation_type: EvaluatedPart["evaluation_type"]
  /** Name and version; null if no evaluator was asked. */
  readonly evaluator: string | null
  readonly result: EvaluationResult
}

export interface TrialEvaluation {
  readonly parts: ReadonlyArray<TrialPart>
  /** Of all parts: what the submission's score would be. */
  readonly result: EvaluationResult
}

/** Submissions read at once: bounds the memory, because one has up to 20 MB of texts. */
const batch = 20

/** Submissions that `find` reads at once. */
export const maxFound = 25

const partsOf = ({ parts }: EvaluatedRow, isCurrent: boolean): ReadonlyArray<EvaluatedPart> =>
  parts.map(({ input, texts, ...part }) => {
    const isStored = input !== null && !(isCurrent && texts !== null)
    if (isStored) return { ...part, input, person: null }
    if (texts !== null) return { ...part, input: inputOf(texts), person: texts.person }
    return {
      ...part,
      input: { interview_title: "", position: null, language: null, requirements: [], sources: [] },
      person: null,
    }
  })

const submissionOf = (row: EvaluatedRow, isCurrent: boolean): EvaluatedSubmission => ({
  submission_id: row.submission_id,
  has_override: row.has_override,
  parts: partsOf(row, isCurrent),
})

const deleted = new NotComputable({ reason: "The candidate's texts were deleted." })
const none = new NotComputable({ reason: "There is no evaluation." })

export class TrialEvaluations extends Context.Service<TrialEvaluations>()(
  "interview-invitations/trial-evaluations/TrialEvaluations",
  {
    make: Effect.gen(function* () {
      const { run } = yield* Computation
      const configured = yield* Evaluator
      const repository = yield* TrialEvaluationRepository

      /** The next submissions with an evaluation, oldest first, and where to read on; undefined: these are the last ones. */
      const read = Effect.fn("TrialEvaluations.read")(function* (
        organization: OrganizationId,
        set: InterviewSetId,
        { after, sample, texts = "stored" }: SubmissionSelection = {},
      ) {
        const isCurrent = texts === "current"
        const only = sample === undefined ? undefined : yield* repository.sample(organization, set, sample)
        const rows = yield* repository.evaluated(organization, set, { after, limit: batch, isCurrent, only })
        const last = rows.length < batch ? undefined : rows.at(-1)
        return {
          submissions: rows.map((row) => submissionOf(row, isCurrent)),
          next: last === undefined ? undefined : { created: last.created, id: last.submission_id },
        }
      })

      /** All submissions of the set with an evaluation, oldest first, a batch at a time. */
      const submissions = (organization: OrganizationId, set: InterviewSetId, selection: SubmissionSelection = {}) =>
        Stream.paginate(selection.after, (after: SubmissionPosition | undefined) =>
          Effect.map(read(organization, set, { ...selection, after }), ({ next, submissions: found }) => [
            found,
            next === undefined ? Option.none() : Option.some<SubmissionPosition | undefined>(next),
          ]),
        )

      const evaluatePart = Effect.fnUntraced(function* (
        { evaluation_type, evaluator: stored, input, person, result }: EvaluatedPart,
        { change, evaluator = configured, requirements = input.requirements }: TrialPlan,
        isAsked: boolean,
      ) {
        if (!isAsked && haveSameTexts(requirements, input.requirements))
          return { evaluation_type, evaluator: stored, result: reweighed(result, requirements) }
        if (input.sources.length === 0 && result.score_status === "scored") return yield* deleted
        const whole: TrialInput = { input: { ...input, requirements }, person }
        const own = change === undefined ? whole : change(whole)
        const redacted =
          own.person === null
            ? { input: own.input, isReadable: isReadable(own.input.sources) }
            : yield* run("redact", { input: own.input, person: own.person })
        if (requirements.length === 0) return { evaluation_type, evaluator: null, result: notScored(redacted.input) }
        if (!redacted.isReadable) return { evaluation_type, evaluator: null, result: unreadable(redacted.input) }
        const output = yield* evaluator.evaluate(redacted.input).pipe(
          // KeywordEvaluator dies with ComputationFailed
          Effect.catchDefect((defect) =>
            defect instanceof ComputationFailed ? Effect.fail(defect) : Effect.die(defect),
          ),
        )
        const concluded = yield* run("conclude", { input: own.input, redacted: redacted.input, output })
        return { evaluation_type, evaluator: concluded.evaluator, result: concluded.result }
      })

      /**
       * The result of a submission under the plan. If the plan changes no more than the importance of requirements, the
       * ratings are those of the stored evaluation, and the evaluator is not asked. A plan with `change` or `evaluator`
       * always asks it. NotComputable: the texts were deleted, or rating them takes too much memory or time.
       * EvaluatorUnavailable: as the evaluator says.
       */
      const evaluate = Effect.fn("TrialEvaluations.evaluate")(function* (
        { parts }: EvaluatedSubmission,
        plan: TrialPlan,
      ) {
        const isAsked = plan.change !== undefined || plan.evaluator !== undefined
        const tried: ReadonlyArray<TrialPart> = yield* Effect.forEach(parts, (part) =>
          evaluatePart(part, plan, isAsked),
        ).pipe(Effect.catchTag("ComputationFailed", ({ reason }) => new NotComputable({ reason })))
        return { parts: tried, result: resultOf(tried) ?? (yield* none) } satisfies TrialEvaluation
      })

      /** Some submissions of the set, at most `maxFound`. */
      const find = Effect.fn("TrialEvaluations.find")(function* (
        organization: OrganizationId,
        set: InterviewSetId,
        only: ReadonlyArray<SubmissionId>,
        texts: SubmissionSelection["texts"] = "stored",
      ) {
        const isCurrent = texts === "current"
        const page = { after: undefined, limit: maxFound, isCurrent, only }
        return (yield* repository.evaluated(organization, set, page)).map((row) => submissionOf(row, isCurrent))
      })

      /** About how many requests to a server the evaluator would send; 0 for one without a server. */
      const requestsFor = Effect.fn("TrialEvaluations.requestsFor")(function* (
        organization: OrganizationId,
        set: InterviewSetId,
        sample: number | undefined,
        { requests = 0 }: Evaluator["Service"] = configured,
      ) {
        if (requests === 0) return 0
        const only = sample === undefined ? undefined : yield* repository.sample(organization, set, sample)
        return requests * (yield* repository.countParts(organization, set, only))
      })

      return {
        read,
        submissions,
        find,
        evaluate,
        requestsFor,
        count: repository.count,
        requests: configured.requests ?? 0,
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
