/**
 * How much a test tries. `npm test` and `npm run test:system` try a part of each kind; `npm run test:all` tries everything, by
 * night (docs/contributing.md).
 */
export const isThorough = process.env["THOROUGH"] === "1"

export const amount = <A>(usual: A, all: A): A => (isThorough ? all : usual)

/** The values of the case number `turn`: all, or each fourth, so that four cases together have all. */
export const partOf = <A>(values: ReadonlyArray<A>, turn: number): ReadonlyArray<A> =>
  isThorough ? values : values.filter((_, at) => at % 4 === turn % 4)
