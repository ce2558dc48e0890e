/** One question of a running interview, as a plain form; the script adds saving, the clock, the counter and uploads. */

import { acceptedEndings, maxFileBytes } from "../../files/UploadedFile.ts"
import { byPriority, type Question, questionModeIds } from "../../interview-sets/InterviewSet.ts"
import { optionText } from "../../interview-sets/OptionText.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { brand, languageAttribute, written } from "../../platform/http/PageParts.ts"
import { numberText } from "../../texts/Formats.ts"
import { fieldType, fileField, isAnswered, optionField, revisionField, textField } from "../AnswerForm.ts"
import type { InterviewView } from "../InterviewView.ts"
import { fileLink, offlineNotice, questionTitle, saying } from "./InterviewParts.ts"
import { finishForm, panel, scriptData } from "./InterviewProgress.ts"

export interface QuestionPageOptions {
  readonly token: string
  /** Which question is shown, from 1. */
  readonly number: number
  /** When the page is made. */
  readonly now: Date
  /** The candidate has just saved by hand. */
  readonly saved: boolean
  /** The candidate came from the review, and goes back there. */
  readonly fromReview: boolean
  /** Code units of the longest text. */
  readonly limit: number
  /** What is wrong with what was sent; nothing was saved. */
  readonly fault?: string
}

export const questionPage = (view: InterviewView, question: Question, options: QuestionPageOptions): Document => {
  const { fault, fromReview, limit, now, number, saved, token } = options
  const { say } = saying(view)
  const total = view.questions.length
  const isLast = fromReview || number === total
  const of = say("questionOf", { number: String(number), total: String(total) })
  const isScreening = question.cfg_question_mode_id === questionModeIds.pre_screening
  const hasParts = new Set(view.questions.map((one) => one.cfg_question_mode_id)).size > 1
  return {
    language: view.spoken,
    title: `${of} – ${view.interviewName} – ${view.organizationName}`,
    masthead: brand(view.organizationName),
    wide: true,
    scripts: ["time.js", "interview.js"],
    main: html`<header class="lead">
  ${view.position?.trim() ? html`<p class="eyebrow" dir="auto">${view.position}</p>` : null}
  <h1 dir="auto"${languageAttribute(view.language)}>${view.interviewName}</h1>
</header>
<form id="answers" class="answering" method="post" action="/i/${token}/answers" autocomplete="off"${
      fieldType(question) === "file" ? html` enctype="multipart/form-data"` : null
    }${scriptData(view, token)}>
<input type="hidden" name="question" value="${question.id}">
<input type="hidden" name="attempt" value="${view.attempt}">
<input type="hidden" name="${revisionField(question)}" value="${view.answers.get(question.id)?.revision ?? 0}">
${fromReview ? html`<input type="hidden" name="from" value="review">` : null}
<section aria-labelledby="part">
<h2 id="part" class="section">${hasParts ? html`${isScreening ? say("screening") : say("interview")} · ` : null}${of}</h2>
${fault === undefined ? null : html`<p class="alert" role="alert">${fault}</p>`}
${questionCard(view, question, number, limit, token)}
<div class="actions">
  <button class="primary" name="go" value="next" data-href="${
    isLast ? html`/i/${token}/review` : html`/i/${token}/questions/${number + 1}`
  }">${isLast ? say("reviewAnswers") : say("next")}</button>
  <button class="secondary" name="go" value="stay" data-save-button>${say("save")}</button>
  ${number > 1 && !fromReview ? html`<button class="secondary" name="go" value="back" data-href="/i/${token}/questions/${number - 1}">${say("back")}</button>` : null}
</div>
</section>
${panel(view, { token, now, current: number, status: saved ? say("saved") : say("unsaved") })}
</form>
${finishForm(view, token)}
${offlineNotice(view, token)}
<p class="unseen" role="alert" data-warning></p>
${view.attempt === 1 ? html`<p class="aside"><a href="/i/${token}/decline">${say("decline")}</a></p>` : null}`,
  }
}

const questionCard = (view: InterviewView, question: Question, number: number, limit: number, token: string) => {
  const { say } = saying(view)
  const { language } = view
  const answer = view.answers.get(question.id)
  const id = `q${number}`
  const content = question.title?.trim() ? question.content?.trim() : undefined
  const described = [content ? `${id}-content` : "", question.hint?.trim() ? `${id}-hint` : ""].filter(Boolean)
  const type = fieldType(question)
  const title = html`<span class="number" aria-hidden="true">${number}</span><span class="unseen">${say("questionNumber", { number: String(number) })}: </span><span
    dir="auto"${languageAttribute(language)}>${questionTitle(view, question, number)}</span>`
  const about = html`${content ? html`<div id="${id}-content">${written(content, language)}</div>` : null}
${question.hint?.trim() ? html`<div id="${id}-hint" class="hint">${written(question.hint, language)}</div>` : null}
${
  question.details?.trim()
    ? html`<details><summary>${say("more")}</summary>${written(question.details, language)}</details>`
    : null
}`
  const body =
    type === "checkbox" || type === "radio"
      ? html`<fieldset${describedBy(described)}>
<legend><h3>${title}</h3></legend>
${about}
${choices(view, question, type, id)}
</fieldset>`
      : html`<h3><label for="${id}-answer">${title}</label></h3>
${about}
${type === "file" ? upload(view, question, id, described, token) : textArea(view, question, id, described, limit)}`
  return html`<div class="question" id="${id}" data-question="${question.id}" data-revision="${answer?.revision ?? 0}"${isAnswered(answer) ? html` data-answered` : null}>
${body}
</div>`
}

const describedBy = (ids: ReadonlyArray<string>): Html | null =>
  ids.length === 0 ? null : html` aria-describedby="${ids.join(" ")}"`

const textArea = (
  view: InterviewView,
  question: Question,
  id: string,
  described: ReadonlyArray<string>,
  limit: number,
): Html => html`<textarea id="${id}-answer" name="${textField(question)}" rows="6" maxlength="${limit}" dir="auto"${describedBy([...described, `${id}-count`])}>
${view.answers.get(question.id)?.content ?? ""}</textarea>
<p id="${id}-count" class="count" data-count>${saying(view).say("characters", { count: numberText(view.spoken, limit) })}</p>`

const upload = (
  view: InterviewView,
  question: Question,
  id: string,
  described: ReadonlyArray<string>,
  token: string,
): Html => {
  const { say } = saying(view)
  const file = fileLink(question, view.answers.get(question.id), token)
  return html`<div class="upload">
${file === null ? null : html`<p class="file" data-file>${say("uploaded")} ${file}</p>`}
<input type="file" id="${id}-answer" name="${fileField(question)}" accept="${acceptedEndings.join(",")}" data-max-size="${maxFileBytes}"${describedBy([...described, `${id}-rules`])}>
<p id="${id}-rules" class="note">${say("fileRules", { endings: acceptedEndings.join(", ") })}${file === null ? null : html` ${say("replaces")}`}</p>
<progress max="100" value="0" aria-label="${say("upload")}" data-upload hidden></progress>
<p class="alert" role="alert" data-fault hidden></p>
<p class="actions"><button class="secondary" name="go" value="stay" data-save-button>${say("upload")}</button>
${file === null ? null : html`<button class="secondary" name="go" value="remove" data-remove>${say("remove")}</button>`}</p>
</div>`
}

const choices = (
  view: InterviewView,
  question: Question,
  type: "checkbox" | "radio",
  id: string,
): Html => html`<p class="note">${saying(view).say(type === "radio" ? "chooseOne" : "chooseAll")}</p>
<input type="hidden" name="${optionField(question)}" value="">
<div class="choices">
${byPriority(question.options).map((option, index) => {
  const { content: note, title } = optionText(option, view.languages)
  const noteId = `${id}-option${index + 1}-note`
  return html`<label class="choice"><input type="${type}" name="${optionField(question)}" value="${String(option.id)}"${
    note ? describedBy([noteId]) : null
  }${view.answers.get(question.id)?.option_ids.includes(String(option.id)) ? html` checked` : null}>
<span dir="auto"${languageAttribute(view.language)}>${title}${note ? html`<small id="${noteId}">${note}</small>` : null}</span></label>`
})}
</div>`
