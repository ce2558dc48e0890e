/** People in requests and responses of the API (docs/personal-data.md). */
import { Schema } from "effect"
import { anyText, integer } from "../values/Fields.ts"
import { AtsCandidateId, CandidateId } from "../values/Ids.ts"
import { Timestamp } from "../values/Timestamp.ts"

const Text = Schema.NullOr(Schema.String)

export const PersonSummary = Schema.Struct({
  id: CandidateId.annotateKey({ description: "`candidate.id` of submissions and events" }),
  ats_candidate_id: Schema.NullOr(AtsCandidateId),
  name: Text,
  firstname: Text,
  lastname: Text,
  email: Text.annotate({ description: "Or the address in the CV, of a candidate who was added without one" }),
  submissions: integer(0).annotate({ description: "Their number" }),
  created_at: Timestamp,
  erased_at: Schema.NullOr(Timestamp).annotate({
    description:
      "When the candidate's data was erased; an erasure that is repeated changes it only if it removes what was stored since",
  }),
}).annotate({ identifier: "Candidate" })

const StoredCounts = Schema.Struct({
  submissions: integer(0),
  invitations: integer(0),
  emails: integer(0).annotate({ description: "With an address" }),
  answers: integer(0),
  files: integer(0).annotate({ description: "Uploads, recordings and CVs" }),
  cvs: integer(0),
  evaluations: integer(0),
  events: integer(0).annotate({ description: "Webhook events about the candidate" }),
}).annotate({ identifier: "StoredCandidateData" })

export const PersonDetail = Schema.Struct({
  ...PersonSummary.fields,
  is_on_legal_hold: Schema.Boolean.annotate({
    description: "true: a legal hold of the candidate or of one of the candidate's sets keeps the data from erasure",
  }),
  stored: StoredCounts.annotateKey({ description: "How much is stored about the candidate" }),
}).annotate({ identifier: "CandidateDetail" })

/** All stored data. Its tables and their fields change with the service. */
export const PersonExport = Schema.Record(Schema.String, Schema.Json).annotate({ identifier: "CandidateExport" })

export const ErasePerson = Schema.Struct({
  confirm: anyText.annotateKey({
    description:
      "The candidate's id or email address, as a protection against mistakes. With the id, the request can be repeated: an erased candidate has no address to compare",
  }),
}).annotate({ identifier: "EraseCandidate" })

export const ErasedPerson = Schema.Struct({
  id: CandidateId,
  erased: Schema.Literal(true),
  erased_at: Timestamp.annotate({
    description: "When the data was erased: the time of an earlier erasure, if this request removed nothing",
  }),
  previously_erased_at: Schema.NullOr(Timestamp).annotate({
    description: "When the candidate was erased before this request; null: this request was the first",
  }),
  removed: StoredCounts.annotateKey({
    description: "What was stored about the candidate; after an earlier erasure, only what was added since",
  }),
}).annotate({ identifier: "ErasedCandidate" })
