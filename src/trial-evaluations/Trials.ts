/** Runs trials in the background, and adopts their requirements (docs/evaluation.md#what-would-change). */

import { Context, Duration, Effect, Layer, Option, Ref, Stream } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import type { Member } from "../accounts/members/Member.ts"
import { seesAllScores } from "../accounts/Viewer.ts"
import type { EvaluationRequirement } from "../evaluations/Evaluation.ts"
import type { InterviewSet, Requirement } from "../interview-sets/InterviewSet.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import { Notices } from "../notices/Notices.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import * as FailureLog from "../platform/queue/FailureLog.ts"
import { lease } from "../platform/queue/LongRun.ts"
import { type ClaimId, type InterviewSetId, type MemberId, parseId, type SubmissionId, TrialId } from "../values/Ids.ts"
import { Conflict, NotFound } from "../values/Problem.ts"
import { makeRunStep } from "./EvaluationRun.ts"
import { defaultSample, maxSample, notComputed, outcomeOf } from "./Trial.ts"
import {
  changeOf,
  type Direction,
  type EvaluatedSubmission,
  type EvaluationChange,
  haveSameTexts,
  resultOf,
} from "./TrialEvaluation.ts"
import type { SubmissionPosition } from "./TrialEvaluationRepository.ts"
import { maxFound, TrialEvaluations } from "./TrialEvaluations.ts"
import { type ClaimedTrial, TrialRepository } from "./TrialRepository.ts"

/** Submissions evaluated at once: as many as there are processes that compute (computation/ChildComputation.ts). */
const concurrency = 2

/** How long a page waits for the reasons of its rows. */
const maxReasonTime = Duration.seconds(4)

export interface TrialRequest {
  readonly requirements: ReadonlyArray<Requirement>
  /** Submissions to evaluate; counts only if the evaluator sends requests to a server for changed texts. */
  readonly sample: number
}

export interface OutcomePage {
  readonly direction: Direction | undefined
  /** A requirement's id. */
  readonly criterion: string | undefined
  /** From 1. */
  readonly page: number
}

export const outcomesPerPage = maxFound

const exportPage = 5_000

/** Of a member who sees a score after a review of it; undefined: the member sees all. */
const reviewerOf = (member: Member): MemberId | undefined => (seesAllScores(member) ? undefined : member.id)

const unknown = new NotFound({ record: "trial" })

export const evaluated = (requirements: ReadonlyArray<Requirement>): ReadonlyArray<EvaluationRequirement> =>
  requirements.map(({ cfg_importance_id, content, hint, id, title }) => ({
    id,
    title,
    content,
    hint,
    cfg_importance_id,
  }))

export class Trials extends Context.Service<Trials>()("interview-invitations/trial-evaluations/Trials", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const ids = yield* Ids
    const interviewSets = yield* InterviewSets
    const notices = yield* Notices
    const repository = yield* TrialRepository
    const trialEvaluations = yield* TrialEvaluations
    const failures = FailureLog.make("trial evaluations")

    /** The sample, and the requests that a trial would send. */
    const planOf = Effect.fnUntraced(function* (
      member: Member,
      set: InterviewSet,
      { requirements, sample }: TrialRequest,
    ) {
      const isAsked = !haveSameTexts(evaluated(requirements), evaluated(set.iai_requirements))
      const size =
        isAsked && trialEvaluations.requests > 0 ? Math.min(Math.max(1, Math.trunc(sample)), maxSample) : undefined
      const submissions = yield* trialEvaluations.count(member.organizationId, set.id)
      return {
        sample: size ?? null,
        submissions: Math.min(size ?? submissions, submissions),
        requests: isAsked ? yield* trialEvaluations.requestsFor(member.organizationId, set.id, size) : 0,
      }
    })

    /** What a trial of the requirements would do. */
    const plan = Effect.fn("Trials.plan")(function* (member: Member, text: string, request: TrialRequest) {
      const { set } = yield* interviewSets.read(member, text)
      return yield* planOf(member, set, request)
    })

    /** Conflict: there is nothing to evaluate, or another trial of the set is running. */
    const begin = Effect.fn("Trials.begin")(function* (member: Member, text: string, request: TrialRequest) {
      const { set } = yield* interviewSets.read(member, text)
      const { sample, submissions } = yield* planOf(member, set, request)
      if (submissions === 0) return yield* new Conflict({ reason: "no candidate of this set has a score yet" })
      const id = yield* ids.make(TrialId)
      const { requirements } = request
      const trial = { id, set: set.id, member: member.id, requirements, sample, submissions }
      if (!(yield* repository.insert(member.organizationId, trial)))
        return yield* new Conflict({ reason: "a trial of this set is running: wait for its end, or cancel it" })
      return id
    }, transaction)

    const find = Effect.fn("Trials.find")(function* (member: Member, text: string, trial: string) {
      const record = yield* interviewSets.read(member, text)
      const id = parseId(TrialId, trial)
      const found = id === undefined ? undefined : yield* repository.find(member.organizationId, record.set.id, id)
      return { ...record, trial: found ?? (yield* unknown) }
    })

    /** Submissions of the set with an evaluation. */
    const count = ({ organizationId }: Member, set: InterviewSetId) => trialEvaluations.count(organizationId, set)

    const list = Effect.fn("Trials.list")(function* (member: Member, text: string) {
      const { set } = yield* interviewSets.read(member, text)
      return yield* repository.list(member.organizationId, set.id)
    })

    const cancel = Effect.fn("Trials.cancel")(function* (member: Member, text: string, id: string) {
      const { set, trial } = yield* find(member, text, id)
      yield* repository.cancel(member.organizationId, set.id, trial.id)
    })

    const remove = Effect.fn("Trials.remove")(function* (member: Member, text: string, id: string) {
      const { set, trial } = yield* find(member, text, id)
      yield* repository.remove(member.organizationId, set.id, trial.id)
    })

    const figures = (member: Member, id: TrialId) => repository.figures(member.organizationId, id)

    const outcomes = (member: Member, id: TrialId, { page, ...filter }: OutcomePage) =>
      repository.outcomes(member.organizationId, id, {
        ...filter,
        reviewer: reviewerOf(member),
        offset: (page - 1) * outcomesPerPage,
        // one more says that there is another page
        limit: outcomesPerPage + 1,
      })

    /** All outcomes, the greatest changes first. */
    const allOutcomes = (member: Member, id: TrialId) =>
      Stream.paginate(0, (offset: number) =>
        Effect.map(
          repository.outcomes(member.organizationId, id, {
            direction: undefined,
            criterion: undefined,
            reviewer: reviewerOf(member),
            offset,
            limit: exportPage,
          }),
          (found) => [found, found.length < exportPage ? Option.none() : Option.some(offset + exportPage)],
        ),
      )

    /**
     * Why the scores of some submissions differ, computed again, because no quote is stored. Leaves out those that are not
     * computed in time, and all where that would send requests to a server.
     */
    const reasons = Effect.fn("Trials.reasons")(function* (
      { organizationId }: Member,
      set: InterviewSet,
      requirements: ReadonlyArray<Requirement>,
      submissions: ReadonlyArray<SubmissionId>,
    ) {
      const tried = evaluated(requirements)
      const none: ReadonlyMap<SubmissionId, EvaluationChange> = new Map()
      if (submissions.length === 0) return none
      if (trialEvaluations.requests > 0 && !haveSameTexts(tried, evaluated(set.iai_requirements))) return none
      const found = yield* trialEvaluations.find(organizationId, set.id, submissions)
      const known = yield* Ref.make(none)
      yield* Effect.forEach(
        found,
        (submission) =>
          trialEvaluations.evaluate(submission, { requirements: tried }).pipe(
            Effect.flatMap(({ result }) => {
              const before = resultOf(submission.parts)
              return before === undefined
                ? Effect.void
                : Ref.update(known, (all) => new Map([...all, [submission.submission_id, changeOf(before, result)]]))
            }),
            Effect.ignore,
          ),
        { concurrency, discard: true },
      ).pipe(Effect.timeoutOption(maxReasonTime))
      return yield* Ref.get(known)
    })

    /**
     * Makes a copy of the set with the requirements of a trial: those of the set are fixed, so that all its candidates are
     * rated alike. `copy`: its id, so that a form sent twice makes one. Conflict: the trial has not ended.
     */
    const adopt = Effect.fn("Trials.adopt")(function* (member: Member, text: string, id: string, copy: InterviewSetId) {
      const { set, trial } = yield* find(member, text, id)
      if (trial.adopted_set !== null) return trial.adopted_set
      if (trial.state !== "done") return yield* new Conflict({ reason: "the trial has not ended" })
      const { counts } = yield* repository.figures(member.organizationId, trial.id)
      const made = yield* interviewSets.duplicate(member, set.id, copy, trial.requirements)
      yield* notices.followCopy(member, set.id, made)
      yield* repository.adopt(member.organizationId, set.id, trial.id, made)
      const countOf = (direction: Direction) => counts.find((one) => one.direction === direction)?.count ?? 0
      yield* auditLog.note(member, "interview_set", "adopt_trial", made, {
        from: set.id,
        title: set.title,
        requirements: trial.requirements.length,
        submissions: trial.evaluated,
        up: countOf("up"),
        down: countOf("down"),
        unchanged: countOf("unchanged"),
        not_comparable: countOf("not_comparable"),
      })
      return made
    }, transaction)

    const evaluateOne = Effect.fnUntraced(function* (
      submission: EvaluatedSubmission,
      requirements: ReadonlyArray<EvaluationRequirement>,
    ) {
      return yield* trialEvaluations.evaluate(submission, { requirements }).pipe(
        Effect.map(({ parts }) => outcomeOf(submission, parts)),
        Effect.catchTag("NotComputable", ({ reason }) => Effect.succeed(notComputed(submission, reason))),
      )
    })

    /** Evaluates the next batch; returns where to go on; undefined: the trial has ended, or is no longer this process's. */
    const batch = Effect.fnUntraced(function* (
      run: ClaimedTrial,
      claim: ClaimId,
      after: SubmissionPosition | undefined,
    ) {
      const { id, organization_id, requirements, sample, set } = run
      const { next, submissions } = yield* trialEvaluations.read(organization_id, set, {
        after,
        sample: sample ?? undefined,
      })
      const tried = evaluated(requirements)
      const made = yield* Effect.forEach(submissions, (submission) => evaluateOne(submission, tried), {
        concurrency,
      })
      const isSaved = yield* repository.save(id, claim, made, next, lease)
      return isSaved && next !== undefined ? { run, after: next } : undefined
    })

    const runStep = yield* makeRunStep({ name: "trial", repository, batch, failures })

    /** Works on a trial for some time. Returns 0 when there is none. */
    const step = Effect.withSpan(runStep, "Trials.step")

    /** Deletes old trials. */
    const forget = Effect.withSpan(repository.forget(), "Trials.forget")

    return {
      defaultSample,
      requests: trialEvaluations.requests,
      count,
      plan,
      begin,
      find,
      list,
      cancel,
      remove,
      figures,
      outcomes,
      allOutcomes,
      reasons,
      adopt,
      step,
      forget,
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
