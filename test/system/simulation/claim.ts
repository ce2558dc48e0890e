/** Chooses the deliveries of a claim, as src/webhooks/deliveries/DueDeliverySql.ts does in SQL. */
import type { EndpointId } from "../../../src/values/Ids.ts"
import type { InFlight, Quota } from "../../../src/webhooks/deliveries/ClaimPlan.ts"

interface Row {
  readonly endpoint_id: EndpointId
  readonly attempts: number
}
type Order<A> = (a: A, b: A) => number

/** 0: first attempts, 1: retries. */
const lane = ({ attempts }: Row) => Math.min(attempts, 1)

/** Ranks items within their groups, from 1. */
const ranked = <A>(items: ReadonlyArray<A>, group: (item: A) => unknown, order: Order<A>) =>
  [...Map.groupBy(items, group).values()].flatMap((of) =>
    of.toSorted(order).map((item, place) => ({ item, rank: place + 1 })),
  )

/** Deliveries that endpoints have room for: lanes alternate, and endpoints with the fewest in flight come first. */
export const fairClaim = <A extends Row>(
  due: ReadonlyArray<A>,
  byDue: Order<A>,
  limit: number,
  maxPerEndpoint: number,
  inFlight: InFlight,
): ReadonlyArray<A> => {
  const turns = ranked(due, (row) => `${row.endpoint_id} ${lane(row)}`, byDue)
  const inTurn: Order<(typeof turns)[number]> = (a, b) => a.rank - b.rank || lane(a.item) - lane(b.item)
  const places = ranked(turns, ({ item }) => item.endpoint_id, inTurn)
  const free = places.flatMap(({ item: { item }, rank }) => {
    const entry = inFlight.get(item.endpoint_id) ?? { count: 0, max: maxPerEndpoint }
    const share = rank + entry.count
    return share <= entry.max ? [{ item, share }] : []
  })
  return ranked(
    free,
    ({ item }) => lane(item),
    (a, b) => a.share - b.share || byDue(a.item, b.item),
  )
    .toSorted((a, b) => a.rank - b.rank || lane(a.item.item) - lane(b.item.item))
    .slice(0, limit)
    .map(({ item }) => item.item)
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

/** First attempts of endpoints that are not `known`, among the `count` oldest and newest. */
export const dueOfOthers = <A extends Row>(
  due: ReadonlyArray<A>,
  byDue: Order<A>,
  count: number,
  known: ReadonlyArray<EndpointId>,
): ReadonlyArray<A> => {
  const first = due.filter((row) => lane(row) === 0).toSorted(byDue)
  const ends = new Set([...first.slice(0, count), ...first.slice(-count)])
  return [...ends].filter(({ endpoint_id }) => !known.includes(endpoint_id))
}
