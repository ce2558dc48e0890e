import type { Document } from "../../platform/http/Document.ts"
import { choice } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { contactLink, languageAttribute, moment, written } from "../../platform/http/PageParts.ts"
import { fieldType } from "../AnswerForm.ts"
import type { InterviewView } from "../InterviewView.ts"
import { accommodationLink, accommodationNotice } from "./AccommodationPage.ts"
import { noticeInvitation } from "./CandidateNoticePage.ts"
import {
  contactText,
  languageChoice,
  offlineNotice,
  organizationName,
  pageFrame,
  pageTexts,
  retakesText,
  timeLimit,
} from "./InterviewComponents.ts"
import { instead, insteadConsent, personReviewLink, personReviewNotice } from "./PersonReviewPage.ts"
import { deviceTrial, spokenQuestions } from "./SpokenAnswer.ts"

export const invitedPage = (view: InterviewView, token: string): Document => {
  const { counted, pieces, say } = pageTexts(view)
  const time = timeLimit(view)
  const total = view.questions.length
  const questions = counted("questionCount", total)
  const contact = contactText(view)
  const organization = organizationName(view)
  const spoken = spokenQuestions(view)
  if (total === 0) return emptyPage(view, token)
  return {
    ...pageFrame(view),
    title: `${view.interviewName} – ${view.organizationName}`,
    scripts: ["time.js", "interview.js"],
    main: html`<div data-initiate="/i/${token}/initiated">
${languageChoice(view, token)}
<header class="lead">
  <p class="eyebrow">${say("yourInterview")}</p>
  <h1 dir="auto"${languageAttribute(view.language)}>${view.interviewName}</h1>
  ${view.position?.trim() ? html`<p class="subtitle" dir="auto">${view.position}</p>` : null}
  <p class="welcome">${
    view.candidateName === ""
      ? pieces("welcomeWithoutName", { organization, questions: html`${questions}` })
      : pieces("welcome", { name: html`<bdi>${view.candidateName}</bdi>`, organization, questions: html`${questions}` })
  }</p>
</header>
${accommodationNotice(view)}
${personReviewNotice(view)}
${view.appearance.welcome === null ? null : written(view.appearance.welcome)}
${view.description?.trim() ? written(view.description, view.language) : null}
<dl class="facts">
  ${fact(say("questions"), html`${total}`)}
  ${fact(say("time"), html`${time ?? say("noLimit")}`)}
  ${fact(say("startUntil"), moment(view.expiresAt, "short", view.spoken))}
</dl>
<section aria-labelledby="how">
  <h2 id="how">${say("how")}</h2>
  <ul class="points">
    <li>${time === null ? say("unlimited") : say("limited", { time })}</li>
    <li>${say("saves")}</li>
    <li>${say("order")}</li>
    ${view.questions.some((question) => fieldType(question) === "file") ? html`<li>${say("hasFile")}</li>` : null}
    ${spoken === null ? null : html`<li>${spoken}</li>`}
    ${view.retakesLeft === 0 ? null : html`<li>${retakesText(view)}</li>`}
    ${time === null ? null : html`<li>${pieces("moreTime", { contact: view.contact === null ? organization : contact })} ${accommodationLink(view, token)}</li>`}
  </ul>
  ${deviceTrial(view, token)}
</section>
<section aria-labelledby="use">
  <h2 id="use">${say("use")}</h2>
  <p>${instead(view) ?? pieces("useText", { organization })} ${personReviewLink(view, token)}</p>
  ${noticeInvitation(view, token)}
  <p>${
    view.privacyContact === null
      ? pieces("privacyAsk", { contact })
      : pieces("privacyContact", { contact: contactLink(view.privacyContact) })
  }</p>
</section>
<form method="post" action="/i/${token}/start" class="start">
  <p class="consent"><span id="consent">${insteadConsent(view) ?? pieces("consent", { organization })}</span> <a href="#use">${say("use")}</a></p>
  <button class="primary large" aria-describedby="consent">${time === null ? say("start") : say("startTimed", { time })}</button>
</form>
<p class="aside">${accommodationLink(view, token)} · <a href="/i/${token}/decline">${say("decline")}</a></p>
</div>
${offlineNotice(view, token)}`,
  }
}

const fact = (name: string, value: Html): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

/** Without questions, an interview cannot be started. */
const emptyPage = (view: InterviewView, token: string): Document => {
  const { pieces, say } = pageTexts(view)
  return {
    ...pageFrame(view),
    title: `${view.interviewName} – ${view.organizationName}`,
    scripts: ["interview.js"],
    main: html`<div class="notice" data-initiate="/i/${token}/initiated">
<span class="sign closed" aria-hidden="true"></span>
<p class="eyebrow">${say("yourInterview")}</p>
<h1 dir="auto"${languageAttribute(view.language)}>${view.interviewName}</h1>
<p>${pieces("nothingYet", { contact: contactText(view) })}</p>
<p class="aside"><a href="/i/${token}/decline">${say("decline")}</a></p>
</div>`,
  }
}

export const declinePage = (view: InterviewView, token: string): Document => {
  const { pieces, say } = pageTexts(view)
  return {
    ...pageFrame(view),
    title: `${say("declineTitle")} – ${view.organizationName}`,
    scripts: ["interview.js"],
    main: html`<div class="notice">
<p class="eyebrow" dir="auto">${view.interviewName}</p>
<h1>${say("declineTitle")}</h1>
<p>${pieces("declineText", { organization: organizationName(view) })}</p>
<form method="post" action="/i/${token}/decline" class="declining">
${
  view.declineReasons.length === 0
    ? null
    : html`<fieldset class="picks"><legend>${say("declineWhy")}</legend>
${view.declineReasons.map((reason) => choice({ name: "choice", value: reason, isChosen: false }, html`<bdi>${reason}</bdi>`))}</fieldset>`
}
<p><label for="reason">${say("declineReason")}</label>
<textarea id="reason" name="reason" rows="3" maxlength="1000" dir="auto" autocomplete="off"></textarea></p>
<p class="actions">
  <a class="button secondary" href="/i/${token}">${say("goBack")}</a>
  <button class="danger">${say("declineYes")}</button></p>
</form>
</div>
${offlineNotice(view, token)}`,
  }
}
