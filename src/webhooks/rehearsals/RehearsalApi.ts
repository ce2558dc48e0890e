/** The API of rehearsals of receivers (docs/rehearsals.md). */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "../../accounts/api-keys/AuthenticationApi.ts"
import { Idempotency } from "../../accounts/api-keys/IdempotencyApi.ts"
import { page, pageQuery, results } from "../../platform/http/IntegrationApi.ts"
import { Conflict, NotFound, Unprocessable } from "../../platform/http/ProblemApi.ts"
import { RehearsalId } from "../../values/Ids.ts"
import { endpointParams, endpointPath } from "../endpoints/EndpointApi.ts"
import { RehearsalDetail, RehearsalSummary } from "./Rehearsal.ts"

const path = `${endpointPath}/rehearsals` as const

const begin = HttpApiEndpoint.post("begin", path, {
  params: endpointParams,
  success: results(RehearsalDetail, "The rehearsal, which has begun").pipe(HttpApiSchema.status(202)),
  error: [NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "rehearseWebhookEndpoint",
      summary: "Rehearse a receiver",
      description:
        "Sends signed samples to the endpoint, also to an inactive one, and grades the answers: valid, repeated and late events, signatures that must be refused, a burst. All carry `is_test` and are neither listed nor counted. Returns at once; read the rehearsal until its `state` is not `running`. 409 while another one of the endpoint is running. Takes no body. Needs the scope `manage_webhooks`.",
    }),
  )

const list = HttpApiEndpoint.get("list", path, {
  params: endpointParams,
  query: pageQuery,
  success: page(RehearsalSummary, "rehearsals"),
  error: [NotFound, Unprocessable],
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listWebhookRehearsals",
    summary: "List rehearsals",
    description:
      "The last 20 rehearsals of a webhook endpoint, newest first, without their steps. Needs the scope `read` or `manage_webhooks`.",
  }),
)

const read = HttpApiEndpoint.get("read", `${path}/:rehearsal`, {
  params: { ...endpointParams, rehearsal: RehearsalId.annotateKey({ description: "The rehearsal's id" }) },
  success: results(RehearsalDetail, "The rehearsal with its steps"),
  error: NotFound,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getWebhookRehearsal",
    summary: "Read a rehearsal",
    description:
      "Its steps so far: the result, what happened, what to change in the receiver, and what was sent and answered. Needs the scope `read` or `manage_webhooks`.",
  }),
)

export const WebhookRehearsals = HttpApiGroup.make("webhookRehearsals")
  .add(begin, list, read)
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Rehearsals of receivers",
      description: "Samples that are sent to a webhook endpoint, and what its answers mean.",
    }),
  )
