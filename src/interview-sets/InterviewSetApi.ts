import { Schema, SchemaGetter } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "../accounts/api-keys/AuthenticationApi.ts"
import { Idempotency } from "../accounts/api-keys/IdempotencyApi.ts"
import { page, pageQuery, parameter, results, updatedSince } from "../platform/http/IntegrationApi.ts"
import { bodyProblems, NotFound, Unprocessable } from "../platform/http/ProblemApi.ts"
import { anyText, uuid } from "../values/Fields.ts"
import { InterviewSetId } from "../values/Ids.ts"
import { CreateInterviewSet, InterviewSet, InterviewSetSummary, SetType } from "./InterviewSet.ts"

const create = HttpApiEndpoint.post("create", "/interview/set/v1", {
  payload: CreateInterviewSet,
  success: results(InterviewSet, "The set as it is stored").pipe(HttpApiSchema.status(201)),
  error: bodyProblems,
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "createInterviewSet",
      summary: "Create interview set",
      description:
        "Creates an interview (set_type 1) or a CV set (set_type 2) with its questions, requirements and accesses. A set of type 1 without questions is stored as well, but gives its candidates nothing to answer: their page says so, and whom to ask. The answer shows every stored field. Needs the scope `create_set`.",
    }),
  )

const SetTypeParameter = Schema.Literals(["1", "2"]).pipe(
  Schema.decodeTo(SetType, {
    decode: SchemaGetter.transform((text: "1" | "2") => (text === "1" ? 1 : 2)),
    encode: SchemaGetter.transform((type: SetType) => (type === 1 ? "1" : "2")),
  }),
)

const list = HttpApiEndpoint.get("list", "/hiring/interview-sets/v1", {
  query: {
    ...pageQuery,
    project_id: parameter(uuid, "Only sets of this project"),
    set_type: parameter(SetTypeParameter, "Only interviews (1) or CV sets (2)"),
    external_id: parameter(anyText, "Only sets with this external_id"),
    updated_since: updatedSince("sets"),
  },
  success: page(InterviewSetSummary, "sets"),
  error: Unprocessable,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listInterviewSets",
    summary: "List interview sets",
    description: "Newest first, archived ones too.",
  }),
)

const read = HttpApiEndpoint.get("read", "/hiring/interview-sets/v1/:id", {
  params: { id: InterviewSetId.annotateKey({ description: "The set's id" }) },
  success: results(InterviewSet, "The set as it is stored"),
  error: NotFound,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getInterviewSet",
    summary: "Read interview set",
    description: "The whole set, as it was answered when created.",
  }),
)

export const InterviewSets = HttpApiGroup.make("interviewSets")
  .add(create, list, read)
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Interview sets",
      description: "Questions for candidates, and requirements that answers are rated against.",
    }),
  )
