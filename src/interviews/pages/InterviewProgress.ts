/** Beside a running interview: the clock, how far the candidate is, what is saved, and the questions. */

import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { catalogues, textsOf } from "../../texts/Texts.ts"
import { isAnswered } from "../AnswerForm.ts"
import type { InterviewView } from "../InterviewView.ts"
import { questionTitle, saying } from "./InterviewParts.ts"

/** How many questions have an answer. */
export const answeredOf = ({ answers, questions }: InterviewView): number =>
  questions.filter(({ id }) => isAnswered(answers.get(id))).length

export interface PanelOptions {
  readonly token: string
  /** When the page is made. */
  readonly now: Date
  /** The question that is shown, from 1; null: the review. */
  readonly current: number | null
  /** What the status line says at first. */
  readonly status: string
}

/** When the time is over; with its day, unless that is today. */
const end = (view: InterviewView, now: Date, secondsLeft: number): Html => {
  const at = new Date(now.getTime() + secondsLeft * 1000)
  const isToday = at.toISOString().slice(0, 10) === now.toISOString().slice(0, 10)
  return moment(at, isToday ? "time" : "short", view.spoken)
}

export const panel = (view: InterviewView, { current, now, status, token }: PanelOptions): Html => {
  const { say } = saying(view)
  const script = textsOf(view.spoken, "script")
  const total = view.questions.length
  const answered = answeredOf(view)
  const mark = (is: boolean) => (is ? html` aria-current="step"` : null)
  return html`<aside class="panel" aria-label="${say("panel")}">
<div class="standing">
${
  view.secondsLeft === null
    ? null
    : html`<p class="clock" data-seconds-left="${view.secondsLeft}"><span class="label" data-clock-label>${say("answerUntil")}</span>
<span class="figure" role="timer" data-clock>${end(view, now, view.secondsLeft)}</span></p>`
}
<div class="progress"><p data-progress>${script.say("progress", { count: String(answered), total: String(total) })}</p>
<progress max="${Math.max(total, 1)}" value="${answered}" aria-label="${say("progress")}"></progress></div>
<p class="status" role="status" data-status>${status}</p>
</div>
<nav aria-label="${say("questions")}"><ol>
${view.questions.map((question, index) => {
  const isDone = isAnswered(view.answers.get(question.id))
  return html`<li><a href="/i/${token}/questions/${index + 1}" data-link="${question.id}"${isDone ? html` data-answered` : null}${mark(current === index + 1)}><span
      class="tick" aria-hidden="true"></span><span class="name" dir="auto">${questionTitle(view, question, index + 1)}</span><span class="unseen" data-said>${
        isDone ? `, ${script.say("answered")}` : ""
      }</span></a></li>`
})}
</ol>
<p><a href="/i/${token}/review"${mark(current === null)}>${say("reviewAndSubmit")}</a></p></nav>
</aside>`
}

/** What the script needs on every page of a running interview. */
export const scriptData = (view: InterviewView, token: string): Html =>
  html` data-save="/i/${token}/answers" data-state="/i/${token}/state" data-home="/i/${token}" data-draft="${view.submissionId}.${view.attempt}" data-texts="${JSON.stringify(catalogues[view.spoken].script)}"`

/** The form that submits; the script sends it when the time is over. */
export const finishForm = (view: InterviewView, token: string): Html =>
  html`<form id="finish" method="post" action="/i/${token}/finish">
<input type="hidden" name="attempt" value="${view.attempt}">
</form>`
