/** Owners and admins begin counterfactual audits and read their reports; workers run them (docs/counterfactual-audit.md). */

import { Context, Duration, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import { type Member, memberName } from "../accounts/members/Member.ts"
import { Database } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import * as FailureLog from "../platform/queue/FailureLog.ts"
import { lease } from "../platform/queue/LongRun.ts"
import { makeRunStep } from "../trial-evaluations/EvaluationRun.ts"
import type { SubmissionPosition } from "../trial-evaluations/TrialEvaluationRepository.ts"
import { TrialEvaluations } from "../trial-evaluations/TrialEvaluations.ts"
import { type ClaimId, CounterfactualAuditId, InterviewSetId, parseId, SubmissionId } from "../values/Ids.ts"
import { Conflict, type FieldError, fieldError, Invalid, NotFound } from "../values/Problem.ts"
import { emptyContent, withSubmission } from "./CounterfactualAudit.ts"
import { type ClaimedAudit, CounterfactualAuditRepository, type StoredMove } from "./CounterfactualAuditRepository.ts"
import { type SwapKind, swapKinds, swaps } from "./Swap.ts"
import { SwapEvaluations } from "./SwapEvaluations.ts"

/** Submissions of a sample. */
export const maxSample = 10_000
/** With an evaluator that sends requests to a server, a sample is needed. */
export const maxRequestingSample = 100
export const defaultSample = 20

/** Submissions evaluated at once: as many as there are processes that compute (computation/ChildComputation.ts). */
const concurrency = 2

/** How long a page waits for the reasons of a move. */
const maxExplaining = Duration.seconds(10)

/** As typed. */
export interface AuditRequest {
  readonly set: string
  readonly kinds: ReadonlyArray<string>
  /** Empty: all submissions. */
  readonly sample: string
  /** Of one request to the server, in any currency; empty: not told. */
  readonly price: string
}

/** What an audit would do. */
export interface AuditPlan {
  readonly setId: InterviewSetId
  readonly setTitle: string
  readonly kinds: ReadonlyArray<SwapKind>
  readonly sample: number | null
  readonly submissions: number
  /** Requests to a server; 0: the evaluator needs none. */
  readonly requests: number
  readonly evaluations: number | null
  readonly price: number | null
}

const unknown = new NotFound({ record: "audit" })

const decimal = /^\d{1,6}(?:[.,]\d{1,6})?$/

export class CounterfactualAudits extends Context.Service<CounterfactualAudits>()(
  "interview-invitations/counterfactual/CounterfactualAudits",
  {
    make: Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const { transaction } = yield* Database
      const ids = yield* Ids
      const repository = yield* CounterfactualAuditRepository
      const swapEvaluations = yield* SwapEvaluations
      const trialEvaluations = yield* TrialEvaluations
      const failures = FailureLog.make("counterfactual audits")
      const isRequesting = trialEvaluations.requests > 0
      const largestSample = isRequesting ? maxRequestingSample : maxSample

      /** What an audit can be about. */
      const choices = Effect.fn("CounterfactualAudits.choices")(function* ({ organizationId }: Member) {
        return { sets: yield* repository.sets(organizationId), isRequesting, largestSample }
      })

      const selectionOf = Effect.fnUntraced(function* (member: Member, request: AuditRequest) {
        const sets = yield* repository.sets(member.organizationId)
        const set = sets.find(({ id }) => id === parseId(InterviewSetId, request.set))
        const kinds = swapKinds.filter((kind) => request.kinds.includes(kind))
        const sample = /^\d{1,6}$/.test(request.sample) ? Number(request.sample) : null
        const isSampleWrong =
          sample === null ? request.sample !== "" || isRequesting : sample < 1 || sample > largestSample
        const price = request.price.trim()
        const errors: ReadonlyArray<FieldError> = [
          ...(set === undefined ? [fieldError("#/set", "not_found", "must be one of the list")] : []),
          ...(kinds.length === 0 ? [fieldError("#/kinds", "required", "must be at least one of the list")] : []),
          ...(isSampleWrong
            ? [
                fieldError(
                  "#/sample",
                  "out_of_range",
                  `must be a whole number from 1 to ${largestSample.toLocaleString("en")}`,
                ),
              ]
            : []),
          ...(price !== "" && !decimal.test(price)
            ? [fieldError("#/price", "wrong_type", "must be a number such as 0.002")]
            : []),
        ]
        if (set === undefined || errors.length > 0) return yield* new Invalid({ errors })
        return { set, kinds, sample, price: price === "" ? null : Number(price.replace(",", ".")) }
      })

      /** Counts the requests of a sample by its texts. */
      const evaluationsOf = Effect.fnUntraced(function* (
        member: Member,
        set: InterviewSetId,
        kinds: ReadonlyArray<SwapKind>,
        sample: number,
      ) {
        let evaluations = 0
        let after: SubmissionPosition | undefined
        do {
          const { next, submissions } = yield* trialEvaluations.read(member.organizationId, set, {
            texts: "current",
            sample,
            after,
          })
          for (const submission of submissions)
            evaluations += yield* swapEvaluations.countEvaluations(submission, kinds)
          after = next
        } while (after !== undefined)
        return evaluations
      })

      /** Fails with Invalid. */
      const plan = Effect.fn("CounterfactualAudits.plan")(function* (member: Member, request: AuditRequest) {
        const { kinds, price, sample, set } = yield* selectionOf(member, request)
        const evaluations = isRequesting && sample !== null ? yield* evaluationsOf(member, set.id, kinds, sample) : null
        return {
          setId: set.id,
          setTitle: set.title,
          kinds,
          sample,
          submissions: Math.min(sample ?? set.submissions, set.submissions),
          evaluations,
          requests: (evaluations ?? 0) * trialEvaluations.requests,
          price,
        } satisfies AuditPlan
      })

      /** Fails with Invalid, and with Conflict while another audit of the organization is running. */
      const begin = Effect.fn("CounterfactualAudits.begin")(function* (member: Member, request: AuditRequest) {
        const { kinds, sample, set } = yield* selectionOf(member, request)
        const id = yield* ids.make(CounterfactualAuditId)
        const isBegun = yield* repository.insert(member.organizationId, {
          id,
          set: set.id,
          kinds,
          sample,
          submissions: Math.min(sample ?? set.submissions, set.submissions),
          names: { set: set.title, member: memberName(member) },
          content: emptyContent(kinds),
        })
        if (!isBegun) return yield* new Conflict({ reason: "another audit is running: wait for its end, or cancel it" })
        yield* auditLog.note(member, "organization", "begin_counterfactual_audit", String(member.organizationId), {
          set: set.title,
          kinds,
          sample: sample ?? "all",
        })
        return id
      }, transaction)

      const list = ({ organizationId }: Member) => repository.list(organizationId)

      const find = Effect.fn("CounterfactualAudits.find")(function* ({ organizationId }: Member, text: string) {
        const id = parseId(CounterfactualAuditId, text)
        const audit = id === undefined ? undefined : yield* repository.find(organizationId, id)
        return audit ?? (yield* unknown)
      })

      const read = Effect.fn("CounterfactualAudits.read")(function* (member: Member, text: string) {
        const audit = yield* find(member, text)
        return { audit, moves: yield* repository.moves(member.organizationId, audit.id) }
      })

      const cancel = Effect.fn("CounterfactualAudits.cancel")(function* (member: Member, text: string) {
        const { id } = yield* find(member, text)
        yield* repository.cancel(member.organizationId, id)
      })

      const remove = Effect.fn("CounterfactualAudits.remove")(function* (member: Member, text: string) {
        const { id, made_at, names } = yield* find(member, text)
        yield* repository.remove(member.organizationId, id)
        yield* auditLog.note(member, "organization", "delete_counterfactual_audit", String(member.organizationId), {
          set: names.set,
          made_at: made_at.toISOString(),
        })
      }, transaction)

      /** What a swap moved in one submission, and why, computed again because no text is stored. */
      const explain = Effect.fn("CounterfactualAudits.explain")(function* (
        member: Member,
        text: string,
        { submission, swap }: { readonly submission: string; readonly swap: string },
      ) {
        const audit = yield* find(member, text)
        const id = parseId(SubmissionId, submission)
        if (id === undefined || !swaps.some((one) => one.id === swap)) return yield* unknown
        const moves = yield* repository.movesOf(member.organizationId, audit.id, { submission: id, swap })
        if (moves.length === 0) return yield* unknown
        const [found] = yield* trialEvaluations.find(member.organizationId, audit.set, [id], "current")
        const reasons =
          found === undefined
            ? undefined
            : yield* swapEvaluations.explain(found, swap).pipe(
                Effect.timeoutOrElse({ duration: maxExplaining, orElse: () => Effect.succeed(undefined) }),
                Effect.catchTag(["NotComputable", "EvaluatorUnavailable"], () => Effect.succeed(undefined)),
              )
        return { audit, submission: id, swap, moves, reasons }
      })

      /** Evaluates the next batch; returns the audit to go on with; undefined: it has ended, or is no longer this process's. */
      const batch = Effect.fnUntraced(function* (
        audit: ClaimedAudit,
        claim: ClaimId,
        after: SubmissionPosition | undefined,
      ) {
        const { next, submissions } = yield* trialEvaluations.read(audit.organization_id, audit.set, {
          texts: "current",
          sample: audit.sample ?? undefined,
          after,
        })
        const outcomes = yield* Effect.forEach(
          submissions,
          (submission) => swapEvaluations.audit(submission, audit.kinds),
          { concurrency },
        )
        const content = outcomes.reduce(withSubmission, audit.content)
        const computed = outcomes.filter((one) => one !== undefined)
        const evaluator = audit.evaluator ?? computed.find((one) => one.evaluator !== null)?.evaluator ?? null
        const moves = computed.flatMap(({ submission_id, swaps: tried }) =>
          tried.flatMap(({ moves: own, swap }) => own.map((move): StoredMove => ({ ...move, swap, submission_id }))),
        )
        const isSaved = yield* repository.save(
          audit.organization_id,
          audit.id,
          claim,
          { content, evaluator, moves, next },
          lease,
        )
        return isSaved && next !== undefined ? { run: { ...audit, content, evaluator }, after: next } : undefined
      })

      const runStep = yield* makeRunStep({ name: "audit", repository, batch, failures })

      /** Works on an audit for some time. Returns 0 when there is none. */
      const step = Effect.withSpan(runStep, "CounterfactualAudits.step")

      return { choices, plan, begin, list, find, read, cancel, remove, explain, step }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}

export type AuditChoices = Effect.Success<ReturnType<CounterfactualAudits["Service"]["choices"]>>
export type ExplainedMove = Effect.Success<ReturnType<CounterfactualAudits["Service"]["explain"]>>
