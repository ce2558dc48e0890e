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
  /** Null when there was no answer. */
  status: Schema.NullOr(Schema.Int),
  duration_ms: Schema.Int,
  /** For people; null for a success. */
  error: Schema.NullOr(Schema.String),
  /** The first 4 KiB; null when there was no answer. */
  answer: Schema.NullOr(Schema.String),
})
export type Attempt = typeof Attempt.Type

export const isAcknowledged = (status: number): boolean => status >= 200 && status < 300

/**
 * Deliveries that a search by event reads, because they do not store the event's type: its index would cost a write per delivery.
 */
export const maxSearched = 5000
