/**
 * Deactivation after WEBHOOK_DEACTIVATE_AFTER failed attempts in a row, or at 410 Gone, and when a deactivated endpoint is
 * probed (docs/webhooks.md).
 */
import { Duration } from "effect"
import type { EndpointId } from "../../values/Ids.ts"

export interface FailureCount {
  readonly endpoint_id: EndpointId
  readonly consecutive_failures: number
  /** The limit was reached, even if a success followed. */
  readonly isExhausted: boolean
  /** The receiver answered 410 Gone. */
  readonly isGone: boolean
  readonly succeeded: boolean
  readonly error: string | null
}

/**
 * `counters`: `consecutive_failures` before the batch; other endpoints are ignored. `attempts` are in the order of
 * their ends.
 */
export const countFailures = (
  counters: ReadonlyMap<EndpointId, number>,
  attempts: ReadonlyArray<{
    readonly endpoint_id: EndpointId
    readonly attempt: { readonly error: string | null; readonly status: number | null }
  }>,
  deactivateAfter: number,
): ReadonlyArray<FailureCount> => {
  const counts = new Map<EndpointId, FailureCount>()
  for (const { attempt, endpoint_id } of attempts) {
    const counter = counters.get(endpoint_id)
    if (counter === undefined) continue
    const before = counts.get(endpoint_id) ?? {
      endpoint_id,
      consecutive_failures: counter,
      isExhausted: counter >= deactivateAfter,
      isGone: false,
      succeeded: false,
      error: null,
    }
    const consecutive_failures = attempt.error === null ? 0 : before.consecutive_failures + 1
    counts.set(endpoint_id, {
      endpoint_id,
      consecutive_failures,
      isExhausted: before.isExhausted || consecutive_failures >= deactivateAfter,
      isGone: before.isGone || isGone(attempt),
      succeeded: before.succeeded || attempt.error === null,
      error: attempt.error ?? before.error,
    })
  }
  return [...counts.values()]
}

/** Separates the attempts at endpoints that have a failure among them. */
export const byEndpointFailure = <A extends { readonly endpoint_id: EndpointId; readonly state: string }>(
  attempts: ReadonlyArray<A>,
): { readonly delivered: ReadonlyArray<A>; readonly failing: ReadonlyArray<A> } => {
  const endpoints = new Set(attempts.flatMap(({ endpoint_id, state }) => (state === "delivered" ? [] : [endpoint_id])))
  return {
    delivered: attempts.filter(({ endpoint_id }) => !endpoints.has(endpoint_id)),
    failing: attempts.filter(({ endpoint_id }) => endpoints.has(endpoint_id)),
  }
}

/** The receiver says that the address will never accept deliveries again (RFC 9110, 15.5.11). */
export const isGone = ({ status }: { readonly status: number | null }): boolean => status === 410

/** Longest delay between probes, unless WEBHOOK_PROBE_FIRST is longer. */
const maxProbeDelay = Duration.hours(2)

/** The delay of the probe that follows `failed` failed ones: `first`, doubled each time. */
export const probeDelay = (first: Duration.Duration, failed: number): Duration.Duration =>
  // more doublings would exceed any limit
  Duration.min(Duration.times(first, 2 ** Math.min(failed, 40)), Duration.max(first, maxProbeDelay))
