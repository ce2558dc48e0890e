/** All answers before they are submitted. */

import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import { brand, languageAttribute } from "../../platform/http/PageParts.ts"
import { isAnswered } from "../AnswerForm.ts"
import type { InterviewView } from "../InterviewView.ts"
import { answerHeading, improvable, offlineNotice, questionTitle, savedAnswer, saying } from "./InterviewParts.ts"
import { answeredOf, finishForm, panel, scriptData } from "./InterviewProgress.ts"

/** `now` is when the page is made. */
export const reviewPage = (view: InterviewView, token: string, now: Date): Document => {
  const { say } = saying(view)
  const open = view.questions.length - answeredOf(view)
  const summary = () => {
    if (view.questions.length === 0) return say("noQuestions")
    if (open === 0) return say("allAnswered")
    return open === 1 ? say("oneOpen") : say("manyOpen", { count: String(open) })
  }
  return {
    language: view.spoken,
    title: `${say("review")} – ${view.interviewName} – ${view.organizationName}`,
    masthead: brand(view.organizationName),
    wide: true,
    scripts: ["time.js", "interview.js"],
    main: html`<header class="lead">
  ${view.position?.trim() ? html`<p class="eyebrow" dir="auto">${view.position}</p>` : null}
  <h1 dir="auto"${languageAttribute(view.language)}>${view.interviewName}</h1>
</header>
<div class="answering" data-review${scriptData(view, token)}>
<section class="copy" aria-labelledby="review">
<h2 id="review" class="section">${say("yourAnswers")}</h2>
<p>${summary()}</p>
<ol>
${view.questions.map((question, index) => {
  const answer = view.answers.get(question.id)
  return html`<li data-answer="${question.id}">${answerHeading(view, question, index + 1)}
${savedAnswer(view, question, token)}
<p><a href="/i/${token}/questions/${index + 1}?review">${isAnswered(answer) ? say("change") : say("answer")}<span class="unseen">: ${questionTitle(view, question, index + 1)}</span></a></p></li>`
})}
</ol>
<p>${view.retakesLeft === 0 ? say("last") : improvable(view)}</p>
<div class="actions"><button class="primary large" form="finish" data-submit>${say("submit")}</button></div>
</section>
${panel(view, { token, now, current: null, status: view.attempt === 1 ? say("nothingSubmitted") : say("resubmit") })}
</div>
${finishForm(view, token)}
${offlineNotice(view, token)}
<p class="unseen" role="alert" data-warning></p>`,
  }
}
