/** The API of candidates: lookup, export (GDPR, article 15) and erasure (article 17). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../accounts/api-keys/AuthenticationApi.ts"
import { candidateQuery } from "../candidates/CandidateApi.ts"
import { page, pageQuery, results } from "../platform/http/IntegrationApi.ts"
import { bodyProblems, Conflict, NotFound, Unprocessable } from "../platform/http/ProblemApi.ts"
import { CandidateId } from "../values/Ids.ts"
import { ErasedPerson, ErasePerson, PersonDetail, PersonExport, PersonSummary } from "./Person.ts"

const path = "/hiring/candidates/v1"
const onePath = `${path}/:id` as const
const params = { id: CandidateId.annotateKey({ description: "The candidate's id" }) }

const query = candidateQuery("candidates")

const list = HttpApiEndpoint.get("list", path, {
  query: {
    ...pageQuery,
    ...query,
    email: query.email.annotateKey({
      description:
        "Only candidates with this email address, also one from a CV or of a former invitation, ignoring case",
    }),
    external_id: query.external_id.annotateKey({
      description: "Only candidates with a submission that has this external_id",
    }),
  },
  success: page(PersonSummary, "candidates"),
  error: Unprocessable,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listCandidates",
    summary: "Find candidates",
    description:
      "Newest first. A person who was invited under several addresses can be several candidates: look for each address. Needs the scope `read` or `manage_privacy`.",
  }),
)

const read = HttpApiEndpoint.get("read", onePath, {
  params,
  success: results(PersonDetail, "The candidate, and how much is stored"),
  error: NotFound,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getCandidate",
    summary: "Read a candidate",
    description:
      "The candidate's fields, how much is stored, and whether a legal hold keeps the data. Needs the scope `read` or `manage_privacy`.",
  }),
)

const exportData = HttpApiEndpoint.get("export", `${onePath}/export`, {
  params,
  success: results(PersonExport, "All stored data of the candidate"),
  error: NotFound,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "exportCandidate",
    summary: "Export a candidate's data",
    description:
      "Everything that is stored about the candidate, with files as base64 (`content_base64`; null: the content is missing), as in the file of Settings → Personal data. The answer is sent while it is read: a connection that breaks in the middle means that a file could not be read. The export is noted in the audit log. Needs the scope `manage_privacy`.",
  }),
)

// Without Idempotency, whose transaction would end after files were removed from the store. A repeated erasure finds nothing.
const erase = HttpApiEndpoint.post("erase", `${onePath}/erase`, {
  params,
  payload: ErasePerson,
  success: results(ErasedPerson, "The candidate's data is erased"),
  error: [...bodyProblems, NotFound, Conflict],
}).annotateMerge(
  OpenApi.annotations({
    identifier: "eraseCandidate",
    summary: "Erase a candidate's data",
    description:
      "Removes all data that identifies the candidate, at once and for good; scores, states and times stay without it. An open interview ends, and invitations are cancelled. `confirm` must be the candidate's id or email address. The erasure is noted in the audit log. An `Idempotency-Key` is ignored. Confirm with the id to be able to repeat the request: it then gets 200 with `previously_erased_at`, finds nothing more to erase, and leaves `erased_at` as it is. 409 while a legal hold keeps the data. Needs the scope `manage_privacy`.",
  }),
)

export const Candidates = HttpApiGroup.make("candidates")
  .add(list, read, exportData, erase)
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({ title: "Candidates", description: "The people whom you invited, and their stored data." }),
  )
