/** Charts of the workspace's home: inline SVG, each with a table of its figures. */
import { submissionsHref } from "../../interview-sets/pages/SetLabels.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { milestoneNames } from "../../submissions/pages/SubmissionLabels.ts"
import type { Milestone } from "../../submissions/Submission.ts"
import type { FunnelStep } from "../Funnel.ts"

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

const bar = { height: 24, left: 76, width: 150 } as const

/** Bars of counts above 0 have at least 2 pixels, so that they are visible. */
const barWidth = (share: number): number => (share === 0 ? 0 : Math.max(2, Math.round(share * bar.width)))

/** `id` is unique in the page. */
export const funnelChart = (id: string, set: string, steps: ReadonlyArray<FunnelStep>): Html => {
  const height = steps.length * bar.height
  const row = ({ count, share, milestone }: FunnelStep, index: number) => {
    const y = index * bar.height
    const content = html`<rect class="track" x="${bar.left}" y="${y + 3}" width="${bar.width}" height="18" rx="3"/><rect class="bar" x="${bar.left}" y="${y + 3}" width="${barWidth(share)}" height="18" rx="3"/><text x="0" y="${y + 17}">${milestoneNames[milestone]}</text><text class="value" x="${bar.left + bar.width + 6}" y="${y + 17}">${count}</text>`
    return html`<a href="${hrefOf(set, milestone)}">${content}</a>`
  }
  return html`<svg class="chart" viewBox="0 0 280 ${height}" role="group" aria-labelledby="${id}-t" aria-describedby="${id}-d">
<title id="${id}-t">From invitation to decision</title><desc id="${id}-d">${steps.map(({ count, milestone }) => `${milestoneNames[milestone]} ${count}`).join(", ")}</desc>
${steps.map(row)}</svg>
<details><summary>Table</summary><table><thead><tr><th scope="col">Reached milestone</th><th scope="col">Candidates</th><th scope="col">Share of invited</th></tr></thead><tbody>
${steps.map(
  ({
    count,
    share,
    milestone,
  }) => html`<tr><th scope="row">${milestoneNames[milestone]}</th><td><a href="${hrefOf(set, milestone)}">${count}</a></td><td>${percent(share)}</td></tr>
`,
)}</tbody></table></details>`
}

const binName = (bin: number): string => (bin === 9 ? "9 to 10" : `${bin} to under ${bin + 1}`)

const column = { width: 28, height: 84, top: 16 } as const

export const scoreChart = (id: string, bins: ReadonlyArray<number>): Html => {
  const most = Math.max(1, ...bins)
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, Math.round((count / most) * column.height)))
  const bottom = column.top + column.height
  const text = bins.flatMap((count, bin) => (count === 0 ? [] : [`${binName(bin)}: ${count}`])).join(", ")
  return html`<svg class="chart" viewBox="0 0 288 ${bottom + 20}" role="img" aria-labelledby="${id}-t ${id}-d">
<title id="${id}-t">Scores</title><desc id="${id}-d">${text}</desc>
${bins.map((count, bin) => {
  const height = heightOf(count)
  const x = bin * column.width + 4
  return html`<rect class="bar" x="${x + 2}" y="${bottom - height}" width="${column.width - 4}" height="${height}"/>${count === 0 ? null : html`<text class="value" x="${x + column.width / 2}" y="${bottom - height - 4}" text-anchor="middle">${count}</text>`}`
})}<path class="axis" d="M4 ${bottom}h280"/>
${[0, 2, 4, 6, 8, 10].map((score) => html`<text x="${score * column.width + 4}" y="${bottom + 15}" text-anchor="${score === 0 ? "start" : score === 10 ? "end" : "middle"}">${score}</text>`)}</svg>
<details><summary>Table</summary><table><thead><tr><th scope="col">Score out of 10</th><th scope="col">Candidates</th></tr></thead><tbody>
${bins.map((count, bin) => html`<tr><th scope="row">${binName(bin)}</th><td>${count}</td></tr>`)}</tbody></table></details>`
}
