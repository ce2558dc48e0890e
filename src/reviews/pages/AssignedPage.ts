/** What a member is asked to review. It is the home of a reviewer. */
import type { Member } from "../../accounts/members/Member.ts"
import { may } from "../../accounts/Permissions.ts"
import { cut, pager, sinceText } from "../../accounts/pages/WorkspacePage.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { countedText, nameOf } from "../../submissions/pages/SubmissionLabels.ts"
import type { OwnAssignments } from "../Assignments.ts"
import { submissionHref } from "./SubmissionView.ts"

export const assignedHref = "/submissions/assigned"

type Row = OwnAssignments["rows"][number]

const stateOf = ({ is_submitted, reviewed_at }: Row): Html => {
  if (reviewed_at !== null)
    return html`<span class="tag reviewed-on">Reviewed</span> ${moment(new Date(reviewed_at), "short")}`
  return is_submitted
    ? html`<span class="tag to-review">To review</span>`
    : html`<span class="tag">Not submitted yet</span>`
}

export const assignedRow = (one: Row, now: Date): Html => {
  const { assigned_at, assigned_by, candidate, id, set_title } = one
  const asked = sinceText(new Date(assigned_at), now)
  return html`<li><a class="row" href="${submissionHref(id)}"><span class="row-head"><span class="row-name" dir="auto">${cut(nameOf(candidate), 80)}</span> <span class="quiet">${stateOf(one)}</span></span>
<span class="row-text"><bdi>${cut(set_title, 100)}</bdi> · asked ${assigned_by === null ? null : html`by <bdi>${cut(assigned_by, 60)}</bdi> `}${asked}</span></a></li>\n`
}

const summaryOf = ({ all, open }: OwnAssignments): string => {
  if (all === 0) return "When a colleague asks you to review a candidate, the candidate is listed here."
  if (open === 0) return "You have reviewed all candidates assigned to you."
  return open === 1 ? "1 candidate waits for your review." : `${countedText(open)} candidates wait for your review.`
}

export const assignedPage = (member: Member, assigned: OwnAssignments, now: Date): Document => {
  const { number, pages, rows } = assigned
  const isHome = !may(member, "readSubmissions")
  const document = recordPage(member, {
    title: "Assigned to you",
    place: "Home",
    ...(isHome ? {} : { back: { href: "/home", name: "Home" } }),
    main: html`<header class="lead"><h1>Assigned to you</h1>${assigned.all === 0 ? null : html`<p class="welcome">${summaryOf(assigned)}</p>`}</header>
${assigned.all === 0 ? html`<p class="empty">${summaryOf(assigned)}</p>` : html`<ul class="rows">${rows.map((one) => assignedRow(one, now))}</ul>`}
${pager(isHome ? "/home" : assignedHref, number, pages)}`,
  })
  return { ...document, styles: [...(document.styles ?? []), "home.css"] }
}
