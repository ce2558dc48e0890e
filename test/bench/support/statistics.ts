/** Percentile by nearest rank; `share` is between 0 and 1. NaN without values. */
export const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN

export const median = (values: ReadonlyArray<number>): number => percentile(values, 0.5)
