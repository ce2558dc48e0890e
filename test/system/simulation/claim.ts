/** Which deliveries a claim takes, over rows in memory: the sorting and counting of src/webhooks/DeliveryRepository.ts. */
import type { EndpointId } from "../../../src/values/Ids.ts"
import type { Held } from "../../../src/webhooks/DeliveryClaimsSql.ts"

interface Row {
  readonly endpoint_id: EndpointId
  readonly attempts: number
}
type Order<A> = (a: A, b: A) => number

/** First attempts and retries. */
const lane = ({ attempts }: Row) => Math.min(attempts, 1)

/** Each item with its place, from 1, among those of its group. */
const ranked = <A>(items: ReadonlyArray<A>, group: (item: A) => unknown, order: Order<A>) =>
  [...Map.groupBy(items, group).values()].flatMap((of) =>
    of.toSorted(order).map((item, place) => ({ item, rank: place + 1 })),
  )

/** Of `due`, what fits into the places that endpoints have left: both lanes in turn, and who holds least comes first. */
export const fitting = <A extends Row>(
  due: ReadonlyArray<A>,
  byDue: Order<A>,
  limit: number,
  most: number,
  held: Held,
): ReadonlyArray<A> => {
  const turns = ranked(due, (row) => `${row.endpoint_id} ${lane(row)}`, byDue)
  const inTurn: Order<(typeof turns)[number]> = (a, b) => a.rank - b.rank || lane(a.item) - lane(b.item)
  const places = ranked(turns, ({ item }) => item.endpoint_id, inTurn)
  const free = places.flatMap(({ item: { item }, rank }) => {
    const entry = held.get(item.endpoint_id) ?? { count: 0, max: most }
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

/** What is due longest, so many of each lane. */
export const inLanes: Find = (due, byDue, count) =>
  [0, 1].flatMap((number) =>
    due
      .filter((row) => lane(row) === number)
      .toSorted(byDue)
      .slice(0, count),
  )

/** What is due longest, so many of each endpoint. */
export const perEndpoint: Find = (due, byDue, count) =>
  [...Map.groupBy(due, ({ endpoint_id }) => endpoint_id).values()].flatMap((of) => of.toSorted(byDue).slice(0, count))
