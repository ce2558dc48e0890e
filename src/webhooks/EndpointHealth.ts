/**
 * When a webhook endpoint is deactivated: after WEBHOOK_DEACTIVATE_AFTER failed attempts in a row (15 by default; docs/webhooks.md).
 * Each settled attempt moves the endpoint's counter `consecutive_failures`: a success sets it to 0, a failure adds 1. Attempts
 * that fail because of this service itself are not counted. Enabling the endpoint sets the counter to 0. The statement that
 * applies the rule is DeliveryRepository.settle.
 */
import type { EndpointId } from "../values/Ids.ts"

/** The attempts of one endpoint in a batch of settlements, as far as its counter needs them. */
export interface FailureStreak {
  readonly endpoint_id: EndpointId
  /** Whether any attempt succeeded, so that earlier failures no longer count. */
  readonly succeeded: boolean
  /** Failures before the first success. They continue the endpoint's counter. */
  readonly first: number
  /** The most failures in a row within the batch. */
  readonly longest: number
  /** Failures after the last success: the counter after the batch, or what is added to it without a success. */
  readonly failures: number
  /** The error of the last failure. */
  readonly error: string | null
}

/** Counts the failures in a row of each endpoint. The attempts are in the order in which they ended; error null: a success. */
export const failureStreaks = (
  attempts: ReadonlyArray<{ readonly endpoint_id: EndpointId; readonly attempt: { readonly error: string | null } }>,
): ReadonlyArray<FailureStreak> => {
  const streaks = new Map<EndpointId, FailureStreak>()
  for (const { attempt, endpoint_id } of attempts) {
    const before = streaks.get(endpoint_id) ?? {
      endpoint_id,
      succeeded: false,
      first: 0,
      longest: 0,
      failures: 0,
      error: null,
    }
    const { error } = attempt
    if (error === null) streaks.set(endpoint_id, { ...before, succeeded: true, failures: 0 })
    else {
      const failures = before.failures + 1
      const first = before.succeeded ? before.first : failures
      streaks.set(endpoint_id, { ...before, first, longest: Math.max(before.longest, failures), failures, error })
    }
  }
  return [...streaks.values()]
}
