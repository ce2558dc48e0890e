/** Limits of the report on oversight. */
export const oversight = {
  /** Before now. */
  days: 90,
  /** On the page. */
  sets: 100,
  /** A share of fewer is not shown: it would be about one member or one candidate. */
  least: 5,
} as const
