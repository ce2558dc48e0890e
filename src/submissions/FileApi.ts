/** The API of uploaded files and CVs. */

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "../accounts/api-keys/AuthenticationApi.ts"
import { uploadTypes } from "../files/UploadedFile.ts"
import { parameter } from "../platform/http/IntegrationApi.ts"
import { NotFound, Unprocessable } from "../platform/http/ProblemApi.ts"
import { QuestionId, SubmissionId } from "../values/Ids.ts"

/** Files of other types are sent as the last one. */
export const fileTypes = [...uploadTypes, "application/octet-stream"]

const file = HttpApiSchema.StreamUint8Array({ contentType: fileTypes })

const id = SubmissionId.annotateKey({ description: "The submission's id" })

const answer = HttpApiEndpoint.get("answer", "/hiring/submissions/:id/answers/:question/file/v1", {
  params: { id, question: QuestionId.annotateKey({ description: "The `question_id` of the answer" }) },
  query: {
    attempt: parameter(
      Schema.String.check(
        Schema.isPattern(/^[1-9]\d{0,8}$/, { code: "wrong_type", message: "must be a whole number" }),
      ),
      "Of the answer; by default the last one with a file",
    ),
  },
  success: file,
  error: [NotFound, Unprocessable],
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getAnswerFile",
    summary: "Download an uploaded file",
    description:
      "The file of an answer, with its name in Content-Disposition. `file.url` of an answer of the submission's detail is its address. 404 also after the deletion of the answers because of their age, and after the erasure of the candidate. Candidates choose the file: check it for viruses before you open it. Needs the scope `read` or `review_submissions`.",
  }),
)

const cv = HttpApiEndpoint.get("cv", "/hiring/submissions/:id/cv/v1", {
  params: { id },
  success: file,
  error: [NotFound, Unprocessable],
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getCv",
    summary: "Download a CV",
    description:
      "The CV as it was fetched from its link. `cv_file.url` of the submission's detail is its address. 404 when there is none, when it could not be fetched, after its deletion because of its age, and after the erasure of the candidate. Needs the scope `read` or `review_submissions`.",
  }),
)

export const Files = HttpApiGroup.make("files")
  .add(answer, cv)
  .middleware(Authentication)
  .annotateMerge(OpenApi.annotations({ title: "Files", description: "Files that candidates uploaded, and CVs." }))
