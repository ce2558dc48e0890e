/** Candidates as answers show them. */
import { Schema } from "effect"
import { AtsCandidateId, CandidateId } from "../values/Ids.ts"

/** The candidate that something is about, as answers show it. */
export const CandidateRef = Schema.Struct({
  id: CandidateId,
  ats_candidate_id: Schema.NullOr(AtsCandidateId).annotate({ description: "Your own system's id of the candidate" }),
  email: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String).annotate({
    description: "The given name, else first and last name, else what stands before the @ of the address",
  }),
}).annotate({ identifier: "CandidateRef" })
export type CandidateRef = typeof CandidateRef.Type

/**
 * A candidate's name for people: the given one, else first and last name, else the address's local part
 * (contract, Invite).
 */
export const displayName = (candidate: {
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  readonly email: string | null
}): string =>
  candidate.name?.trim() ||
  [candidate.firstname, candidate.lastname].filter((part) => part?.trim()).join(" ") ||
  candidate.email?.split("@")[0] ||
  ""

/** A stored candidate as answers show it; one without any name has null. */
export const candidateRef = (
  candidate: CandidateRef & { readonly firstname: string | null; readonly lastname: string | null },
): CandidateRef => {
  const { ats_candidate_id, email, id } = candidate
  return { id, ats_candidate_id, email, name: displayName(candidate) || null }
}
