/** The table of submissions. */
import type { Member } from "../../accounts/members/Member.ts"
import { isByKeywords } from "../../evaluations/Evaluation.ts"
import { countOutcomes, type Outcome, outcomeOf } from "../../evaluations/Score.ts"
import { byImportance } from "../../interview-sets/Importance.ts"
import { statusNames as invitationNames } from "../../invitations/pages/InvitationLabels.ts"
import { shortHashOf } from "../../platform/crypto/ShortHash.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { day, wordIn } from "../../platform/http/PageParts.ts"
import {
  decidedNames,
  evaluationWarningNames,
  failureText,
  initialsOf,
  isUnreached,
  knockOutMark,
  nameOf,
  outcomeSigns,
  scoreText,
  stateOfLine,
} from "../../submissions/pages/SubmissionLabels.ts"
import { isSubmitted } from "../../submissions/Submission.ts"
import {
  byScores,
  listHref,
  orders,
  queryOf,
  queryText,
  type SubmissionOrder,
  type SubmissionSearch,
} from "../../submissions/SubmissionSearch.ts"
import type { NamedSubmission } from "../../submissions/Submissions.ts"
import { shortDateText } from "../../texts/Formats.ts"
import { type ListColumn, listColumns } from "../SavedView.ts"
import { listColumnNames } from "./SavedViewParts.ts"

const escapedSizes: Readonly<Record<string, number>> = { "&": 5, "<": 4, ">": 4, '"': 6, "'": 5 }

/** Cuts a text to a number of bytes of HTML. */
export const cutBytes = (text: string, max: number): string => {
  let size = 0
  let end = 0
  for (const character of text) {
    size += escapedSizes[character] ?? Buffer.byteLength(character)
    if (size > max) return `${text.slice(0, end).trimEnd()}…`
    end += character.length
  }
  return text
}

interface Limits {
  readonly name: number
  readonly address: number
  readonly title: number
  readonly reason: number
  readonly decidedBy: number
  readonly reviewers: number
  /** Draws the signs of requirements in their colours; otherwise they are characters. */
  readonly isDrawn: boolean
  /** Shows a date. */
  readonly date: (at: string) => Html | string
}

/** Maximum bytes of the texts in a row. */
const wide: Limits = {
  name: 90,
  address: 64,
  title: 72,
  reason: 60,
  decidedBy: 40,
  reviewers: 60,
  isDrawn: true,
  date: day,
}

/**
 * Used when the rows are larger than `maxRows`; links then also omit the list's query, and dates are text in the organization's
 * time zone, without the element that the browser writes again.
 */
const tightIn = (zone: string): Limits => ({
  name: 30,
  address: 24,
  title: 22,
  reason: 18,
  decidedBy: 16,
  reviewers: 18,
  isDrawn: false,
  date: (at) => shortDateText("en", new Date(at), zone),
})

/** Maximum bytes of all rows, so that the page has at most 60 KB. */
const maxRows = 43_000

/** Maximum bytes of the list's query in each link. */
const maxList = 100

const maxSigns = 12

/** Lets an address that is wider than its column break only after "@". */
const addressIn = (text: string): Html =>
  html`${text.split("@").map((part, index) => (index === 0 ? part : html`@<wbr>${part}`))}`

/** The query string of the list for links to submissions; undefined when too long to repeat in every row. */
const listOf = (search: SubmissionSearch): string | undefined => {
  const list = encodeURIComponent(queryText(queryOf(search)))
  return list.length > maxList ? undefined : list
}

const candidate = (one: NamedSubmission, list: string | undefined, number: number, max: Limits): Html => {
  const { email } = one.candidate
  const name = nameOf(one.candidate)
  const address = email === null || email === name ? null : html` <span>${cutBytes(email, max.address)}</span>`
  return html`<th scope="row" data-i="${initialsOf(name)}"><a href="/submissions/${one.id}${list === undefined ? null : `?list=${list}`}" id="n${number}"><bdi>${cutBytes(name, max.name)}</bdi></a>${address}</th>`
}

const state = (one: NamedSubmission, max: Limits): Html => {
  const { invitation, status_text } = one
  const { kind, name } = stateOfLine(one)
  const detail =
    invitation === null || status_text !== "need_interview"
      ? null
      : isUnreached(status_text, invitation.status)
        ? cutBytes(failureText(invitation.failure_reason), max.reason)
        : wordIn(invitationNames, invitation.status)
  return html`<td><b class="${kind}">${name}</b>${detail === null ? null : html` <span>${detail}</span>`}${one.has_knock_out ? html` ${knockOutMark}` : null}</td>`
}

/** The style sheet draws them: elements without a class take few bytes. */
const drawnSigns: Readonly<Record<Outcome, Html>> = {
  met: html`<b></b>`,
  "partly met": html`<u></u>`,
  "no match found": html`<s></s>`,
  "not rated": html`–`,
}

const signs = ({ requirement_scores }: NamedSubmission, { isDrawn }: Limits): Html | null => {
  if (requirement_scores.every(({ score }) => outcomeOf(score) === "not rated")) return null
  const outcomes = byImportance(requirement_scores)
  const of = isDrawn ? drawnSigns : outcomeSigns
  const shown = outcomes.slice(0, maxSigns).map(({ score }) => of[outcomeOf(score)])
  return html`<i role="img" aria-label="${countOutcomes(outcomes)}">${shown}${outcomes.length > maxSigns ? "…" : null}</i>`
}

/** The second line has warnings first, because it is cut at its end. An override has none. */
const scoreCell = (one: NamedSubmission): Html | null => {
  const { evaluators, is_score_hidden, override_score, score, score_status, warnings } = one
  if (is_score_hidden) return isSubmitted(one.status_text) ? html`<span>Hidden</span>` : null
  const isKeywordMatch = evaluators.some(isByKeywords)
  if (override_score !== null) {
    return html`<b>${scoreText(override_score)}</b> <span>${score === null ? "overridden" : `instead of ${scoreText(score)}`}</span>`
  }
  if (score !== null) {
    const why = warnings.map((code) => wordIn(evaluationWarningNames, code)).join(", ")
    const notes = [...(why === "" ? [] : [`⚠ ${why}`]), ...(isKeywordMatch ? ["keyword match"] : [])]
    return html`<b>${scoreText(score)}</b>${notes.length === 0 ? null : html` <span>${notes.join(" · ")}</span>`}`
  }
  return score_status === "cannot_evaluate" ? html`<span>Not scored</span>` : null
}

const decisionCell = ({ decision: { decided_by, decision } }: NamedSubmission, max: Limits): Html | null =>
  decision === null
    ? null
    : html`<b class="${decision}">${decidedNames[decision]}</b> <bdi>${addressIn(cutBytes(decided_by?.name ?? "", max.decidedBy))}</bdi>`

/** Circles with initials that fit the column. */
const maxInitials = 3

const reviewersCell = ({ reviewers }: NamedSubmission, max: Limits): Html | null => {
  if (reviewers.length === 0) return null
  if (!max.isDrawn) return html`<bdi>${addressIn(cutBytes(reviewers.join(", "), max.reviewers))}</bdi>`
  const others = reviewers.length - maxInitials
  return html`${reviewers.slice(0, maxInitials).map((name) => html`<bdi data-i="${initialsOf(name)}">${cutBytes(name, max.decidedBy)}</bdi>`)}${others > 0 ? html`<bdi data-i="+${others}">${others} more</bdi>` : null}`
}

/** The content of each column's cells. */
const cells: Readonly<Record<ListColumn, (one: NamedSubmission, max: Limits) => Html | string | null>> = {
  set: (one, max) => html`<bdi>${cutBytes(one.interview_set.title, max.title)}</bdi>`,
  active: ({ active_at }, max) => max.date(active_at),
  invited: ({ created_at }, max) => max.date(created_at),
  submitted: ({ completed_at }, max) => (completed_at === null ? null : max.date(completed_at)),
  requirements: signs,
  score: scoreCell,
  decision: decisionCell,
  reviewers: reviewersCell,
}

/**
 * On one line: fifty rows are most of the page's bytes. Cells of hidden columns are empty, so that the style sheet knows each
 * column by its number.
 */
const row = (
  one: NamedSubmission,
  list: string | undefined,
  isSelected: boolean,
  number: number,
  max: Limits,
  columns: ReadonlyArray<ListColumn>,
): Html => {
  const { position: _, ...shown } = one
  const cell = (column: ListColumn) =>
    html`<td${max.isDrawn && column === "reviewers" && columns.includes(column) && one.reviewers.length > 0 ? html` title="${cutBytes(one.reviewers.join(", "), max.reviewers)}"` : null}>${columns.includes(column) ? cells[column](one, max) : null}</td>`
  const [first, ...others] = listColumns
  return html`<tr data-v="${shortHashOf(shown)}"><td><input type="checkbox" name="selected" value="${one.id}:${one.decision_changes}" aria-labelledby="n${number}"${isSelected ? html` checked` : null}></td>${candidate(one, list, number, max)}${cell(first)}${state(one, max)}${others.map(cell)}</tr>
`
}

const header = (search: SubmissionSearch, name: string, first: SubmissionOrder): Html => {
  const order = orders[search.order]
  const isSorted = search.order === first || order.reverse === first
  const next = isSorted ? order.reverse : first
  const sorted = order.isDescending ? "descending" : "ascending"
  return html`<th scope="col"${isSorted ? html` aria-sort="${sorted}"` : null}><a href="${listHref({ ...search, order: next })}">${name}${isSorted ? html` <span aria-hidden="true">${order.isDescending ? "↓" : "↑"}</span>` : null}</a></th>`
}

/** By the column's name; null: rows are not sorted by it. */
const columnOrders: Readonly<Record<ListColumn, SubmissionOrder | null>> = {
  set: null,
  active: "last_active",
  invited: "newest",
  submitted: "last_submitted",
  requirements: "most_met",
  score: "best",
  decision: "last_decided",
  reviewers: "last_reviewed",
}

const captions: Readonly<Record<SubmissionOrder, string>> = {
  last_active: "Submissions, last active first",
  first_active: "Submissions, longest inactive first",
  newest: "Submissions, last invited first",
  oldest: "Submissions, first invited first",
  last_submitted: "Submissions, last submitted first",
  first_submitted: "Submissions, first submitted first",
  best: "Submissions, highest score first",
  weakest: "Submissions, lowest score first",
  last_decided: "Submissions, last decided first",
  first_decided: "Submissions, first decided first",
  a_to_z: "Submissions by candidate, A to Z",
  z_to_a: "Submissions by candidate, Z to A",
  first_status: "Submissions by state, invited first",
  last_status: "Submissions by state, ended first",
  most_met: "Submissions, most requirements met first",
  fewest_met: "Submissions, fewest requirements met first",
  last_reviewed: "Submissions, last reviewed first",
  first_reviewed: "Submissions, first reviewed first",
}

export const submissionTable = (
  search: SubmissionSearch,
  rows: ReadonlyArray<NamedSubmission>,
  selected: ReadonlySet<string>,
  columns: ReadonlyArray<ListColumn>,
  { seesScores, timeZone }: Pick<Member, "seesScores" | "timeZone">,
): Html => {
  const columnHeader = (column: ListColumn) => {
    if (!columns.includes(column)) return html`<td></td>`
    const order = columnOrders[column]
    const isSorted = order !== null && (seesScores || !byScores.includes(orders[order].by))
    return isSorted
      ? header(search, listColumnNames[column], order)
      : html`<th scope="col">${listColumnNames[column]}</th>`
  }
  const [first, ...others] = listColumns
  const hidden = listColumns.filter((column) => !columns.includes(column)).map((column) => ` no-${column}`)
  const rowsWithin = (max: Limits, list: string | undefined) =>
    html`${rows.map((one, index) => row(one, list, selected.has(one.id), index, max, columns))}`
  const body = rowsWithin(wide, listOf(search))
  const shown = Buffer.byteLength(String(body)) > maxRows ? rowsWithin(tightIn(timeZone), undefined) : body
  return html`<table class="submission-table${hidden}">
<caption class="unseen">${captions[search.order]}</caption>
<thead><tr><td><input type="checkbox" id="all" aria-label="Select all on this page" hidden></td>${header(search, "Candidate", "a_to_z")}${columnHeader(first)}${header(search, "State", "first_status")}${others.map(columnHeader)}</tr></thead>
<tbody>
${shown}</tbody>
</table>`
}
