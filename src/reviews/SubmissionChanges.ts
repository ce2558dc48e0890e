/**
 * Decisions and moves of API keys, by the rules of the pages (Decisions.ts, StageMoves.ts). A request for what is already so
 * succeeds without a change: a repeated request needs no Idempotency-Key.
 */
import { Context, Effect, Layer } from "effect"
import type { Principal } from "../accounts/api-keys/ApiKey.ts"
import { Database } from "../platform/database/Database.ts"
import { Submissions } from "../submissions/Submissions.ts"
import { HiringStageId, parseId, type SubmissionId } from "../values/Ids.ts"
import { Conflict, invalid, NotFound } from "../values/Problem.ts"
import { Decisions, type Refusal } from "./Decisions.ts"
import { type MoveRefusal, StageMoves } from "./StageMoves.ts"
import type { DecideSubmission, MoveSubmission, UndoDecision } from "./SubmissionChange.ts"

interface Refused {
  readonly refusal: Refusal | MoveRefusal
  readonly warnings?: ReadonlyArray<string>
}

const reasons: Readonly<Record<Exclude<Refusal | MoveRefusal, "unknown" | "unchanged" | "warned">, string>> = {
  erased: "the candidate's personal data was erased: the submission can no longer be decided about or moved",
  changed:
    "the decision or the stage has changed since the version of your request: read the submission, and decide again",
  nothing: "there is no decision to undo: the one before is restored once; to change it again, decide again",
  not_its_column: "the candidate cannot be moved there: choose a stage",
}

const refuse = ({ refusal, warnings = [] }: Refused) => {
  if (refusal === "unchanged") return Effect.void
  if (refusal === "unknown") return Effect.fail(new NotFound({ record: "submission" }))
  return Effect.fail(
    new Conflict({
      reason:
        refusal === "warned"
          ? `the score has warnings (${warnings.join(" ")}): read the answers, then send confirm_warnings: true`
          : reasons[refusal],
    }),
  )
}

export class SubmissionChanges extends Context.Service<SubmissionChanges>()(
  "interview-invitations/reviews/SubmissionChanges",
  {
    make: Effect.gen(function* () {
      const { transaction } = yield* Database
      const decisions = yield* Decisions
      const stageMoves = yield* StageMoves
      const submissions = yield* Submissions

      const settled = Effect.fnUntraced(function* (
        principal: Principal,
        submission: SubmissionId,
        refused: ReadonlyArray<Refused>,
      ) {
        for (const one of refused) yield* refuse(one)
        return yield* submissions.standing(principal, submission)
      })

      /** Conflict: it was decided since `version`, the score has warnings, or the candidate was erased. */
      const decide = Effect.fn("SubmissionChanges.decide")(function* (
        principal: Principal,
        submission: SubmissionId,
        { confirm_warnings, decision, reason, version }: DecideSubmission,
      ) {
        const { refused } = yield* decisions.decideAll(principal, [{ submission, changes: version }], {
          decision,
          reason: reason ?? "",
          knowsWarnings: confirm_warnings === true,
        })
        return yield* settled(principal, submission, refused)
      }, transaction)

      /** Conflict: it was decided since `version`, there is nothing to undo, or the candidate was erased. */
      const undo = Effect.fn("SubmissionChanges.undo")(function* (
        principal: Principal,
        submission: SubmissionId,
        { version }: UndoDecision,
      ) {
        const { refused } = yield* decisions.undoAll(principal, [{ submission, changes: version }])
        return yield* settled(principal, submission, refused)
      }, transaction)

      /** As `decide`; Invalid: there is no such stage, or it is archived. */
      const move = Effect.fn("SubmissionChanges.move")(function* (
        principal: Principal,
        submission: SubmissionId,
        { confirm_warnings, decision_version, stage_id, version }: MoveSubmission,
      ) {
        const id = stage_id === null ? null : parseId(HiringStageId, stage_id)
        yield* submissions.standing(principal, submission)
        const unknownStage = invalid(
          "#/stage_id",
          "not_found",
          "is not a stage of this organization, or it is archived",
        )
        if (id === undefined) return yield* unknownStage
        const { refused } = yield* stageMoves
          .moveAll(
            principal,
            [{ submission, changes: version, decisionChanges: decision_version }],
            id === null ? { _tag: "None" } : { _tag: "Stage", id },
            { knowsWarnings: confirm_warnings === true },
          )
          .pipe(Effect.catchTag("Conflict", () => Effect.fail(unknownStage)))
        return yield* settled(principal, submission, refused)
      }, transaction)

      return { decide, undo, move }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make).pipe(
    Layer.provide(Layer.mergeAll(Decisions.layer, StageMoves.layer, Submissions.layer)),
  )
}
