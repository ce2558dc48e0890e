/** The API of addresses that get no emails (docs/mails.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../accounts/api-keys/AuthenticationApi.ts"
import { Idempotency } from "../accounts/api-keys/IdempotencyApi.ts"
import { candidateQuery } from "../candidates/CandidateApi.ts"
import { suppressionReasons } from "../emails/EmailEvent.ts"
import { page, pageQuery, parameter, results } from "../platform/http/IntegrationApi.ts"
import { bodyProblems, NotFound, Unprocessable } from "../platform/http/ProblemApi.ts"
import { SuppressionId } from "../values/Ids.ts"
import { SuppressAddress, Suppression } from "./Suppression.ts"

const path = "/suppressions/v1"

const list = HttpApiEndpoint.get("list", path, {
  query: {
    ...pageQuery,
    email: candidateQuery("suppressions").email.annotateKey({
      description: "Only this address, also after the erasure of its candidate, ignoring case",
    }),
    reason: parameter(Schema.Literals(suppressionReasons), "Only addresses with this reason"),
  },
  success: page(Suppression, "suppressed addresses"),
  error: Unprocessable,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listSuppressions",
    summary: "List suppressed addresses",
    description:
      "Addresses that get no emails of your organization, newest first. Needs the scope `read` or `manage_emails`.",
  }),
)

const suppress = HttpApiEndpoint.post("suppress", path, {
  payload: SuppressAddress,
  success: results(Suppression, "The suppressed address"),
  error: bodyProblems,
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "suppressAddress",
      summary: "Suppress an address",
      description:
        "No more emails of your organization go to the address: invitations to it fail with `unsubscribed`, and queued emails are not sent. An address that is suppressed already keeps its reason. Needs the scope `manage_emails`.",
    }),
  )

const release = HttpApiEndpoint.delete("release", `${path}/:id`, {
  params: { id: SuppressionId.annotateKey({ description: "The suppression's id" }) },
  success: results(
    Schema.Struct({ id: SuppressionId, deleted: Schema.Literal(true) }).annotate({ identifier: "ReleasedSuppression" }),
    "The address gets emails again",
  ),
  error: NotFound,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "releaseSuppression",
    summary: "Allow emails to an address again",
    description:
      "Only if the person asked for emails: `spam` and `unsubscribed` are the recipient's own wish. Lists of your mail provider are not changed. Needs the scope `manage_emails`.",
  }),
)

export const Suppressions = HttpApiGroup.make("suppressions")
  .add(list, suppress, release)
  .middleware(Authentication)
  .annotateMerge(OpenApi.annotations({ title: "Suppressions", description: "Addresses that get no emails." }))
