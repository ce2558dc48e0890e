/** The step that shows, before anything is sent, what an invite will do with each candidate, and the email. */
import type { Member } from "../../accounts/members/Member.ts"
import { cut } from "../../accounts/pages/WorkspacePage.ts"
import { fullName } from "../../candidates/Candidate.ts"
import type { SetRecord } from "../../interview-sets/InterviewSets.ts"
import { placeText } from "../../interview-sets/JobLocation.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { setHref } from "../../interview-sets/pages/SetLabels.ts"
import type { OpenPeriod } from "../../notices/Notice.ts"
import { calendarDate } from "../../notices/pages/NoticeText.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Notice, noticeBox } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { written } from "../../platform/http/PageParts.ts"
import { numberText } from "../../texts/Formats.ts"
import { type CandidateTable, type Column, columnName } from "../CandidateTable.ts"
import { type EmailPreview, previewHeaders } from "../InvitationPreview.ts"
import { type CheckedEntry, isTaken, outcomeOf } from "../InviteCheck.ts"
import { statusText } from "./InvitationLabels.ts"
import { columnMeanings } from "./InviteColumnsPage.ts"
import { candidates, draftHref, originText } from "./InvitePage.ts"

export const checkPageSize = 100

/** With more rows, the button is repeated below them. */
const manyRows = 8

const planText = ({ plan }: CheckedEntry): string => {
  switch (plan._tag) {
    case "Invited":
      return "Gets the invitation by email."
    case "Linked":
      return "Gets a link that you share."
    case "CvEvaluated":
      return "The CV is evaluated; no email is sent."
    case "InvitedBefore":
      return plan.other === undefined
        ? `Already invited (${statusText(plan.invitation.status, false).toLowerCase()}): no new email. New values are stored.`
        : `Already invited at ${plan.other}: nothing is sent to this address. Cancel that invitation to send a new one.`
    case "AddedBefore":
      return plan.isCv ? "Already added with a CV. New values are stored." : "Already has a link, which stays the same."
    case "Finished":
      return `The interview is already ${plan.status}: nothing is sent.`
    case "Refused":
      return plan.reason === "unsubscribed"
        ? "This address has unsubscribed: nothing is sent."
        : "The address is not valid: nothing is sent."
    case "Repeated":
      return `Same as ${originText(plan.first).toLowerCase()}, whose values are used: invited only once.`
    case "Wrong":
      return plan.errors.map(({ text }) => text).join(" ")
  }
}

const tags = {
  ok: html`<span class="tag on">OK</span>`,
  /** Stored values change. */
  changed: html`<span class="tag off">Check</span>`,
  skipped: html`<span class="tag off">Skipped</span>`,
  wrong: html`<span class="tag bad">Error</span>`,
}

const who = ({ entry }: CheckedEntry): Html => {
  const name = fullName(entry)
  const address = html`<bdi>${cut(entry.email || entry.cv_link || "No address", 100)}</bdi>`
  return name === "" ? address : html`<strong><bdi>${cut(name, 80)}</bdi></strong><span class="note">${address}</span>`
}

const changedFields = { name: "name", email: "address" }

const changesText = ({ changes }: CheckedEntry): Html =>
  html`${changes.map(
    ({ after, before, field }) =>
      html`<span class="note">The stored ${changedFields[field]} changes from “<bdi>${cut(before, 100)}</bdi>” to “<bdi>${cut(after, 100)}</bdi>”.</span>`,
  )}`

const tagOf = (one: CheckedEntry): keyof typeof tags => {
  const outcome = outcomeOf(one)
  return outcome === "ok" && one.changes.length > 0 ? "changed" : outcome
}

const row = (one: CheckedEntry): Html =>
  html`<tr><th scope="row">${originText(one.origin)}</th><td>${who(one)}</td><td>${tags[tagOf(one)]}</td><td><span>${cut(planText(one), 400)}</span>${changesText(one)}</td></tr>
`

const order = { wrong: 0, skipped: 1, ok: 2 }

const emailFrameHref = (set: string, draft: string): string => `${draftHref(set, draft, "email")}/frame`

const headers = (all: ReadonlyArray<readonly [name: string, value: Html]>): Html =>
  html`<dl class="headers">${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`

/** `frame`: the address of the email's HTML, whose inline styles the policy of these pages refuses. */
const emailPart = (preview: EmailPreview, frame: string): Html =>
  html`${headers(previewHeaders(preview))}
<iframe class="letter" src="${frame}" title="The email" loading="lazy"></iframe>
<details><summary>The email as text</summary><div class="letter">${written(preview.text, preview.language)}</div></details>`

/** `href`: of the page that changes it. */
const mappingText = (
  table: CandidateTable,
  columns: ReadonlyArray<Column>,
  href: string,
): ReadonlyArray<readonly [string, Html]> => {
  const meaning = ({ field, key }: Column) =>
    field === "metadata" ? `Metadata “${key}”` : (columnMeanings.find(([one]) => one === field)?.[1] ?? field)
  const used = columns.flatMap((column, i) => (column.field === "ignore" ? [] : [{ column, i }]))
  const left = columns.flatMap(({ field }, i) => (field === "ignore" ? [columnName(table, i)] : []))
  const list = (all: ReadonlyArray<Html>): Html => html`${all.map((one, i) => html`${i === 0 ? "" : ", "}${one}`)}`
  return [
    [
      "Columns",
      html`${list(used.map(({ column, i }) => html`<bdi>${cut(columnName(table, i), 60)}</bdi> → ${meaning(column)}`))} · <a href="${href}">Change columns</a>`,
    ],
    ...(left.length === 0 ? [] : [["Left out", list(left.map((name) => html`<bdi>${cut(name, 60)}</bdi>`))] as const]),
  ]
}

const pageLinks = (href: string, page: number, pages: number): Html | null =>
  pages < 2
    ? null
    : html`<nav class="pager" aria-label="Pages">${page > 1 ? html`<a class="button secondary" href="${href}?page=${page - 1}#rows">Previous</a>` : null}
<span class="quiet">Page ${page} of ${pages}</span>
${page < pages ? html`<a class="button secondary" href="${href}?page=${page + 1}#rows">Next</a>` : null}</nav>`

const periodLine = ({ days, meanwhile, over_on, place }: OpenPeriod): Html =>
  html`<li><bdi>${place === null ? "Everywhere" : placeText(place)}</bdi>: ${days} business ${days === 1 ? "day" : "days"}, over on ${calendarDate("en", over_on)}. ${
    meanwhile === "wait" ? "Evaluations of these candidates wait until then." : "Evaluations do not wait for it."
  }</li>\n`

const periodBox = (periods: ReadonlyArray<OpenPeriod>): Html | null =>
  periods.length === 0
    ? null
    : html`<div class="alert warm"><p><strong>The days of notice are not over.</strong> These candidates get the notice with the invitation.</p>
<ul>${periods.map(periodLine)}</ul></div>`

export const checkPage = (
  member: Member,
  { set }: SetRecord,
  {
    checked,
    columns,
    draft,
    email,
    isMailed,
    notice,
    page,
    periods,
    table,
  }: {
    readonly draft: string
    readonly checked: ReadonlyArray<CheckedEntry>
    readonly table: CandidateTable
    readonly columns: ReadonlyArray<Column>
    /** Undefined: no email is sent. */
    readonly email: EmailPreview | undefined
    readonly isMailed: boolean
    readonly notice?: Notice | undefined
    /** Notices to these candidates whose days are not over. */
    readonly periods: ReadonlyArray<OpenPeriod>
    /** From 1. */
    readonly page: number
  },
): Document => {
  const count = (outcome: keyof typeof order) => checked.filter((one) => outcomeOf(one) === outcome).length
  const [ok, skipped, wrong] = [count("ok"), count("skipped"), count("wrong")]
  const updated = checked.filter(isTaken).length
  const sorted = checked.toSorted((a, b) => order[outcomeOf(a)] - order[outcomeOf(b)])
  const pages = Math.max(1, Math.ceil(sorted.length / checkPageSize))
  const shown = Math.min(page, pages)
  const edit = draftHref(set.id, draft, "edit")
  const isInvited = checked.some(({ plan }) => plan._tag === "Invited")
  const verb = isMailed && isInvited ? "Invite" : "Add"
  const summary = [
    `${candidates(ok)} will be ${verb === "Invite" ? "invited" : "added"}`,
    ...(skipped > 0 ? [`${numberText("en", skipped)} skipped`] : []),
    ...(wrong > 0 ? [`${numberText("en", wrong)} with errors`] : []),
  ].join(", ")
  const buttonText =
    ok > 0 ? `${verb} ${candidates(ok)}` : updated > 0 ? `Update ${candidates(updated)} without an email` : null
  const button = buttonText === null ? null : html`<button class="primary">${buttonText}</button>`
  return recordPage(member, {
    title: `${wrong > 0 ? `${numberText("en", wrong)} with errors – ` : ""}Check candidates`,
    place: "Interview sets",
    back: { href: edit, name: "Invite candidates" },
    main: html`<header class="lead"><h1>Check candidates</h1>
<p class="welcome">${summary}. Nothing has been sent yet.</p></header>
${noticeBox(notice)}
${periodBox(periods)}
${wrong > 0 && ok > 0 ? html`<p class="note">The ${wrong === 1 ? "candidate with an error" : `${numberText("en", wrong)} candidates with errors`} will be left out if you continue.</p>` : null}
<form method="post" action="${draftHref(set.id, draft, "send")}" class="actions" id="send">${button}
<a class="button secondary" href="${edit}">Back to edit</a>
<a class="button secondary" href="${setHref(set.id)}">Cancel</a></form>
${
  table.columns === 0
    ? null
    : html`<section>${headers(mappingText(table, columns, draftHref(set.id, draft, "columns")))}</section>`
}
<div class="columns check-columns"><section id="rows"><h2>Candidates</h2>
<table class="chosen-table checked"><thead><tr><th scope="col">Entry</th><th scope="col">Candidate</th><th scope="col">State</th><th scope="col">What happens</th></tr></thead>
<tbody>${sorted.slice((shown - 1) * checkPageSize, shown * checkPageSize).map(row)}</tbody></table>
${pageLinks(draftHref(set.id, draft, "check"), shown, pages)}
${sorted.length > manyRows && button !== null ? html`<p class="actions spaced"><button class="primary" form="send">${buttonText}</button></p>` : null}</section>
${email === undefined ? null : html`<section id="email"><h2>Email preview</h2>${emailPart(email, emailFrameHref(set.id, draft))}</section>`}</div>`,
  })
}
