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
 *     └───────────→ parked      queued again by Deliveries.sendParked
 * ```
 */
import { Schema } from "effect"

export const DeliveryState = Schema.Literals(["queued", "parked", "delivered", "failed"])
export type DeliveryState = typeof DeliveryState.Type

export const Attempt = Schema.Struct({
  /** ISO 8601, when the attempt began. */
  at: Schema.String,
  /** Null without a response. */
  status: Schema.NullOr(Schema.Int),
  duration_ms: Schema.Int,
  /** Null for a success. */
  error: Schema.NullOr(Schema.String),
  /** The first 4 KiB; null without a response. */
  answer: Schema.NullOr(Schema.String),
})
export type Attempt = typeof Attempt.Type

export const isAcknowledged = (status: number): boolean => status >= 200 && status < 300

/** Limit of a search by event: an index of the event's type would cost a write per delivery. */
export const maxSearched = 5000
