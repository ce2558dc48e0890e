/** The tables of webhook deliveries in memory, with the repositories' statements on them. */
import { Duration } from "effect"
import type { ReleaseAs } from "../../../src/platform/queue/QueueRepository.ts"
import { type Claimed, maxBesideOthers, maxUnended } from "../../../src/platform/queue/QueueSql.ts"
import {
  type ClaimId,
  DeliveryId,
  type EndpointId,
  type EventId,
  type OrganizationId,
} from "../../../src/values/Ids.ts"
import { ClaimPlan } from "../../../src/webhooks/deliveries/ClaimPlan.ts"
import type { Attempt, DeliveryState } from "../../../src/webhooks/deliveries/Delivery.ts"
import type { DeliveryClaim, DeliveryJob } from "../../../src/webhooks/deliveries/DeliveryClaimRepository.ts"
import type { FailedFilter, OffsetPace, Pace } from "../../../src/webhooks/deliveries/DeliveryRepository.ts"
import type {
  DeliverySettlement,
  DeliverySettlementRepository,
} from "../../../src/webhooks/deliveries/DeliverySettlementRepository.ts"
import type { NewEndpoint } from "../../../src/webhooks/endpoints/EndpointRepository.ts"
import { matchingSubscriptions, type WebhookEvent } from "../../../src/webhooks/events/WebhookEvent.ts"
import { dueInLanes, dueOfEndpoint, isCrowded, newest, wanted } from "./claim.ts"

/** A queued or finished delivery. Times are milliseconds since 1970. */
export interface StoredDelivery {
  readonly id: string
  readonly organization_id: OrganizationId
  readonly endpoint_id: EndpointId
  readonly event_id: EventId
  readonly state: DeliveryState
  readonly attempts: number
  readonly unended_attempts: number
  readonly alone: Claimed["alone"]
  readonly attempt_log: ReadonlyArray<Attempt>
  readonly claim_id: ClaimId | null
  readonly leased_until: number | null
  readonly created_at: number
  readonly due_at: number | null
  readonly finished_at: number | null
  readonly resent_at: number | null
}

export interface StoredEndpoint {
  readonly id: EndpointId
  readonly url: string
  readonly status: "active" | "inactive"
  readonly consecutive_failures: number
  readonly last_success_at: number | null
  readonly last_failure_at: number | null
  readonly last_error: string | null
  readonly deactivated_at: number | null
}

type Endpoint = StoredEndpoint & NewEndpoint

const unsent = {
  attempts: 0,
  unended_attempts: 0,
  alone: null,
  attempt_log: [],
  claim_id: null,
  leased_until: null,
  finished_at: null,
  resent_at: null,
} as const

const untried = { consecutive_failures: 0, last_success_at: null, last_failure_at: null, last_error: null } as const

/** `unended_attempts` without the current claim. */
const uncounted = ({ alone, unended_attempts }: StoredDelivery) =>
  alone === "waiting" ? unended_attempts : Math.max(unended_attempts - 1, 0)

/** The columns of the next claim. */
const claimed = ({ unended_attempts }: StoredDelivery): Pick<Claimed, "unended_attempts" | "alone"> => {
  if (unended_attempts < maxBesideOthers) return { unended_attempts: unended_attempts + 1, alone: null }
  return { unended_attempts, alone: unended_attempts < maxUnended ? "waiting" : null }
}

const byId = (a: StoredDelivery, b: StoredDelivery) => Number(a.id) - Number(b.id)

export interface Tables {
  /** Sorted by id. */
  readonly deliveries: ReadonlyArray<StoredDelivery>
  readonly endpoints: ReadonlyArray<StoredEndpoint>
  /** Subjects of the deactivation emails. */
  readonly mails: ReadonlyArray<string>
}

/** Empty tables. Each function is one statement or transaction; `at` is its time. */
export const make = () => {
  let queue = new Map<string, StoredDelivery>()
  let history = new Map<string, StoredDelivery>()
  let endpoints = new Map<EndpointId, Endpoint>()
  let mails: ReadonlyArray<string> = []
  const bodies = new Map<EventId, string>()
  let preferred: ReadonlySet<string> | undefined
  let ids = 0
  const plan = new ClaimPlan()

  const byDue = (a: StoredDelivery, b: StoredDelivery) =>
    (a.due_at ?? 0) - (b.due_at ?? 0) ||
    Number(preferred?.has(b.id) ?? false) - Number(preferred?.has(a.id) ?? false) ||
    byId(a, b)

  /** Of rows due at the same time, Postgres reads some: those that it claimed. */
  const read = (due: ReadonlyArray<StoredDelivery>, limit: number) =>
    preferred === undefined || due.length <= limit ? due : due.filter(({ id }) => preferred?.has(id))

  const insert = (row: Omit<StoredDelivery, "id">) => {
    const id = DeliveryId.make(String(++ids))
    queue.set(id, { ...row, id })
    return id
  }
  const insertAgain = ({ endpoint_id, event_id, organization_id }: StoredDelivery, at: number, due_at: number) =>
    insert({ ...unsent, organization_id, endpoint_id, event_id, state: "queued", created_at: at, due_at })

  /** Changes the queued rows that the claims still hold. */
  const change = (
    claims: ReadonlyArray<Pick<Claimed, "id" | "claim_id">>,
    to: (row: StoredDelivery) => StoredDelivery,
  ) => {
    for (const { claim_id, id } of claims) {
      const row = queue.get(id)
      if (row?.claim_id === claim_id) queue.set(id, to(row))
    }
  }

  const isInactive = (id: EndpointId) => endpoints.get(id)?.status === "inactive"

  const isFree = (at: number, { claim_id, leased_until }: Pick<StoredDelivery, "claim_id" | "leased_until">) =>
    claim_id === null || leased_until === null || leased_until <= at

  const parkWaiting = (at: number, of: ReadonlyArray<EndpointId>) => {
    const waiting = [...queue.values()].filter(
      ({ due_at, endpoint_id, ...row }) =>
        due_at !== null && isFree(at, row) && of.includes(endpoint_id) && isInactive(endpoint_id),
    )
    for (const row of waiting) queue.set(row.id, { ...row, state: "parked", due_at: null })
    return false
  }

  const take = (at: number, { claimId, lease }: DeliveryClaim, chosen: ReadonlyArray<StoredDelivery>) =>
    chosen.toSorted(byId).flatMap((row): ReadonlyArray<DeliveryJob> => {
      const next = claimed(row)
      queue.set(row.id, { ...row, ...next, claim_id: claimId, leased_until: at + Duration.toMillis(lease) })
      const endpoint = endpoints.get(row.endpoint_id)
      if (endpoint === undefined) return []
      const { attempts, endpoint_id, event_id, id } = row
      const { secret, status, url } = endpoint
      const of = { endpoint_id, event_id, body: bodies.get(event_id) ?? "" }
      return [
        {
          id,
          claim_id: claimId,
          attempts,
          ...next,
          ...of,
          endpoint: {
            ...{ id: endpoint_id, url, format: "event" as const, secret, previous_secret: null, status },
            ...{ headers: null, max_per_minute: null, is_deleted: false, probe_delivery_id: null },
          },
          claimed_at: at,
          single_attempt: null,
          traceparent: null,
        },
      ]
    })

  /** Writes the outcome of one attempt; false when the claim no longer holds the row. */
  const write = (at: number, { attempt, claim_id, delay, id, state }: DeliverySettlement) => {
    const row = queue.get(id)
    if (row?.claim_id !== claim_id) return false
    const attempt_log = [...row.attempt_log, attempt]
    const settled = { attempts: row.attempts + 1, unended_attempts: 0, alone: null, claim_id: null }
    const next = { ...row, ...settled, state, attempt_log }
    if (state === "queued") {
      queue.set(id, { ...next, due_at: at + (delay === undefined ? 0 : Duration.toMillis(delay)) })
    } else {
      queue.delete(id)
      history.set(id, { ...next, leased_until: null, due_at: null, finished_at: at })
    }
    return true
  }

  /** Applies the written attempts to an endpoint's counter, in their order. */
  const count = (at: number, attempts: ReadonlyArray<Attempt>, endpoint: Endpoint, deactivateAfter: number) => {
    let counter = endpoint.consecutive_failures
    let reached = counter >= deactivateAfter
    for (const { error } of attempts) {
      counter = error === null ? 0 : counter + 1
      reached ||= counter >= deactivateAfter
    }
    const success = attempts.findLastIndex(({ error }) => error === null)
    const last = attempts.findLast(({ error }) => error !== null)
    const counted = {
      ...endpoint,
      consecutive_failures: counter,
      last_success_at: success === -1 ? endpoint.last_success_at : at,
      last_failure_at: last === undefined ? endpoint.last_failure_at : at,
      last_error: last?.error ?? endpoint.last_error,
    }
    return { endpoint: counted, reached }
  }

  return {
    tables: (): Tables => ({
      deliveries: [...history.values(), ...queue.values()].toSorted(byId),
      endpoints: [...endpoints.values()],
      mails,
    }),

    nextDue: () => {
      const due = [...queue.values()].flatMap(({ claim_id, due_at, leased_until }) =>
        due_at === null ? [] : [claim_id === null ? due_at : Math.max(due_at, leased_until ?? due_at)],
      )
      return due.length === 0 ? undefined : Math.min(...due)
    },

    /**
     * Makes the next claim prefer these ids, as Postgres chose them: the order of deliveries due at the same time is open,
     * and so is which rows a claim reads when more are due than it reads.
     */
    prefer: (first: ReadonlySet<string>) => {
      preferred = first
    },

    /** Returns a function that undoes all later changes. */
    savepoint: () => {
      const before = { queue: new Map(queue), history: new Map(history), endpoints: new Map(endpoints), mails }
      return () => {
        ;({ endpoints, history, mails, queue } = before)
      }
    },

    insertEndpoint: (endpoint: NewEndpoint) =>
      void endpoints.set(endpoint.id, { ...endpoint, ...untried, status: "active", deactivated_at: null }),

    setStatus: (id: EndpointId, status: "active" | "inactive") => {
      const endpoint = endpoints.get(id)
      if (endpoint === undefined) return false
      const enabled = status === "active" ? { consecutive_failures: 0 } : {}
      endpoints.set(id, { ...endpoint, status, deactivated_at: null, ...enabled })
      return true
    },

    insertMail: (subject: string) => {
      mails = [...mails, subject]
    },

    publish: (at: number, events: ReadonlyArray<WebhookEvent>) => {
      for (const event of events) {
        bodies.set(event.id, event.body)
        const names = matchingSubscriptions(event)
        for (const { events, id, organization_id } of endpoints.values()) {
          if (organization_id !== event.organizationId || !events.some((name) => names.includes(name))) continue
          const times = { created_at: at, due_at: at }
          insert({ ...unsent, organization_id, endpoint_id: id, event_id: event.id, state: "queued", ...times })
        }
      }
    },

    claim: (at: number, claim: DeliveryClaim): ReadonlyArray<DeliveryJob> => {
      const { limit } = claim
      const isDue = ({ due_at }: StoredDelivery) => due_at !== null && due_at <= at
      const due = [...queue.values()].filter((row) => isDue(row) && isFree(at, row))
      const time = BigInt(Math.round(at * 1e6))
      const limits = plan.limits(claim, time)
      for (let isOther = false; ; isOther = true) {
        if (plan.needsScan(time, limits)) {
          const waiting = [...queue.values()].filter(({ due_at }) => due_at !== null)
          const free = new Set(due.map(({ endpoint_id }) => endpoint_id))
          const visited = [...new Set(waiting.map(({ endpoint_id }) => endpoint_id))].toSorted()
          plan.scanned(
            visited.map((endpoint_id) => ({ endpoint_id, is_due: free.has(endpoint_id) })),
            limits,
            time,
            time,
          )
        }
        const choice = plan.choose(limits)
        const readable = read(due, limit)
        const seen = choice.isByEndpoint ? newest(readable, byDue, choice, limit) : dueInLanes(readable, byDue, limit)
        const quotas = [...wanted(seen, byDue, limits, choice.known), ...choice.quotas]
        const chosen = quotas.flatMap((quota) => dueOfEndpoint(readable, byDue, quota, choice.odd)).slice(0, limit)
        const jobs = take(at, claim, chosen)
        const taken = { jobs, isCrowded: isCrowded(due, limit), isFull: jobs.length >= limit, pauses: new Map() }
        if (!plan.claimed(choice, taken, time) || isOther) return jobs
      }
    },

    settle: (at: number, settlements: ReadonlyArray<DeliverySettlement>, deactivateAfter: number) => {
      const written = settlements.filter((settlement) => write(at, settlement))
      const counted = [...Map.groupBy(written, ({ endpoint_id }) => endpoint_id)].flatMap(([id, of]) => {
        const endpoint = endpoints.get(id)
        if (endpoint === undefined) return []
        const attempts = of.map(({ attempt }) => attempt)
        return [count(at, attempts, endpoint, deactivateAfter)]
      })
      const deactivated = counted.flatMap(({ endpoint, reached }) =>
        reached && endpoint.status === "active" ? [endpoint] : [],
      )
      for (const { endpoint } of counted) {
        const off = deactivated.includes(endpoint) ? ({ status: "inactive", deactivated_at: at } as const) : {}
        endpoints.set(endpoint.id, { ...endpoint, ...off })
      }
      parkWaiting(
        at,
        counted.map(({ endpoint }) => endpoint.id),
      )
      return deactivated
    },

    settleDelivered: (at: number, settlements: ReadonlyArray<DeliverySettlement>) => {
      const written = settlements.filter((settlement) => write(at, settlement))
      for (const { endpoint_id } of written) {
        const endpoint = endpoints.get(endpoint_id)
        if (endpoint === undefined) continue
        const since = endpoint.last_success_at
        const isRecent = since !== null && since >= at - 5_000
        if (endpoint.consecutive_failures === 0 && isRecent) continue
        endpoints.set(endpoint_id, { ...endpoint, consecutive_failures: 0, last_success_at: at })
      }
    },

    park: (at: number, claims: Parameters<DeliverySettlementRepository["Service"]["park"]>[0]) => {
      change(claims, (row) => {
        const to = isInactive(row.endpoint_id)
          ? ({ state: "parked", due_at: null } as const)
          : ({ state: "queued", due_at: at } as const)
        return { ...row, ...to, unended_attempts: uncounted(row), alone: null, claim_id: null }
      })
      parkWaiting(
        at,
        claims.map(({ endpoint_id }) => endpoint_id),
      )
    },

    parkWaiting,

    release: (at: number, claims: Parameters<typeof change>[0], after: Duration.Duration, as: ReleaseAs) =>
      change(claims, (row) => {
        if (row.due_at === null) return row
        const counted = row.alone === null ? row.unended_attempts : maxUnended
        const unended_attempts = as === "unclaimed" ? uncounted(row) : counted
        return { ...row, unended_attempts, alone: null, claim_id: null, due_at: at + Duration.toMillis(after) }
      }),

    startAlone: (at: number, claim: Pick<Claimed, "id" | "claim_id">, lease: Duration.Duration) => {
      const row = queue.get(claim.id)
      if (row?.claim_id !== claim.claim_id || row.due_at === null) return false
      queue.set(row.id, {
        ...row,
        unended_attempts: row.unended_attempts + 1,
        alone: "started",
        leased_until: at + Duration.toMillis(lease),
      })
      return true
    },

    resend: (at: number, organization: OrganizationId, id: string, seen: Date | null) => {
      const row = history.get(id)
      if (row?.organization_id !== organization || row.resent_at !== (seen?.getTime() ?? null)) return undefined
      history.set(id, { ...row, resent_at: at })
      return insertAgain(row, at, at)
    },

    resendFailed: (at: number, endpoint: EndpointId, { since }: FailedFilter, { limit, spacing }: Pace) => {
      const waiting = [...queue.values()].filter((row) => row.endpoint_id === endpoint && row.attempts === 0)
      const last = Math.max(...waiting.map(({ due_at }) => due_at ?? 0))
      const begin = last > at ? last + spacing : at
      const failed = [...history.values()]
        .filter((row) => row.endpoint_id === endpoint && row.state === "failed" && row.resent_at === null)
        .filter(({ finished_at }) => (finished_at ?? 0) >= since.getTime())
        .toSorted((a, b) => (a.finished_at ?? 0) - (b.finished_at ?? 0) || byId(a, b))
        .slice(0, limit)
        .toSorted(byId)
      for (const [place, row] of failed.entries()) {
        history.set(row.id, { ...row, resent_at: at })
        insertAgain(row, at, begin + spacing * place)
      }
      return failed.length
    },

    sendParked: (at: number, endpoint: EndpointId, { limit, offset, spacing }: OffsetPace) => {
      if (endpoints.get(endpoint)?.status !== "active") return 0
      const parked = [...queue.values()]
        .filter((row) => row.endpoint_id === endpoint && row.state === "parked")
        .toSorted(byId)
        .slice(0, limit)
      for (const [place, row] of parked.entries()) {
        queue.set(row.id, {
          ...row,
          state: "queued",
          unended_attempts: 0,
          alone: null,
          claim_id: null,
          due_at: at + offset + spacing * place,
        })
      }
      return parked.length
    },
  }
}
