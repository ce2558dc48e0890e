/**
 * The states of a webhook delivery: an event on its way to one endpoint (docs/webhooks.md).
 *
 * ```
 *            2xx
 * queued ───────────→ delivered
 *  ↑  │ failure, retries left
 *  └──┤ due after the retry delay (values/RetryPolicy.ts)
 *     │ failure, no retry left
 *     ├───────────→ failed      final; sending it again makes a new delivery of the same event
 *     │ endpoint inactive (EndpointHealth.ts)
 *     └───────────→ parked      queued again by DeliveryLog.sendParked after the endpoint is enabled
 * ```
 */
import { Schema } from "effect"

export const DeliveryState = Schema.Literals(["queued", "parked", "delivered", "failed"])
export type DeliveryState = typeof DeliveryState.Type

export const Attempt = Schema.Struct({
  /** ISO 8601, when the attempt began. */
  at: Schema.String,
  /** The status of the answer; null when there was no answer. */
  status: Schema.NullOr(Schema.Int),
  duration_ms: Schema.Int,
  /** The reason of the failure, for people; null for a success. */
  error: Schema.NullOr(Schema.String),
  /** The first 4 KiB of the answer; null when there was no answer. */
  answer: Schema.NullOr(Schema.String),
})
export type Attempt = typeof Attempt.Type

export const isAcknowledged = (status: number): boolean => status >= 200 && status < 300

/**
 * Deliveries that one search by event reads. Deliveries do not store the event's type, and an index for it would cost a write
 * per delivery.
 */
export const maxSearched = 5000
