/** Events: what webhooks reported, read back in order. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../accounts/AuthenticationApi.ts"
import { pageQuery, parameter } from "../platform/http/IntegrationApi.ts"
import { Unprocessable } from "../platform/http/ProblemApi.ts"
import { SubmissionId } from "../values/Ids.ts"
import { EventEnvelope, eventTypes } from "./WebhookEvent.ts"

const list = HttpApiEndpoint.get("list", "/events/v1", {
  query: {
    ...pageQuery,
    event_type: parameter(Schema.Literals(eventTypes), "Only events of this type"),
    submission_id: parameter(SubmissionId, "Only events about this submission"),
  },
  success: Schema.Struct({
    results: Schema.Array(EventEnvelope),
    next_cursor: Schema.String.annotate({
      description:
        "Send it as cursor to go on from here, also when this page was the last one: later events come behind it",
    }),
  }),
  error: Unprocessable,
}).annotateMerge(
  OpenApi.annotations({
    summary: "Read events",
    description:
      "Every event of your organization, oldest first, in an order that a reader can follow: keep next_cursor, ask again with it, and no event is ever missed or told twice, whatever is written meanwhile. For proving that no webhook was lost, and for catching up after an outage.",
  }),
)

export const Events = HttpApiGroup.make("events")
  .add(list)
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Events",
      description: "The same envelopes that webhooks deliver, to be read at any time.",
    }),
  )
