/** Figures of interview sets, on home and on the page of a set: the counts of each milestone, and the scores as inline SVG. */
import { submissionsHref } from "../../interview-sets/pages/SetLabels.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { type FunnelStep, mostFunnelled } from "../../submissions/Funnel.ts"
import { milestoneNames } from "../../submissions/pages/SubmissionLabels.ts"
import type { Milestone } from "../../submissions/Submission.ts"
import { numberText } from "../../texts/Formats.ts"

export const milestoneDefinitions: ReadonlyArray<readonly [name: string, text: string]> = [
  [milestoneNames.invited, "all candidates of the interview set"],
  [milestoneNames.opened, "used the interview page for the first time"],
  [milestoneNames.started, "started answering"],
  [milestoneNames.submitted, "submitted the answers"],
  [milestoneNames.reviewed, "a member sent a review"],
  [milestoneNames.decided, "a member decided: advance, hold or reject"],
]

/** The list of the same submissions. That of the first milestone also has those without an interview. */
const hrefOf = (set: string, milestone: Milestone): string =>
  `${submissionsHref(set)}${milestone === "invited" ? "" : `&reached=${milestone}`}`

const percent = (share: number): string => {
  const rounded = Math.round(share * 100)
  if (rounded === 0 && share > 0) return "under 1%"
  return rounded === 100 && share < 1 ? "over 99%" : `${rounded}%`
}

/** Whether a set has more interviews than its funnel counts. */
export const isOfNewest = (steps: ReadonlyArray<FunnelStep>): boolean => steps[0]?.count === mostFunnelled

/** Cells of a set's row: the count of each milestone, with its share of those invited. */
export const funnelCells = (set: string, steps: ReadonlyArray<FunnelStep>): Html =>
  html`${steps.map(
    ({ count, share, milestone }, index) =>
      html`<td><a href="${hrefOf(set, milestone)}"><span class="reached">${milestoneNames[milestone]} </span><b>${count}</b></a>${index === 0 ? null : html`<span class="share">${percent(share)}</span>`}</td>`,
  )}`

/** The same of one set, with a bar for each share. */
export const funnelStrip = (set: string, steps: ReadonlyArray<FunnelStep>): Html =>
  html`<ol class="card funnel" aria-label="Candidates by milestone">${steps.map(
    ({ count, milestone, share }, index) =>
      html`<li><a href="${hrefOf(set, milestone)}"><span>${milestoneNames[milestone]}</span> <b>${count}</b></a>${index === 0 ? null : html`<span class="share">${percent(share)}</span>`}<svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="bar" width="${Math.round(share * 100)}" height="4"/></svg></li>
`,
  )}</ol>${isOfNewest(steps) ? html`<p class="note">Of the newest ${numberText("en", mostFunnelled)} candidates.</p>` : null}`

const binName = (bin: number): string => (bin === 9 ? "9 to 10" : `${bin} to under ${bin + 1}`)

const column = { width: 11, height: 24 } as const

/** `id` is unique in the page. Counts above 0 have at least 2 pixels, so that they are visible. */
export const scoreChart = (id: string, bins: ReadonlyArray<number>): Html => {
  const most = Math.max(1, ...bins)
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, Math.round((count / most) * column.height)))
  const text = bins.flatMap((count, bin) => (count === 0 ? [] : [`${binName(bin)}: ${count}`])).join(", ")
  return html`<svg class="chart" viewBox="0 0 110 38" width="110" height="38" role="img" aria-labelledby="${id}-t ${id}-d">
<title id="${id}-t">Scores</title><desc id="${id}-d">${text}</desc>
${bins.map((count, bin) => html`<rect class="bar" x="${bin * column.width + 1}" y="${column.height - heightOf(count)}" width="${column.width - 2}" height="${heightOf(count)}"/>`)}<path class="axis" d="M0 ${column.height + 0.5}h110"/><text x="0" y="37">0</text><text x="55" y="37" text-anchor="middle">5</text><text x="110" y="37" text-anchor="end">10</text></svg>`
}
