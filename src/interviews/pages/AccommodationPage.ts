/** The candidate's form for what is needed to take part, and the answer to it. */
import type { Document } from "../../platform/http/Document.ts"
import { choice } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { languageAttribute, written } from "../../platform/http/PageParts.ts"
import { textsOf } from "../../texts/Texts.ts"
import {
  type Accommodation,
  type AccommodationNeed,
  accommodationNeeds,
  maxAccommodationText,
} from "../Accommodation.ts"
import { grantedTexts } from "../GrantedTexts.ts"
import { asksToSpeak, type InterviewView } from "../InterviewView.ts"
import { offlineNotice, organizationName, pageFrame, pageTexts } from "./InterviewComponents.ts"

export const accommodationHref = (token: string): string => `/i/${token}/accommodation`

const accommodationTexts = ({ spoken }: Pick<InterviewView, "spoken">) => textsOf(spoken, "accommodation")

/** More time needs a limit; typing, a question that is only spoken. */
const offered = (view: InterviewView): ReadonlyArray<AccommodationNeed> =>
  accommodationNeeds.filter((need) => {
    if (need === "time") return view.minutes !== null
    return need === "typing" ? asksToSpeak(view) : true
  })

/** What only the text can say needs no choice. */
const needFields = (view: InterviewView, chosen: ReadonlyArray<AccommodationNeed>): Html => {
  const { say } = accommodationTexts(view)
  const needs = offered(view)
  if (needs.length === 1) return html`<input type="hidden" name="need" value="other">`
  return html`<fieldset class="picks"><legend class="unseen">${say("title")}</legend>
${needs.map((need) => choice({ name: "need", value: need, isChosen: chosen.includes(need), type: "checkbox" }, say(need)))}</fieldset>`
}

export const accommodationLink = (view: InterviewView, token: string): Html =>
  html`<a href="${accommodationHref(token)}">${accommodationTexts(view).say("link")}</a>`

/** Null: there was no request. */
export const accommodationNotice = (view: InterviewView): Html | null => {
  const { accommodation } = view
  if (accommodation === null) return null
  const { pieces } = accommodationTexts(view)
  const organization = organizationName(view)
  if (accommodation.granted === null)
    return html`<div class="info"><p>${pieces("asked", { organization })}</p>${view.state === "running" && view.secondsLeft !== null ? html`<p>${pieces("clock")}</p>` : null}</div>`
  return html`<div class="info"><p><b>${pieces("answered", { organization })}</b></p>${answerText(view, accommodation, accommodation.granted)}</div>`
}

const answerText = (view: InterviewView, one: Accommodation, granted: ReadonlyArray<AccommodationNeed>): Html =>
  html`${grantedTexts(view.spoken, view.organizationName, { granted, timeFactor: one.time_factor }).map((text) => html`<p>${text}</p>`)}${one.answer === "" ? null : written(one.answer)}`

/** What the candidate asked for, in the words of the form. */
const request = (view: InterviewView, { needs, text }: Accommodation): Html =>
  html`<blockquote class="hint">${needs
    .filter((need) => need !== "other" || text === "")
    .map(
      (need) => html`<p>${accommodationTexts(view).say(need)}</p>`,
    )}${text === "" ? null : written(text)}</blockquote>`

export interface AccommodationForm {
  readonly needs: ReadonlyArray<AccommodationNeed>
  readonly text: string
  readonly error: "choose" | "tooLong" | undefined
}

export const emptyAccommodation: AccommodationForm = { needs: [], text: "", error: undefined }

export const accommodationPage = (view: InterviewView, token: string, form: AccommodationForm): Document => {
  const page = pageTexts(view)
  const { pieces, say } = accommodationTexts(view)
  const organization = organizationName(view)
  const waiting = view.accommodation?.granted === null ? view.accommodation : undefined
  const title = say(waiting === undefined ? "title" : "sent")
  return {
    ...pageFrame(view),
    title: `${title} – ${view.organizationName}`,
    scripts: ["interview.js"],
    main: html`<div class="notice">
<p class="eyebrow" dir="auto"${languageAttribute(view.language)}>${view.interviewName}</p>
<h1>${title}</h1>
${accommodationNotice(view)}
${
  waiting !== undefined
    ? html`${request(view, waiting)}
<p class="actions"><a class="button secondary" href="/i/${token}">${textsOf(view.spoken, "notice").say("go")}</a></p>`
    : html`<p>${pieces("text", { organization })}</p>
${form.error === undefined ? null : html`<p class="alert" tabindex="-1" autofocus role="alert">${form.error === "choose" ? say("choose") : say("tooLong", { limit: String(maxAccommodationText) })}</p>`}
<form method="post" action="${accommodationHref(token)}" class="declining">
${needFields(view, form.needs)}
<p><label for="text">${say("details")}</label>
<textarea id="text" name="text" rows="4" dir="auto" autocomplete="off" aria-describedby="private">${form.text}</textarea>
</p>
<p class="note" id="private">${say("private")}</p>
<p class="actions">
  <a class="button secondary" href="/i/${token}">${page.say("goBack")}</a>
  <button class="primary">${pieces("send", { organization })}</button></p>
</form>`
}
</div>
${offlineNotice(view, token)}`,
  }
}
