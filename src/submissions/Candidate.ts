/** Candidates in answers of the API. */
import { Schema } from "effect"
import { AtsCandidateId, CandidateId } from "../values/Ids.ts"

export const CandidateRef = Schema.Struct({
  id: CandidateId,
  ats_candidate_id: Schema.NullOr(AtsCandidateId).annotate({ description: "Your own system's id of the candidate" }),
  email: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String).annotate({
    description: "The given name, else first and last name, else the part of the address before the @",
  }),
}).annotate({ identifier: "CandidateRef" })
export type CandidateRef = typeof CandidateRef.Type

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

export const candidateRef = (
  candidate: CandidateRef & { readonly firstname: string | null; readonly lastname: string | null },
): CandidateRef => {
  const { ats_candidate_id, email, id } = candidate
  return { id, ats_candidate_id, email, name: displayName(candidate) || null }
}
