/** The funnel of an interview set: how many interviews came at least to each stage. */

import { type SubmissionStage, submissionStages } from "../submissions/Submission.ts"

export interface FunnelStep {
  readonly stage: SubmissionStage
  /** Interviews that came at least so far. */
  readonly count: number
  /** Of all invited, 0 to 1; 0 without any. */
  readonly share: number
}

/** `counts`: interviews by the stage that they have reached, each stage at most once. */
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
