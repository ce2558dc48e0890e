/** The questions of a running interview, as one plain form; the script adds saving, the clock and the counters. */
import { byPriority, type Question, questionModeIds, type StoredOption } from "../../domain/InterviewSet.ts"
import type { AnswerRow } from "../../repository/Interviews.ts"
import { type Html, html } from "../../service/Html.ts"
import type { InterviewView } from "../../service/Interviews.ts"
import { fieldType, isAnswered, longestText, optionField, textField } from "../AnswerForm.ts"
import type { Document } from "./Document.ts"
import { brand, languageAttribute, moment, written } from "./Parts.ts"

/** `now` is when the page is made; `saved`: the candidate has just saved by hand. */
export const questionsPage = (view: InterviewView, token: string, now: Date, saved: boolean): Document => ({
  title: `${view.interviewName} – ${view.organizationName}`,
  masthead: brand(view.organizationName),
  wide: true,
  scripts: ["time.js", "interview.js"],
  main: html`<header class="lead">
  ${view.position?.trim() ? html`<p class="eyebrow" dir="auto">${view.position}</p>` : null}
  <h1 dir="auto"${languageAttribute(view.language)}>${view.interviewName}</h1>
</header>
<form id="answers" class="answering" method="post" action="/i/${token}/finish" autocomplete="off" data-save="/i/${token}/answers">
<div class="questions">
${sections(view)}
</div>
${panel(view, token, now, saved)}
</form>
<p class="unseen" role="alert" data-warning></p>
<dialog aria-labelledby="sure" data-confirm>
  <h2 id="sure">Submit your answers?</h2>
  <p data-confirm-text></p>
  <p>Submitted answers can no longer be changed.</p>
  <div class="actions">
    <button type="button" class="secondary" data-back>Go back</button>
    <button class="primary" form="answers" data-submit>Submit</button>
  </div>
</dialog>`,
})

const sections = (view: InterviewView): ReadonlyArray<Html> => {
  const isScreening = (question: Question) => question.cfg_question_mode_id === questionModeIds.pre_screening
  const numbered = view.questions.map((question, index) => ({ question, number: index + 1 }))
  const parts = [
    { id: "screening", title: "First, a few facts", items: numbered.filter(({ question }) => isScreening(question)) },
    { id: "interview", title: "Interview", items: numbered.filter(({ question }) => !isScreening(question)) },
  ].filter(({ items }) => items.length > 0)
  return parts.map(
    ({ id, items, title }) => html`<section aria-labelledby="${id}">
<h2 id="${id}" class="${parts.length > 1 ? "section" : "unseen"}">${parts.length > 1 ? title : "Questions"}</h2>
${items.map(({ number, question }) => questionCard(question, number, view.answers.get(question.id), view.language))}
</section>`,
  )
}

/** The words a question is known by; a question without a title shows its content in its place. */
export const questionTitle = (question: Question, number: number): string =>
  question.title?.trim() || question.content?.trim() || `Question ${number}`

/** The words an option is known by. */
export const optionTitle = (option: StoredOption): string =>
  option.title?.trim() || option.content?.trim() || String(option.id)

const questionCard = (question: Question, number: number, answer: AnswerRow | undefined, language: string | null) => {
  const id = `q${number}`
  const content = question.title?.trim() ? question.content?.trim() : undefined
  const described = [content ? `${id}-content` : "", question.hint?.trim() ? `${id}-hint` : ""].filter(Boolean)
  const type = fieldType(question)
  const title = html`<span class="number" aria-hidden="true">${number}</span><span class="unseen">Question ${number}: </span><span
    dir="auto"${languageAttribute(language)}>${questionTitle(question, number)}</span>`
  const about = html`${content ? html`<div id="${id}-content">${written(content, language)}</div>` : null}
${question.hint?.trim() ? html`<div id="${id}-hint" class="hint">${written(question.hint, language)}</div>` : null}
${
  question.details?.trim()
    ? html`<details><summary>More about this question</summary>${written(question.details, language)}</details>`
    : null
}`
  const body =
    type === "checkbox" || type === "radio"
      ? html`<fieldset${describedBy(described)}>
<legend><h3>${title}</h3></legend>
${about}
${choices(question, type, id, answer, language)}
</fieldset>`
      : html`<h3><label for="${id}-answer">${title}</label></h3>
${about}
${textArea(question, type === "file", id, answer, described)}`
  return html`<div class="question" id="${id}" data-question="${question.id}"${isAnswered(answer) ? html` data-answered` : null}>
${body}
</div>`
}

const describedBy = (ids: ReadonlyArray<string>): Html | null =>
  ids.length === 0 ? null : html` aria-describedby="${ids.join(" ")}"`

const textArea = (
  question: Question,
  isFile: boolean,
  id: string,
  answer: AnswerRow | undefined,
  described: ReadonlyArray<string>,
): Html => {
  const ids = [...described, ...(isFile ? [`${id}-file`] : []), `${id}-count`]
  return html`${
    isFile
      ? html`<p id="${id}-file" class="note">Files cannot be uploaded here yet. Please give a link to your document, or describe what is in it.</p>`
      : null
  }
<textarea id="${id}-answer" name="${textField(question)}" rows="${isFile ? 3 : 6}" maxlength="${longestText}" dir="auto"${describedBy(ids)}>
${answer?.content ?? ""}</textarea>
<p id="${id}-count" class="count" data-count>At most ${longestText.toLocaleString("en")} characters</p>`
}

const choices = (
  question: Question,
  type: "checkbox" | "radio",
  id: string,
  answer: AnswerRow | undefined,
  language: string | null,
): Html => html`<p class="note">${type === "radio" ? "Choose one." : "Choose all that apply."}</p>
<input type="hidden" name="${optionField(question)}" value="">
<div class="choices">
${byPriority(question.options).map((option, index) => {
  const note = option.title?.trim() ? option.content?.trim() : undefined
  const noteId = `${id}-option${index + 1}-note`
  return html`<label class="choice"><input type="${type}" name="${optionField(question)}" value="${String(option.id)}"${
    note ? describedBy([noteId]) : null
  }${answer?.option_ids.includes(String(option.id)) ? html` checked` : null}>
<span dir="auto"${languageAttribute(language)}>${optionTitle(option)}${note ? html`<small id="${noteId}">${note}</small>` : null}</span></label>`
})}
</div>`

const panel = (view: InterviewView, token: string, now: Date, saved: boolean): Html => {
  const total = view.questions.length
  const answered = view.questions.filter(({ id }) => isAnswered(view.answers.get(id))).length
  return html`<aside class="panel" aria-label="Progress">
${
  view.secondsLeft === null
    ? null
    : html`<p class="clock" data-seconds-left="${view.secondsLeft}"><span class="label" data-clock-label>Answer until</span>
<span class="figure" role="timer" data-clock>${moment(new Date(now.getTime() + view.secondsLeft * 1000), "time")}</span></p>`
}
<div class="progress"><p data-progress>${answered} of ${total} answered</p>
<progress max="${Math.max(total, 1)}" value="${answered}" aria-label="Questions answered"></progress></div>
<nav aria-label="Questions"><ol>
${view.questions.map(
  (question, index) =>
    html`<li><a href="#q${index + 1}" data-link="${question.id}"${isAnswered(view.answers.get(question.id)) ? html` data-answered` : null}><span
      class="tick" aria-hidden="true"></span><span class="name" dir="auto">${questionTitle(question, index + 1)}</span><span class="unseen" data-said>${
        isAnswered(view.answers.get(question.id)) ? ", answered" : ""
      }</span></a></li>`,
)}
</ol></nav>
<p class="status" role="status" data-status>${saved ? "Your answers are saved." : "Save before you leave this page."}</p>
<div class="actions">
  <button class="secondary" formaction="/i/${token}/answers" data-save-button>Save</button>
  <button class="primary" data-finish>Submit<span class="more"> answers</span></button>
</div>
</aside>`
}
