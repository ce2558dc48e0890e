/** The integration API's contract: what hiring systems call, without a handler. Clients import it as it is. */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSchema, OpenApi } from "effect/http-api"
import { SubmissionId } from "../domain/Ids.ts"
import { CreateInterviewSet, InterviewSet } from "../domain/InterviewSet.ts"
import { InviteRequest, InviteResult } from "../domain/Invite.ts"
import { SubmissionDetail } from "../domain/SubmissionDetail.ts"
import { Authentication, RequiredScope } from "./Authentication.ts"
import { BadRequest, NotFound, Unprocessable } from "./Problems.ts"
import { storable } from "./Storable.ts"

const results = <S extends Schema.Top>(schema: S) => Schema.Struct({ results: schema })

/** Turns what a schema refuses into the one error shape. */
export class RequestFaults extends HttpApiMiddleware.Service<RequestFaults>()(
  "interview-invitations/api/RequestFaults",
  { error: [BadRequest, Unprocessable, NotFound] },
) {}

const Integration = HttpApiGroup.make("integration")
  .add(
    HttpApiEndpoint.post("createInterviewSet", "/interview/set/v1", {
      payload: CreateInterviewSet.check(storable),
      success: results(InterviewSet).pipe(HttpApiSchema.status(201)),
      error: Unprocessable,
    })
      .annotate(RequiredScope, "create_set")
      .annotateMerge(OpenApi.annotations({ summary: "Create interview set" })),
    HttpApiEndpoint.post("inviteCandidates", "/interview/candidate/invite/v1", {
      payload: InviteRequest.check(storable),
      success: results(Schema.Array(InviteResult)),
      error: [Unprocessable, NotFound],
    })
      .annotate(RequiredScope, "invite_candidates")
      .annotateMerge(OpenApi.annotations({ summary: "Invite candidates" })),
    HttpApiEndpoint.get("readSubmission", "/hiring/submissions/:id/detail/v1", {
      params: { id: SubmissionId },
      success: results(SubmissionDetail),
      error: NotFound,
    }).annotateMerge(OpenApi.annotations({ summary: "Read submission evaluation" })),
  )
  .middleware(Authentication)
  .prefix("/company/integration")

export class Api extends HttpApi.make("interview-invitations")
  .add(Integration)
  // last, because it covers only the groups that are there already
  .middleware(RequestFaults)
  .annotate(HttpApi.PayloadParseOptions, { errors: "all" })
  .annotateMerge(OpenApi.annotations({ title: "Interview Invitations", version: "1.0.0" })) {}
