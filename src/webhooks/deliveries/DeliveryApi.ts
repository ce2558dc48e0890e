/** The API of deliveries to webhook endpoints (docs/webhook-deliveries.md). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../../accounts/api-keys/AuthenticationApi.ts"
import { Idempotency } from "../../accounts/api-keys/IdempotencyApi.ts"
import { page, pageQuery, parameter, results } from "../../platform/http/IntegrationApi.ts"
import { bodyProblems, Conflict, NotFound, Unprocessable } from "../../platform/http/ProblemApi.ts"
import { DeliveryId } from "../../values/Ids.ts"
import { endpointParams, endpointPath } from "../endpoints/EndpointApi.ts"
import { DeliveryDetail, DeliveryState, maxBatch, ResendFailed, ResentFailed } from "./Delivery.ts"

const deliveriesPath = `${endpointPath}/deliveries` as const

const list = HttpApiEndpoint.get("list", deliveriesPath, {
  params: endpointParams,
  query: { ...pageQuery, state: parameter(DeliveryState, "Only deliveries in this state") },
  success: page(DeliveryDetail, "deliveries"),
  error: [NotFound, Unprocessable],
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listWebhookDeliveries",
    summary: "List deliveries",
    description:
      "The deliveries of a webhook endpoint, newest first, each with its attempts. Test deliveries are not listed.",
  }),
)

const resend = HttpApiEndpoint.post("resend", `${deliveriesPath}/:delivery/resend`, {
  params: { ...endpointParams, delivery: DeliveryId.annotateKey({ description: "The delivery's number" }) },
  success: results(DeliveryDetail, "The new delivery"),
  error: [NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "resendWebhookDelivery",
      summary: "Send a delivery again",
      description:
        "Sends the event of a delivered or failed delivery again, as a new delivery with all its attempts, and returns that one. 409 when the delivery is not finished, the endpoint is inactive, or the event was deleted because of its age. Takes no body. Needs the scope `manage_webhooks`.",
    }),
  )

const resendFailed = HttpApiEndpoint.post("resendFailed", `${endpointPath}/resend-failed`, {
  params: endpointParams,
  payload: ResendFailed,
  success: results(ResentFailed, "The number of deliveries that are sent again"),
  error: [...bodyProblems, NotFound, Conflict],
})
  .middleware(Idempotency)
  .annotateMerge(
    OpenApi.annotations({
      identifier: "resendFailedWebhookDeliveries",
      summary: "Send failed deliveries again",
      description: `Sends the events of deliveries that failed since a time again, each as a new delivery with all its attempts, oldest first, 50 per second. A request sends at most ${maxBatch.toLocaleString("en")}; \`has_more\` says whether others remain. A delivery that was sent again is not sent by another request, also when two run at once; events that were deleted because of their age are not sent. 409 when the endpoint is inactive. Needs the scope \`manage_webhooks\`.`,
    }),
  )

export const WebhookDeliveries = HttpApiGroup.make("webhookDeliveries")
  .add(list, resend, resendFailed)
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhook deliveries",
      description: "What was sent to an endpoint, with each attempt, and how to send it again.",
    }),
  )
