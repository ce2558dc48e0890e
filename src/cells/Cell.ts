/** The range of numbers of each cell, so that numbers of organizations, deliveries and other rows differ between cells. */

/** The greatest number of a cell: its numbers of organizations end at 2^31, the limit of `integer`. sql/11_cells.sql has it too. */
export const maxCell = 2047

/** Count of numbers of a cell for `integer` columns, such as that of organizations. */
const integers = 2n ** 20n
/** The same for `bigint` columns: enough for 10,000 deliveries a second for three years. The last cell ends below 2^53: exact in JSON. */
const bigints = 2n ** 40n

export interface NumberRange {
  readonly min: bigint
  readonly max: bigint
}

/** Returns the numbers that a cell assigns in columns of the type; those of cell 0 begin with 1. */
export const rangeOf = (cell: number, type: "integer" | "bigint"): NumberRange => {
  const size = type === "integer" ? integers : bigints
  const start = BigInt(cell) * size
  return { min: start === 0n ? 1n : start, max: start + size - 1n }
}
