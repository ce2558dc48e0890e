import { Schema, SchemaGetter } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "../accounts/api-keys/AuthenticationApi.ts"
import { Idempotency } from "../accounts/api-keys/IdempotencyApi.ts"
import { page, pageQuery, parameter, results, updatedSince } from "../platform/http/IntegrationApi.ts"
import { bodyProblems, Conflict, NotFound, Unprocessable } from "../platform/http/ProblemApi.ts"
import { anyText, uuid } from "../values/Fields.ts"
import { InterviewSetId } from "../values/Ids.ts"
import {
  CreateInterviewSet,
  InterviewSetDetail,
  InterviewSetSummary,
  SetType,
  UpdateInterviewSet,
} from "./InterviewSet.ts"

const create = HttpApiEndpoint.post("create", "/interview/set/v1", {
  payload: CreateInterviewSet,
  success: results(InterviewSetDetail, "The set as it is stored").pipe(HttpApiSchema.status(201)),
  error: bodyProblems,
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "createInterviewSet",
      summary: "Create interview set",
      description:
        "Creates an interview (set_type 1) or a CV set (set_type 2) with its questions, requirements and accesses. A set of type 1 without questions is stored as well, but gives its candidates nothing to answer: their page says so, and whom to ask. The answer shows the whole set, as reading it does. Needs the scope `create_set`.",
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
    description:
      "Newest first, archived ones too: each as reading it returns it, without questions, requirements, accesses and `is_fixed`.",
  }),
)

const params = { id: InterviewSetId.annotateKey({ description: "The set's id" }) }
const onePath = "/hiring/interview-sets/v1/:id"

const read = HttpApiEndpoint.get("read", onePath, {
  params,
  success: results(InterviewSetDetail, "The set as it is stored"),
  error: NotFound,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getInterviewSet",
    summary: "Read interview set",
    description: "The whole set, with the `version` that a change of it names.",
  }),
)

const update = HttpApiEndpoint.patch("update", onePath, {
  params,
  payload: UpdateInterviewSet,
  success: results(InterviewSetDetail, "The set with its changes"),
  error: [...bodyProblems, NotFound, Conflict],
}).annotateMerge(
  OpenApi.annotations({
    identifier: "updateInterviewSet",
    summary: "Change interview set",
    description:
      "Changes the given fields; absent ones stay. Here, null removes a value, such as the limit of minutes. A list replaces the stored one; questions and requirements with their `id` keep it. 409 when the set has changed since `version`, and when a candidate has started or sent a CV: then questions, requirements, languages, minutes and retakes are fixed, so that all candidates are rated alike. Create another set to change them. The same request again succeeds. Needs the scope `manage_sets`.",
  }),
)

const archive = HttpApiEndpoint.post("archive", `${onePath}/archive`, {
  params,
  success: results(InterviewSetDetail, "The archived set"),
  error: NotFound,
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "archiveInterviewSet",
      summary: "Archive interview set",
      description:
        "Hides the set from lists for people, and invites to its project no longer use it; invites that name the set still work, and invited candidates can continue. Succeeds without a change for an archived set. Needs the scope `manage_sets`.",
    }),
  )

const unarchive = HttpApiEndpoint.post("unarchive", `${onePath}/unarchive`, {
  params,
  success: results(InterviewSetDetail, "The set, in use again"),
  error: NotFound,
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "unarchiveInterviewSet",
      summary: "Unarchive interview set",
      description:
        "The set is in use again. Succeeds without a change for a set in use. Needs the scope `manage_sets`.",
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

export const InterviewSetChanges = HttpApiGroup.make("interviewSetChanges")
  .add(update, archive, unarchive)
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Changes of interview sets",
      description: "A set is changed while no candidate has started, archived, and brought back.",
    }),
  )
