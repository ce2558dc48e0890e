/**
 * Selection rates, scoring rates and impact ratios (6 RCNY § 5-300), the four-fifths comparison (29 CFR 1607.4 D), and the
 * rules that hide small numbers (docs/impact-ratios.md).
 */

/** People of a category, and those of them who were selected, or scored above the median. */
export interface CategoryCounts {
  readonly category: string
  readonly applicants: number
  readonly selected: number
}

/** Counts of people who answered both lists. */
export interface CrossedCounts extends CategoryCounts {
  readonly sex: string
  readonly ethnicity: string
}

export interface ImpactFigures {
  /** From 0 to 1. */
  readonly rate: number
  /** To the highest rate of the rows; null: no one was selected. */
  readonly ratio: number | null
  readonly isBelowFourFifths: boolean
  /** Has the highest rate, with which the others are compared. */
  readonly isReference: boolean
  /** Of the difference to the reference: Fisher's exact test, two-sided. 1 for the reference. */
  readonly probability: number
  /** The probability is below `significance`. */
  readonly isSignificant: boolean
  /** Less than `smallShare` of the people in the table: an auditor may exclude the category (6 RCNY § 5-301 d). */
  readonly isSmallShare: boolean
}

export type ImpactRow<Row extends CategoryCounts = CategoryCounts> = Row & ImpactFigures

/** A number of people that is shown is at least this, or 0. */
export const minCell = 5
export const fourFifths = 0.8
export const significance = 0.05
export const smallShare = 0.02

export type Numbers = Pick<CategoryCounts, "applicants" | "selected">

const logFactorials: Array<number> = [0]

const logFactorial = (n: number): number => {
  for (let next = logFactorials.length; next <= n; next += 1)
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next))
  return logFactorials[n] ?? 0
}

const logChoose = (n: number, k: number): number => logFactorial(n) - logFactorial(k) - logFactorial(n - k)

/** Tables whose probability differs from the observed one's by rounding only count as equally probable. */
const rounding = 1e-7

/**
 * Fisher's exact test, two-sided: the probability of tables that are at most as probable as the observed one, if both groups
 * had one rate.
 */
export const fisherExact = (one: Numbers, other: Numbers): number => {
  const [first, second] = [one.applicants, other.applicants]
  const selected = one.selected + other.selected
  const all = logChoose(first + second, selected)
  const probabilityOf = (count: number) => Math.exp(logChoose(first, count) + logChoose(second, selected - count) - all)
  const observed = probabilityOf(one.selected) * (1 + rounding)
  let sum = 0
  for (let count = Math.max(0, selected - second); count <= Math.min(first, selected); count += 1) {
    const probability = probabilityOf(count)
    if (probability <= observed) sum += probability
  }
  return Math.min(1, sum)
}

const rateOf = ({ applicants, selected }: Numbers): number => selected / applicants

/** Of rows with people. Hidden rows are not among them, so that no ratio reveals the rate of one. `known`: people of the table. */
export const impactRows = <Row extends CategoryCounts>(
  rows: ReadonlyArray<Row>,
  known: number,
): ReadonlyArray<ImpactRow<Row>> => {
  const best = rows.reduce<Row | undefined>(
    (found, row) => (found === undefined || rateOf(row) > rateOf(found) ? row : found),
    undefined,
  )
  if (best === undefined) return []
  return rows.map((row) => {
    const rate = rateOf(row)
    const ratio = best.selected === 0 ? null : rate / rateOf(best)
    const probability = row === best ? 1 : fisherExact(row, best)
    return {
      ...row,
      rate,
      ratio,
      isBelowFourFifths: ratio !== null && ratio < fourFifths,
      isReference: row === best,
      probability,
      isSignificant: probability < significance,
      isSmallShare: row.applicants < known * smallShare,
    }
  })
}

export const isSmall = (count: number): boolean => count > 0 && count < minCell

/** A row shows three numbers: people, selected ones, and the others. */
export const revealsFew = ({ applicants, selected }: Numbers): boolean =>
  isSmall(applicants) || isSmall(selected) || isSmall(applicants - selected)

const sumOf = (rows: ReadonlyArray<Numbers>): Numbers => ({
  applicants: rows.reduce((sum, row) => sum + row.applicants, 0),
  selected: rows.reduce((sum, row) => sum + row.selected, 0),
})

/**
 * Hides further rows, the smallest first, until the hidden rows of a line, of which the sum is known, are at least two and
 * reveal no small number together. Returns whether it hid one.
 */
const hideWithin = <Row extends Numbers>(line: ReadonlyArray<Row>, hidden: Set<Row>): boolean => {
  const candidates = line.filter((row) => row.applicants > 0)
  const ofLine = candidates.filter((row) => hidden.has(row))
  if (ofLine.length === 0) return false
  const further = candidates
    .filter((row) => !hidden.has(row))
    .toSorted((one, other) => one.applicants - other.applicants)
  let changed = false
  while (ofLine.length < 2 || revealsFew(sumOf(ofLine))) {
    const next = further.shift()
    if (next === undefined) break
    hidden.add(next)
    ofLine.push(next)
    changed = true
  }
  return changed
}

/** Rows of one table whose people sum up to a number that the report shows. `revealing`: also to hide, for another reason. */
export const hiddenRows = <Row extends CategoryCounts>(
  rows: ReadonlyArray<Row>,
  revealing: ReadonlyArray<Row> = [],
): ReadonlySet<Row> => {
  const hidden = new Set([...rows.filter(revealsFew), ...revealing])
  hideWithin(rows, hidden)
  return hidden
}

export interface CrossedTables {
  readonly sex: ReadonlyArray<CategoryCounts>
  readonly ethnicity: ReadonlyArray<CategoryCounts>
  readonly crossed: ReadonlyArray<CrossedCounts>
}

/** Rows whose sum, less that of others, is known. */
interface KnownSum {
  readonly rows: ReadonlyArray<CategoryCounts>
  readonly less: ReadonlyArray<CategoryCounts>
}

const epsilon = 1e-9

/** Hidden rows with people that the known sums determine, by Gaussian elimination. */
const determinedRows = (
  sums: ReadonlyArray<KnownSum>,
  hidden: ReadonlySet<CategoryCounts>,
): ReadonlyArray<CategoryCounts> => {
  const unknown = [...hidden].filter(({ applicants }) => applicants > 0)
  let open = sums.map(({ less, rows }) => unknown.map((row) => Number(rows.includes(row)) - Number(less.includes(row))))
  let reduced: ReadonlyArray<ReadonlyArray<number>> = []
  for (const column of unknown.keys()) {
    const pivot = open.find((row) => Math.abs(row[column] ?? 0) > epsilon)
    if (pivot === undefined) continue
    const scaled = pivot.map((one) => one / (pivot[column] ?? 1))
    const without = (row: ReadonlyArray<number>) => row.map((one, at) => one - (row[column] ?? 0) * (scaled[at] ?? 0))
    open = open.filter((row) => row !== pivot).map(without)
    reduced = [...reduced.map(without), scaled]
  }
  return reduced.flatMap((row) => {
    const found = unknown.filter((_, at) => Math.abs(row[at] ?? 0) > epsilon)
    return found.length === 1 ? found : []
  })
}

/**
 * Rows to hide in three tables of the same people. The rows of a sex or an ethnicity in the crossed table sum up to its row
 * in the other table when each person answered both lists, so that people who did not are no protection.
 */
export const hiddenCrossed = (
  { crossed, ethnicity, sex }: CrossedTables,
  revealing: ReadonlyArray<CategoryCounts> = [],
): ReadonlySet<CategoryCounts> => {
  const hidden = new Set<CategoryCounts>([...[...sex, ...ethnicity, ...crossed].filter(revealsFew), ...revealing])
  const lines = [
    ...sex.map((total) => ({ total, cells: crossed.filter((cell) => cell.sex === total.category) })),
    ...ethnicity.map((total) => ({ total, cells: crossed.filter((cell) => cell.ethnicity === total.category) })),
  ]
  const sums: ReadonlyArray<KnownSum> = [
    ...[sex, ethnicity, crossed].map((rows) => ({ rows, less: [] })),
    // each person of the row answered both lists
    ...lines
      .filter(({ cells, total }) => sumOf(cells).applicants === total.applicants)
      .map(({ cells, total }) => ({ rows: [total], less: cells })),
  ]
  const hideInLines = (): boolean => {
    let changed = [sex, ethnicity, crossed].map((table) => hideWithin<CategoryCounts>(table, hidden)).includes(true)
    for (const { cells, total } of lines) {
      const counted = cells.filter(({ applicants }) => applicants > 0)
      const first = counted.toSorted((one, other) => one.applicants - other.applicants)[0]
      // the sum of shown cells would be the hidden row
      if (hidden.has(total) && first !== undefined && counted.every((cell) => !hidden.has(cell))) {
        hidden.add(first)
        changed = true
      }
      if (hideWithin<CategoryCounts>(counted, hidden)) changed = true
      // a line without a second cell to hide reveals its only hidden one by its row
      const isRevealed = counted.filter((cell) => hidden.has(cell)).length === 1
      if (isRevealed && !hidden.has(total)) {
        hidden.add(total)
        changed = true
      }
    }
    return changed
  }
  /** Hides the smallest shown row, of the sums with a row that all sums together determine, or else of any. */
  const hideInSums = (): boolean => {
    const determined = determinedRows(sums, hidden)
    if (determined.length === 0) return false
    const smallestOf = (some: ReadonlyArray<KnownSum>) =>
      some
        .flatMap(({ less, rows }) => [...rows, ...less])
        .filter((row) => row.applicants > 0 && !hidden.has(row))
        .toSorted((one, other) => one.applicants - other.applicants)[0]
    const near = sums.filter(({ less, rows }) => determined.some((row) => rows.includes(row) || less.includes(row)))
    const smallest = smallestOf(near) ?? smallestOf(sums)
    if (smallest !== undefined) hidden.add(smallest)
    return smallest !== undefined
  }
  while (hideInLines() || hideInSums());
  return hidden
}
