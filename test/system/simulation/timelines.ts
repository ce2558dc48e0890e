/** Checks the history of each delivery, request and process against the trace. */
import { Duration } from "effect"
import type { EndpointId } from "../../../src/values/Ids.ts"
import type { DeliverySettlement } from "../../../src/webhooks/deliveries/DeliverySettlementRepository.ts"
import type { Pod, Simulation } from "./simulation.ts"
import type { StoredDelivery } from "./tables.ts"
import { type ClaimRecord, type RequestRecord, requestOf, type Trace } from "./trace.ts"

/** Without faults, the longest time from due to claimed: an idle poll of 2 s and latency; milliseconds. */
export const soon = 3000

/** The shortest delay after failed attempt 1 to 5: 2 minutes, doubling, at most 2 hours; milliseconds. Jitter adds 10 %. */
const delayOf = (attempt: number) => Math.min(2 * 2 ** (attempt - 1), 120) * 60_000

/** Three times the timeout of 10 s, plus 30 s; milliseconds. */
export const lease = 60_000

type Step = { readonly order: number; readonly at: number } & (
  | { readonly kind: "claim"; readonly claim: ClaimRecord }
  | { readonly kind: "settlement"; readonly settlement: DeliverySettlement; readonly isKept: boolean }
  | { readonly kind: "release"; readonly claimId: string; readonly after: number }
  | { readonly kind: "sent parked" }
)

const stepsOf = (trace: Trace, { attempt_log, id }: StoredDelivery): ReadonlyArray<Step> => {
  const kept = new Set(attempt_log.map(requestOf))
  const first = new Set<number>()
  const steps: ReadonlyArray<Step> = [
    ...trace.claims.flatMap((claim) => {
      const { at, jobs, order } = claim
      return jobs.some((job) => job.id === id) ? [{ kind: "claim", claim, order, at } as const] : []
    }),
    ...trace.settlements.flatMap(({ at, committed, order, settlements }) =>
      settlements.flatMap((settlement) => {
        const request = requestOf(settlement.attempt)
        // a settlement whose response was lost is written again, without effect
        if (settlement.id !== id || committed === undefined || first.has(request)) return []
        first.add(request)
        return [{ kind: "settlement", settlement, isKept: kept.has(request), order, at } as const]
      }),
    ),
    ...trace.releases.flatMap(({ after, at, claims, order, written }) =>
      claims.flatMap((claim) =>
        claim.id === id && written
          ? [{ kind: "release", claimId: claim.claim_id, after: Duration.toMillis(after), order, at } as const]
          : [],
      ),
    ),
    ...trace.operations.flatMap((operation) =>
      operation.kind === "sent parked" && operation.deliveries.has(id)
        ? [{ kind: "sent parked", order: operation.order, at: operation.at } as const]
        : [],
    ),
  ]
  return steps.toSorted((a, b) => a.order - b.order)
}

/** A delivery is claimed when due, by one claim at a time, settled by the claim that holds it, and retried on schedule. */
const timelineViolations = (simulation: Simulation, row: StoredDelivery, isPrompt: boolean): ReadonlyArray<string> => {
  const violations: Array<string> = []
  let due = row.created_at
  let holder: string | undefined
  let attempts = 0
  /** By how much the holder may have put off the end of its lease; milliseconds. */
  let renewable = 0
  for (const step of stepsOf(simulation.trace, row)) {
    const report = (what: string) => violations.push(`delivery ${row.id} at ${step.at}: ${what}`)
    switch (step.kind) {
      case "claim":
        if (step.at < due) report(`claimed ${due - step.at} ms before it was due`)
        if (isPrompt && step.at > due + renewable + soon && isCalm(simulation, due, step.at)) {
          report(`claimed ${step.at - due} ms after it was due`)
        }
        holder = step.claim.claimId
        due = step.at + lease
        renewable = isPerformedAlone(step.claim, row) ? lease : 0
        break
      case "settlement": {
        const { claim_id, delay, state } = step.settlement
        if (step.isKept !== (holder === claim_id))
          report(step.isKept ? "settled by a claim that no longer held it" : "not settled")
        if (!step.isKept) break
        attempts++
        holder = undefined
        renewable = 0
        const millis = delay === undefined ? undefined : Duration.toMillis(delay)
        const min = delayOf(attempts)
        if (state === "queued" && (millis === undefined || millis < min || millis > min * 1.1)) {
          report(`retried after ${millis} ms, not ${min} plus up to 10 %`)
        }
        due = state === "queued" ? step.at + (millis ?? 0) : Number.POSITIVE_INFINITY
        break
      }
      case "release":
        if (holder !== step.claimId) break
        holder = undefined
        renewable = 0
        due = step.at + step.after
        break
      case "sent parked":
        holder = undefined
        renewable = 0
        due = step.at
    }
  }
  return violations
}

/** Its lease begins again when it is started, after a wait of less than a lease. */
const isPerformedAlone = ({ jobs }: ClaimRecord, { id }: StoredDelivery) =>
  jobs.some((job) => job.id === id && job.alone !== null)

/** Whether a process was running in that time and no fault occurred. */
const isCalm = ({ pods, trace }: Simulation, from: number, until: number) =>
  !trace.disturbances.some((one) => one.from <= until && one.until >= from) &&
  pods.some(
    ({ drainingSince, killedAt, startedAt }) =>
      startedAt <= from &&
      (killedAt ?? Number.POSITIVE_INFINITY) > until &&
      (drainingSince ?? Number.POSITIVE_INFINITY) > until,
  )

/** Every request is settled or released, unless its process was killed. */
const unsettledRequest = (
  { pods, trace }: Simulation,
  { at, died, job, number, pod }: RequestRecord,
  kept: ReadonlySet<number>,
): ReadonlyArray<string> => {
  if (kept.has(number) || pods[pod]?.killedAt !== undefined) return []
  const ofThis = ({ claim_id, id }: { readonly claim_id: string; readonly id: string }) =>
    id === job.id && claim_id === job.claim_id
  const wasSettled = trace.settlements.some(
    ({ committed, settlements }) =>
      committed !== undefined && settlements.some(({ attempt }) => requestOf(attempt) === number),
  )
  const wasReleased = trace.releases.some(({ claims }) => claims.some(ofThis))
  return wasReleased || (wasSettled && !died)
    ? []
    : [`request ${number} of ${at} for delivery ${job.id} was neither settled nor released`]
}

/** No claim made while an endpoint was inactive leads to a request to it. */
const sentToInactive = (
  { trace }: Simulation,
  { job, number }: RequestRecord,
  inactive: ReadonlyArray<{ readonly from: number; readonly until: number }>,
): ReadonlyArray<string> => {
  const claim = trace.claims.find(
    ({ claimId, jobs }) => claimId === job.claim_id && jobs.some(({ id }) => id === job.id),
  )
  if (claim === undefined) return [`request ${number} was made without a claim`]
  return inactive.some(({ from, until }) => claim.began > from && claim.order < until)
    ? [`request ${number} went to an endpoint that was inactive`]
    : []
}

/** How long a draining process waits for its requests, which take less; milliseconds. */
const grace = 20_000

/** A draining process releases all jobs that it has not settled, and those in flight only after `grace`. */
const drainViolations = (
  simulation: Simulation,
  { drainingSince, endedAt, killedAt, number }: Pod,
): ReadonlyArray<string> => {
  if (drainingSince === undefined || endedAt === undefined || killedAt !== undefined) return []
  if (simulation.trace.disturbances.some(({ until }) => until >= drainingSince - lease)) return []
  const { claims, releases, requests, settlements } = simulation.trace
  const begun = new Set(requests.map(({ job }) => `${job.claim_id} ${job.id}`))
  const early = releases.some(
    (one) =>
      one.pod === number &&
      Duration.isZero(one.after) &&
      one.at < drainingSince + grace &&
      one.claims.some(({ claim_id, id }) => begun.has(`${claim_id} ${id}`)),
  )
  const done = new Set([
    ...settlements.flatMap((one) => one.settlements.map(({ claim_id, id }) => `${claim_id} ${id}`)),
    ...releases.flatMap((one) => one.claims.map(({ claim_id, id }) => `${claim_id} ${id}`)),
  ])
  const kept = claims
    .filter(({ at, pod }) => pod === number && at + lease > endedAt)
    .flatMap(({ claimId, jobs }) =>
      jobs.filter(({ endpoint, id }) => endpoint.status === "active" && !done.has(`${claimId} ${id}`)),
    )
  return [
    ...(early ? [`process ${number} released jobs in flight before the grace period ended`] : []),
    ...kept.map(({ id }) => `process ${number} ended without releasing delivery ${id}`),
  ]
}

/** Violations in the histories of finished deliveries, requests and processes. */
export const timelines = (
  simulation: Simulation,
  deliveries: ReadonlyArray<StoredDelivery>,
  inactive: (endpoint: EndpointId) => ReadonlyArray<{ readonly from: number; readonly until: number }>,
): ReadonlyArray<string> => {
  const { plan, trace } = simulation
  // more deliveries than that wait for a free slot
  const isPrompt = deliveries.length <= Math.min(plan.places, plan.concurrency)
  const kept = new Set(deliveries.flatMap(({ attempt_log }) => attempt_log.map(requestOf)))
  return [
    ...deliveries.flatMap((row) => timelineViolations(simulation, row, isPrompt)),
    ...simulation.pods.flatMap((pod) => drainViolations(simulation, pod)),
    ...trace.requests.flatMap((request) => unsettledRequest(simulation, request, kept)),
    ...trace.requests.flatMap((request) => sentToInactive(simulation, request, inactive(request.job.endpoint_id))),
  ]
}
