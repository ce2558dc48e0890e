/** What a candidate sees before the start: what it is, how long it takes, what becomes of the answers. And: no, thank you. */
import { type Html, html } from "../../service/Html.ts"
import type { InterviewView } from "../../service/interviews/View.ts"
import { fieldType } from "../AnswerForm.ts"
import type { Document } from "./Document.ts"
import { contactLink, whomToAsk } from "./InterviewParts.ts"
import { brand, counted, languageAttribute, moment, written } from "./Parts.ts"

const organizationOf = (view: InterviewView): Html => html`<bdi>${view.organizationName}</bdi>`

const texts = {
  eyebrow: "Your interview",
  welcome: (view: InterviewView) =>
    html`Hello <bdi>${view.candidateName}</bdi>, ${organizationOf(view)} would like to get to know you. You answer
  ${counted(view.questions.length, "question")}, one at a time, when it suits you.`,
  questions: "Questions",
  time: "Time",
  noLimit: "No limit",
  until: "Start until",
  howTitle: "How it works",
  unlimited: "There is no time limit. You can stop and come back with the same link.",
  limited: (time: string) =>
    `Your ${time} begin when you press Start and cannot be paused. What you have saved by then is submitted.`,
  saves: "Your answers are saved as you type. You can go on from another device with the same link.",
  order: "You can answer the questions in any order, and see all your answers before you submit them.",
  file: "You are asked to upload a file; please have it at hand.",
  retakes: (retakes: number) =>
    `After submitting you can improve your answers ${retakes === 1 ? "once" : `${retakes} times`}, for a limited time.`,
  moreTime: (view: InterviewView) =>
    html`If you need more time, for example because of a disability, please ask ${whomToAsk(view)} before you start.`,
  useTitle: "How your answers are used",
  use: (view: InterviewView) =>
    html`Software reads your answers and rates how they fit what the position asks for. It does not decide: people at
  ${organizationOf(view)} read your answers and its rating, and the decision is theirs.`,
  privacy: (view: InterviewView) =>
    view.privacyContact === null
      ? html`If you have questions about your data, or want them deleted, please ask ${whomToAsk(view)}.`
      : html`If you have questions about your data, or want them deleted: ${contactLink(view.privacyContact)}.`,
  consent: (view: InterviewView) =>
    html`By pressing Start you agree that ${organizationOf(view)} stores your answers, and has them evaluated in this
  way, to consider your application.`,
  start: "Start the interview",
  startTimed: (time: string) => `Start – ${time}`,
  decline: "I do not want to take part",
  declineTitle: "Decline this interview?",
  declineText: (view: InterviewView) =>
    html`${organizationOf(view)} is then told that you do not take part, and the link works no more. Nothing that you may
  have answered is passed on or evaluated.`,
  declineYes: "Yes, decline",
  declineNo: "Go back",
}

/** The page of an interview that can be started. */
export const invitedPage = (view: InterviewView, token: string): Document => {
  const time = view.minutes === null ? null : counted(view.minutes, "minute")
  return {
    title: `${view.interviewName} – ${view.organizationName}`,
    masthead: brand(view.organizationName),
    scripts: ["time.js", "interview.js"],
    main: html`<div data-initiate="/i/${token}/initiated">
<header class="lead">
  <p class="eyebrow">${texts.eyebrow}</p>
  <h1 dir="auto"${languageAttribute(view.language)}>${view.interviewName}</h1>
  ${view.position?.trim() ? html`<p class="subtitle" dir="auto">${view.position}</p>` : null}
  <p class="welcome">${texts.welcome(view)}</p>
</header>
${view.description?.trim() ? written(view.description, view.language) : null}
<dl class="facts">
  ${fact(texts.questions, html`${view.questions.length}`)}
  ${fact(texts.time, html`${time ?? texts.noLimit}`)}
  ${fact(texts.until, moment(view.expiresAt, "short"))}
</dl>
<section aria-labelledby="how">
  <h2 id="how">${texts.howTitle}</h2>
  <ul class="points">
    <li>${time === null ? texts.unlimited : texts.limited(time)}</li>
    <li>${texts.saves}</li>
    <li>${texts.order}</li>
    ${view.questions.some((question) => fieldType(question) === "file") ? html`<li>${texts.file}</li>` : null}
    ${view.retakesLeft === 0 ? null : html`<li>${texts.retakes(view.retakesLeft)}</li>`}
    ${time === null ? null : html`<li>${texts.moreTime(view)}</li>`}
  </ul>
</section>
<section aria-labelledby="use">
  <h2 id="use">${texts.useTitle}</h2>
  <p>${texts.use(view)}</p>
  <p>${texts.privacy(view)}</p>
</section>
<form method="post" action="/i/${token}/start" class="start">
  <p id="consent">${texts.consent(view)}</p>
  <button class="primary large" aria-describedby="consent">${time === null ? texts.start : texts.startTimed(time)}</button>
</form>
<p class="aside"><a href="/i/${token}/decline">${texts.decline}</a></p>
</div>`,
  }
}

const fact = (name: string, value: Html): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

/** Asks before an interview is declined. */
export const declinePage = (view: InterviewView, token: string): Document => ({
  title: `${texts.declineTitle} – ${view.organizationName}`,
  masthead: brand(view.organizationName),
  scripts: ["interview.js"],
  main: html`<div class="notice">
<p class="eyebrow" dir="auto">${view.interviewName}</p>
<h1>${texts.declineTitle}</h1>
<p>${texts.declineText(view)}</p>
<form method="post" action="/i/${token}/decline" class="actions">
  <a class="button secondary" href="/i/${token}">${texts.declineNo}</a>
  <button class="primary">${texts.declineYes}</button>
</form>
</div>`,
})
