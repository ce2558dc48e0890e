/** The API of webhook endpoints (docs/webhook-endpoints.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "../../accounts/api-keys/AuthenticationApi.ts"
import { HasSecret, Idempotency } from "../../accounts/api-keys/IdempotencyApi.ts"
import { page, pageQuery, results } from "../../platform/http/IntegrationApi.ts"
import { bodyProblems, Conflict, NotFound, Unprocessable } from "../../platform/http/ProblemApi.ts"
import { EndpointId } from "../../values/Ids.ts"
import { TestResult } from "../deliveries/Delivery.ts"
import {
  CreateEndpoint,
  EndpointDetail,
  EndpointWithSecret,
  RotateSecret,
  TestEndpoint,
  UpdateEndpoint,
} from "./Endpoint.ts"

const path = "/webhooks/v1"

const list = HttpApiEndpoint.get("list", path, {
  query: pageQuery,
  success: page(EndpointDetail, "endpoints"),
  error: Unprocessable,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listWebhookEndpoints",
    summary: "List webhook endpoints",
    description: "Newest first, with their health and without their secrets.",
  }),
)

const create = HttpApiEndpoint.post("create", path, {
  payload: CreateEndpoint,
  success: results(EndpointWithSecret, "The endpoint and its secret").pipe(HttpApiSchema.status(201)),
  error: bodyProblems,
})
  .middleware(Idempotency)
  .annotate(HasSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "createWebhookEndpoint",
      summary: "Create a webhook endpoint",
      description:
        "Registers a URL that receives events, and returns its secret. Store it: no other response contains it. With an `Idempotency-Key`, a repeated request returns the same secret (it is stored encrypted). An organization has at most 100 endpoints. Needs the scope `manage_webhooks`.",
    }),
  )

/** Of an endpoint, and of what belongs to it. */
export const endpointParams = { id: EndpointId.annotateKey({ description: "The endpoint's id" }) }
export const endpointPath = `${path}/:id` as const

const read = HttpApiEndpoint.get("read", endpointPath, {
  params: endpointParams,
  success: results(EndpointDetail, "The endpoint"),
  error: NotFound,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "getWebhookEndpoint",
    summary: "Read a webhook endpoint",
    description: "Its fields and its health, without its secret.",
  }),
)

const update = HttpApiEndpoint.patch("update", endpointPath, {
  params: endpointParams,
  payload: UpdateEndpoint,
  success: results(EndpointDetail, "The endpoint with its changes"),
  error: [...bodyProblems, NotFound, Conflict],
}).annotateMerge(
  OpenApi.annotations({
    identifier: "updateWebhookEndpoint",
    summary: "Change a webhook endpoint",
    description:
      "Changes the given fields; the others keep their values. 409 when `send_parked` is true and the endpoint is or becomes inactive; then nothing is changed. Needs the scope `manage_webhooks`.",
  }),
)

const remove = HttpApiEndpoint.delete("remove", endpointPath, {
  params: endpointParams,
  success: results(
    Schema.Struct({ id: EndpointId, deleted: Schema.Literal(true) }).annotate({ identifier: "DeletedWebhookEndpoint" }),
    "The endpoint is deleted",
  ),
  error: NotFound,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "deleteWebhookEndpoint",
    summary: "Delete a webhook endpoint",
    description: "Deletes the endpoint, its secret and its deliveries. Needs the scope `manage_webhooks`.",
  }),
)

const rotateSecret = HttpApiEndpoint.post("rotateSecret", `${endpointPath}/rotate-secret`, {
  params: endpointParams,
  payload: RotateSecret,
  success: results(EndpointWithSecret, "The endpoint and its new secret"),
  error: [...bodyProblems, NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotate(HasSecret, true)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "rotateWebhookSecret",
      summary: "Replace the secret of a webhook endpoint",
      description:
        "Creates a new secret, which signs at once, and returns it. Store it: no other response contains it. The old secret also signs until `previous_secret_until`; until then, replacing the secret again gets 409, unless `end_old_secret` is true. Send an `Idempotency-Key`: if the response is lost, the repeated request returns the same secret. The body is optional. Needs the scope `manage_webhooks`.",
    }),
  )

// Without Idempotency, which would hold a database connection while the receiver responds.
const test = HttpApiEndpoint.post("test", `${endpointPath}/test`, {
  params: endpointParams,
  payload: TestEndpoint,
  success: results(TestResult, "The event that was sent, and the receiver's response"),
  error: [...bodyProblems, NotFound, Conflict],
}).annotateMerge(
  OpenApi.annotations({
    identifier: "testWebhookEndpoint",
    summary: "Send a test event",
    description:
      "Sends a signed sample event once, also to an inactive endpoint, and returns the receiver's response. The status is 200 even if the event was not delivered. It carries `is_test` and is neither listed nor counted. The body is optional. An `Idempotency-Key` is ignored. 409 when the endpoint's secret cannot be decrypted. Needs the scope `manage_webhooks`.",
  }),
)

export const WebhookEndpoints = HttpApiGroup.make("webhookEndpoints")
  .add(list, create, read, update, remove, rotateSecret, test)
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhook endpoints",
      description: "URLs that receive events.",
    }),
  )
