/** Members and API keys move candidates between the columns of the board. A move sends nothing to the candidate. */
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../accounts/AuditLog.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { Database } from "../platform/database/Database.ts"
import type { Decision } from "../submissions/Decision.ts"
import type { BoardColumn, HiringStage, HiringStageRef } from "../submissions/HiringStage.ts"
import { HiringStageRepository } from "../submissions/HiringStageRepository.ts"
import { type DecidableSubmission, SubmissionRepository } from "../submissions/SubmissionRepository.ts"
import { Submissions } from "../submissions/Submissions.ts"
import type { HiringStageId, SubmissionId } from "../values/Ids.ts"
import { Conflict, NotFound } from "../values/Problem.ts"
import { Events } from "../webhooks/events/Events.ts"
import { type Decider, makeDecisionAuthor } from "./DecisionAuthor.ts"
import { type Decided, Decisions, DecisionWarned, maxSelected, needsConfirmation, refusalText } from "./Decisions.ts"

/** What the page showed: the submission's `stage_changes` and `decision_changes`. */
export interface SeenSubmission {
  readonly submission: SubmissionId
  readonly changes: number
  readonly decisionChanges: number
}

/** Equals no stored version, so what was sent with it is treated as outdated. */
export const noVersion = -1

/** A stage, a column without a stage, a rejection, which leaves the stage, or out of the stages, which leaves the decision. */
export type MoveTarget =
  | { readonly _tag: "None" }
  | { readonly _tag: "Stage"; readonly id: HiringStageId }
  | { readonly _tag: "Column"; readonly column: BoardColumn }
  | { readonly _tag: "Reject"; readonly reason: string }

export type MoveRefusal = "unknown" | "erased" | "changed" | "unchanged" | "not_its_column" | "warned"

/** What an undo needs. */
export interface Moved {
  readonly submission: SubmissionId
  /** After the move. */
  readonly changes: number
  readonly from: HiringStageRef | null
  /** `decision_changes` after the move; undefined: the move changed no decision. */
  readonly decisionChanges: number | undefined
}

export interface MoveOutcome {
  readonly moved: ReadonlyArray<Moved>
  readonly refused: ReadonlyArray<{
    readonly submission: SubmissionId
    readonly refusal: MoveRefusal
    /** Of a score, for `warned`. */
    readonly warnings?: ReadonlyArray<string>
  }>
}

export const moveRefusalText: Readonly<Record<MoveRefusal, string>> = {
  unknown: "it no longer exists, or you have no access to it",
  erased: "the candidate's personal data was erased",
  changed: "another member has moved the candidate or decided since you opened the page",
  unchanged: "the candidate is there already",
  not_its_column:
    "that column follows from what the candidate has done, so a candidate cannot be moved to it: choose a stage",
  warned: refusalText.warned,
}

const archived = new Conflict({ reason: "the stage was archived since you opened the page: choose another one" })

const notTheirs = new Conflict({ reason: "it has candidates whom you may not move: ask an owner or admin" })

const refuse = (refusal: MoveRefusal) =>
  refusal === "unknown"
    ? Effect.fail(new NotFound({ record: "submission" }))
    : Effect.fail(new Conflict({ reason: moveRefusalText[refusal] }))

/** Where a submission goes. `decision` undefined: it stays. */
interface Plan {
  readonly stage: HiringStage | null
  readonly decision: Decision | null | undefined
}

const planOf = (
  target: MoveTarget,
  stage: HiringStage | undefined,
  { current, home, stage: now }: DecidableSubmission,
): Plan | "not_its_column" => {
  switch (target._tag) {
    case "Stage": {
      const decision = stage?.decision ?? (current.decision === "reject" ? null : undefined)
      return { stage: stage ?? null, decision: decision === current.decision ? undefined : decision }
    }
    case "None":
      return { stage: null, decision: undefined }
    case "Column": {
      if (target.column === "advanced") {
        if (home !== "to_review") return "not_its_column"
        return { stage: null, decision: current.decision === "advance" ? undefined : "advance" }
      }
      if (target.column !== home) return "not_its_column"
      return { stage: null, decision: current.decision === "hold" || current.decision === null ? undefined : null }
    }
    case "Reject":
      return {
        stage: now === null ? null : { ...now, decision: null },
        decision: current.decision === "reject" ? undefined : "reject",
      }
  }
}

export class StageMoves extends Context.Service<StageMoves>()("interview-invitations/reviews/StageMoves", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const authorOf = yield* makeDecisionAuthor
    const { time, transaction } = yield* Database
    const decisions = yield* Decisions
    const emailLinks = yield* EmailLinks
    const events = yield* Events
    const hiringStageRepository = yield* HiringStageRepository
    const submissionRepository = yield* SubmissionRepository
    const submissions = yield* Submissions

    /** Needs a transaction. */
    const store = Effect.fnUntraced(function* (
      member: Decider,
      moves: ReadonlyArray<{ readonly found: DecidableSubmission; readonly stage: HiringStageRef | null }>,
    ) {
      const changed = moves.filter(({ found, stage }) => found.stage?.id !== stage?.id)
      if (changed.length === 0) return
      const moved_at = (yield* time).toISOString()
      const moved_by = yield* authorOf(member)
      yield* submissionRepository.moveToStages(
        member.organizationId,
        changed.map(({ found, stage }) => ({ id: found.submission_id, stage: stage?.id ?? null })),
      )
      yield* events.publish(
        member.organizationId,
        changed.map(({ found, stage }) => ({
          subject: found,
          event: {
            event_type: "submission.stage.update",
            interview_name: found.interview_name,
            change: stage === null ? "left" : "moved",
            stage: stage === null ? null : { id: stage.id, name: stage.name },
            previous_stage: found.stage,
            moved_by,
            moved_at,
            submission_url: emailLinks.submission(found.submission_id),
          },
        })),
      )
      yield* auditLog.noteAll(
        member,
        "submission",
        "move",
        changed.map(({ found, stage }) => [
          found.submission_id,
          { before: { stage: found.stage?.name ?? null }, after: { stage: stage?.name ?? null } },
        ]),
      )
    })

    const lock = (member: Decider, ids: ReadonlyArray<SubmissionId>) =>
      submissionRepository.lockForDecision(member.organizationId, ids, member)

    /** Makes the decisions of moves that change it. Needs a transaction, which has locked the submissions. */
    const decide = Effect.fnUntraced(function* (
      member: Decider,
      planned: ReadonlyArray<Plan & { readonly found: DecidableSubmission }>,
      { isBesideAnswers, reason }: Pick<Decided, "isBesideAnswers" | "reason">,
    ) {
      for (const decision of ["advance", "hold", "reject", null] as const) {
        const all = planned.filter((one) => one.decision === decision)
        if (all.length === 0) continue
        yield* decisions.decideAll(
          member,
          all.map(({ found }) => ({ submission: found.submission_id, changes: found.changes })),
          // `moveAll` has asked
          {
            decision,
            reason: decision === "reject" ? reason : "",
            knowsWarnings: true,
            isBesideAnswers: isBesideAnswers === true,
          },
        )
      }
    })

    /**
     * Moves at most `maxSelected` submissions; a refused one does not affect the others. A stage with a decision makes it; a
     * move of a rejected candidate clears the rejection. Without `knowsWarnings`, a move that advances or rejects a candidate
     * whose score has warnings is refused. Conflict: the stage was archived. Invalid: the reason is too long.
     */
    const moveAll = Effect.fn("StageMoves.moveAll")(function* (
      member: Decider,
      selected: ReadonlyArray<SeenSubmission>,
      target: MoveTarget,
      { isBesideAnswers = false, knowsWarnings = false }: Pick<Decided, "isBesideAnswers" | "knowsWarnings"> = {},
    ) {
      const stage =
        target._tag === "Stage"
          ? yield* hiringStageRepository.find(member.organizationId, target.id, { hold: true })
          : undefined
      if (target._tag === "Stage" && stage === undefined) return yield* archived
      const of = [...new Map(selected.map((one) => [one.submission, one])).values()].slice(0, maxSelected)
      const rows = yield* lock(
        member,
        of.map(({ submission }) => submission),
      )
      const judged = of.map((seen) => {
        const { submission } = seen
        const found = rows.find(({ submission_id }) => submission_id === submission)
        const refused = (refusal: MoveRefusal, warnings?: ReadonlyArray<string>) => ({
          submission,
          refusal,
          ...(warnings === undefined ? {} : { warnings }),
        })
        if (found === undefined) return refused("unknown")
        if (found.is_erased) return refused("erased")
        const plan = planOf(target, stage, found)
        if (plan === "not_its_column") return refused(plan)
        const isMoved = plan.stage?.id !== found.stage?.id
        if (!isMoved && plan.decision === undefined) return refused("unchanged")
        if (found.stage_changes !== seen.changes || found.changes !== seen.decisionChanges) return refused("changed")
        if (!knowsWarnings && needsConfirmation(plan.decision, found.warnings)) return refused("warned", found.warnings)
        return { submission, found, ...plan, isMoved }
      })
      const planned = judged.flatMap((one) => ("found" in one ? [one] : []))
      yield* store(member, planned)
      yield* decide(member, planned, { reason: target._tag === "Reject" ? target.reason : "", isBesideAnswers })
      return {
        moved: planned.map(({ decision, found, isMoved }) => ({
          submission: found.submission_id,
          changes: found.stage_changes + (isMoved ? 1 : 0),
          from: found.stage,
          decisionChanges: decision === undefined ? undefined : found.changes + 1,
        })),
        refused: judged.flatMap((one) => ("refusal" in one ? [one] : [])),
      } satisfies MoveOutcome
    }, transaction)

    const move = Effect.fn("StageMoves.move")(function* (
      member: Decider,
      submission: string,
      seen: Omit<SeenSubmission, "submission">,
      target: MoveTarget,
      given: Pick<Decided, "isBesideAnswers" | "knowsWarnings"> = {},
    ) {
      const id = yield* submissions.require(member, submission)
      const { moved, refused } = yield* moveAll(member, [{ ...seen, submission: id }], target, given)
      for (const { refusal, warnings } of refused)
        yield* refusal === "warned" ? new DecisionWarned({ warnings: warnings ?? [] }) : refuse(refusal)
      return yield* Effect.orDie(Effect.fromNullishOr(moved[0]))
    })

    /** Moves back to the stage `from`, and restores the decision if the move changed it. */
    const undo = Effect.fn("StageMoves.undo")(function* (
      member: Decider,
      submission: string,
      { changes, decisionChanges, from }: Omit<Moved, "submission" | "from"> & { readonly from: HiringStageId | null },
    ) {
      const id = yield* submissions.require(member, submission)
      const stage =
        from === null ? null : yield* hiringStageRepository.find(member.organizationId, from, { hold: true })
      if (stage === undefined) return yield* archived
      const [found] = yield* lock(member, [id])
      if (found === undefined) return yield* refuse("unknown")
      if (found.is_erased) return yield* refuse("erased")
      if (found.stage_changes !== changes) return yield* refuse("changed")
      if (decisionChanges !== undefined && found.changes !== decisionChanges) return yield* refuse("changed")
      yield* store(member, [{ found, stage }])
      if (decisionChanges !== undefined) yield* decisions.undo(member, id, decisionChanges)
      return { ...found.current, stage }
    }, transaction)

    /**
     * Of an archived stage: all its candidates go to another one, or to none. Their decisions stay. Needs a transaction. Conflict:
     * candidates are left whom the member may not move.
     */
    const empty = Effect.fn("StageMoves.empty")(function* (
      member: Decider,
      stage: HiringStageId,
      into: HiringStageRef | null,
    ) {
      let moved = 0
      while (true) {
        const ids = yield* submissionRepository.inStage(member.organizationId, stage, maxSelected)
        if (ids.length === 0) return moved
        const rows = yield* lock(member, ids)
        if (rows.length === 0) return yield* notTheirs
        yield* store(
          member,
          rows.map((found) => ({ found, stage: into })),
        )
        moved += rows.length
      }
    })

    /** In which column a submission stands, and in which one without a stage and a decision. */
    const standing = Effect.fn("StageMoves.standing")(function* ({ organizationId }: Decider, id: SubmissionId) {
      return (
        (yield* submissionRepository.placeOnBoard(organizationId, id)) ??
        (yield* new NotFound({ record: "submission" }))
      )
    })

    return { move, moveAll, undo, empty, standing }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(
    Layer.provide(Layer.mergeAll(Decisions.layer, Submissions.layer)),
  )
}
