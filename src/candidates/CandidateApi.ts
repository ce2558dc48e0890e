/** Parameters of lists that choose records by their candidate. */
import { parameter } from "../platform/http/IntegrationApi.ts"
import { anyText, uuid } from "../values/Fields.ts"

/** `records`: what the list contains. */
export const candidateQuery = (records: string) => ({
  candidate_id: parameter(uuid, `Only ${records} of this candidate`),
  ats_candidate_id: parameter(uuid, `Only ${records} of the candidate with this id of yours`),
  email: parameter(anyText, `Only ${records} of candidates with this email address, in any case`),
  external_id: parameter(anyText, `Only ${records} with this external_id`),
})
