/** A report of impact ratios: what is chosen, and its numbers after small ones were hidden. */
import type { HiringStageId, InterviewSetId } from "../values/Ids.ts"
import {
  type CategoryCounts,
  type CrossedCounts,
  hiddenCrossed,
  hiddenRows,
  type ImpactRow,
  impactRows,
  isSmall,
} from "./ImpactRatios.ts"
import { ethnicityCategories, type SelfIdentification, sexCategories } from "./SelfIdentification.ts"

/** Reports in the list, newest first. */
export const maxListed = 100

export const outcomes = ["scored", "advanced", "stage"] as const
/** `scored`: above the median score. `advanced`: by the decision. `stage`: moved to a hiring stage, or to a later one. */
export type Outcome = (typeof outcomes)[number]

/** The people and the outcome of a report. Months are "2026-11", in UTC, of the day on which the interview was submitted. */
export interface ImpactSelection {
  /** Null: all sets. */
  readonly set: InterviewSetId | null
  readonly from: string
  /** Inclusive. */
  readonly to: string
  readonly outcome: Outcome
  /** Of the outcome `stage`. */
  readonly stage: HiringStageId | null
}

/** People with the same answers. */
export interface ImpactGroup extends SelfIdentification {
  readonly applicants: number
  readonly selected: number
}

export const reportTables = ["sex", "ethnicity", "crossed", "own"] as const
export type TableName = (typeof reportTables)[number]

export interface ReportTable {
  readonly name: TableName
  /** People who did not answer, or not both lists; null: 1 to 4. */
  readonly unknown: number | null
  /** All categories. */
  readonly categories: ReadonlyArray<string>
  /** Without those that are hidden, or have no people. */
  readonly rows: ReadonlyArray<CategoryCounts>
}

/** Only numbers that may be shown. */
export interface ReportContent {
  readonly people: number
  readonly selected: number
  /** The organization's own question; empty: none. */
  readonly question: string
  readonly tables: ReadonlyArray<ReportTable>
}

/** Names when the report was made. */
export interface ReportNames {
  /** Null: all sets. */
  readonly set: string | null
  readonly stage: string | null
  readonly member: string
}

const sumOf = (groups: ReadonlyArray<ImpactGroup>, key: "applicants" | "selected"): number =>
  groups.reduce((sum, group) => sum + group[key], 0)

const counted = (category: string, groups: ReadonlyArray<ImpactGroup>): CategoryCounts => ({
  category,
  applicants: sumOf(groups, "applicants"),
  selected: sumOf(groups, "selected"),
})

export const crossedCategory = (sex: string, ethnicity: string): string => `${sex} ${ethnicity}`

interface Table {
  readonly name: TableName
  readonly rows: ReadonlyArray<CategoryCounts>
}

/** Whether a row reveals a small number beside earlier reports (impact/EarlierReports.ts). */
export type IsRevealing = (table: TableName, row: CategoryCounts) => boolean

export const totalsOf = (groups: ReadonlyArray<ImpactGroup>): Pick<ReportContent, "people" | "selected"> => ({
  people: sumOf(groups, "applicants"),
  selected: sumOf(groups, "selected"),
})

/**
 * Counts the groups, and hides small numbers and those that would reveal them. `own`: the organization's question and its
 * answers; the tables have further answers that candidates gave before the list was changed. `isRevealingAll`: of a row because of
 * which no row is shown.
 */
export const reportOf = (
  groups: ReadonlyArray<ImpactGroup>,
  own: { readonly question: string; readonly categories: ReadonlyArray<string> },
  isRevealing: IsRevealing,
  isRevealingAll: IsRevealing = () => false,
): ReportContent => {
  const of = (list: keyof SelfIdentification, categories: ReadonlyArray<string>) =>
    categories.map((category) =>
      counted(
        category,
        groups.filter((group) => group[list] === category),
      ),
    )
  const sex = of("sex", sexCategories)
  const ethnicity = of("ethnicity", ethnicityCategories)
  const crossed: ReadonlyArray<CrossedCounts> = sexCategories.flatMap((one) =>
    ethnicityCategories.map((other) => ({
      sex: one,
      ethnicity: other,
      ...counted(
        crossedCategory(one, other),
        groups.filter((group) => group.sex === one && group.ethnicity === other),
      ),
    })),
  )
  const given = groups.flatMap((group) => (group.own === null ? [] : [group.own]))
  const ownRows = of("own", [...new Set([...own.categories, ...given.toSorted()])])
  const revealing = (name: TableName, rows: ReadonlyArray<CategoryCounts>) =>
    rows.filter((row) => row.applicants > 0 && isRevealing(name, row))
  const hidden = new Set([
    ...hiddenCrossed({ sex, ethnicity, crossed }, [
      ...revealing("sex", sex),
      ...revealing("ethnicity", ethnicity),
      ...revealing("crossed", crossed),
    ]),
    ...hiddenRows(ownRows, revealing("own", ownRows)),
  ])
  const totals = totalsOf(groups)
  const tableOf = ({ name, rows }: Table): ReportTable => {
    const unknown = totals.people - rows.reduce((sum, { applicants }) => sum + applicants, 0)
    return {
      name,
      unknown: isSmall(unknown) ? null : unknown,
      categories: rows.map(({ category }) => category),
      rows: rows
        .filter((row) => row.applicants > 0 && !hidesAll && !hidden.has(row))
        .map(({ applicants, category, selected }) => ({ category, applicants, selected })),
    }
  }
  const tables: ReadonlyArray<Table> = [
    { name: "sex", rows: sex },
    { name: "ethnicity", rows: ethnicity },
    { name: "crossed", rows: crossed },
    { name: "own", rows: ownRows },
  ]
  const hidesAll = tables.some(({ name, rows }) => rows.some((row) => row.applicants > 0 && isRevealingAll(name, row)))
  return {
    ...totals,
    question: own.question,
    // a list that no one answered was not asked
    tables: tables.map(tableOf).filter(({ unknown }) => unknown !== totals.people),
  }
}

/** The rows of a table with their rates and ratios. */
export const figuresOf = ({ people }: ReportContent, { rows, unknown }: ReportTable): ReadonlyArray<ImpactRow> =>
  impactRows(rows, people - (unknown ?? 0))

/** Categories that are hidden, or have no people: the report does not say which. */
export const hiddenCategories = ({ categories, rows }: ReportTable): ReadonlyArray<string> => {
  const shown = new Set(rows.map(({ category }) => category))
  return categories.filter((category) => !shown.has(category))
}
