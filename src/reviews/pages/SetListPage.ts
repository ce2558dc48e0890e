/** The list of interview sets, with the figures of each. */
import type { Member } from "../../accounts/members/Member.ts"
import { countText, cut } from "../../accounts/pages/WorkspacePage.ts"
import type { SetLine } from "../../interview-sets/InterviewSetRepository.ts"
import type { SetSearch } from "../../interview-sets/InterviewSets.ts"
import { listPager, recordPage } from "../../interview-sets/pages/RecordPage.ts"
import {
  boardHref,
  draftHref,
  draftsHref,
  setHref,
  setsHref,
  submissionsHref,
} from "../../interview-sets/pages/SetLabels.ts"
import { templatesHref } from "../../interview-sets/pages/SetTemplatesPage.ts"
import type { DraftLine } from "../../interview-sets/SetDraftRepository.ts"
import type { Document } from "../../platform/http/Document.ts"
import type { Notice } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { day, moment } from "../../platform/http/PageParts.ts"
import { countedText } from "../../submissions/pages/SubmissionLabels.ts"
import type { SetFigure } from "../../submissions/SetFigureRepository.ts"
import type { Page } from "../../values/Cursor.ts"
import { cutBytes } from "./SubmissionTable.ts"

const draftList = (drafts: ReadonlyArray<DraftLine>): Html | null =>
  drafts.length === 0
    ? null
    : html`<section class="drafts" aria-labelledby="drafts"><h2 id="drafts">Continue your draft${drafts.length === 1 ? "" : "s"}</h2>
<ul>${drafts.map(({ id, saved_at, set_title, title }) => {
        const name = cut(title.trim() || "Untitled interview set", 120)
        return html`<li><span><a href="${draftHref(id)}" dir="auto">${name}</a> <span class="quiet">${set_title === null ? "new set" : title.trim() === set_title ? "changes" : html`changes of <bdi>${cut(set_title, 120)}</bdi>`}, saved ${moment(saved_at, "short")}</span></span>
<form method="post" action="${draftsHref}/delete"><input type="hidden" name="id" value="${id}"><button class="link">Delete<span class="unseen"> the draft ${name}</span></button></form></li>
`
      })}</ul></section>`

interface ListState {
  /** The rows open the invite of their sets. */
  readonly isForInvite: boolean
  /** The member's. */
  readonly drafts: ReadonlyArray<DraftLine>
  /** By the set's id. */
  readonly figures: ReadonlyMap<string, SetFigure>
  readonly isFirst: boolean
  readonly notice: Notice | undefined
}

/** Bytes of a row's texts, so that the page has at most 60 KB. */
const maxTitle = 160
const maxAbout = 160

/** `lists.css` repeats the names on narrow screens, by the number of the column. */
const columns = ["Candidates", "To review", "Decided", "Last activity"]

const figureCells = ({ id, set_type }: SetLine, figure: SetFigure | undefined): Html => {
  const list = submissionsHref(id)
  const isOfCvs = set_type === 2
  const { active_at = null, decided = 0, submissions = 0, to_review: toReview = 0 } = figure ?? {}
  const number = (count: number, href: string | null, unit = "") => {
    if (count === 0) return html`<span class="quiet">–</span>`
    const text = html`<b>${countedText(count)}</b>${unit}`
    return href === null ? text : html`<a href="${href}">${text}</a>`
  }
  return html`<td>${number(submissions, list, isOfCvs ? ` CV${submissions === 1 ? "" : "s"}` : "")}</td><td>${number(toReview, `${list}&status=waiting`)}</td><td>${
    // the list's filter by milestone finds interviews only
    number(decided, isOfCvs ? null : `${list}&reached=decided`)
  }</td><td>${active_at === null ? html`<span class="quiet">–</span>` : day(active_at)}</td>`
}

const setRow = (set: SetLine, at: number, archived: boolean, { figures, isForInvite }: ListState): Html => {
  const href = setHref(set.id)
  const about = [set.role, set.project].filter(Boolean).join(" · ")
  const questions = set.set_type === 2 ? null : html`${countText(set.questions, "question", "questions")}, `
  return html`<tr><th scope="row"><a href="${href}${isForInvite ? "/invite" : ""}" id="s${at}" dir="auto">${cutBytes(set.title, maxTitle)}</a>${set.set_type === 2 ? html` <span class="tag">CV set</span>` : null}
<span class="quiet">${about === "" ? null : html`<bdi>${cutBytes(about, maxAbout)}</bdi> · `}${questions}${countText(set.requirements, "requirement", "requirements")}</span></th>
${figureCells(set, figures.get(set.id))}${
  isForInvite || archived
    ? null
    : html`<td class="row-links"><a href="${href}/invite" aria-describedby="s${at}">Invite</a> <a href="${boardHref(set.id)}" aria-describedby="s${at}">Board</a></td>`
}</tr>
`
}

export const setListPage = (
  member: Member,
  { text, archived }: SetSearch,
  { next_cursor, results }: Page<SetLine>,
  state: ListState,
): Document => {
  const { drafts, isFirst, isForInvite, notice } = state
  const query = [
    ...(isForInvite ? [["for", "invite"] as const] : []),
    ...(text === "" ? [] : [["q", text] as const]),
    ...(archived ? [["state", "archived"] as const] : []),
  ]
  const empty = () => {
    if (!isFirst) return html`No older sets.`
    if (text !== "") {
      return html`No ${archived ? "archived" : "active"} set matches your search. <a href="${setsHref}${archived ? "?state=archived" : ""}">Show all</a>`
    }
    if (archived) return html`No archived sets.`
    return member.role === "recruiter"
      ? html`No sets are shared with you yet. <a href="${templatesHref}">Start from a template</a>, or ask a colleague to add your address to a set.`
      : html`No interview sets yet. <a href="${templatesHref}">Start from a template</a>, or let your hiring system create sets through <a href="/docs">the API</a>.`
  }
  const header = isForInvite
    ? html`<header class="lead"><h1>Invite candidates: choose an interview set</h1>
<p class="welcome">On the next page, you enter the candidates or upload a list of them.</p></header>`
    : html`<header class="lead with-action"><div><h1>Interview sets</h1>
<p class="welcome">What candidates are asked, and what their answers are rated against.</p></div>
<p class="actions"><a class="button primary" href="${setsHref}/new">New interview set</a>
<a class="button secondary" href="${templatesHref}">Start from a template</a>
<a class="button quiet" href="/message-templates">Message templates</a></p></header>`
  return recordPage(member, {
    title: "Interview sets",
    place: "Interview sets",
    width: "full",
    notice,
    main: html`${header}
${draftList(drafts)}
<form class="narrow dense" action="${setsHref}" role="search">${isForInvite ? html`<input type="hidden" name="for" value="invite">` : null}<label class="grow"><span class="unseen">Search by title or role</span>
<input type="search" name="q" value="${text}" placeholder="Title or role"></label>
<label><span class="unseen">State</span><select name="state"><option value="">Active</option><option value="archived"${archived ? html` selected` : null}>Archived</option></select></label>
<button class="secondary">Search</button></form>
${
  results.length === 0
    ? html`<p class="empty">${empty()}</p>`
    : html`<table class="card set-figures set-rows"><thead><tr><th scope="col">Interview set</th>${columns.map((column) => html`<th scope="col">${column}</th>`)}${isForInvite || archived ? null : html`<td></td>`}</tr></thead>
<tbody>${results.map((set, at) => setRow(set, at, archived, state))}</tbody></table>`
}
${listPager(setsHref, query, isFirst, next_cursor)}`,
  })
}
