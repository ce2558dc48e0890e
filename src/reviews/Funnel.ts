/** The funnel of an interview set: how many interviews reached each stage or a later one. */

/** In order; a stage's index is `stage` of a submission (sql/17_reviews.sql). */
export const funnelStages = ["invited", "opened", "started", "submitted", "reviewed", "decided"] as const
export type FunnelStage = (typeof funnelStages)[number]

export interface FunnelStep {
  readonly stage: FunnelStage
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
  return funnelStages.map((stage, index) => {
    const count = atLeast(index)
    return { stage, count, share: all === 0 ? 0 : count / all }
  })
}
