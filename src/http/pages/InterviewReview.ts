/** All answers before they are submitted. */
import { html } from "../../service/Html.ts"
import type { InterviewView } from "../../service/interviews/View.ts"
import { isAnswered } from "../AnswerForm.ts"
import type { Document } from "./Document.ts"
import { answerHeading, questionTitle, savedAnswer } from "./InterviewParts.ts"
import { answeredOf, finishForm, panel, scriptData } from "./InterviewProgress.ts"
import { brand, counted, languageAttribute } from "./Parts.ts"

const texts = {
  title: "Review",
  heading: "Your answers",
  all: "You have answered every question.",
  open: (open: number) => `${counted(open, "question")} ${open === 1 ? "is" : "are"} not answered yet.`,
  none: "This interview has no questions.",
  change: "Change",
  answer: "Answer",
  last: "Submitted answers can no longer be changed.",
  improvable: (retakes: number) =>
    `After submitting you can improve your answers ${retakes === 1 ? "once" : `${retakes} times`}, for a limited time.`,
  submit: "Submit answers",
  status: "Everything is saved. Nothing is submitted yet.",
}

/** `now` is when the page is made. */
export const reviewPage = (view: InterviewView, token: string, now: Date): Document => {
  const open = view.questions.length - answeredOf(view)
  return {
    title: `${texts.title} – ${view.interviewName} – ${view.organizationName}`,
    masthead: brand(view.organizationName),
    wide: true,
    scripts: ["time.js", "interview.js"],
    main: html`<header class="lead">
  ${view.position?.trim() ? html`<p class="eyebrow" dir="auto">${view.position}</p>` : null}
  <h1 dir="auto"${languageAttribute(view.language)}>${view.interviewName}</h1>
</header>
<div class="answering" data-review${scriptData(view, token)}>
<section class="copy" aria-labelledby="review">
<h2 id="review" class="section">${texts.heading}</h2>
<p>${view.questions.length === 0 ? texts.none : open === 0 ? texts.all : texts.open(open)}</p>
<ol>
${view.questions.map((question, index) => {
  const answer = view.answers.get(question.id)
  return html`<li>${answerHeading(question, index + 1, view.language)}
${savedAnswer(question, answer, token)}
<p><a href="/i/${token}/questions/${index + 1}">${isAnswered(answer) ? texts.change : texts.answer}<span class="unseen">: ${questionTitle(question, index + 1)}</span></a></p></li>`
})}
</ol>
<p>${view.retakesLeft === 0 ? texts.last : texts.improvable(view.retakesLeft)}</p>
<div class="actions"><button class="primary large" form="finish" data-submit>${texts.submit}</button></div>
</section>
${panel(view, { token, now, current: null, status: texts.status })}
</div>
${finishForm(view, token)}
<p class="unseen" role="alert" data-warning></p>`,
  }
}
