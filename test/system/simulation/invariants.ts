/** The invariants of every simulation (spec, Webhook delivery and endpoint; Delivery rules). */
import { abandonedReason } from "../../../src/platform/queue/WorkQueue.ts"
import type { EndpointId } from "../../../src/values/Ids.ts"
import type { Attempt } from "../../../src/webhooks/deliveries/Delivery.ts"
import type { Simulation } from "./simulation.ts"
import type { StoredDelivery, StoredEndpoint, Tables } from "./tables.ts"
import { soon, timelines } from "./timelines.ts"
import { requestOf, type SettlementRecord } from "./trace.ts"

const maxAttempts = 6
const maxFailures = 15

interface Expected {
  status: "active" | "inactive"
  failures: number
  deactivations: number
  /** Periods, by record order, in which nothing may be sent. The last one may be open. */
  readonly inactive: Array<{ readonly from: number; until: number }>
}

/** Derives the expected endpoints from the trace. `admins` is the number of recipients of a deactivation email. */
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
  const counted = new Set<number>()
  let seen = 0

  const deactivate = (endpoint: Expected, order: number) => {
    if (endpoint.status === "inactive") return
    endpoint.status = "inactive"
    endpoint.inactive.push({ from: order, until: Number.POSITIVE_INFINITY })
  }

  /** A 2xx resets the counter, a failure adds one, and 15 in a row deactivate, in the order of the settlements. */
  const count = ({ committed, deactivated, settlements }: SettlementRecord, kept: ReadonlySet<number>) => {
    if (committed === undefined) return []
    const accepted = settlements.filter(({ attempt }) => {
      const request = requestOf(attempt)
      return kept.has(request) && !counted.has(request)
    })
    for (const { attempt } of accepted) counted.add(requestOf(attempt))
    const violations: Array<string> = []
    for (const [id, some] of Map.groupBy(accepted, ({ endpoint_id }) => endpoint_id)) {
      const endpoint = of(id)
      let isReached = false
      for (const { attempt } of some) {
        endpoint.failures = attempt.error === null ? 0 : endpoint.failures + 1
        isReached ||= endpoint.failures >= maxFailures
      }
      const isDue = endpoint.status === "active" && isReached
      if (isDue) {
        endpoint.deactivations++
        deactivate(endpoint, committed)
      }
      if (isDue !== deactivated.includes(id)) {
        violations.push(
          `endpoint ${id}: ${endpoint.failures} failures in a row, deactivated: ${deactivated.includes(id)}`,
        )
      }
    }
    return violations
  }

  /** Applies settlements and operations since the last check, in their order. */
  const applyRecords = (kept: ReadonlySet<number>) => {
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

  /** The response's status alone decides an attempt's outcome; a failure of the sender is no attempt. */
  const answerViolations = (attempt: Attempt) => {
    const number = requestOf(attempt)
    const request = trace.requests[number]
    return request === undefined || request.died || isFailure(attempt) === request.acknowledged
      ? [`a stored attempt does not match its request: ${JSON.stringify(attempt)}`]
      : []
  }

  /** The fourth claim in a row without a settlement abandons a delivery. */
  const abandonViolations = ({ attempts, id }: StoredDelivery) => {
    const claims = trace.claims.filter(({ jobs }) => jobs.some((job) => job.id === id))
    return claims.length >= attempts + 3 ? [] : [`delivery ${id} was abandoned after ${claims.length} claims`]
  }

  const expectedMails = () => [...expected.values()].reduce((sum, { deactivations }) => sum + deactivations * admins, 0)

  const endpointViolations = ({ consecutive_failures, id, status }: StoredEndpoint) => {
    const { failures, status: should } = of(id)
    return consecutive_failures === failures && status === should
      ? []
      : [`endpoint ${id} is ${status} with ${consecutive_failures} failures, not ${should} with ${failures}`]
  }

  return {
    /** Violations of what holds whenever no statement is running. */
    atAnyTime: ({ deliveries, endpoints, mails }: Tables): ReadonlyArray<string> => {
      const log = deliveries.flatMap(({ attempt_log }) => attempt_log.map(requestOf))
      const kept = new Set(log)
      const rows = simulation.published * plan.receivers.length + simulation.resent
      return [
        ...trace.violations,
        ...(kept.size === log.length ? [] : ["an attempt is stored twice"]),
        ...(deliveries.length === rows ? [] : [`there are ${deliveries.length} deliveries, not ${rows}`]),
        ...deliveries.flatMap(rowViolations),
        ...deliveries.filter(({ attempt_log }) => attempt_log.some(isAbandoned)).flatMap(abandonViolations),
        ...deliveries.flatMap(({ attempt_log }) => attempt_log).flatMap(answerViolations),
        ...applyRecords(kept),
        ...endpoints.flatMap(endpointViolations),
        ...(mails.length === expectedMails() ? [] : [`${mails.length} deactivation emails, not ${expectedMails()}`]),
      ]
    },

    /** After minutes of idle time, deliveries of inactive endpoints are parked. */
    whenIdle: ({ deliveries, endpoints }: Pick<Tables, "deliveries" | "endpoints">): ReadonlyArray<string> => {
      const inactive = new Map(endpoints.flatMap((one) => (one.status === "inactive" ? [[one.id, one] as const] : [])))
      return deliveries.flatMap(({ due_at, endpoint_id, id }) => {
        const endpoint = inactive.get(endpoint_id)
        if (endpoint === undefined || due_at === null) return []
        // an endpoint disabled by a person may have retries that are not due yet
        return endpoint.deactivated_at !== null || due_at < simulation.now() - soon
          ? [`delivery ${id} waits for an inactive endpoint and is not parked`]
          : []
      })
    },

    atEnd: ({ deliveries }: Tables): ReadonlyArray<string> =>
      timelines(simulation, deliveries, (id) => of(id).inactive),
  }
}

const isFailure = ({ error }: Attempt) => error !== null

const isAbandoned = ({ error }: Attempt) => error?.startsWith(abandonedReason({ unended_attempts: 0 })) === true

/**
 * A delivery has at most six attempts. Only the last can succeed; the delivery is then delivered. It fails after six
 * failed attempts, or when it is abandoned.
 */
const rowViolations = (row: StoredDelivery): ReadonlyArray<string> => {
  const { attempt_log, attempts, due_at, finished_at, state } = row
  const isSound =
    attempts === attempt_log.length &&
    attempts <= maxAttempts &&
    attempt_log.slice(0, -1).every(isFailure) &&
    (state === "delivered") === attempt_log.slice(-1).some((last) => !isFailure(last)) &&
    (state === "failed") ===
      ((attempts === maxAttempts || attempt_log.some(isAbandoned)) && attempt_log.every(isFailure)) &&
    (state === "queued") === (due_at !== null) &&
    (state === "delivered" || state === "failed") === (finished_at !== null)
  return isSound ? [] : [`delivery ${row.id} is ${JSON.stringify(row)}`]
}
