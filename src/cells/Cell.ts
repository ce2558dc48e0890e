/** The range of numbers of each cell: ids of organizations, deliveries and other rows never collide between cells. */

/** Cells 0 to 2047: then the numbers of deliveries stay below 2^53, which JSON readers keep exactly. */
export const maxCell = 2047

/** Numbers of a cell for `integer` columns, such as organizations: below 2^31 in the last cell. */
const integers = 2n ** 20n
/** For `bigint` columns, such as deliveries: 10,000 a second for three years. */
const bigints = 2n ** 40n

export interface NumberRange {
  readonly min: bigint
  readonly max: bigint
}

/** Cell 0 begins with 1. */
export const rangeOf = (cell: number, type: "integer" | "bigint"): NumberRange => {
  const size = type === "integer" ? integers : bigints
  const start = BigInt(cell) * size
  return { min: start === 0n ? 1n : start, max: start + size - 1n }
}
