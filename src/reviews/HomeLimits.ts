/** Limits of the workspace's home, which keep its time and size independent of the number of submissions. */
export const homeLimits = {
  /** Interview sets with charts. */
  sets: 8,
  /** Maximum count of pending submissions; beyond it, the page shows "More than 200". */
  counted: 200,
  /** Pending submissions that are listed. */
  pending: 10,
  /** Submissions that the member is asked to review. */
  assigned: 5,
  /** Failed emails and failing webhooks that are listed. */
  failures: 5,
  /** Newest submissions of a set whose scores are shown. */
  scored: 500,
  /** Failures of emails are shown for this long. */
  failedMailDays: 30,
} as const
