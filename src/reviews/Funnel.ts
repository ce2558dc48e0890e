/** The funnel of an interview set: how many interviews reached each stage. */
import { type SubmissionStage, stageNumber, submissionStages } from "../submissions/Submission.ts"

export interface FunnelStep {
  readonly stage: SubmissionStage
  /** Number of interviews that reached the stage. It may exceed the step before: a decision needs neither answers nor a review. */
  readonly count: number
  /** Share of all invited, 0 to 1; 0 if there are none. */
  readonly share: number
}

/** Number of interviews that have these three things in common. */
export interface FunnelCount {
  /** The last stage that the candidate reached: the index of a stage up to "submitted". */
  readonly candidate_stage: number
  readonly is_reviewed: boolean
  readonly is_decided: boolean
  readonly count: number
}

const hasReached = (stage: SubmissionStage, { candidate_stage, is_decided, is_reviewed }: FunnelCount): boolean => {
  switch (stage) {
    case "reviewed":
      return is_reviewed
    case "decided":
      return is_decided
    default:
      return candidate_stage >= stageNumber(stage)
  }
}

export const funnelOf = (counts: ReadonlyArray<FunnelCount>): ReadonlyArray<FunnelStep> => {
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  return submissionStages.map((stage) => {
    const count = counts.reduce((sum, one) => (hasReached(stage, one) ? sum + one.count : sum), 0)
    return { stage, count, share: all === 0 ? 0 : count / all }
  })
}
