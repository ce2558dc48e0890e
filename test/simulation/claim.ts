/** Which deliveries a claim takes, over rows in memory: the sorting and counting of src/repository/Deliveries.ts. */
import type { EndpointId } from "../../src/domain/Ids.ts"

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

/** Of `due`, what fits into the places that endpoints have left, both lanes and all endpoints in turn. */
export const fitting = <A extends Row>(
  due: ReadonlyArray<A>,
  byDue: Order<A>,
  limit: number,
  most: number,
  open: ReadonlyMap<EndpointId, number>,
): ReadonlyArray<A> => {
  const turns = ranked(due, (row) => `${row.endpoint_id} ${lane(row)}`, byDue)
  const inTurn: Order<(typeof turns)[number]> = (a, b) => a.rank - b.rank || lane(a.item) - lane(b.item)
  const places = ranked(turns, ({ item }) => item.endpoint_id, inTurn)
  const free = places.flatMap(({ item: { item }, rank }) =>
    rank <= most - (open.get(item.endpoint_id) ?? 0) ? [item] : [],
  )
  return ranked(free, lane, byDue)
    .toSorted(inTurn)
    .slice(0, limit)
    .map(({ item }) => item)
}

type Find = <A extends Row>(due: ReadonlyArray<A>, byDue: Order<A>, limit: number, most: number) => ReadonlyArray<A>

/** What is due longest, of each lane twice as many as are wanted. */
export const inLanes: Find = (due, byDue, limit) =>
  [0, 1].flatMap((number) =>
    due
      .filter((row) => lane(row) === number)
      .toSorted(byDue)
      .slice(0, limit * 2),
  )

/** What is due longest of each endpoint, as many as it has places at all. */
export const perEndpoint: Find = (due, byDue, _, most) =>
  [...Map.groupBy(due, ({ endpoint_id }) => endpoint_id).values()].flatMap((of) => of.toSorted(byDue).slice(0, most))
