/**
 * Members and API keys decide about submissions: advance, hold, reject. A decision sends nothing to the candidate; another one cancels
 * letters about it that have not left (invitations/FollowUps.ts).
 */
import { Context, Data, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { FollowUpRepository } from "../invitations/FollowUpRepository.ts"
import { Database } from "../platform/database/Database.ts"
import { RecordEntries } from "../record/RecordEntries.ts"
import { type Decision, decisionErrors, type SubmissionDecision } from "../submissions/Decision.ts"
import { type DecidableSubmission, SubmissionRepository } from "../submissions/SubmissionRepository.ts"
import { Submissions } from "../submissions/Submissions.ts"
import type { SubmissionId } from "../values/Ids.ts"
import { Conflict, Invalid, NotFound } from "../values/Problem.ts"
import { Events } from "../webhooks/events/Events.ts"
import { type Decider, makeDecisionAuthor } from "./DecisionAuthor.ts"

/** `changes`: the submission's `decision_changes` when the form was rendered. */
export interface Selected {
  readonly submission: SubmissionId
  readonly changes: number
}

export interface Decided {
  /** Null: the decision is cleared. */
  readonly decision: Decision | null
  /** Empty: none. */
  readonly reason: string
  /** The member has seen the warnings of the scores; without it, a score with warnings is neither advanced nor rejected. */
  readonly knowsWarnings?: boolean
  /** The answers are on the page where the member decides; reports of oversight count the other decisions. */
  readonly isBesideAnswers?: boolean
}

/**
 * `changed`: another member decided after the form was rendered; `unchanged`: the submission already has this decision and
 * reason; `nothing`: there is no decision to undo; `warned`: the score has warnings that the member has not confirmed.
 */
export type Refusal = "unknown" | "erased" | "changed" | "unchanged" | "nothing" | "warned"

/** The score has warnings: the member must confirm the decision. Nothing was changed. */
export class DecisionWarned extends Data.TaggedError("DecisionWarned")<{
  /** Sentences. */
  readonly warnings: ReadonlyArray<string>
}> {}

/** The decisions that a score with warnings asks to confirm. */
export const needsConfirmation = (decision: Decision | null | undefined, warnings: ReadonlyArray<unknown>): boolean =>
  warnings.length > 0 && (decision === "advance" || decision === "reject")

export interface DecisionOutcome {
  readonly decided: ReadonlyArray<SubmissionId>
  readonly refused: ReadonlyArray<{
    readonly submission: SubmissionId
    readonly refusal: Refusal
    /** Of a score, for `warned`. */
    readonly warnings?: ReadonlyArray<string>
  }>
}

/** Submissions that can be selected at once: to decide, resend or export. */
export const maxSelected = 200

/** Submissions that can be decided about at once when all that match a search are chosen. */
export const maxMatching = 1000

const refusalOf = (
  found: DecidableSubmission,
  { changes }: Selected,
  next: Pick<SubmissionDecision, "decision" | "reason">,
  knowsWarnings: boolean,
): Refusal | undefined => {
  if (found.is_erased) return "erased"
  if (found.current.decision === next.decision && found.current.reason === next.reason) return "unchanged"
  if (found.changes !== changes) return "changed"
  const isNew = found.current.decision !== next.decision
  return isNew && !knowsWarnings && needsConfirmation(next.decision, found.warnings) ? "warned" : undefined
}

interface Change extends Decided {
  readonly found: DecidableSubmission
  /** What an undo restores. */
  readonly before: SubmissionDecision | null
  /** It restores the decision before. */
  readonly isUndo: boolean
}

const reasonOf = ({ decision, reason }: Decided): string | null => (decision === null ? null : reason.trim() || null)

export const refusalText: Readonly<Record<Refusal, string>> = {
  unknown: "it no longer exists, or you have no access to it",
  erased: "the candidate's personal data was erased",
  changed: "the decision has changed since you opened the page",
  unchanged: "the decision and its reason are unchanged",
  nothing: "there is no decision to undo",
  warned: "its score has warnings: read the answers, then confirm the decision",
}

const refuse = (refusal: Refusal) =>
  refusal === "unknown"
    ? Effect.fail(new NotFound({ record: "submission" }))
    : Effect.fail(new Conflict({ reason: refusalText[refusal] }))

export class Decisions extends Context.Service<Decisions>()("interview-invitations/reviews/Decisions", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const authorOf = yield* makeDecisionAuthor
    const { time, transaction } = yield* Database
    const emailLinks = yield* EmailLinks
    const events = yield* Events
    const followUpRepository = yield* FollowUpRepository
    const recordEntries = yield* RecordEntries
    const submissionRepository = yield* SubmissionRepository
    const submissions = yield* Submissions

    /** Needs a transaction. */
    const store = Effect.fnUntraced(function* (member: Decider, changes: ReadonlyArray<Change>) {
      const decided_at = (yield* time).toISOString()
      const decided_by = yield* authorOf(member)
      const by = { decided_at, decided_by }
      const changed = changes.map((change) => ({ ...change, reason: reasonOf(change), ...by }))
      yield* submissionRepository.decide(
        member.organizationId,
        changed.map(({ found, isBesideAnswers = false, isUndo, ...change }) => ({
          ...change,
          id: found.submission_id,
          isBesideAnswers: isBesideAnswers || isUndo,
        })),
      )
      yield* followUpRepository.cancelLetters(
        member.organizationId,
        changed.map(({ found }) => found.submission_id),
      )
      yield* events.publish(
        member.organizationId,
        changed.map(({ decision, found, reason }) => ({
          subject: found,
          event: {
            event_type: "submission.decision.update",
            interview_name: found.interview_name,
            decision: decision ?? "cleared",
            reason,
            ...by,
            submission_url: emailLinks.submission(found.submission_id),
          },
        })),
      )
      yield* recordEntries.add(
        member.organizationId,
        changed.map(({ decision, found, isUndo, reason }) => ({
          submission: found.submission_id,
          kind: "decision",
          facts: { by: decided_by.id, is_undo: isUndo },
          content: {
            before: { decision: found.current.decision, reason: found.current.reason },
            after: { decision, reason, decided_by },
          },
        })),
      )
      yield* auditLog.noteAll(
        member,
        "submission",
        "decide",
        changed.map(({ decision, found, reason }) => [
          found.submission_id,
          {
            before: { decision: found.current.decision, reason: found.current.reason },
            after: { decision, reason },
          },
        ]),
      )
    })

    /** Needs a transaction. Changes the submissions for which `judge` returns a change; the others do not affect them. */
    const changeAll = Effect.fnUntraced(function* (
      member: Decider,
      selected: ReadonlyArray<Selected>,
      judge: (found: DecidableSubmission | undefined, selected: Selected) => Change | Refusal,
    ) {
      const chosen = new Map(selected.slice(0, maxMatching).map((one) => [one.submission, one]))
      const rows = yield* submissionRepository.lockForDecision(member.organizationId, [...chosen.keys()], member)
      const found = new Map(rows.map((row) => [row.submission_id, row]))
      const judged = [...chosen.values()].map((one) => ({
        submission: one.submission,
        verdict: judge(found.get(one.submission), one),
      }))
      const changes = judged.flatMap(({ verdict }) => (typeof verdict === "string" ? [] : [verdict]))
      if (changes.length > 0) yield* store(member, changes)
      return {
        decided: changes.map((change) => change.found.submission_id),
        refused: judged.flatMap(({ submission, verdict }) =>
          typeof verdict === "string"
            ? [
                {
                  submission,
                  refusal: verdict,
                  ...(verdict === "warned" ? { warnings: found.get(submission)?.warnings ?? [] } : {}),
                },
              ]
            : [],
        ),
      } satisfies DecisionOutcome
    })

    /** Decides about at most `maxMatching` submissions; a refused submission does not affect the others. */
    const decideAll = Effect.fn("Decisions.decideAll")(function* (
      member: Decider,
      selected: ReadonlyArray<Selected>,
      decided: Decided,
    ) {
      const errors = decisionErrors(decided.reason)
      if (errors.length > 0) return yield* new Invalid({ errors })
      const next = { decision: decided.decision, reason: reasonOf(decided) }
      return yield* changeAll(member, selected, (found, one) =>
        found === undefined
          ? "unknown"
          : (refusalOf(found, one, next, decided.knowsWarnings === true) ?? {
              ...decided,
              found,
              before: found.current,
              isUndo: false,
            }),
      )
    }, transaction)

    /** Conflict; DecisionWarned: the score has warnings, and the decision is new. */
    const decide = Effect.fn("Decisions.decide")(function* (
      member: Decider,
      submission: string,
      changes: number,
      decided: Decided,
    ) {
      const id = yield* submissions.require(member, submission)
      const { refused } = yield* decideAll(member, [{ submission: id, changes }], decided)
      for (const { refusal, warnings } of refused)
        yield* refusal === "warned" ? new DecisionWarned({ warnings: warnings ?? [] }) : refuse(refusal)
    })

    /** Restores the decisions before the last ones of at most `maxMatching` submissions. */
    const undoAll = Effect.fn("Decisions.undoAll")(function* (member: Decider, selected: ReadonlyArray<Selected>) {
      return yield* changeAll(member, selected, (found, { changes }) => {
        if (found === undefined) return "unknown"
        if (found.is_erased) return "erased"
        if (found.changes !== changes) return "changed"
        if (found.before === null) return "nothing"
        const { decision, reason } = found.before
        return { found, decision, reason: reason ?? "", before: null, isUndo: true }
      })
    }, transaction)

    /** Conflict: there is no decision to undo, or it was changed since. */
    const undo = Effect.fn("Decisions.undo")(function* (member: Decider, submission: string, changes: number) {
      const id = yield* submissions.require(member, submission)
      const { refused } = yield* undoAll(member, [{ submission: id, changes }])
      for (const { refusal } of refused) yield* refuse(refusal)
    })

    return { decide, decideAll, undo, undoAll }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(Submissions.layer))
}
