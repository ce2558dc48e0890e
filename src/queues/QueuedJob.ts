/** Jobs of the queues, as people see them: states, limits and filters. */
import { type QueueTable, queueTables } from "../platform/queue/QueueSql.ts"

/**
 * `running`: a process performs it; `due`: it waits for a free process; `waiting`: its time has not come, as before a retry;
 * `parked`: it waits for an endpoint or a connection to be activated; `failed`: it has ended without a result.
 */
export const jobStates = ["running", "due", "waiting", "parked", "failed"] as const
export type JobState = (typeof jobStates)[number]

export const isQueue = (text: string | undefined): text is QueueTable => queueTables.some((queue) => queue === text)

export const isJobState = (text: string | undefined): text is JobState => jobStates.some((state) => state === text)

/** Of waiting jobs: to try them at once, or to end them without another attempt. */
export type JobAction = "makeDue" | "cancel"

/** Jobs up to which a queue is counted. An index counts so many in about 10 ms. */
export const maxCounted = 100_000
/** Jobs of a list. */
export const listed = 50
/** Jobs that a form or a statement changes at once. */
export const maxChanged = 1_000
/** Days for which failed jobs are counted and listed. */
export const failedDays = 7
