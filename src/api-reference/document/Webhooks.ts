/** The document's webhooks: what this service sends to a receiver's URL. */
import type { EventType } from "../../webhooks/WebhookEvent.ts"
import type { Example, Examples, Operation, Parameter, PathItem } from "./Document.ts"
import * as Events from "./examples/Events.ts"
import { eventNames } from "./WebhookEvents.ts"

export const tag = {
  name: "Webhooks",
  description: "What the service sends to your URL, signed, as candidates move on.",
}

const header = (name: string, description: string, example: string): Parameter => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
})

/** Headers of every delivery; the signatures are those of the example of an evaluated interview. */
export const deliveryHeaders: Readonly<Record<string, Parameter>> = Object.fromEntries(
  [
    header(
      "X-Webhook-Signature",
      "t=<unix seconds>,v1=<hex digest>; two v1 while a secret is being replaced. See “Webhooks” for how to verify it",
      "t=1795511612,v1=cd07b146f5b483e4b302123cb8e567507b715bc5c439e72f49553d4b73ecd12a",
    ),
    header("webhook-id", "The event_id (Standard Webhooks)", Events.evaluated.event_id),
    header("webhook-timestamp", "The t of X-Webhook-Signature (Standard Webhooks)", "1795511612"),
    header(
      "webhook-signature",
      "v1,<base64 digest> (Standard Webhooks): its libraries verify it with the displayed secret",
      "v1,uCB1lb4Ig+KJfhf4A6ZVBHYD579NOzHPyQWzYmt8Y04=",
    ),
  ].map((each) => [each.name, each]),
)

const example = (summary: string, value: unknown): Example => ({ summary, value })

const webhook = (eventType: EventType, summary: string, description: string, examples: Examples): PathItem => ({
  post: {
    operationId: `webhooks.${eventNames[eventType]}`,
    tags: [tag.name],
    summary,
    description,
    security: [],
    parameters: Object.keys(deliveryHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: { $ref: `#/components/schemas/${eventNames[eventType]}` }, examples },
      },
    },
    responses: {
      "2XX": { description: "Any 2xx within {webhook_timeout} acknowledges the delivery; its body does not matter" },
      default: {
        description:
          "Anything else, a redirect among it, and no answer within {webhook_timeout}: a failed attempt. {webhook_retries}",
      },
    },
  } satisfies Operation,
})

/** By the event's name. */
export const webhooks: Readonly<Record<EventType, PathItem>> = {
  "invitation.status.update": webhook(
    "invitation.status.update",
    "The mail of an invitation got further",
    "The mail's provider has reported on an invitation, or the service itself did not send it.",
    {
      delivered: example("The mail has arrived", Events.delivered),
      failed: example("The address is not valid", Events.failed),
    },
  ),
  "interview.status.update": webhook(
    "interview.status.update",
    "A candidate has opened, started or completed an interview",
    "`initiated` comes once, when the candidate acts on the interview's page; a visit alone is none.",
    { completed: example("The interview is completed", Events.completed) },
  ),
  "interview.evaluation.update": webhook(
    "interview.evaluation.update",
    "An evaluation is there",
    "A CV, an interview, or both together (`holistic`) were evaluated. Events of type `interview` and `holistic` are held while the candidate can still improve the answers, and sent within {held_events_interval} after; those of type `cv` are not held. Read the whole evaluation with `submission_id`.",
    {
      scored: example("An interview was scored", Events.evaluated),
      test: example("A test delivery", Events.tested),
    },
  ),
}
