/** Words of reports of impact ratios: categories, outcomes, and the method, on pages and in files. */
import { textsOf } from "../../texts/Texts.ts"
import { fourFifths, type ImpactFigures, minCell, significance, smallShare } from "../ImpactRatios.ts"
import type { ImpactSelection, ReportContent, ReportNames, TableName } from "../ImpactReport.ts"
import { ethnicityCategories, sexCategories } from "../SelfIdentification.ts"

const known: ReadonlySet<string> = new Set([...sexCategories, ...ethnicityCategories])

const { say } = textsOf("en", "selfIdentification")

const wordOf = (category: string): string => {
  const one = [...sexCategories, ...ethnicityCategories].find((name) => name === category)
  return one === undefined ? category : say(one)
}

/** An answer to the organization's own question stays as it is. */
export const categoryText = (table: TableName, category: string): string => {
  if (table === "own") return category
  return category
    .split(" ")
    .map((part) => (known.has(part) ? wordOf(part) : part))
    .join(", ")
}

export const tableTitle = ({ question }: ReportContent, table: TableName): string =>
  ({
    sex: "Sex",
    ethnicity: "Race or ethnicity",
    crossed: "Sex and race or ethnicity",
    own: question || "Own question",
  })[table]

/** "2026-11" → "November 2026". */
export const monthText = (month: string): string =>
  new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(`${month}-01`))

export const periodText = ({ from, to }: Pick<ImpactSelection, "from" | "to">): string =>
  from === to ? monthText(from) : `${monthText(from)} to ${monthText(to)}`

export const outcomeText = ({ outcome }: Pick<ImpactSelection, "outcome">, { stage }: ReportNames): string =>
  ({ scored: "Scored above the median", advanced: "Advanced by the decision", stage: `Reached “${stage ?? ""}”` })[
    outcome
  ]

export const setText = ({ set }: ReportNames): string => set ?? "All interview sets"

/** The heading of the number of selected people. */
export const selectedLabel = ({ outcome }: Pick<ImpactSelection, "outcome">): string =>
  outcome === "scored" ? "Above the median" : "Selected"

export const rateLabel = ({ outcome }: Pick<ImpactSelection, "outcome">): string =>
  outcome === "scored" ? "Scoring rate" : "Selection rate"

export const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`

/** A ratio below four fifths never reads as 0.800. */
export const ratioText = (ratio: number): string => {
  const text = ratio.toFixed(3)
  return ratio < fourFifths && Number(text) >= fourFifths ? "0.799" : text
}

export const flagText = ({ isBelowFourFifths, isReference, ratio }: ImpactFigures): string => {
  if (ratio === null) return "No one was selected"
  if (isReference) return "Highest rate"
  return isBelowFourFifths ? "Below four fifths" : "Four fifths or more"
}

export const probabilityText = (probability: number): string =>
  probability < 0.001 ? "p < 0.001" : `p = ${probability.toFixed(3)}`

export const chanceText = ({ isReference, isSignificant, probability, ratio }: ImpactFigures): string =>
  isReference || ratio === null
    ? ""
    : `${probabilityText(probability)}, ${isSignificant ? "hardly chance" : "may be chance"}`

export const unknownText = (unknown: number | null): string =>
  unknown === null ? `fewer than ${minCell}` : String(unknown)

export const hiddenNote = `Fewer than ${minCell} people, selected people or others, or none; a number that would reveal such a one by subtraction, from this report or an earlier one; or, where no category is shown, an earlier report about the same people that differs by few. Which of these is not shown.`

const outcomes: Readonly<Record<ImpactSelection["outcome"], string>> = {
  scored:
    "The scoring rate of a category is the share of its people with a score above the median of all people with a score. The score is the service's, without overrides by members.",
  advanced: "The selection rate of a category is the share of its people about whom the decision is to advance them.",
  stage:
    "The selection rate of a category is the share of its people who are in this hiring stage or in a later one that is not a rejection, when the report was made.",
}

/** How the numbers are computed, one sentence or two each. */
export const methodTexts = ({ outcome }: Pick<ImpactSelection, "outcome">): ReadonlyArray<string> => [
  `People are candidates who submitted an interview in these months (UTC)${outcome === "scored" ? " and have a score" : ""}. They count in a table by their voluntary answers that were given before the month in which the report was made; others are unknown and in no rate.`,
  outcomes[outcome],
  "The impact ratio is the rate of a category divided by the highest rate in its table (6 RCNY § 5-300).",
  `A ratio below ${fourFifths} is marked: federal agencies generally regard it as evidence of adverse impact (29 CFR 1607.4 D, the four-fifths rule). Differences of small numbers may be chance.`,
  `p is the probability of a difference at least as unusual, if both categories had the same rate: Fisher's exact test, two-sided, against the category with the highest rate. Below ${significance} it is called hardly chance. With many categories, some are below by chance.`,
  `Categories with less than ${smallShare * 100} % of the people in a table are marked: an auditor may leave them out (6 RCNY § 5-301 d).`,
  `Numbers from 1 to ${minCell - 1} are hidden, and those that would reveal them. Ratios are to the highest rate that is shown.`,
]

export const legalNote =
  "Impact ratios are a means for an audit. They are not a bias audit by an independent auditor, and not legal advice."
