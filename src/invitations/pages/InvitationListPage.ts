/** The list of invitations. */
import type { Member } from "../../accounts/Member.ts"
import { cut } from "../../accounts/pages/WorkspacePage.ts"
import { listPager, recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { setHref, setsHref } from "../../interview-sets/pages/SetLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { statusName } from "../../submissions/pages/SubmissionLabels.ts"
import type { Page } from "../../values/Page.ts"
import type { InvitationDetail } from "../Invitation.ts"
import { invitationHref, invitationsHref, statusClass, statusNames, statusText } from "./InvitationLabels.ts"

export interface InvitationListView {
  readonly set: string
  readonly status: string
  readonly sets: ReadonlyArray<readonly [id: string, title: string]>
  readonly isFirst: boolean
}

export const invitationListPage = (
  member: Member,
  { isFirst, set, sets, status }: InvitationListView,
  { next_cursor, results }: Page<InvitationDetail>,
): Document => {
  const query = [
    ...(set === "" ? [] : [["set", set] as const]),
    ...(status === "" ? [] : [["status", status] as const]),
  ]
  const empty = () => {
    if (!isFirst) return html`There are no older invitations.`
    if (status !== "")
      return html`No invitations in this state. <a href="${invitationsHref}${set === "" ? "" : `?set=${set}`}">Show all states</a>`
    if (set !== "")
      return html`No candidates invited to this set yet. <a href="${setHref(set)}/invite">Invite candidates</a>`
    if (sets.length === 0)
      return html`No candidates invited yet. <a href="${setsHref}/new">Create an interview set</a> first, or let your hiring system do both through <a href="/docs">the API</a>.`
    return html`No candidates invited yet. Choose <a href="${setsHref}">an interview set</a> and invite candidates to it, or let your hiring system do it through <a href="/docs">the API</a>.`
  }
  const isNew = results.length === 0 && isFirst && query.length === 0
  const action =
    set !== ""
      ? { href: `${setHref(set)}/invite`, name: "Invite candidates" }
      : sets.length === 0
        ? { href: `${setsHref}/new`, name: "Create an interview set" }
        : { href: setsHref, name: "Invite candidates" }
  return recordPage(member, {
    title: "Invitations",
    place: "Invitations",
    main: html`<header class="lead with-action"><div><h1>Invitations</h1>
<p class="welcome">The status of each invitation, newest first.</p></div>
<a class="button primary" href="${action.href}">${action.name}</a></header>
${
  isNew
    ? null
    : html`<form class="narrow" action="${invitationsHref}"><label class="grow"><span class="label">Interview set</span>
<select name="set"><option value="">All</option>${sets.map(([id, title]) => html`<option value="${id}"${id === set ? html` selected` : null}>${title}</option>`)}</select></label>
<label><span class="label">State</span><select name="status"><option value="">All</option>${statusNames.map(([one, name]) => html`<option value="${one}"${one === status ? html` selected` : null}>${name}</option>`)}</select></label>
<button class="secondary">Show</button></form>`
}
${
  results.length === 0
    ? html`<p class="empty">${empty()}</p>`
    : html`<ul class="rows">${results.map(
        (one) => html`<li><a class="row" href="${invitationHref(one.id)}">
<span class="row-head"><span class="row-name" dir="auto">${cut(one.candidate.name ?? one.email, 120)}</span><span class="${statusClass(one.status_text)}">${statusText(one.status_text, one.declined_at !== null)}</span></span>
<span class="row-head"><span class="row-text"><bdi>${cut(one.interview_set.title, 120)}</bdi> · ${statusName(one.submission.status_text, one.declined_at, one.status_text)}</span>${moment(new Date(one.created_at), "short")}</span></a></li>
`,
      )}</ul>`
}
${listPager(invitationsHref, query, isFirst, next_cursor)}`,
  })
}
