/** The API of recordings of spoken answers. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "../accounts/api-keys/AuthenticationApi.ts"
import { recordedFormats } from "../files/FileType.ts"
import { parameter } from "../platform/http/IntegrationApi.ts"
import { NotFound, RangeNotSatisfiable, Unprocessable } from "../platform/http/ProblemApi.ts"
import { QuestionId, SubmissionId } from "../values/Ids.ts"

const header = (description: string) => Schema.optionalKey(Schema.String).annotateKey({ description })

/** Without a content yet, the type is not known. */
const contentTypes = [...recordedFormats.map(({ contentType }) => contentType), "application/octet-stream"]

const whole = HttpApiSchema.StreamUint8Array({ contentType: contentTypes })

const parts = contentTypes.map((contentType) =>
  Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType }), HttpApiSchema.status(206)),
)

const read = HttpApiEndpoint.get("read", "/hiring/submissions/:id/answers/:question/recording/v1", {
  params: {
    id: SubmissionId.annotateKey({ description: "The submission's id" }),
    question: QuestionId.annotateKey({ description: "The `question_id` of the answer" }),
  },
  query: {
    attempt: parameter(
      Schema.String.check(
        Schema.isPattern(/^[1-9]\d{0,8}$/, { code: "wrong_type", message: "must be a whole number" }),
      ),
      "Of the answer; by default the last one",
    ),
  },
  headers: {
    range: header(
      "The part of the recording that is sent, such as bytes=0-1048575; of several ranges, the whole is sent",
    ),
    "if-range": header("The ETag of an earlier response: with another one, the whole recording is sent"),
  },
  success: [whole, ...parts],
  error: [NotFound, RangeNotSatisfiable, Unprocessable],
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getRecording",
    summary: "Download a recording",
    description:
      "The recording of a spoken answer as a file: 200, or the part that the header Range names: 206. `recording.url` of an answer of the submission's detail is its address. Needs the scope `read` or `review_submissions`.",
  }),
)

export const Recordings = HttpApiGroup.make("recordings")
  .add(read)
  .middleware(Authentication)
  .annotateMerge(OpenApi.annotations({ title: "Recordings", description: "Recordings of spoken answers." }))
