/** The API of submissions and their evaluations. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../accounts/api-keys/AuthenticationApi.ts"
import { candidateQuery } from "../candidates/CandidateApi.ts"
import { page, pageQuery, parameter, results, updatedSince } from "../platform/http/IntegrationApi.ts"
import { NotFound, Unprocessable } from "../platform/http/ProblemApi.ts"
import { uuid } from "../values/Fields.ts"
import { HiringStageId, SubmissionId, TagId } from "../values/Ids.ts"
import { Decision } from "./Decision.ts"
import { SubmissionStatus } from "./Submission.ts"
import { SubmissionDetail, SubmissionSummary } from "./SubmissionDetail.ts"

const detail = HttpApiEndpoint.get("detail", "/hiring/submissions/:id/detail/v1", {
  params: { id: SubmissionId.annotateKey({ description: "The submission's id" }) },
  success: results(SubmissionDetail, "The submission with its evaluations and answers"),
  error: NotFound,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getSubmission",
    summary: "Read submission evaluation",
    description:
      "A submission with its evaluations and answers: summary, strengths, gaps, recommendations, and a score for each requirement with quotes as evidence. The figures at the top are those of the holistic evaluation, else of the interview's, else of the CV's. `<id>` is the `submission_id` of the evaluation webhook.",
  }),
)

const list = HttpApiEndpoint.get("list", "/hiring/submissions/v1", {
  query: {
    ...pageQuery,
    interview_set_id: parameter(uuid, "Only submissions to this set"),
    status: parameter(SubmissionStatus, "Only submissions in this state"),
    decision: parameter(
      Schema.Literals([...Decision.literals, "none"]),
      "Only submissions with this decision; none: undecided ones",
    ),
    stage: parameter(
      Schema.Union([HiringStageId, Schema.Literal("none")]),
      "Only submissions in this stage, by the `id` of `stage`; none: those without a stage",
    ),
    tag: parameter(TagId, "Only submissions with this tag, by the `id` of one of `tags`"),
    ...candidateQuery("submissions"),
    updated_since: updatedSince("submissions"),
  },
  success: page(SubmissionSummary, "submissions"),
  error: Unprocessable,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listSubmissions",
    summary: "List submissions",
    description: "Newest first, each with its score.",
  }),
)

export const Submissions = HttpApiGroup.make("submissions")
  .add(detail, list)
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({ title: "Submissions", description: "Answers of candidates, and their evaluations." }),
  )
