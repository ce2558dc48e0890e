/**
 * The stages of an organization's hiring after the interview, and the columns of the board (docs/workspace.md). A submission
 * without a stage is in the column of its status and its decision.
 */
import { lineErrors } from "../values/Fields.ts"
import { HiringStageId, parseId } from "../values/Ids.ts"
import type { FieldError } from "../values/Problem.ts"
import { StageRef } from "../webhooks/events/WebhookEvent.ts"
import type { Decision } from "./Decision.ts"

export const HiringStageRef = StageRef
export type HiringStageRef = typeof HiringStageRef.Type

export interface HiringStage {
  readonly id: HiringStageId
  readonly name: string
  /** Made when a candidate is moved to the stage; null: none. */
  readonly decision: Decision | null
}

/** `name`: in code points. */
export const stageLimits = { count: 30, name: 60 } as const

/** Columns without a stage, in their order on the board: the stages stand before the last. `board_column` in SQL gives them. */
export const boardColumns = ["invited", "in_progress", "to_review", "advanced", "ended"] as const
export type BoardColumn = (typeof boardColumns)[number]

export const isBoardColumn = (text: string | undefined): text is BoardColumn =>
  boardColumns.some((column) => column === text)

/** A column of the board: without a stage, or of one. */
export type BoardPlace = BoardColumn | HiringStageId

export const parseBoardPlace = (text: string | undefined): BoardPlace | undefined =>
  isBoardColumn(text) ? text : parseId(HiringStageId, text)

export const stageNameErrors = (name: string): ReadonlyArray<FieldError> =>
  lineErrors("#/name", name, { isRequired: true, most: stageLimits.name })
