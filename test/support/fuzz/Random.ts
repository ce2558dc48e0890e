/** Random choices determined by a seed and a number, so that one generated value can be repeated without the others. */

export interface Random {
  /** An integer from 0 to below `limit`. */
  readonly below: (limit: number) => number
  readonly chance: (share: number) => boolean
  readonly pick: <A>(from: readonly [A, ...ReadonlyArray<A>]) => A
  /** An element of a list that may be empty. */
  readonly oneOf: <A>(from: ReadonlyArray<A>) => A | undefined
}

/** mulberry32, started from the seed and the value's number. */
export const make = (seed: number, index: number): Random => {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    chance: (share) => next() < share,
    pick: (from) => from[below(from.length)] ?? from[0],
    oneOf: (from) => from[below(from.length)],
  }
}
