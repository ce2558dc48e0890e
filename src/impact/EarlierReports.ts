/**
 * Keeps a new report of impact ratios from revealing small numbers beside earlier ones: by the difference of two reports, of which
 * one has all people of the other, and by the remainder of a report after its parts.
 */
import { type CategoryCounts, isSmall, minCell, type Numbers } from "./ImpactRatios.ts"
import type { ImpactSelection, IsRevealing, ReportContent, TableName } from "./ImpactReport.ts"

export interface EarlierReport extends ImpactSelection {
  readonly content: Pick<ReportContent, "people" | "selected" | "tables">
}

/** Whether `outer` has all people of `inner`. Only people with a score are in a report of scores. */
const contains = (outer: ImpactSelection, inner: ImpactSelection): boolean =>
  (outer.set === null || outer.set === inner.set) &&
  outer.from <= inner.from &&
  outer.to >= inner.to &&
  (outer.outcome !== "scored" || inner.outcome === "scored")

const hasSameOutcome = (one: ImpactSelection, other: ImpactSelection): boolean =>
  one.outcome === other.outcome && one.stage === other.stage

const hasSamePeriod = (one: ImpactSelection, other: ImpactSelection): boolean =>
  one.from === other.from && one.to === other.to

/**
 * Whether an earlier report is about the same people but for fewer than `minCell`, and about the same selected ones if its outcome is
 * another. Beside such a report, a single category that is no longer shown would be the answer of the one person who withdrew it, was
 * erased, or was decided about in between.
 */
export const isAboutSame = (
  chosen: ImpactSelection,
  { people, selected }: Pick<ReportContent, "people" | "selected">,
  earlier: EarlierReport,
): boolean => {
  const isNear = (one: number, other: number) => Math.abs(one - other) < minCell
  return (
    (contains(chosen, earlier) || contains(earlier, chosen)) &&
    isNear(people, earlier.content.people) &&
    (hasSameOutcome(chosen, earlier) || isNear(selected, earlier.content.selected))
  )
}

/** Undefined: the report does not show it. */
const rowOf = ({ content }: EarlierReport, table: TableName, category: string): CategoryCounts | undefined =>
  content.tables.find(({ name }) => name === table)?.rows.find((row) => row.category === category)

const difference = (one: Numbers, other: Numbers): Numbers => ({
  applicants: one.applicants - other.applicants,
  selected: one.selected - other.selected,
})

/** A difference may be negative: people withdraw answers, and decisions change. */
const isRevealed = ({ applicants, selected }: Numbers): boolean =>
  [applicants, selected, applicants - selected].some((count) => isSmall(Math.abs(count)))

/** Which numbers of two reports are of the same kind decides which differences say something. */
const differs = (chosen: ImpactSelection, row: Numbers, earlier: ImpactSelection, known: Numbers): boolean => {
  const { applicants, selected } = difference(row, known)
  if (hasSameOutcome(chosen, earlier)) return isRevealed({ applicants, selected })
  const hasScores = chosen.outcome === "scored" || earlier.outcome === "scored"
  return isSmall(Math.abs(applicants)) || (!hasScores && isSmall(Math.abs(selected)))
}

/** Ways to divide a report's people into those of other reports. */
const divisions: ReadonlyArray<{
  readonly isPart: (part: ImpactSelection, whole: ImpactSelection) => boolean
  readonly isApart: (one: ImpactSelection, other: ImpactSelection) => boolean
}> = [
  {
    isPart: (part, whole) => whole.set === null && part.set !== null && hasSamePeriod(part, whole),
    isApart: (one, other) => one.set !== other.set,
  },
  {
    isPart: (part, whole) => part.set === whole.set && contains(whole, part) && !hasSamePeriod(part, whole),
    isApart: (one, other) => one.to < other.from || other.to < one.from,
  },
]

type Counted = ImpactSelection & { readonly row: Numbers }

/** Whether the whole without reports that are parts of it, all apart from each other, leaves few people. `part`: one of them. */
const leavesFew = (whole: Counted, reports: ReadonlyArray<Counted>, part?: Counted): boolean =>
  divisions.some(({ isApart, isPart }) => {
    if (part !== undefined && !isPart(part, whole)) return false
    const parts = part === undefined ? [] : [part]
    const candidates = reports.filter((one) => hasSameOutcome(one, whole) && isPart(one, whole))
    for (const one of candidates.toSorted((a, b) => (a.to < b.to ? -1 : 1)))
      if (parts.every((other) => isApart(one, other))) parts.push(one)
    return parts.length > 1 && isRevealed(parts.reduce((left: Numbers, { row }) => difference(left, row), whole.row))
  })

/** `earlier`: the organization's reports of overlapping months, newest first. */
export const isRevealingBeside =
  (chosen: ImpactSelection, earlier: ReadonlyArray<EarlierReport>): IsRevealing =>
  (table, row) => {
    const known = earlier.flatMap((report) => {
      const shown = rowOf(report, table, row.category)
      return shown === undefined ? [] : [{ ...report, row: shown }]
    })
    const own = { ...chosen, row }
    return (
      known.some((one) => (contains(chosen, one) || contains(one, chosen)) && differs(chosen, row, one, one.row)) ||
      leavesFew(own, known) ||
      known.some((whole) => hasSameOutcome(whole, chosen) && leavesFew(whole, known, own))
    )
  }
