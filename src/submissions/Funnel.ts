/** The funnel of an interview set: how many interviews reached each milestone. */
import { type Milestone, milestoneNumber, milestones } from "./Submission.ts"

/** Newest interviews of a set that its funnel counts: 8 funnels of as many take 10 ms, and all of a million one second. */
export const mostFunnelled = 2_000

export interface FunnelStep {
  readonly milestone: Milestone
  /** Number of interviews that reached the milestone. It may exceed the step before: a decision needs neither answers nor a review. */
  readonly count: number
  /** Share of all invited, 0 to 1; 0 if there are none. */
  readonly share: number
}

/** Number of interviews that have these three things in common. */
export interface FunnelCount {
  /** The last milestone that the candidate reached: the index of a milestone up to "submitted". */
  readonly candidate_milestone: number
  readonly is_reviewed: boolean
  readonly is_decided: boolean
  readonly count: number
}

const hasReached = (milestone: Milestone, { candidate_milestone, is_decided, is_reviewed }: FunnelCount): boolean => {
  switch (milestone) {
    case "reviewed":
      return is_reviewed
    case "decided":
      return is_decided
    default:
      return candidate_milestone >= milestoneNumber(milestone)
  }
}

export const funnelOf = (counts: ReadonlyArray<FunnelCount>): ReadonlyArray<FunnelStep> => {
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  return milestones.map((milestone) => {
    const count = counts.reduce((sum, one) => (hasReached(milestone, one) ? sum + one.count : sum), 0)
    return { milestone, count, share: all === 0 ? 0 : count / all }
  })
}
