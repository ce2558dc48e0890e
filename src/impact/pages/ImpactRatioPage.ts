/** Settings → Organization → Impact ratios: makes reports, and lists those that were made. */
import type { Member } from "../../accounts/members/Member.ts"
import { settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { errorSummary, type FieldErrors, hasErrors, selectField } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { maxListed } from "../ImpactReport.ts"
import type { ListedReport } from "../ImpactReportRepository.ts"
import type { ReportChoices, ReportRequest } from "../ImpactReports.ts"
import { legalNote, monthText, outcomeText, periodText, setText } from "./ImpactLabels.ts"
import { impactRatiosHref, voluntaryQuestionsHref } from "./VoluntaryQuestionPage.ts"

export const reportHref = (id: string): string => `${impactRatiosHref}/${id}`

export const reportErrorLabels = {
  set: "The interview set",
  from: "The first month",
  to: "The last month",
  outcome: "The outcome",
}

interface RatioPage {
  readonly choices: ReportChoices
  readonly asks: boolean
  readonly reports: ReadonlyArray<ListedReport>
  readonly request: ReportRequest
  readonly errors: FieldErrors
  /** Why no report was made. */
  readonly refusal?: string
}

const nextMonth = (month: string): string => {
  const at = new Date(`${month}-01`)
  at.setUTCMonth(at.getUTCMonth() + 1)
  return monthText(at.toISOString().slice(0, 7))
}

const reportForm = ({ choices, errors, request }: RatioPage): Html => {
  const months = choices.months.map((month) => [month, monthText(month)] as const)
  if (months.length === 0)
    return html`<p class="empty">A report covers whole months after the first interview was submitted. The next month that can be
reported ends with ${monthText(choices.present)}: open this page in ${nextMonth(choices.present)}.</p>`
  return html`<form method="post" action="${impactRatiosHref}" class="fields" novalidate>
${selectField({ name: "set", label: "Interview set", value: request.set, errors, isRequired: true, options: [["", "All interview sets"], ...choices.sets.map(({ id, title }) => [id, title] as const)] })}
<div class="side-by-side">${selectField({ name: "from", label: "First month", value: request.from, errors, isRequired: true, options: months })}
${selectField({ name: "to", label: "Last month", value: request.to, errors, isRequired: true, options: months, hint: "Months in which interviews were submitted, in UTC." })}</div>
${selectField({
  name: "outcome",
  label: "Outcome",
  value: request.outcome,
  errors,
  isRequired: true,
  options: [
    ["scored", "Scored above the median"],
    ["advanced", "Advanced by the decision"],
    ...choices.stages.map(({ id, name }) => [id, `Reached “${name}” or a later stage`] as const),
  ],
})}
<p class="actions"><button class="primary">Make report</button></p></form>`
}

const reportList = (reports: ReadonlyArray<ListedReport>): Html =>
  reports.length === 0
    ? html`<p class="empty">No report was made yet.</p>`
    : html`<ul class="impact-reports">
${reports.map(
  (report) => html`<li><a href="${reportHref(report.id)}"><bdi>${setText(report.names)}</bdi>, ${periodText(report)}</a>
<span class="quiet">${outcomeText(report, report.names)} · ${moment(report.made_at, "short")} by <bdi>${report.names.member}</bdi></span></li>\n`,
)}</ul>
${reports.length < maxListed ? null : html`<p class="note">The newest ${maxListed} reports.</p>`}`

export const impactRatioPage = (member: Member, page: RatioPage): Document => {
  const { asks, errors, refusal, reports } = page
  const isRefused = hasErrors(errors) || refusal !== undefined
  return settingsPage(member, {
    title: isRefused ? "No report – Impact ratios" : "Impact ratios",
    section: "Impact ratios",
    notice: refusal === undefined ? undefined : { text: `No report was made: ${refusal}.`, isError: true },
    main: html`<header class="lead"><h1>Impact ratios</h1>
<p class="welcome">Whether candidates of each sex, race or ethnicity are scored and selected at similar rates, from
<a href="${voluntaryQuestionsHref}">voluntary answers</a>. ${legalNote}</p></header>
${asks ? null : html`<p class="info">Candidates are not asked at present. <a href="${voluntaryQuestionsHref}">Choose the questions</a></p>`}
${errorSummary(errors, "No report was made.")}
<section class="made" aria-labelledby="new"><h2 id="new">New report</h2>
${reportForm(page)}</section>
<section class="made" aria-labelledby="made"><h2 id="made">Reports</h2>
<p class="note">A report keeps the numbers of the day on which it was made. Later reports hide what would reveal a single person beside it.
Therefore reports cannot be deleted.</p>
${reportList(reports)}</section>`,
  })
}
