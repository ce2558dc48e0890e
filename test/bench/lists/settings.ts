/** Numbers of rows and requests. */

/** Fewer rows only try the bench; its figures then mean nothing. 1000000 fills for about 40 minutes. */
const { BENCH_BUSY_SETS = "10", BENCH_PAGES = "", BENCH_ROWS = "100000" } = process.env

/** Pages whose name has this text; set it only to try a change. */
export const onlyPages = BENCH_PAGES

/** Rows of the measured organization. The other one has a tenth of the submissions, which its queries must not read. */
export const size = {
  /** Also the number of candidates, invitations, emails, events and entries of the audit log. */
  submissions: Number(BENCH_ROWS),
  /** Deliveries of each event; the first of them goes to the first endpoint. */
  deliveries: 5,
  sets: 2_000,
  /** Sets with four fifths of the submissions. With BENCH_BUSY_SETS=1 and BENCH_ROWS=125000, one set has 100,000. */
  busySets: Number(BENCH_BUSY_SETS),
  /** Of one submission. */
  comments: 1_000,
  projects: 200,
  jobPosts: 1_000,
  members: 500,
  keys: 500,
  endpoints: 100,
} as const

/** Counted requests for each page, after uncounted ones. */
export const requests = { warm: 5, counted: 40 } as const

/** Targets: milliseconds of the slowest page's median, and kilobytes of the largest page. */
export const limits = { millis: 50, kilobytes: 60 } as const
