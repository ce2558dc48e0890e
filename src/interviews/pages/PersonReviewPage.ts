/** The candidate's form that asks for a person, and the answer to it. */
import { canRequest, maxPersonReviewText, type PersonReview } from "../../person-reviews/PersonReview.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { languageAttribute, moment, written } from "../../platform/http/PageParts.ts"
import { textsOf } from "../../texts/Texts.ts"
import type { InterviewView } from "../InterviewView.ts"
import { offlineNotice, organizationName, pageFrame, pageTexts } from "./InterviewComponents.ts"

export const personReviewHref = (token: string): string => `/i/${token}/person`

const reviewTexts = ({ spoken }: Pick<InterviewView, "spoken">) => textsOf(spoken, "personReview")
const requestTexts = ({ spoken }: Pick<InterviewView, "spoken">) => textsOf(spoken, "accommodation")

/** Before the candidate has submitted, there is nothing to look at again. */
const isBefore = ({ state }: InterviewView): boolean => state === "open" || state === "running" || state === "time_over"

/** Null: a person's answer is final, or the candidate's data was erased. */
export const personReviewLink = (view: InterviewView, token: string): Html | null => {
  if (view.isErased) return null
  const { say } = reviewTexts(view)
  const ask = say(isBefore(view) ? "link" : "linkAgain")
  const link = (text: string) => html`<a href="${personReviewHref(token)}">${text}</a>`
  if (canRequest(view.personReview)) return link(ask)
  return view.personReview?.outcome === null ? link(requestTexts(view).say("sent")) : null
}

/** On the page with the result, where no request is open. */
export const personReviewOffer = (view: InterviewView, token: string): Html => {
  const { pieces, say } = reviewTexts(view)
  return html`<h2>${say("titleAgain")}</h2>
<p>${pieces("textAgain", { organization: organizationName(view) })}</p>
<p><a class="button secondary" href="${personReviewHref(token)}">${say("linkAgain")}</a></p>`
}

const answerText = (view: InterviewView, { answer, outcome }: PersonReview): Html => {
  const { say } = reviewTexts(view)
  if (outcome === null || outcome === "withdrawn") return html`<p>${say("withdrawn")}</p>`
  return html`<p><b>${requestTexts(view).pieces("answered", { organization: organizationName(view) })}</b></p>
<p>${say(outcome)}</p>${answer === "" ? null : written(answer)}`
}

/** The promise that replaces the description of the rating; null: software rates the answers. */
export const instead = (view: InterviewView): string | null =>
  view.personReview?.outcome === "by_person" ? reviewTexts(view).say("by_person") : null

/** What the candidate agrees to with the start, instead of the rating; null: software rates the answers. */
export const insteadConsent = (view: InterviewView): Html | null =>
  instead(view) === null
    ? null
    : html`${reviewTexts(view).pieces("consentPerson", { organization: organizationName(view) })}`

/** Null: there was no request. */
export const personReviewNotice = (view: InterviewView): Html | null => {
  const { personReview } = view
  if (personReview === null) return null
  const { pieces, say } = reviewTexts(view)
  const organization = organizationName(view)
  if (personReview.outcome !== null) return html`<div class="info">${answerText(view, personReview)}</div>`
  const date = moment(new Date(personReview.due_at), "day", view.spoken)
  return html`<div class="info"><p>${requestTexts(view).pieces("asked", { organization })}</p>
<p>${pieces("until", { organization, date })} ${say("open")}</p></div>`
}

export interface PersonReviewForm {
  readonly text: string
  readonly isTooLong: boolean
}

export const emptyPersonReview: PersonReviewForm = { text: "", isTooLong: false }

const requestForm = (view: InterviewView, token: string, { isTooLong, text }: PersonReviewForm): Html => {
  const { pieces, say } = reviewTexts(view)
  const request = requestTexts(view)
  const organization = organizationName(view)
  return html`<p>${pieces(isBefore(view) ? "text" : "textAgain", { organization })}</p>
${isTooLong ? html`<p class="alert" tabindex="-1" autofocus role="alert">${request.say("tooLong", { limit: String(maxPersonReviewText) })}</p>` : null}
<form method="post" action="${personReviewHref(token)}" class="declining">
<p><label for="text">${say("details")}</label>
<textarea id="text" name="text" rows="4" dir="auto" autocomplete="off" aria-describedby="private">${text}</textarea>
</p>
<p class="note" id="private">${request.say("private")}</p>
<p class="actions">
  <a class="button secondary" href="/i/${token}">${pageTexts(view).say("goBack")}</a>
  <button class="primary" name="do" value="ask">${request.pieces("send", { organization })}</button></p>
</form>`
}

export const personReviewPage = (view: InterviewView, token: string, form: PersonReviewForm): Document => {
  const { say } = reviewTexts(view)
  const { personReview } = view
  const isOpen = personReview !== null && personReview.outcome === null
  const title = isOpen ? requestTexts(view).say("sent") : say(isBefore(view) ? "title" : "titleAgain")
  const back = html`<a class="button secondary" href="/i/${token}">${textsOf(view.spoken, "notice").say("go")}</a>`
  return {
    ...pageFrame(view),
    title: `${title} – ${view.organizationName}`,
    scripts: ["time.js", "interview.js"],
    main: html`<div class="notice">
<p class="eyebrow" dir="auto"${languageAttribute(view.language)}>${view.interviewName}</p>
<h1>${title}</h1>
${personReviewNotice(view)}
${
  isOpen
    ? html`${personReview.text === "" ? null : html`<blockquote class="hint">${written(personReview.text)}</blockquote>`}
<form method="post" action="${personReviewHref(token)}"><p class="actions">${back} <button class="secondary" name="do" value="withdraw">${say("withdraw")}</button></p></form>`
    : canRequest(personReview)
      ? requestForm(view, token, form)
      : html`<p class="actions">${back}</p>`
}
</div>
${offlineNotice(view, token)}`,
  }
}
