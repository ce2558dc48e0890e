/** What became of each delivery and of each request, from what was written down. */
import { Duration } from "effect"
import type { EndpointId } from "../../../src/values/Ids.ts"
import type { DeliverySettlement } from "../../../src/webhooks/DeliveryRepository.ts"
import type { Pod, Simulation } from "./simulation.ts"
import type { StoredDelivery } from "./tables.ts"
import { type ClaimRecord, type RequestRecord, requestOf, type Trace } from "./trace.ts"

/** What came due is claimed this long afterwards at the latest, when all is well: an idle look and two ways; milliseconds. */
export const soon = 3000

/** The Schedule: 2 minutes, doubling, at most 2 hours; then up to 10 % more. Of failed attempt 1 to 5; milliseconds. */
const delayOf = (attempt: number) => Math.min(2 * 2 ** (attempt - 1), 120) * 60_000

/** Three times what an attempt may take, and half a minute; milliseconds. */
export const lease = 60_000

type Step = { readonly order: number; readonly at: number } & (
  | { readonly kind: "claim"; readonly claim: ClaimRecord }
  | { readonly kind: "settlement"; readonly settlement: DeliverySettlement; readonly isKept: boolean }
  | { readonly kind: "release"; readonly claimId: string; readonly after: number }
  | { readonly kind: "sent parked" }
)

/** All that was done to one delivery, in its order. */
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
        // one whose answer was lost is written a second time, without effect
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

/** Follows one delivery: claimed when it is due and by nobody else, settled by who holds it, retried when it is time. */
const follow = (simulation: Simulation, row: StoredDelivery, isPunctual: boolean): ReadonlyArray<string> => {
  const faults: Array<string> = []
  let due = row.created_at
  let holder: string | undefined
  let attempts = 0
  for (const step of stepsOf(simulation.trace, row)) {
    const fault = (what: string) => faults.push(`delivery ${row.id} at ${step.at}: ${what}`)
    switch (step.kind) {
      case "claim":
        if (step.at < due) fault(`claimed ${due - step.at} ms before it was due`)
        if (isPunctual && step.at > due + soon && isCalm(simulation, due, step.at)) {
          fault(`claimed ${step.at - due} ms after it was due`)
        }
        holder = step.claim.claimId
        due = step.at + lease
        break
      case "settlement": {
        const { claim_id, delay, state } = step.settlement
        if (step.isKept !== (holder === claim_id)) fault(step.isKept ? "settled by who held it no more" : "not settled")
        if (!step.isKept) break
        attempts++
        holder = undefined
        const millis = delay === undefined ? undefined : Duration.toMillis(delay)
        const least = delayOf(attempts)
        if (state === "queued" && (millis === undefined || millis < least || millis > least * 1.1)) {
          fault(`to be tried again after ${millis} ms, not ${least} and up to 10 %`)
        }
        due = state === "queued" ? step.at + (millis ?? 0) : Number.POSITIVE_INFINITY
        break
      }
      case "release":
        if (holder !== step.claimId) break
        holder = undefined
        due = step.at + step.after
        break
      case "sent parked":
        holder = undefined
        due = step.at
    }
  }
  return faults
}

/** Whether nothing was amiss on our side in that time, and a process was there. */
const isCalm = ({ pods, trace }: Simulation, from: number, until: number) =>
  !trace.disturbances.some((one) => one.from <= until && one.until >= from) &&
  pods.some(
    ({ drainingSince, killedAt, startedAt }) =>
      startedAt <= from &&
      (killedAt ?? Number.POSITIVE_INFINITY) > until &&
      (drainingSince ?? Number.POSITIVE_INFINITY) > until,
  )

/** Every request was settled, or is known to be lost: nothing was sent in vain while its process lived. */
const account = (
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
    : [`request ${number} of ${at} for delivery ${job.id} was neither settled nor given back`]
}

/** Nothing was sent to an endpoint by a claim that came after its deactivation and before somebody enabled it. */
const refusedTo = (
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

/** How long a process that is asked to end waits for its requests, longer than each of them takes; milliseconds. */
const grace = 20_000

/** A process that is asked to end gives back what it has not begun, and what it can not finish, not before: all of it. */
const ended = (simulation: Simulation, { drainingSince, endedAt, killedAt, number }: Pod): ReadonlyArray<string> => {
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
      jobs.filter(({ endpoint_status, id }) => endpoint_status === "active" && !done.has(`${claimId} ${id}`)),
    )
  return [
    ...(early ? [`process ${number} gave back jobs before its time was over`] : []),
    ...kept.map(({ id }) => `process ${number} ended and kept delivery ${id}`),
  ]
}

/** What is wrong with finished deliveries and the requests that were made for them. */
export const timelines = (
  simulation: Simulation,
  deliveries: ReadonlyArray<StoredDelivery>,
  inactive: (endpoint: EndpointId) => ReadonlyArray<{ readonly from: number; readonly until: number }>,
): ReadonlyArray<string> => {
  const { plan, trace } = simulation
  // beyond that, deliveries wait for places
  const isPunctual = deliveries.length <= Math.min(plan.places, plan.concurrency)
  const kept = new Set(deliveries.flatMap(({ attempt_log }) => attempt_log.map(requestOf)))
  return [
    ...deliveries.flatMap((row) => follow(simulation, row, isPunctual)),
    ...simulation.pods.flatMap((pod) => ended(simulation, pod)),
    ...trace.requests.flatMap((request) => account(simulation, request, kept)),
    ...trace.requests.flatMap((request) => refusedTo(simulation, request, inactive(request.job.endpoint_id))),
  ]
}
