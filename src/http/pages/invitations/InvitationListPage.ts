/** The invitations that a member may see, newest first. */
import type { InvitationDetail } from "../../../domain/Invitation.ts"
import type { Member } from "../../../domain/Member.ts"
import type { Page } from "../../../domain/Page.ts"
import { html } from "../../../service/Html.ts"
import type { Document } from "../Document.ts"
import { moment } from "../Parts.ts"
import { listPager, recordPage } from "../sets/Parts.ts"
import { setHref, setsHref } from "../sets/Words.ts"
import { cut } from "../settings/Parts.ts"
import { statusName } from "../submission/Words.ts"
import { invitationHref, invitationsHref, statusClass, statusNames, statusWord } from "./Words.ts"

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
      return html`None is in this state. <a href="${invitationsHref}${set === "" ? "" : `?set=${set}`}">Show all states</a>`
    if (set !== "")
      return html`Nobody was invited to this set yet. <a href="${setHref(set)}/invite">Invite candidates</a>`
    return html`Nobody was invited yet. Choose <a href="${setsHref}">an interview set</a> and invite candidates to it, or let your hiring system do it through <a href="/docs">the API</a>.`
  }
  return recordPage(member, {
    title: "Invitations",
    place: "Invitations",
    main: html`<header class="lead with-action"><div><h1>Invitations</h1>
<p class="welcome">How far each invitation got, newest first.</p></div>
<a class="button primary" href="${set === "" ? setsHref : `${setHref(set)}/invite`}">${set === "" ? "Choose a set to invite to" : "Invite candidates"}</a></header>
<form class="narrow" action="${invitationsHref}"><label class="grow"><span class="label">Interview set</span>
<select name="set"><option value="">All</option>${sets.map(([id, title]) => html`<option value="${id}"${id === set ? html` selected` : null}>${title}</option>`)}</select></label>
<label><span class="label">State</span><select name="status"><option value="">All</option>${statusNames.map(([one, name]) => html`<option value="${one}"${one === status ? html` selected` : null}>${name}</option>`)}</select></label>
<button class="secondary">Show</button></form>
${
  results.length === 0
    ? html`<p class="empty">${empty()}</p>`
    : html`<ul class="rows">${results.map(
        (one) => html`<li><a class="row" href="${invitationHref(one.id)}">
<span class="row-head"><span class="row-name" dir="auto">${cut(one.candidate.name ?? one.email, 120)}</span><span class="${statusClass(one.status_text)}">${statusWord(one.status_text, one.declined_at !== null)}</span></span>
<span class="row-head"><span class="row-text"><bdi>${cut(one.interview_set.title, 120)}</bdi> · ${statusName(one.submission.status_text, one.declined_at, one.status_text)}</span>${moment(new Date(one.created_at), "short")}</span></a></li>
`,
      )}</ul>`
}
${listPager(invitationsHref, query, isFirst, next_cursor)}`,
  })
}
