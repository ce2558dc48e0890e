/** Requests of candidates for a person, and the forms that answer them. */
import type { Member } from "../../accounts/members/Member.ts"
import { cut, sinceText } from "../../accounts/pages/WorkspacePage.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { choice, type Notice, optional } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { capitalized, nameOf } from "../../submissions/pages/SubmissionLabels.ts"
import { answersTo, maxPersonReviewText, type PersonReviewAnswer } from "../PersonReview.ts"
import type { PersonReviewList } from "../PersonReviews.ts"
import { answerNames, outcomeNames, requestNames } from "./PersonReviewLabels.ts"

export const personReviewsHref = "/person-reviews"
export const personReviewAnswerHref = `${personReviewsHref}/answer`

type Row = PersonReviewList["waiting"][number]

/** What was typed into a form that was refused. */
export interface RefusedAnswer {
  readonly id: string
  readonly text: string
  readonly outcome: PersonReviewAnswer | undefined
  readonly error: string
}

const answerForm = ({ id, kind }: Row, refused: RefusedAnswer | undefined): Html =>
  html`<form method="post" action="${personReviewAnswerHref}" class="fields"><input type="hidden" name="person_review" value="${id}">
<fieldset class="picks"><legend>Answer</legend>
${refused === undefined ? null : html`<p class="alert" role="alert" tabindex="-1" autofocus>${refused.error}</p>`}
${answersTo[kind].map((outcome) => choice({ name: "outcome", value: outcome, isChosen: refused?.outcome === outcome }, answerNames[outcome]))}</fieldset>
<div class="control"><label for="a-${id}">Sentence to the candidate${optional}</label>
<textarea id="a-${id}" name="text" rows="2" maxlength="${maxPersonReviewText}" dir="auto">${refused?.text ?? ""}</textarea></div>
<p class="actions"><button class="primary">Answer</button></p>
</form>`

const lines = (text: string): Html | null =>
  text === "" ? null : html`<blockquote dir="auto">${text.split("\n").map((line) => html`${line}<br>`)}</blockquote>`

const item = (one: Row, when: Html, about: Html): Html => {
  const { answered_at, candidate, kind, set_title, submission_id, text } = one
  const name = html`<a href="/submissions/${submission_id}">${cut(nameOf(candidate), 80)}</a>`
  return html`<li class="card">${answered_at === null ? html`<h2 dir="auto">${name}</h2>` : html`<h3 dir="auto">${name}</h3>`}
<p>${`${answered_at === null ? "Asks" : "Asked"} for ${requestNames[kind]}`}</p>
<p class="quiet"><bdi>${cut(set_title, 100)}</bdi> · ${when}</p>
${lines(text)}
${about}</li>
`
}

const waitingItem = (one: Row, now: Date, refused: RefusedAnswer | undefined): Html =>
  item(
    one,
    html`asked ${sinceText(new Date(one.requested_at), now)} · ${
      one.is_overdue
        ? html`<span class="tag to-review">Answer was due ${moment(new Date(one.due_at), "day")}</span>`
        : html`answer by <b>${moment(new Date(one.due_at), "day")}</b>`
    }`,
    answerForm(one, refused),
  )

const answeredItem = (one: Row, now: Date): Html => {
  const { answer, answered_at, answered_by, outcome, requested_at } = one
  return item(
    one,
    html`${outcome === "withdrawn" ? "ended" : "answered"}${answered_by === null ? null : html` by <bdi>${answered_by}</bdi>`} ${sinceText(new Date(answered_at ?? requested_at), now)}`,
    html`<p><strong>${outcome === null ? null : capitalized(outcomeNames[outcome])}</strong></p>
${lines(answer)}`,
  )
}

export const personReviewListPage = (
  member: Member,
  { answered, waiting }: PersonReviewList,
  now: Date,
  { notice, refused }: { readonly notice: Notice | undefined; readonly refused?: RefusedAnswer | undefined },
): Document => {
  // beside the form that it is about, if that is still there
  const isListed = waiting.some(({ id }) => id === refused?.id)
  return recordPage(member, {
    title: `${refused === undefined ? "" : "Not sent – "}Reviews by a person`,
    place: "Home",
    back: { href: "/home", name: "Home" },
    notice: refused === undefined || isListed ? notice : { text: refused.error, isError: true },
    main: html`<header class="lead"><h1>Reviews by a person</h1><p class="welcome">${
      waiting.length === 0
        ? "Candidates can ask for a person instead of the evaluator, or contest a result. Open requests are listed here."
        : "While a request is open, the candidate's score is not used anywhere. Each answer is sent by email. What candidates write here is not evaluated, and reviewers do not see it."
    }</p></header>
${waiting.length === 0 ? html`<p class="empty">No open requests.</p>` : html`<ul class="plain-list requests">${waiting.map((one) => waitingItem(one, now, refused?.id === one.id ? refused : undefined))}</ul>`}
${
  answered.length === 0
    ? null
    : html`<section aria-labelledby="answered"><h2 id="answered">Answered</h2>
<ul class="plain-list requests">${answered.map((one) => answeredItem(one, now))}</ul></section>`
}`,
  })
}
