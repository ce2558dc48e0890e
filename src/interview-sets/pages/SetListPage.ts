/** The interview sets that a member may see, newest first. */
import type { Member } from "../../accounts/Member.ts"
import { cut } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import type { Notice } from "../../platform/http/FormControls.ts"
import { html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { Page } from "../../values/Page.ts"
import type { SetLine } from "../InterviewSetRepository.ts"
import type { SetSearch } from "../InterviewSets.ts"
import { listPager, recordPage } from "./RecordParts.ts"
import { setHref, setsHref } from "./SetWords.ts"

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? "" : "s"}`

export const setListPage = (
  member: Member,
  { text, archived }: SetSearch,
  { next_cursor, results }: Page<SetLine>,
  isFirst: boolean,
  notice?: Notice,
): Document => {
  const query = [...(text === "" ? [] : [["q", text] as const]), ...(archived ? [["state", "archived"] as const] : [])]
  const empty = () => {
    if (!isFirst) return html`There are no older sets.`
    if (text !== "") {
      return html`No ${archived ? "archived" : "active"} set has these words in its title or role. <a href="${setsHref}${archived ? "?state=archived" : ""}">Show all</a>`
    }
    if (archived) return html`Nothing is archived.`
    return member.role === "recruiter"
      ? html`No access list names you yet. <a href="${setsHref}/new">Create a set</a>, or ask a colleague to add your address to one.`
      : html`There is no interview set yet. <a href="${setsHref}/new">Create one</a> here, or let your hiring system do it through <a href="/docs">the API</a>.`
  }
  return recordPage(member, {
    title: "Interview sets",
    place: "Interview sets",
    notice,
    main: html`<header class="lead with-action"><div><h1>Interview sets</h1>
<p class="welcome">What candidates are asked, and what their answers are rated against.</p></div>
<a class="button primary" href="${setsHref}/new">New interview set</a></header>
<form class="narrow" action="${setsHref}" role="search"><label class="grow"><span class="unseen">Words in the title or role</span>
<input type="search" name="q" value="${text}" placeholder="Title or role"></label>
<label><span class="unseen">State</span><select name="state"><option value="">Active</option><option value="archived"${archived ? html` selected` : null}>Archived</option></select></label>
<button class="secondary">Search</button></form>
${
  results.length === 0
    ? html`<p class="empty">${empty()}</p>`
    : html`<ul class="rows">${results.map(
        (set) => html`<li><a class="row" href="${setHref(set.id)}">
<span class="row-head"><span class="row-name" dir="auto">${cut(set.title, 120)}</span>${set.set_type === 2 ? html`<span class="tag">CV set</span>` : null}</span>
<span class="row-head"><span class="row-text"><bdi>${cut([set.role, set.project].filter(Boolean).join(" · "), 120)}</bdi>${set.role || set.project ? " · " : ""}${set.set_type === 2 ? null : html`${count(set.questions, "question")}, `}${count(set.requirements, "requirement")}</span>${moment(new Date(set.created_at), "short")}</span></a></li>
`,
      )}</ul>`
}
${listPager(setsHref, query, isFirst, next_cursor)}`,
  })
}
