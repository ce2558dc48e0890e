/** The POSTs that every contestant sends. */
import { randomUUIDv7 } from "node:crypto"
import { bodyBytes, receivers } from "./settings.ts"

export interface Job {
  /** The event's id, in the headers and in the body. */
  readonly id: string
  /** Index of the receiver's path and secret, from 0. */
  readonly receiver: number
  readonly body: string
}

/** An event envelope as the service writes it, padded to `bodyBytes`. */
const bodyOf = (id: string): string => {
  const envelope = (answer: string) =>
    JSON.stringify({
      schema_version: "1.0.0",
      event_type: "interview.status.update",
      event_id: id,
      timestamp: "2026-11-21T09:00:00.000Z",
      organization_id: 1,
      data: { interview_name: "Backend Engineer", status: "completed", answer },
    })
  return envelope("a".repeat(bodyBytes - envelope("").length))
}

export const makeJobs = (count: number): ReadonlyArray<Job> =>
  Array.from({ length: count }, (_, i) => {
    const id = randomUUIDv7()
    return { id, receiver: i % receivers, body: bodyOf(id) }
  })
