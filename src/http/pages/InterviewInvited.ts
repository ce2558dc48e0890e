/** What a candidate sees before the start: what it is, how long it takes, what becomes of the answers. */
import { type Html, html } from "../../service/Html.ts"
import type { InterviewView } from "../../service/Interviews.ts"
import type { Document } from "./Document.ts"
import { brand, counted, languageAttribute, moment, written } from "./Parts.ts"

/** The page of an interview that can be started. */
export const invitedPage = (view: InterviewView, token: string): Document => {
  const time = view.minutes === null ? null : counted(view.minutes, "minute")
  const organization = html`<bdi>${view.organizationName}</bdi>`
  return {
    title: `${view.interviewName} – ${view.organizationName}`,
    masthead: brand(view.organizationName),
    scripts: ["time.js", "interview.js"],
    main: html`<div data-initiate="/i/${token}/initiated">
<header class="lead">
  <p class="eyebrow">Your interview</p>
  <h1 dir="auto"${languageAttribute(view.language)}>${view.interviewName}</h1>
  ${view.position?.trim() ? html`<p class="subtitle" dir="auto">${view.position}</p>` : null}
  <p class="welcome">Hello <bdi>${view.candidateName}</bdi>, ${organization} would like to get to know you. You answer
  ${counted(view.questions.length, "question")} in writing, when it suits you.</p>
</header>
${view.description?.trim() ? written(view.description, view.language) : null}
<dl class="facts">
  ${fact("Questions", html`${view.questions.length}`)}
  ${fact("Time", time === null ? html`No limit` : html`${time}`)}
  ${fact("Start until", moment(view.expiresAt, "short"))}
</dl>
<section aria-labelledby="how">
  <h2 id="how">How it works</h2>
  <ul class="points">
    ${
      time === null
        ? html`<li>There is no time limit. You can stop and come back with the same link.</li>`
        : html`<li>Your ${time} begin when you press Start and cannot be paused. What you have saved by then is submitted.</li>`
    }
    <li>Your answers are saved as you type. You can go on from another device with the same link.</li>
    <li>You can answer the questions in any order, and change your answers until you submit them.</li>
  </ul>
</section>
<section aria-labelledby="use">
  <h2 id="use">How your answers are used</h2>
  <p>Software reads your answers and rates how they fit what the position asks for. It does not decide: people at
  ${organization} read your answers and its rating, and the decision is theirs.</p>
</section>
<form method="post" action="/i/${token}/start" class="start">
  <p id="consent">By pressing Start you agree that ${organization} stores your answers, and has them evaluated in this
  way, to consider your application.</p>
  <button class="primary large" aria-describedby="consent">${time === null ? "Start the interview" : `Start – ${time}`}</button>
</form>
</div>`,
  }
}

const fact = (name: string, value: Html): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
