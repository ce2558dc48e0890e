/**
 * Webhook deliveries and the endpoints they go to (spec, Webhook delivery and endpoint).
 *
 * ```
 *            2xx                              any 2xx: the endpoint's counter is 0
 * queued ───────────→ delivered               any failure: the counter grows by 1; at 15 the endpoint is inactive
 *  ↑  │ failure, attempts < 6
 *  └──┤ due again after the Schedule's delay
 *     │ failure, attempts = 6
 *     ├───────────→ failed                    never tried again; a resend is a new delivery of the same event
 *     │ endpoint inactive
 *     └───────────→ parked                    kept, sent when somebody re-enables the endpoint and asks for it
 * ```
 */
import { Schema } from "effect"

export const DeliveryState = Schema.Literals(["queued", "parked", "delivered", "failed"])
export type DeliveryState = typeof DeliveryState.Type

/** One attempt as it is kept and shown. */
export const Attempt = Schema.Struct({
  /** ISO 8601, when the attempt began. */
  at: Schema.String,
  /** The answer's status; null when there was none. */
  status: Schema.NullOr(Schema.Int),
  duration_ms: Schema.Int,
  /** Why it failed, in plain words; null for a success. */
  error: Schema.NullOr(Schema.String),
  /** The answer's first 4 KiB; null when there was none. */
  answer: Schema.NullOr(Schema.String),
})
export type Attempt = typeof Attempt.Type

/** The answer's status alone decides: any 2xx acknowledges. */
export const isAcknowledged = (status: number): boolean => status >= 200 && status < 300

/**
 * Deliveries that are looked at for those of one event. Deliveries do not name it, and an index that each of them has to
 * write would cost more than looking on, page by page.
 */
export const maxSearched = 5000
