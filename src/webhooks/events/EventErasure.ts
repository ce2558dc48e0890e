/** What the erasure of a candidate removes from stored events. */
import { emptyEventCandidate } from "../../candidates/Candidate.ts"
import type { EventEnvelope } from "./WebhookEvent.ts"

/** Values of fields after the candidate's erasure. */
const erasedFields: Readonly<Record<string, unknown>> = { ...emptyEventCandidate, candidate_email: "" }

/** The body after the candidate's erasure, without what a member wrote about the candidate. Keys keep their order. */
export const withoutCandidate = (body: string): string => {
  const event: EventEnvelope = JSON.parse(body)
  const erased = event.event_type === "submission.decision.update" ? { ...erasedFields, reason: null } : erasedFields
  const data = Object.entries(event.data).map(([name, value]) => [name, name in erased ? erased[name] : value])
  return JSON.stringify({ ...event, data: Object.fromEntries(data) })
}
