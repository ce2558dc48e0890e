/** Deactivation after WEBHOOK_DEACTIVATE_AFTER failed attempts in a row (docs/webhooks.md). */
import type { EndpointId } from "../values/Ids.ts"

export interface FailureCount {
  readonly endpoint_id: EndpointId
  readonly consecutive_failures: number
  /** The limit was reached, even if a success followed. */
  readonly isExhausted: boolean
  readonly succeeded: boolean
  readonly error: string | null
}

/**
 * `counters`: `consecutive_failures` before the batch; other endpoints are ignored. `attempts` are in the order of
 * their ends.
 */
export const countFailures = (
  counters: ReadonlyMap<EndpointId, number>,
  attempts: ReadonlyArray<{ readonly endpoint_id: EndpointId; readonly attempt: { readonly error: string | null } }>,
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
      succeeded: false,
      error: null,
    }
    const consecutive_failures = attempt.error === null ? 0 : before.consecutive_failures + 1
    counts.set(endpoint_id, {
      endpoint_id,
      consecutive_failures,
      isExhausted: before.isExhausted || consecutive_failures >= deactivateAfter,
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
