/**
 * The states of a webhook delivery: an event on its way to one endpoint (docs/webhooks.md).
 *
 * ```
 *            2xx
 * queued ───────────→ delivered
 *  ↑  │ failure, retries left
 *  └──┤ due after a delay (RetryPolicy.ts)
 *     │ failure, no retry left
 *     ├───────────→ failed      final; a resend is a new delivery of the event
 *     │ endpoint inactive (EndpointHealth.ts)
 *     └───────────→ parked      queued again by Deliveries.sendParked, or for one attempt by Deliveries.sendNow
 * ```
 */
import { Schema, SchemaIssue } from "effect"
import { integer, list, optional, rule } from "../../values/Fields.ts"
import { DeliveryId, EventId } from "../../values/Ids.ts"
import { Instant, Timestamp } from "../../values/Timestamp.ts"
import { eventTypes } from "../events/WebhookEvent.ts"

export const DeliveryState = Schema.Literals(["queued", "parked", "delivered", "failed"])
export type DeliveryState = typeof DeliveryState.Type

export const Attempt = Schema.Struct({
  at: Timestamp.annotate({ description: "When the attempt began" }),
  status: Schema.NullOr(integer(100, 999)).annotate({ description: "Status of the response; null without a response" }),
  duration_ms: integer(0),
  error: Schema.NullOr(Schema.String).annotate({
    description: "Why the attempt failed, for people; null for a success",
  }),
  answer: Schema.NullOr(Schema.String).annotate({
    description: "The first 4 KiB of the response's body; null without a response",
  }),
}).annotate({ identifier: "WebhookAttempt" })
export type Attempt = typeof Attempt.Type

/** An attempt without what the receiver sent: a response and the target of a redirect can repeat a person's data. */
export const withoutAnswer = (attempt: Attempt): Attempt => ({
  ...attempt,
  answer: null,
  error: attempt.error?.replace(/, a redirect to .*/s, ", a redirect") ?? null,
})

const eventName = "The event's name and sub-event, such as interview.status.update.completed"

export const DeliveryDetail = Schema.Struct({
  id: DeliveryId.annotateKey({ description: "A decimal number" }),
  state: DeliveryState.annotate({
    description:
      "queued: an attempt is due or running; parked: the endpoint is inactive; delivered and failed are final",
  }),
  event_id: EventId.annotate({ description: "The same in every delivery of the event" }),
  event: Schema.NullOr(Schema.String).annotate({ description: `${eventName}; null: the event was deleted` }),
  attempts: Schema.Array(Attempt).annotate({ description: "Oldest first" }),
  created_at: Timestamp,
  next_attempt_at: Schema.NullOr(Timestamp).annotate({ description: "null unless queued" }),
  finished_at: Schema.NullOr(Timestamp).annotate({ description: "null unless delivered or failed" }),
  resent_at: Schema.NullOr(Timestamp).annotate({ description: "When it was last sent again, as a new delivery" }),
}).annotate({ identifier: "WebhookDelivery" })
export type DeliveryDetail = typeof DeliveryDetail.Type

/** Deliveries that one statement sends again. */
export const maxBatch = 5000

/** The choice of failed deliveries to send again. */
export const ResendFailed = Schema.Struct({
  since: Instant.annotateKey({
    description: "Deliveries whose last attempt failed at this time or later, such as 2030-01-31T18:00:00Z",
  }),
  until: optional(
    Instant,
    "Only deliveries whose last attempt failed before this time. Without it, a later request also sends those that failed again meanwhile",
  ),
  event_types: optional(
    list(Schema.Literals(eventTypes), 50).check(
      rule((types: ReadonlyArray<string>) => types.length > 0, "too_few", "must have at least one item"),
    ),
    "Only deliveries of these events, without sub-events",
  ),
})
  .check(
    Schema.makeFilter(({ since, until }) =>
      until == null || Date.parse(until) > Date.parse(since)
        ? undefined
        : {
            path: ["until"],
            issue: new SchemaIssue.InvalidValue({ code: "out_of_range", message: "must be after since" }),
          },
    ),
  )
  .annotate({ identifier: "ResendFailedDeliveries" })
export type ResendFailed = typeof ResendFailed.Type

export const ResentFailed = Schema.Struct({
  queued: integer(0, maxBatch).annotate({ description: "Deliveries that this request sends again, 50 per second" }),
  has_more: Schema.Boolean.annotate({
    description: "true: further failed deliveries match; send the same body again, with a new Idempotency-Key",
  }),
}).annotate({ identifier: "ResentFailedDeliveries" })
export type ResentFailed = typeof ResentFailed.Type

export const TestDelivery = Schema.Struct({
  event: Schema.String.annotate({ description: eventName }),
  event_id: EventId,
  body: Schema.String.annotate({ description: "The body that was sent" }),
  attempt: Attempt,
})
export type TestDelivery = typeof TestDelivery.Type

export const TestResult = Schema.Struct({
  delivered: Schema.Boolean.annotate({ description: "The receiver responded with any 2xx" }),
  ...TestDelivery.fields,
}).annotate({ identifier: "WebhookTest" })
export type TestResult = typeof TestResult.Type

export const isAcknowledged = (status: number): boolean => status >= 200 && status < 300

/** Limit of a search by event: an index of the event's type would cost a write per delivery. */
export const maxSearched = 5000

const hour = 3_600_000

/** Numbers of attempts that began in an hour. */
export interface HourOfAttempts {
  readonly hour: Date
  readonly delivered: number
  readonly failed: number
}

/** Hours of the charts of attempts; counts are kept for longer (Retention.ts). */
export const chartedHours = 24

/** The beginnings of the charted hours, oldest first; the last one is that of `now`. */
export const hoursUntil = (now: Date): ReadonlyArray<Date> =>
  Array.from(
    { length: chartedHours },
    (_, i) => new Date((Math.floor(now.getTime() / hour) + 1 - chartedHours + i) * hour),
  )
