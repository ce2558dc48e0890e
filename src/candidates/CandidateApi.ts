/** Query parameters that filter lists by candidate. */
import { parameter, unescapedPlus } from "../platform/http/IntegrationApi.ts"
import { cleanAddress } from "../values/EmailAddress.ts"
import { anyText, rule, uuid } from "../values/Fields.ts"

const address = anyText.check(
  rule((text) => !/\s/.test(cleanAddress(text)), "invalid_email", `must not contain a space; ${unescapedPlus}`),
)

/** `records`: what the list contains. */
export const candidateQuery = (records: string) => ({
  candidate_id: parameter(uuid, `Only ${records} of this candidate`),
  ats_candidate_id: parameter(uuid, `Only ${records} of the candidate with this ats_candidate_id`),
  email: parameter(address, `Only ${records} of candidates with this email address, also one from a CV, ignoring case`),
  external_id: parameter(anyText, `Only ${records} with this external_id`),
})
