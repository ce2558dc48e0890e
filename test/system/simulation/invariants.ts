/** What holds in every simulation (spec, Webhook delivery and endpoint; Delivery rules). */

import { abandonedReason } from "../../../src/platform/queue/WorkQueue.ts"
import type { EndpointId } from "../../../src/values/Ids.ts"
import type { Attempt } from "../../../src/webhooks/Delivery.ts"
import type { Simulation } from "./simulation.ts"
import type { StoredDelivery, StoredEndpoint, Tables } from "./tables.ts"
import { lease, soon, timelines } from "./timelines.ts"
import { requestOf, type SettlementRecord } from "./trace.ts"

const attemptsMost = 6
const failuresMost = 15

/** An endpoint as the spec has it, moved by what happened. */
interface Expected {
  status: "active" | "inactive"
  failures: number
  deactivations: number
  /** Closed and, last of all, perhaps one that lasts: when nothing may be sent, in the order of all that happens. */
  readonly inactive: Array<{ readonly from: number; until: number }>
}

/** Keeps the books of a simulation. Of a deactivation, so many people are told. */
export const make = (simulation: Simulation, admins: number) => {
  const { plan, trace } = simulation
  const expected = new Map<EndpointId, Expected>()
  const of = (id: EndpointId) => {
    const known = expected.get(id)
    if (known !== undefined) return known
    const fresh: Expected = { status: "active", failures: 0, deactivations: 0, inactive: [] }
    expected.set(id, fresh)
    return fresh
  }
  /** Requests whose outcome was counted. */
  const counted = new Set<number>()
  let seen = 0

  const deactivate = (endpoint: Expected, order: number) => {
    if (endpoint.status === "inactive") return
    endpoint.status = "inactive"
    endpoint.inactive.push({ from: order, until: Number.POSITIVE_INFINITY })
  }

  /** Any 2xx is zero, every failure one more, and 15 in a row deactivate, in the order in which the attempts ended. */
  const count = ({ committed, deactivated, settlements }: SettlementRecord, kept: ReadonlySet<number>) => {
    if (committed === undefined) return []
    const accepted = settlements.filter(({ attempt }) => {
      const request = requestOf(attempt)
      return kept.has(request) && !counted.has(request)
    })
    for (const { attempt } of accepted) counted.add(requestOf(attempt))
    const faults: Array<string> = []
    for (const [id, some] of Map.groupBy(accepted, ({ endpoint_id }) => endpoint_id)) {
      const endpoint = of(id)
      let isReached = false
      for (const { attempt } of some) {
        endpoint.failures = attempt.error === null ? 0 : endpoint.failures + 1
        isReached ||= endpoint.failures >= failuresMost
      }
      const isDue = endpoint.status === "active" && isReached
      if (isDue) {
        endpoint.deactivations++
        deactivate(endpoint, committed)
      }
      if (isDue !== deactivated.includes(id)) {
        faults.push(`endpoint ${id}: ${endpoint.failures} failures in a row, deactivated: ${deactivated.includes(id)}`)
      }
    }
    return faults
  }

  /** All that moved endpoints since the last look, in its order. */
  const move = (kept: ReadonlySet<number>) => {
    const settlements = trace.settlements.filter(({ order }) => order > seen)
    const operations = trace.operations.filter(({ order }) => order > seen)
    seen = simulation.next()
    return [...settlements, ...operations]
      .toSorted((a, b) => a.order - b.order)
      .flatMap((one) => {
        if (!("kind" in one)) return count(one, kept)
        const endpoint = of(one.endpoint)
        if (one.kind === "disabled") deactivate(endpoint, one.order)
        if (one.kind === "enabled") {
          const last = endpoint.inactive.at(-1)
          if (last !== undefined && endpoint.status === "inactive") last.until = one.order
          Object.assign(endpoint, { status: "active", failures: 0 })
        }
        return []
      })
  }

  /** The answer's status alone decides, and a fault of our own is no attempt. */
  const answerFaults = (attempt: Attempt) => {
    const number = requestOf(attempt)
    const request = trace.requests[number]
    return request === undefined || request.died || isFailure(attempt) === request.acknowledged
      ? [`an attempt is kept that was no such request: ${JSON.stringify(attempt)}`]
      : []
  }

  /** A delivery is abandoned by the fourth claim in a row without a settlement. */
  const abandonFaults = ({ attempts, id }: StoredDelivery) => {
    const claims = trace.claims.filter(({ jobs }) => jobs.some((job) => job.id === id))
    return claims.length >= attempts + 3 ? [] : [`delivery ${id} was abandoned after ${claims.length} claims`]
  }

  const told = () => [...expected.values()].reduce((sum, { deactivations }) => sum + deactivations * admins, 0)

  const endpointFaults = ({ consecutive_failures, id, status }: StoredEndpoint) => {
    const { failures, status: should } = of(id)
    return consecutive_failures === failures && status === should
      ? []
      : [`endpoint ${id} is ${status} with ${consecutive_failures} failures, not ${should} with ${failures}`]
  }

  return {
    /** What is wrong at any moment at which nothing is being written. */
    look: ({ deliveries, endpoints, mails }: Tables): ReadonlyArray<string> => {
      const log = deliveries.flatMap(({ attempt_log }) => attempt_log.map(requestOf))
      const kept = new Set(log)
      const rows = simulation.published * plan.receivers.length + simulation.resent
      return [
        ...trace.faults,
        ...(kept.size === log.length ? [] : ["an attempt is kept twice"]),
        ...(deliveries.length === rows ? [] : [`there are ${deliveries.length} deliveries, not ${rows}`]),
        ...deliveries.flatMap(rowFaults),
        ...deliveries.filter(({ attempt_log }) => attempt_log.some(isAbandoned)).flatMap(abandonFaults),
        ...deliveries.flatMap(({ attempt_log }) => attempt_log).flatMap(answerFaults),
        ...move(kept),
        ...endpoints.flatMap(endpointFaults),
        ...(mails.length === told() ? [] : [`${mails.length} mails told of deactivations, not ${told()}`]),
      ]
    },

    /** What is wrong when nothing was done for minutes: deliveries of inactive endpoints are parked. */
    rest: ({ deliveries, endpoints }: Pick<Tables, "deliveries" | "endpoints">): ReadonlyArray<string> => {
      const inactive = new Map(endpoints.flatMap((one) => (one.status === "inactive" ? [[one.id, one] as const] : [])))
      return deliveries.flatMap(({ claim_id, due_at, endpoint_id, id }) => {
        const endpoint = inactive.get(endpoint_id)
        if (endpoint === undefined || due_at === null) return []
        // what a person switched off may hold retries that are not due yet; what was claimed was due
        const wasDue = due_at - (claim_id === null ? 0 : lease)
        return endpoint.deactivated_at !== null || wasDue < simulation.now() - soon
          ? [`delivery ${id} waits for an inactive endpoint and is not parked`]
          : []
      })
    },

    /** What is wrong at the end. */
    close: ({ deliveries }: Tables): ReadonlyArray<string> =>
      timelines(simulation, deliveries, (id) => of(id).inactive),
  }
}

const isFailure = ({ error }: Attempt) => error !== null

const isAbandoned = ({ error }: Attempt) => error?.startsWith(abandonedReason) === true

/**
 * At most six attempts; only the last one can be a success, and then the delivery is delivered. A delivery
 * fails after six attempts, or after three more that were started and did not end.
 */
const rowFaults = (row: StoredDelivery): ReadonlyArray<string> => {
  const { attempt_log, attempts, due_at, finished_at, state } = row
  const isSound =
    attempts === attempt_log.length &&
    attempts <= attemptsMost &&
    attempt_log.slice(0, -1).every(isFailure) &&
    (state === "delivered") === attempt_log.slice(-1).some((last) => !isFailure(last)) &&
    (state === "failed") ===
      ((attempts === attemptsMost || attempt_log.some(isAbandoned)) && attempt_log.every(isFailure)) &&
    (state === "queued") === (due_at !== null) &&
    (state === "delivered" || state === "failed") === (finished_at !== null)
  return isSound ? [] : [`delivery ${row.id} is ${JSON.stringify(row)}`]
}
