/** Chooses the deliveries of a claim, as src/webhooks/DeliveryRepository.ts does in SQL. */
import type { EndpointId } from "../../../src/values/Ids.ts"
import type { InFlight } from "../../../src/webhooks/DeliveryRepository.ts"

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

type Find = <A extends Row>(due: ReadonlyArray<A>, byDue: Order<A>, count: number) => ReadonlyArray<A>

/** The `count` deliveries of each lane that are due longest. */
export const dueInLanes: Find = (due, byDue, count) =>
  [0, 1].flatMap((number) =>
    due
      .filter((row) => lane(row) === number)
      .toSorted(byDue)
      .slice(0, count),
  )

/** The `count` deliveries of each endpoint that are due longest. */
export const dueOfEndpoints: Find = (due, byDue, count) =>
  [...Map.groupBy(due, ({ endpoint_id }) => endpoint_id).values()].flatMap((of) => of.toSorted(byDue).slice(0, count))
