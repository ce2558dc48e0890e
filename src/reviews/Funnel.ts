/** The funnel of an interview set: how many interviews reached each stage or a later one. */

import { type SubmissionStage, submissionStages } from "../submissions/Submission.ts"

export interface FunnelStep {
  readonly stage: SubmissionStage
  /** Number of interviews that reached this stage or a later one. */
  readonly count: number
  /** Share of all invited, 0 to 1; 0 if there are none. */
  readonly share: number
}

/** `counts`: number of interviews by their current stage, each stage at most once. */
export const funnelOf = (
  counts: ReadonlyArray<{ readonly stage: number; readonly count: number }>,
): ReadonlyArray<FunnelStep> => {
  const atLeast = (index: number) => counts.reduce((sum, { count, stage }) => (stage >= index ? sum + count : sum), 0)
  const all = atLeast(0)
  return submissionStages.map((stage, index) => {
    const count = atLeast(index)
    return { stage, count, share: all === 0 ? 0 : count / all }
  })
}
