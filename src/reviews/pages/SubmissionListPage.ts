/** The list of submissions. */

import { type Member, maySetUp } from "../../accounts/Member.ts"
import { cut } from "../../accounts/pages/WorkspacePage.ts"
import { isByKeywords } from "../../evaluations/Evaluation.ts"
import { listPager, recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { setHref, setsHref } from "../../interview-sets/pages/SetLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import {
  nameOf,
  orderNames,
  scoreNames,
  scoreText,
  statusName,
  statusNames,
} from "../../submissions/pages/SubmissionLabels.ts"
import type { SubmissionSearch } from "../../submissions/SubmissionSearch.ts"
import type { NamedSubmission } from "../../submissions/Submissions.ts"
import type { Page } from "../../values/Page.ts"

const figure = ({ evaluators, override_score, score, score_status }: NamedSubmission) => {
  const isKeywordMatch = evaluators.some(isByKeywords)
  if (override_score !== null) {
    const found = isKeywordMatch ? "keyword match" : "by the evaluator"
    const evaluators = score === null ? "no score by the evaluator" : html`${scoreText(score)} ${found}`
    return html`<span class="quiet">${evaluators}</span> <span class="figure" title="Overridden score">${scoreText(override_score)}<span class="unseen"> out of 10, overridden</span></span>`
  }
  if (score !== null) {
    const name = isKeywordMatch ? html`<span class="quiet">keyword match</span> ` : null
    return html`<span>${name}<span class="figure">${scoreText(score)}<span class="unseen"> out of 10</span></span></span>`
  }
  return score_status === "cannot_evaluate" ? html`<span class="quiet">Cannot be evaluated</span>` : null
}

export interface SubmissionListView {
  readonly text: string
  readonly search: SubmissionSearch
  readonly sets: ReadonlyArray<readonly [id: string, title: string]>
  readonly isFirst: boolean
}

const choice = (
  name: string,
  label: string,
  value: string,
  choices: ReadonlyArray<readonly [string, string]>,
  isWide = false,
): Html =>
  html`<label${isWide ? html` class="grow"` : null}><span class="label">${label}</span>
<select name="${name}">${choices.map(([one, text]) => html`<option value="${one}"${one === value ? html` selected` : null}>${text}</option>`)}</select></label>`

const queryOf = (
  text: string,
  { order, score, set, state: status }: SubmissionSearch,
): ReadonlyArray<readonly [string, string]> => [
  ...(text === "" ? [] : [["q", text] as const]),
  ...(set === undefined ? [] : [["set", set] as const]),
  ...(status === undefined ? [] : [["status", status] as const]),
  ...(score === undefined ? [] : [["score", score] as const]),
  ...(order === "newest" ? [] : [["order", order] as const]),
]

interface Step {
  readonly href: string
  readonly name: string
  readonly text: string
}

const settingUp: ReadonlyArray<Step> = [
  {
    href: "/settings/integrations/api-keys",
    name: "Connect your hiring system",
    text: "It creates interview sets and invites candidates with an API key, and receives webhooks.",
  },
  {
    href: "/settings/members/new",
    name: "Invite colleagues",
    text: "Recruiters see the interviews shared with them; admins manage everything.",
  },
  {
    href: "/settings/organization",
    name: "Add a contact for candidates",
    text: "Your organization's name and contacts are shown in emails and on candidates' pages.",
  },
]

const firstSteps = (sets: ReadonlyArray<readonly [id: string, title: string]>): Html => {
  const [newest] = sets
  const next: Step =
    newest === undefined
      ? {
          href: `${setsHref}/new`,
          name: "Create an interview set",
          text: "The questions that candidates answer, and the requirements that their answers are rated against.",
        }
      : {
          href: sets.length === 1 ? `${setHref(newest[0])}/invite` : setsHref,
          name: "Invite candidates",
          text: `${sets.length === 1 ? `To “${cut(newest[1], 80)}”. ` : "Choose an interview set. "}Each gets an email with a link. Their answers appear here.`,
        }
  return html`<section aria-labelledby="start"><h2 id="start">Get started</h2><p class="note">No candidates invited yet.</p>
<ul class="rows">${[next, ...settingUp].map(
    ({ href, name, text }) => html`<li><a class="row" href="${href}">
<span class="row-head"><span class="row-name">${name}</span></span>
<span class="row-text">${text}</span></a></li>
`,
  )}</ul></section>`
}

export const submissionListPage = (
  member: Member,
  { isFirst, search, sets, text: typed }: SubmissionListView,
  { next_cursor, results }: Page<NamedSubmission>,
): Document => {
  const query = queryOf(typed, search)
  const isFiltered = query.some(([name]) => name !== "order")
  const text = new URLSearchParams(Object.fromEntries(query)).toString()
  const empty = () => {
    if (!isFirst) return html`There are no older submissions.`
    if (isFiltered || search.order !== "newest")
      return html`No submissions match. <a href="/submissions">Show all submissions</a>`
    return html`No submissions yet. Choose <a href="/interview-sets">an interview set</a> and invite candidates to it.`
  }
  const isNew = results.length === 0 && isFirst && !isFiltered && search.order === "newest"
  return recordPage(member, {
    title: "Submissions",
    place: "Submissions",
    main: html`<header class="lead with-action"><div><h1>Submissions</h1>
${member.role === "recruiter" ? html`<p class="welcome">Interviews shared with you</p>` : null}</div>
${results.length === 0 ? null : html`<a class="button secondary" href="/submissions.csv${text === "" ? "" : `?${text}`}" download>Export as CSV</a>`}</header>
${
  isNew
    ? null
    : html`<form class="narrow" action="/submissions" role="search"><label class="grow"><span class="label">Search</span>
<input type="search" name="q" value="${typed}" placeholder="Name, address, or title of the set"></label>
${choice("set", "Interview set", search.set ?? "", [["", "All"], ...sets], true)}
${choice("status", "State", search.state ?? "", [["", "All"], ...statusNames])}
${choice("score", "Score", search.score ?? "", [["", "Any"], ...scoreNames])}
${choice("order", "Order", search.order, orderNames)}
<button class="secondary">Show</button></form>`
}
${search.order === "newest" ? null : html`<p class="note">Unscored candidates are hidden</p>`}
${
  results.length === 0
    ? isNew && maySetUp(member)
      ? firstSteps(sets)
      : html`<p class="empty">${empty()}</p>`
    : html`<ul class="rows submissions">
${results.map(
  (one) => html`<li><a class="row" href="/submissions/${one.id}">
<span class="row-head"><span class="row-name" dir="auto">${cut(nameOf(one.candidate), 120)}</span>${figure(one)}</span>
<span class="row-head"><span class="row-text"><bdi>${cut(one.interview_set.title, 120)}</bdi> <span class="tag">${statusName(one.status_text, one.declined_at, one.invitation?.status ?? null)}</span></span>${moment(new Date(one.created_at), "short")}</span></a></li>`,
)}
</ul>`
}
${listPager("/submissions", query, isFirst, next_cursor, search.order === "newest" ? ["Newest", "Older"] : undefined)}`,
  })
}
