/** One question of a running interview, as a plain form; the script adds saving, the clock, the counter and uploads. */
import { byPriority, type Question, questionModeIds } from "../../domain/InterviewSet.ts"
import { acceptedEndings, largestFile } from "../../domain/UploadedFile.ts"
import type { SavedAnswer } from "../../repository/Answers.ts"
import { type Html, html } from "../../service/Html.ts"
import type { InterviewView } from "../../service/interviews/View.ts"
import { fieldType, fileField, isAnswered, optionField, textField } from "../AnswerForm.ts"
import type { Document } from "./Document.ts"
import { fileLink, optionTitle, questionTitle } from "./InterviewParts.ts"
import { finishForm, panel, scriptData } from "./InterviewProgress.ts"
import { brand, languageAttribute, written } from "./Parts.ts"

const texts = {
  of: (number: number, total: number) => `Question ${number} of ${total}`,
  number: (number: number) => `Question ${number}: `,
  screening: "First, a few facts",
  interview: "Interview",
  more: "More about this question",
  one: "Choose one.",
  several: "Choose all that apply.",
  characters: (limit: number) => `At most ${limit.toLocaleString("en")} characters`,
  uploaded: "Uploaded:",
  fileRules: `A document, an image or a text of at most 10 MB: ${acceptedEndings.join(", ")}.`,
  replaces: "Choosing another file replaces it.",
  upload: "Upload",
  remove: "Remove the file",
  uploading: "Upload",
  back: "Back",
  save: "Save",
  next: "Next",
  review: "Review answers",
  saved: "Your answers are saved.",
  unsaved: "Save before you leave this page.",
  decline: "I do not want to take part",
}

export interface QuestionPageOptions {
  readonly token: string
  /** Which question is shown, from 1. */
  readonly number: number
  /** When the page is made. */
  readonly now: Date
  /** The candidate has just saved by hand. */
  readonly saved: boolean
  /** Code units of the longest text. */
  readonly limit: number
  /** What is wrong with what was sent; nothing was saved. */
  readonly fault?: string
}

export const questionPage = (view: InterviewView, question: Question, options: QuestionPageOptions): Document => {
  const { fault, limit, now, number, saved, token } = options
  const total = view.questions.length
  const isScreening = question.cfg_question_mode_id === questionModeIds.pre_screening
  const hasParts = new Set(view.questions.map((one) => one.cfg_question_mode_id)).size > 1
  return {
    title: `${texts.of(number, total)} – ${view.interviewName} – ${view.organizationName}`,
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
<section aria-labelledby="part">
<h2 id="part" class="section">${hasParts ? html`${isScreening ? texts.screening : texts.interview} · ` : null}${texts.of(number, total)}</h2>
${fault === undefined ? null : html`<p class="alert" role="alert">${fault}</p>`}
${questionCard(question, number, view.answers.get(question.id), view.language, limit, token)}
<div class="actions">
  <button class="primary" name="go" value="next" data-href="${
    number < total ? html`/i/${token}/questions/${number + 1}` : html`/i/${token}/review`
  }">${number < total ? texts.next : texts.review}</button>
  <button class="secondary" name="go" value="stay" data-save-button>${texts.save}</button>
  ${number > 1 ? html`<button class="secondary" name="go" value="back" data-href="/i/${token}/questions/${number - 1}">${texts.back}</button>` : null}
</div>
</section>
${panel(view, { token, now, current: number, status: saved ? texts.saved : texts.unsaved })}
</form>
${finishForm(view, token)}
<p class="unseen" role="alert" data-warning></p>
${view.attempt === 1 ? html`<p class="aside"><a href="/i/${token}/decline">${texts.decline}</a></p>` : null}`,
  }
}

const questionCard = (
  question: Question,
  number: number,
  answer: SavedAnswer | undefined,
  language: string | null,
  limit: number,
  token: string,
) => {
  const id = `q${number}`
  const content = question.title?.trim() ? question.content?.trim() : undefined
  const described = [content ? `${id}-content` : "", question.hint?.trim() ? `${id}-hint` : ""].filter(Boolean)
  const type = fieldType(question)
  const title = html`<span class="number" aria-hidden="true">${number}</span><span class="unseen">${texts.number(number)}</span><span
    dir="auto"${languageAttribute(language)}>${questionTitle(question, number)}</span>`
  const about = html`${content ? html`<div id="${id}-content">${written(content, language)}</div>` : null}
${question.hint?.trim() ? html`<div id="${id}-hint" class="hint">${written(question.hint, language)}</div>` : null}
${
  question.details?.trim()
    ? html`<details><summary>${texts.more}</summary>${written(question.details, language)}</details>`
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
${type === "file" ? upload(question, id, answer, described, token) : textArea(question, id, answer, described, limit)}`
  return html`<div class="question" id="${id}" data-question="${question.id}" data-revision="${answer?.revision ?? 0}"${isAnswered(answer) ? html` data-answered` : null}>
${body}
</div>`
}

const describedBy = (ids: ReadonlyArray<string>): Html | null =>
  ids.length === 0 ? null : html` aria-describedby="${ids.join(" ")}"`

const textArea = (
  question: Question,
  id: string,
  answer: SavedAnswer | undefined,
  described: ReadonlyArray<string>,
  limit: number,
): Html => html`<textarea id="${id}-answer" name="${textField(question)}" rows="6" maxlength="${limit}" dir="auto"${describedBy([...described, `${id}-count`])}>
${answer?.content ?? ""}</textarea>
<p id="${id}-count" class="count" data-count>${texts.characters(limit)}</p>`

const upload = (
  question: Question,
  id: string,
  answer: SavedAnswer | undefined,
  described: ReadonlyArray<string>,
  token: string,
): Html => {
  const file = fileLink(question, answer, token)
  return html`<div class="upload">
${file === null ? null : html`<p class="file" data-file>${texts.uploaded} ${file}</p>`}
<input type="file" id="${id}-answer" name="${fileField(question)}" accept="${acceptedEndings.join(",")}" data-max-size="${largestFile}"${describedBy([...described, `${id}-rules`])}>
<p id="${id}-rules" class="note">${texts.fileRules}${file === null ? null : html` ${texts.replaces}`}</p>
<progress max="100" value="0" aria-label="${texts.uploading}" data-upload hidden></progress>
<p class="alert" role="alert" data-fault hidden></p>
<p class="actions"><button class="secondary" name="go" value="stay" data-save-button>${texts.upload}</button>
${file === null ? null : html`<button class="secondary" name="go" value="remove" data-remove>${texts.remove}</button>`}</p>
</div>`
}

const choices = (
  question: Question,
  type: "checkbox" | "radio",
  id: string,
  answer: SavedAnswer | undefined,
  language: string | null,
): Html => html`<p class="note">${type === "radio" ? texts.one : texts.several}</p>
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
