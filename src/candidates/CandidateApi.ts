/** Query parameters that filter lists by candidate. */
import { parameter } from "../platform/http/IntegrationApi.ts"
import { anyText, uuid } from "../values/Fields.ts"

/** `records`: what the list contains. */
export const candidateQuery = (records: string) => ({
  candidate_id: parameter(uuid, `Only ${records} of this candidate`),
  ats_candidate_id: parameter(uuid, `Only ${records} of the candidate with this ats_candidate_id`),
  email: parameter(anyText, `Only ${records} of candidates with this email address, also one from a CV, ignoring case`),
  external_id: parameter(anyText, `Only ${records} with this external_id`),
})
