/** Chooses the deliveries of a claim, as DeliveryClaimRepository.ts does in SQL. */
import type { EndpointId } from "../../../src/values/Ids.ts"
import type { Choice, ClaimLimits, Quota } from "../../../src/webhooks/deliveries/ClaimPlan.ts"

interface Row {
  readonly endpoint_id: EndpointId
  readonly attempts: number
}
type Order<A> = (a: A, b: A) => number

/** 0: first attempts, 1: retries. */
const lane = ({ attempts }: Row) => Math.min(attempts, 1)

/** Whether as many of a lane are due as a claim reads. */
export const isCrowded = (due: ReadonlyArray<Row>, limit: number) =>
  [0, 1].some((number) => due.filter((row) => lane(row) === number).length >= limit)

/** How many deliveries of each endpoint that is not `known` a claim takes. The lanes alternate up to the limit. */
export const wanted = <A extends Row>(
  seen: ReadonlyArray<A>,
  byDue: Order<A>,
  { inFlight, limit, maxPerEndpoint }: ClaimLimits,
  known: ReadonlyArray<EndpointId>,
): ReadonlyArray<Quota> => {
  const others = seen.filter(({ endpoint_id }) => !known.includes(endpoint_id))
  const turns = [0, 1].flatMap((number) =>
    others
      .filter((row) => lane(row) === number)
      .toSorted(byDue)
      .map((row, turn) => ({ row, turn })),
  )
  const first = turns
    .toSorted((a, b) => a.turn - b.turn || lane(a.row) - lane(b.row))
    .slice(0, limit)
    .map(({ row }) => row)
  return [...Map.groupBy(first.toSorted(byDue), ({ endpoint_id }) => endpoint_id)].map(([endpoint_id, rows]) => {
    const load = inFlight.get(endpoint_id)
    const room = load === undefined ? maxPerEndpoint : load.max - load.count
    return { endpoint_id, quota: Math.min(rows.length, room) }
  })
}

/** The `count` deliveries of each lane that are due longest. */
export const dueInLanes = <A extends Row>(due: ReadonlyArray<A>, byDue: Order<A>, count: number): ReadonlyArray<A> =>
  [0, 1].flatMap((number) =>
    due
      .filter((row) => lane(row) === number)
      .toSorted(byDue)
      .slice(0, count),
  )

/** The quota of an endpoint: half of it retries, then first attempts, then further retries. */
export const dueOfEndpoint = <A extends Row>(
  due: ReadonlyArray<A>,
  byDue: Order<A>,
  { endpoint_id, quota }: Quota,
  odd: 0 | 1,
): ReadonlyArray<A> => {
  const [first = [], retries = []] = [0, 1].map((number) =>
    due.filter((row) => row.endpoint_id === endpoint_id && lane(row) === number).toSorted(byDue),
  )
  const half = Math.floor((quota + odd) / 2)
  return [...retries.slice(0, half), ...first.slice(0, quota), ...retries.slice(half)].slice(0, quota)
}

/** Of the 100 newest first attempts those of endpoints that are not known, at most a quarter of the claim. */
export const newest = <A extends Row>(
  due: ReadonlyArray<A>,
  byDue: Order<A>,
  { known, odd }: Choice,
  limit: number,
): ReadonlyArray<A> =>
  due
    .filter((row) => lane(row) === 0)
    .toSorted(byDue)
    .slice(-100)
    .filter(({ endpoint_id }) => !known.includes(endpoint_id))
    .toReversed()
    .slice(0, Math.floor(limit / 4) || odd)
