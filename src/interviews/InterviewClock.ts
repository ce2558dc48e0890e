/**
 * The clock of an interview. The database computes its moments, with the fragments of InterviewClockSql.ts.
 *
 * - An attempt takes the set's minutes times the candidate's time factor, rounded up. Without a duration it has no limit.
 * - The clock starts when the candidate presses Start, and ends at `answer_until`.
 * - Saves are accepted until `grace` after `answer_until`. Then `Interviews.finishOverdue` submits the saved answers.
 * - Submitting the first attempt of an interview with retakes opens the improvement window (IMPROVEMENT_WINDOW). Until
 *   `improvement_until` the candidate can reopen the answers, once for each retake. Later attempts do not prolong the window.
 * - Reopening starts the clock again. It ends with the window at the latest.
 */
import { Duration } from "effect"
import type { SubmissionStatus } from "../submissions/Submission.ts"

/** How long after `answer_until` a save is accepted: it was sent in time. */
export const grace = Duration.seconds(5)

/** The clock of a submission's newest attempt. */
export interface InterviewClock {
  readonly status: SubmissionStatus
  /** From 1. */
  readonly attempt: number
  readonly number_of_retakes: number | null
  /** With the time factor; null: no limit. */
  readonly minutes: number | null
  readonly started_at: Date | null
  readonly answer_until: Date | null
  /** Whole seconds until `answer_until`, rounded down; null: no limit, or not started. */
  readonly seconds_left: number | null
  readonly completed_at: Date | null
  readonly improvement_until: Date | null
  readonly improvement_open: boolean
}

/** Whether the time of a started attempt is over; the grace may still run. */
export const isTimeOver = ({ seconds_left }: InterviewClock): boolean => seconds_left !== null && seconds_left <= 0

/**
 * Whether the attempt was submitted because its time was over. Rounds down like `seconds_left`, so that both change at
 * once.
 */
export const ranOut = ({ answer_until, completed_at }: InterviewClock): boolean =>
  completed_at !== null &&
  answer_until !== null &&
  Math.floor((answer_until.getTime() - completed_at.getTime()) / 1000) <= 0

/** How often the answers can be reopened after this attempt. */
export const retakesLeft = ({ attempt, number_of_retakes }: InterviewClock): number =>
  Math.max(0, (number_of_retakes ?? 0) - (attempt - 1))

export const canImprove = (clock: InterviewClock): boolean =>
  (clock.status === "completed" || clock.status === "evaluated") && clock.improvement_open && retakesLeft(clock) > 0
