/** HTTP contract of the events API (docs/api.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../../accounts/api-keys/AuthenticationApi.ts"
import { pageQuery, parameter } from "../../platform/http/IntegrationApi.ts"
import { Unprocessable } from "../../platform/http/ProblemApi.ts"
import { SubmissionId } from "../../values/Ids.ts"
import { Instant } from "../../values/Timestamp.ts"
import { EventEnvelope, eventTypes } from "./WebhookEvent.ts"

const list = HttpApiEndpoint.get("list", "/events/v1", {
  query: {
    ...pageQuery,
    since: parameter(
      Instant,
      "Instead of cursor: start with the first event whose timestamp is this time or later, such as 2030-01-31T18:00:00Z. Continue with next_cursor",
    ),
    from: parameter(
      Schema.Literals(["now"]),
      "Instead of cursor: `now` returns no events, only the next_cursor for later ones",
    ),
    event_type: parameter(Schema.Literals(eventTypes), "Only events of this type"),
    submission_id: parameter(SubmissionId, "Only events about this submission"),
  },
  success: Schema.Struct({
    results: Schema.Array(EventEnvelope),
    next_cursor: Schema.String.annotate({
      description: "Send it as cursor to continue, also after the last page: later events follow it",
    }),
  }).annotate({ description: "Events after the cursor, oldest first; an empty list when there are none" }),
  error: Unprocessable,
}).annotateMerge(
  OpenApi.annotations({
    identifier: "listEvents",
    summary: "Read events",
    description:
      "Every event of your organization, oldest first. Store next_cursor and send it with the next request: no event is missed or returned twice, even while events are written. Use it to verify that no webhook was lost, or to catch up after an outage.",
  }),
)

export const Events = HttpApiGroup.make("events")
  .add(list)
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Events",
      description: "The same envelopes that webhooks deliver.",
    }),
  )
