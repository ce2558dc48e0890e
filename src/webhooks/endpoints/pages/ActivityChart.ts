/** Attempts of the last hours: a chart, and the same numbers as a table. */
import { countText } from "../../../accounts/pages/WorkspacePage.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import { moment } from "../../../platform/http/PageParts.ts"
import { chartedHours, type HourOfAttempts } from "../../deliveries/Delivery.ts"

const [barWidth, gap, height] = [4, 1, 24]

const sumOf = (hours: ReadonlyArray<HourOfAttempts>, of: "delivered" | "failed") =>
  hours.reduce((sum, hour) => sum + hour[of], 0)

export const activityText = (hours: ReadonlyArray<HourOfAttempts>): string => {
  const [delivered, failed] = [sumOf(hours, "delivered"), sumOf(hours, "failed")]
  return delivered + failed === 0
    ? `no attempts in the last ${chartedHours} hours`
    : `${countText(delivered + failed, "attempt", "attempts")} in the last ${chartedHours} hours, ${failed === 0 ? "none" : failed} failed`
}

/** At least one pixel, so that a few failures among many successes are visible. */
const heightOf = (count: number, max: number) => (count === 0 ? 0 : Math.max(1, Math.round((count / max) * height)))

/** Successes at the bottom, failures above them; the last bar is the current hour. `isLabelled`: its text stands beside it. */
export const activityChart = (hours: ReadonlyArray<HourOfAttempts>, isLabelled = false): Html => {
  const max = Math.max(1, ...hours.map(({ delivered, failed }) => delivered + failed))
  const bars = hours.map(({ delivered, failed }, index) => {
    const top = heightOf(failed, max)
    return { x: index * (barWidth + gap), top, bottom: Math.min(heightOf(delivered, max), height - top) }
  })
  const rectangle = (x: number, from: number, size: number) =>
    size === 0 ? "" : `M${x} ${height - from}v-${size}h${barWidth}v${size}z`
  const width = hours.length * (barWidth + gap) - gap
  return html`<svg class="activity" viewBox="0 0 ${width} ${height + 1}"${isLabelled ? html` aria-hidden="true"` : html` role="img" aria-label="${activityText(hours)}"`}><path class="base" d="M0 ${height + 0.5}h${width}"/><path class="good" d="${bars
    .map(({ bottom, x }) => rectangle(x, 0, bottom))
    .join("")}"/><path class="bad" d="${bars.map(({ bottom, top, x }) => rectangle(x, bottom, top)).join("")}"/></svg>`
}

/** Hours without attempts are left out. */
export const activityTable = (hours: ReadonlyArray<HourOfAttempts>): Html => {
  const active = hours.filter(({ delivered, failed }) => delivered + failed > 0).toReversed()
  return html`<details id="activity-table"><summary>Attempts by hour</summary>
${
  active.length === 0
    ? html`<p class="note">There were no attempts in the last ${chartedHours} hours.</p>`
    : html`<table class="hours"><thead><tr><th scope="col">Hour from</th><th scope="col">Succeeded</th><th scope="col">Failed</th></tr></thead>
<tbody>${active.map(
        ({ delivered, failed, hour }) =>
          html`<tr><th scope="row">${moment(hour, "short")}</th><td>${delivered}</td><td>${failed}</td></tr>\n`,
      )}</tbody></table>`
}
<p class="note">Each attempt counts in the hour in which it began, retries too, tests not. Other hours had no attempts. The numbers are up to five seconds old;
those of the last seconds of a process that was killed are missing.</p></details>`
}
