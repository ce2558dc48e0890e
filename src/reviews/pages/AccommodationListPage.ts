/** What candidates need to take part, and the forms that answer it. */
import type { Member } from "../../accounts/members/Member.ts"
import { cut, sinceText } from "../../accounts/pages/WorkspacePage.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import {
  type AccommodationNeed,
  accommodationNeeds,
  grantedFactors,
  maxAccommodationText,
  usualFactor,
} from "../../interviews/Accommodation.ts"
import type { AccommodationList } from "../../interviews/Accommodations.ts"
import type { Document } from "../../platform/http/Document.ts"
import { choice, type Notice, optional } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { capitalized, nameOf } from "../../submissions/pages/SubmissionLabels.ts"
import { isAnswerable } from "../../submissions/Submission.ts"
import { needNames, needsText, outcomeText, timesText } from "./AccommodationLabels.ts"
import { submissionHref } from "./SubmissionView.ts"

export const accommodationsHref = "/accommodations"
export const answerHref = `${accommodationsHref}/answer`

type Row = AccommodationList["waiting"][number]

/** What was typed into a form that was refused. */
export interface RefusedAnswer {
  readonly id: string
  readonly text: string
  readonly granted: ReadonlyArray<AccommodationNeed>
  /** Undefined: none was chosen. */
  readonly factor: number | undefined
}

/** Only what was asked for, or all where only a text says it; more time needs a limit, and typing a question that is only spoken. */
const offered = ({ asks_to_speak, granted, minutes, needs }: Row): ReadonlyArray<AccommodationNeed> => {
  const isPossible = { time: minutes !== null, typing: asks_to_speak, other: true }
  const wanted = [...needs, ...(granted ?? [])]
  const found = accommodationNeeds.filter((need) => (needs.length === 0 || wanted.includes(need)) && isPossible[need])
  return found.length === 0 ? ["other"] : found
}

/** What the fields hold at first: what was granted, or else what was asked for. */
const initial = ({ answer, granted, id, needs, time_factor }: Row): RefusedAnswer => ({
  id,
  text: answer,
  granted: granted === null || granted.length === 0 ? needs : granted,
  factor: time_factor ?? undefined,
})

const answerForm = (one: Row, refused: RefusedAnswer | undefined): Html => {
  const { answered_at, id, minutes, set_minutes } = one
  const { factor = usualFactor, granted, text } = refused ?? initial(one)
  const needs = offered(one)
  return html`<form method="post" action="${answerHref}" class="fields"><input type="hidden" name="request" value="${id}"><input type="hidden" name="answered" value="${answered_at ?? ""}">
<fieldset class="picks"><legend>Grant</legend>
${needs.map((need) => choice({ name: "need", value: need, isChosen: granted.includes(need), type: "checkbox" }, need === "time" ? `More time (now ${minutes} minutes)` : capitalized(needNames[need])))}</fieldset>
${
  needs.includes("time")
    ? html`<div class="control"><p><label for="f-${id}">How much time, if you grant more</label> <select id="f-${id}" name="factor">
${grantedFactors.map((value) => html`<option value="${value}"${value === factor ? html` selected` : null}>${timesText(set_minutes, value)}</option>\n`)}</select></p></div>`
    : null
}
<div class="control"><label for="a-${id}">Sentence to the candidate${optional}</label>
<textarea id="a-${id}" name="text" rows="2" maxlength="${maxAccommodationText}" dir="auto">${text}</textarea></div>
<p class="actions"><button class="primary" name="do" value="grant">Grant</button> <button class="secondary" name="do" value="decline">Decline</button></p>
</form>`
}

const lines = (text: string): Html | null =>
  text === "" ? null : html`<blockquote dir="auto">${text.split("\n").map((line) => html`${line}<br>`)}</blockquote>`

const item = (one: Row, since: Html, about: Html): Html => {
  const { answered_at, candidate, needs, set_title, status_text, submission_id, text } = one
  const name = html`<a href="${submissionHref(submission_id)}">${cut(nameOf(candidate), 80)}</a>`
  return html`<li class="card">${answered_at === null ? html`<h2 dir="auto">${name}</h2>` : html`<h3 dir="auto">${name}</h3>`}
<p>${`${answered_at === null ? "Asks" : "Asked"} for ${needsText(needs)}`} · <bdi>${cut(set_title, 100)}</bdi> · ${since}${status_text === "started" ? html` · <span class="tag to-review">The interview is running</span>` : null}</p>
${lines(text)}
${about}</li>
`
}

const waitingItem = (one: Row, now: Date, refused: RefusedAnswer | undefined): Html =>
  item(one, html`asked ${sinceText(new Date(one.asked_at), now)}`, answerForm(one, refused))

const answeredItem = (one: Row, now: Date, refused: RefusedAnswer | undefined): Html => {
  const { answer, answered_at, answered_by, candidate, granted, set_minutes, status_text, time_factor } = one
  return item(
    one,
    html`answered${answered_by === null ? null : html` by <bdi>${answered_by}</bdi>`} ${sinceText(new Date(answered_at ?? one.asked_at), now)}`,
    html`<p><strong>${capitalized(outcomeText(granted ?? [], time_factor, set_minutes))}</strong></p>
${lines(answer)}
${
  isAnswerable(status_text)
    ? html`<details${refused === undefined ? null : html` open`}><summary>Change the answer<span class="unseen"> to ${cut(nameOf(candidate), 80)}</span></summary>
${answerForm(one, refused)}</details>`
    : null
}`,
  )
}

export const accommodationListPage = (
  member: Member,
  { answered, waiting }: AccommodationList,
  now: Date,
  { notice, refused }: { readonly notice: Notice | undefined; readonly refused?: RefusedAnswer | undefined },
): Document => {
  const refusedOf = ({ id }: Row) => (refused?.id === id ? refused : undefined)
  return recordPage(member, {
    title: "What candidates need",
    place: "Home",
    back: { href: "/home", name: "Home" },
    notice,
    main: html`<header class="lead"><h1>What candidates need</h1><p class="welcome">${
      waiting.length === 0
        ? "Candidates can ask for more time, typing or another way to take part. Open requests are listed here."
        : "Each answer is sent by email. What candidates write here is not evaluated, and reviewers do not see it."
    }</p></header>
${waiting.length > 0 || answered.length === 0 ? null : html`<p class="empty">No open requests.</p>`}${waiting.length === 0 ? null : html`<ul class="plain-list requests">${waiting.map((one) => waitingItem(one, now, refusedOf(one)))}</ul>`}
${
  answered.length === 0
    ? null
    : html`<section aria-labelledby="answered"><h2 id="answered">Answered</h2>
<ul class="plain-list requests">${answered.map((one) => answeredItem(one, now, refusedOf(one)))}</ul></section>`
}`,
  })
}
