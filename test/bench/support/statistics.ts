/** The smallest value that `share` of all are not above: nearest rank. */
export const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN

export const median = (values: ReadonlyArray<number>): number => percentile(values, 0.5)
