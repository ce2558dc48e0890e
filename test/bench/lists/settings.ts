/** How much there is, and how often each page is asked for. */

/** Fewer rows try the bench out; its figures say nothing then. */
const { BENCH_ROWS = "100000" } = process.env

/** Of each of the two organizations. */
export const size = {
  /** Submissions, and as many candidates, invitations, mails, events and entries of the audit log. */
  submissions: Number(BENCH_ROWS),
  /** Deliveries of each event; the first are all to one endpoint. */
  deliveries: 5,
  sets: 2_000,
  /** Sets that have most of the submissions. */
  busySets: 10,
  projects: 200,
  jobPosts: 1_000,
  members: 500,
  keys: 500,
  endpoints: 100,
} as const

/** Requests for each page after some that are not counted. */
export const requests = { warm: 5, counted: 40 } as const

/** What is aimed at: milliseconds beyond the smallest page, and kilobytes. */
export const aims = { millis: 50, kilobytes: 60 } as const
