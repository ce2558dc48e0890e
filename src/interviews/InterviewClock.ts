/**
 * The clock of an interview, computed by the database (InterviewClockSql.ts).
 *
 * - `answer_until` is the start plus the set's minutes times the candidate's time factor, rounded up to minutes.
 * - Saves are accepted until `grace` (SubmissionSql.ts) after it; then `Interviews.finishOverdue` submits the saved answers.
 * - With retakes, the first submit opens the improvement window (IMPROVEMENT_WINDOW): until `improvement_until` the
 *   candidate can reopen the answers, once per retake. Later submits do not prolong it, and retakes end with it.
 */
import { isSubmitted, type SubmissionStatus } from "../submissions/Submission.ts"

export interface InterviewClock {
  readonly status: SubmissionStatus
  /** From 1. */
  readonly attempt: number
  readonly number_of_retakes: number | null
  /** With the time factor; null: no limit. */
  readonly minutes: number | null
  readonly started_at: Date | null
  readonly answer_until: Date | null
  /** Rounded down; null: no limit, or not started. */
  readonly seconds_left: number | null
  readonly completed_at: Date | null
  readonly improvement_until: Date | null
  readonly improvement_open: boolean
}

export const isTimeOver = ({ seconds_left }: InterviewClock): boolean => seconds_left !== null && seconds_left <= 0

/** Rounds down like `seconds_left`, so that both change at once. */
export const ranOut = ({ answer_until, completed_at }: InterviewClock): boolean =>
  completed_at !== null &&
  answer_until !== null &&
  Math.floor((answer_until.getTime() - completed_at.getTime()) / 1000) <= 0

export const retakesLeft = ({ attempt, number_of_retakes }: InterviewClock): number =>
  Math.max(0, (number_of_retakes ?? 0) - (attempt - 1))

export const canImprove = (clock: InterviewClock): boolean =>
  isSubmitted(clock.status) && clock.improvement_open && retakesLeft(clock) > 0
