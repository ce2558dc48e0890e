/** The document's webhooks: the requests to a receiver. */
import { catalogue, type EventType, eventTypes } from "../webhooks/events/WebhookEvent.ts"
import {
  completedEvent,
  decidedEvent,
  deliveredEvent,
  evaluatedEvent,
  failedEvent,
  movedEvent,
  reviewedEvent,
  signing,
  testEvent,
} from "./Examples.ts"
import type { Example, ExampleMap, Operation, Parameter, PathItem } from "./OpenApiDocument.ts"

export const tag = {
  name: "Webhooks",
  description: "Signed requests that the service sends to your URL.",
}

const header = (name: string, description: string, sample: string): Parameter => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example: sample,
})

/** Placeholders.ts signs `evaluatedEvent`. */
export const deliveryHeaders: Readonly<Record<string, Parameter>> = Object.fromEntries(
  [
    header(
      "X-Webhook-Signature",
      "t=<unix seconds>,v1=<hex digest>; two v1 while a secret is being replaced, the old secret's first: try each. The guide's section “Webhooks” explains how to verify it",
      "{x_webhook_signature}",
    ),
    header("webhook-id", "The event_id (Standard Webhooks)", evaluatedEvent.event_id),
    header("webhook-timestamp", "The t of X-Webhook-Signature (Standard Webhooks)", String(signing.timestamp)),
    header(
      "webhook-signature",
      "v1,<base64 digest> (Standard Webhooks): its libraries verify it with the displayed secret",
      "{webhook_signature}",
    ),
  ].map((each) => [each.name, each]),
)

const example = (summary: string, value: unknown): Example => ({ summary, value })

const examples: Readonly<Record<EventType, ExampleMap>> = {
  "invitation.status.update": {
    delivered: example("The email was delivered", deliveredEvent),
    failed: example("The address is not valid", failedEvent),
  },
  "interview.status.update": { completed: example("The interview is completed", completedEvent) },
  "interview.evaluation.update": {
    scored: example("An interview was scored", evaluatedEvent),
    test: example("A test delivery", testEvent),
  },
  "submission.decision.update": { advance: example("The candidate advances", decidedEvent) },
  "submission.stage.update": { moved: example("The candidate is moved to the phone call", movedEvent) },
  "submission.review": { requested: example("The candidate asks for a person", reviewedEvent) },
}

/** The name of a webhook in /openapi.json, from which generators derive names of types: `invitationStatusUpdate`. */
export const webhookName = (type: EventType): string =>
  type.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase())

const webhook = (type: EventType): PathItem => ({
  post: {
    operationId: webhookName(type),
    tags: [tag.name],
    summary: catalogue[type].description,
    description: catalogue[type].documentation,
    security: [],
    parameters: Object.keys(deliveryHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { $ref: `#/components/schemas/${catalogue[type].identifier}` },
          examples: examples[type],
        },
      },
    },
    responses: {
      "2XX": { description: "Any 2xx within {webhook_timeout} acknowledges the delivery; the body is ignored" },
      default: {
        description:
          "Any other status, including a redirect, or no response within {webhook_timeout} is a failed attempt. {webhook_retry_times}",
      },
    },
  } satisfies Operation,
})

export const webhooks: Readonly<Record<string, PathItem>> = Object.fromEntries(
  eventTypes.map((type) => [webhookName(type), webhook(type)]),
)
