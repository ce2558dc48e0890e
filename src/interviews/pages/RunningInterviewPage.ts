/** The pages of a running interview. */
import { maxFileBytes, offeredEndings } from "../../files/UploadedFile.ts"
import { byPriority, type Question, questionModeIds } from "../../interview-sets/InterviewSet.ts"
import { optionText } from "../../interview-sets/OptionText.ts"
import { shortened } from "../../interview-sets/QuestionName.ts"
import { rulesOf, spokenKinds } from "../../interview-sets/QuestionRules.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { languageAttribute, moment, written } from "../../platform/http/PageParts.ts"
import { durationText } from "../../texts/Formats.ts"
import { catalogues, textsOf } from "../../texts/Texts.ts"
import { wallTime } from "../../values/TimeZone.ts"
import { fieldType, fileField, isAnswered, optionField, revisionField, textField } from "../AnswerForm.ts"
import type { AnswerRow } from "../AnswerRepository.ts"
import type { InterviewView } from "../InterviewView.ts"
import { accommodationLink, accommodationNotice } from "./AccommodationPage.ts"
import {
  answeredOf,
  answerHeading,
  fileLink,
  offlineNotice,
  pageFrame,
  pageTexts,
  questionTitle,
  retakesText,
  savedAnswer,
} from "./InterviewComponents.ts"
import { recorder, removalForm, type UnsavedCorrection } from "./SpokenAnswer.ts"

/** Characters of a question's name in the list of questions. */
const maxName = 120

interface PanelOptions {
  readonly token: string
  readonly now: Date
  /** Null: the review. */
  readonly current: number | null
  readonly status: string
}

const endOfTime = (view: InterviewView, now: Date, secondsLeft: number): Html => {
  const at = new Date(now.getTime() + secondsLeft * 1000)
  const dayOf = (date: Date) => wallTime(date, view.timeZone).slice(0, 10)
  const isToday = dayOf(at) === dayOf(now)
  return moment(at, isToday ? "time" : "short", view.spoken)
}

const panel = (view: InterviewView, { current, now, status, token }: PanelOptions): Html => {
  const { say } = pageTexts(view)
  const script = textsOf(view.spoken, "script")
  const total = view.questions.length
  const answered = answeredOf(view)
  const currentStep = (isCurrent: boolean) => (isCurrent ? html` aria-current="step"` : null)
  return html`<aside class="panel" aria-label="${say("panel")}">
<div class="standing">
${
  view.secondsLeft === null
    ? null
    : html`<p class="clock" data-seconds-left="${view.secondsLeft}"><span class="label" data-clock-label>${say("answerUntil")}</span>
<span class="figure" role="timer" data-clock>${endOfTime(view, now, view.secondsLeft)}</span></p>`
}
<div class="progress"><p data-progress>${script.say("progress", { count: String(answered), total: String(total) })}</p>
<progress max="${Math.max(total, 1)}" value="${answered}" aria-label="${say("progress")}"></progress></div>
<p class="status" role="status" data-status>${status}</p>
</div>
<nav aria-label="${say("questions")}"><ol>
${view.questions.map((question, index) => {
  const isDone = isAnswered(view.answers.get(question.id))
  return html`<li><a href="/i/${token}/questions/${index + 1}" data-link="${question.id}"${isDone ? html` data-answered` : null}${currentStep(current === index + 1)}><span
      class="tick" aria-hidden="true"></span><span class="name" dir="auto">${shortened(questionTitle(view, question, index + 1), maxName)}</span><span class="unseen" data-said>${
        isDone ? `, ${script.say("answered")}` : ""
      }</span></a></li>`
})}
</ol>
<p><a href="/i/${token}/review"${currentStep(current === null)}>${say("reviewAndSubmit")}</a></p></nav>
<p class="aside">${accommodationLink(view, token)}</p>
</aside>`
}

const scriptData = (view: InterviewView, token: string): Html =>
  html` data-save="/i/${token}/answers" data-state="/i/${token}/state" data-home="/i/${token}" data-draft="${view.submissionId}.${view.attempt}" data-texts="${JSON.stringify(catalogues[view.spoken].script)}"`

/** The script sends this form when the time is over. */
const finishForm = (view: InterviewView, token: string): Html =>
  html`<form id="finish" method="post" action="/i/${token}/finish">
<input type="hidden" name="attempt" value="${view.attempt}">
</form>`

export interface QuestionPageOptions {
  readonly token: string
  readonly number: number
  readonly now: Date
  readonly saved: boolean
  readonly fromReview: boolean
  readonly limit: number
  /** Recordings of this question so far. */
  readonly takesUsed: number
  /** Another text about recordings is in force than the previous page showed. */
  readonly isConsentNew?: boolean
  readonly unsaved?: UnsavedCorrection | undefined
  readonly error?: string
}

export const questionPage = (view: InterviewView, question: Question, options: QuestionPageOptions): Document => {
  const { error, fromReview, isConsentNew = false, limit, now, number, saved, takesUsed, token, unsaved } = options
  const { say } = pageTexts(view)
  const total = view.questions.length
  const isLast = fromReview || number === total
  const of = say("questionOf", { number: String(number), total: String(total) })
  const isScreening = question.cfg_question_mode_id === questionModeIds.pre_screening
  const hasParts = new Set(view.questions.map((one) => one.cfg_question_mode_id)).size > 1
  return {
    ...pageFrame(view),
    title: `${of} – ${view.interviewName} – ${view.organizationName}`,
    width: "wide",
    scripts: ["time.js", "interview.js"],
    main: html`<header class="lead">
  ${view.position?.trim() ? html`<p class="eyebrow" dir="auto">${view.position}</p>` : null}
  <h1 dir="auto"${languageAttribute(view.language)}>${view.interviewName}</h1>
</header>
<form id="answers" class="answering" method="post" action="/i/${token}/answers" autocomplete="off"${
      fieldType(question) === "file" || isSpoken(question) ? html` enctype="multipart/form-data"` : null
    }${scriptData(view, token)}>
<input type="hidden" name="question" value="${question.id}">
<input type="hidden" name="attempt" value="${view.attempt}">
<input type="hidden" name="${revisionField(question)}" value="${view.answers.get(question.id)?.revision ?? 0}">
${fromReview ? html`<input type="hidden" name="from" value="review">` : null}
<section aria-labelledby="part">
<h2 id="part" class="section">${hasParts ? html`${isScreening ? say("screening") : say("interview")} · ` : null}${of}</h2>
${error === undefined ? null : html`<p class="alert" tabindex="-1" autofocus role="alert">${error}</p>`}
${view.attempt === 1 ? null : html`<p class="info">${say("retake")}</p>`}
${accommodationNotice(view)}
${questionCard(view, question, { number, limit, token, takesUsed, isConsentNew, unsaved })}
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
${removalForm(view, question, token, `questions/${number}`)}
${finishForm(view, token)}
${offlineNotice(view, token)}
<p class="unseen" role="alert" data-warning></p>
${view.attempt === 1 ? html`<p class="aside"><a href="/i/${token}/decline">${say("decline")}</a></p>` : null}`,
  }
}

/** Whether the question can be answered by a recording. */
const isSpoken = (question: Question): boolean =>
  fieldType(question) === "text" && spokenKinds(rulesOf(question)).length > 0

type CardOptions = Pick<QuestionPageOptions, "number" | "limit" | "token" | "takesUsed"> & {
  readonly isConsentNew: boolean
  readonly unsaved: UnsavedCorrection | undefined
}

const questionCard = (view: InterviewView, question: Question, options: CardOptions) => {
  const { number, token } = options
  const { say } = pageTexts(view)
  const { language } = view
  const answer = view.answers.get(question.id)
  const id = `q${number}`
  const content = question.title?.trim() ? question.content?.trim() : undefined
  const described = [content ? `${id}-content` : "", question.hint?.trim() ? `${id}-hint` : ""].filter(Boolean)
  const type = fieldType(question)
  const title = html`<span class="number" aria-hidden="true">${number}</span><span class="unseen">${say("questionNumber", { number: String(number) })}: </span><span
    dir="auto"${languageAttribute(language)}>${questionTitle(view, question, number)}</span>`
  const { isRequired, minutes } = rulesOf(question)
  const about = html`${isRequired || minutes !== null ? html`<p class="note">${isRequired ? say("required") : null}${isRequired && minutes !== null ? " · " : null}${minutes === null ? null : say("suggestedTime", { time: durationText(view.spoken, minutes) })}</p>` : null}${content ? html`<div id="${id}-content">${written(content, language)}</div>` : null}
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
${type === "file" ? upload(view, question, id, described, token) : inWords(view, question, { ...options, id, described })}`
  return html`<div class="question" id="${id}" data-question="${question.id}" data-revision="${answer?.revision ?? 0}"${isAnswered(answer) ? html` data-answered` : null}>
${body}
</div>`
}

const describedBy = (ids: ReadonlyArray<string>): Html | null =>
  ids.length === 0 ? null : html` aria-describedby="${ids.join(" ")}"`

interface WordsOptions extends CardOptions {
  readonly id: string
  readonly described: ReadonlyArray<string>
}

/** A recorder with the text folded below it, or the text alone. */
const inWords = (view: InterviewView, question: Question, options: WordsOptions): Html => {
  const { described, id, limit } = options
  const typed = textArea(view, question, id, described, limit)
  return recorder(view, question, { ...options, typed: rulesOf(question).isSpeakingOnly ? null : typed }) ?? typed
}

const textArea = (
  view: InterviewView,
  question: Question,
  id: string,
  described: ReadonlyArray<string>,
  limit: number,
): Html => html`<textarea id="${id}-answer" name="${textField(question)}" rows="6" maxlength="${limit}" dir="auto"${describedBy([...described, `${id}-count`])}>
${view.answers.get(question.id)?.content ?? ""}</textarea>
<p id="${id}-count" class="count" data-count>${pageTexts(view).counted("characters", limit)}</p>`

const upload = (
  view: InterviewView,
  question: Question,
  id: string,
  described: ReadonlyArray<string>,
  token: string,
): Html => {
  const { say } = pageTexts(view)
  const file = fileLink(question, view.answers.get(question.id), token)
  const allowed = question.allowed_file_types
  const endings = offeredEndings(allowed)
  const chooser = html`<input type="file" id="${id}-answer" name="${fileField(question)}" accept="${endings.join(",")}" data-max-size="${maxFileBytes}"${describedBy([...described, `${id}-rules`])}>
<p id="${id}-rules" class="note">${say(allowed === null ? "fileRules" : "someFiles", { endings: endings.join(", ") })}</p>
<p class="actions" data-save-button><button class="secondary" name="go" value="stay">${say("upload")}</button></p>`
  // an empty file input would show that no file is chosen
  const stored =
    file === null
      ? chooser
      : html`<p class="file" data-file>${say("uploaded")} ${file}</p>
<div class="actions"><details class="replace" data-replace><summary class="button secondary">${say("replace")}</summary>${chooser}</details>
<button class="secondary" name="go" value="remove" data-remove>${say("remove")}</button></div>`
  return html`<div class="upload">
${stored}
<progress max="100" value="0" aria-label="${say("upload")}" data-upload hidden></progress>
<p class="alert" role="alert" data-error hidden></p>
</div>`
}

const choices = (
  view: InterviewView,
  question: Question,
  type: "checkbox" | "radio",
  id: string,
): Html => html`<p class="note">${pageTexts(view).say(type === "radio" ? "chooseOne" : "chooseAll")}</p>
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

export interface ChoicePageOptions {
  readonly token: string
  readonly number: number
  readonly now: Date
  readonly fromReview: boolean
  /** The unsaved answer; `view` has the saved one. */
  readonly sent: AnswerRow
  readonly go: string
  readonly next: string
}

/** Two versions of one answer, for browsers without scripts. */
export const choicePage = (view: InterviewView, question: Question, options: ChoicePageOptions): Document => {
  const { fromReview, go, next, now, number, sent, token } = options
  const { say } = pageTexts(view)
  const saved = view.answers.get(question.id)
  const sentView = { ...view, answers: new Map([[question.id, { file: null, recording: null, revision: 0, ...sent }]]) }
  const fields =
    fieldType(question) === "text"
      ? [[textField(question), sent.content ?? ""]]
      : ["", ...sent.option_ids].map((id) => [optionField(question), id])
  return {
    ...pageFrame(view),
    title: `${say("versions")} – ${view.interviewName} – ${view.organizationName}`,
    width: "wide",
    scripts: ["time.js"],
    main: html`<header class="lead">
  ${view.position?.trim() ? html`<p class="eyebrow" dir="auto">${view.position}</p>` : null}
  <h1 dir="auto"${languageAttribute(view.language)}>${view.interviewName}</h1>
</header>
<div class="answering">
<section class="copy" aria-labelledby="versions">
<h2 id="versions" class="section">${say("versions")}</h2>
${answerHeading(view, question, number)}
<p role="alert">${say("versionsText")}</p>
<div class="unsent"><p class="note">${say("savedVersion")}</p>
${savedAnswer(view, question, token)}
<p><a class="button secondary" href="${next}">${say("useSaved")}</a></p></div>
<form class="unsent" method="post" action="/i/${token}/answers"><p class="note">${say("sentVersion")}</p>
${savedAnswer(sentView, question, token)}
<input type="hidden" name="question" value="${question.id}">
<input type="hidden" name="attempt" value="${view.attempt}">
<input type="hidden" name="${revisionField(question)}" value="${saved?.revision ?? 0}">
${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fromReview ? html`<input type="hidden" name="from" value="review">` : null}
<p><button class="secondary" name="go" value="${go}">${say("useSent")}</button></p></form>
</section>
${panel(view, { token, now, current: number, status: say("chooseVersion") })}
</div>`,
  }
}

interface ReviewOptions {
  readonly isRefused?: boolean
  readonly asksToSubmit?: boolean
}

/** The required questions that are not answered, each with the way to it. */
const missingAnswers = (view: InterviewView, token: string): Html => {
  const missing = view.questions.flatMap((question, index) =>
    isAnswered(view.answers.get(question.id)) || !rulesOf(question).isRequired
      ? []
      : [
          html`<li><a href="/i/${token}/questions/${index + 1}?review" dir="auto"${languageAttribute(view.language)}>${shortened(questionTitle(view, question, index + 1), maxName)}</a></li>`,
        ],
  )
  return html`<div class="alert" tabindex="-1" autofocus role="alert"><p>${pageTexts(view).say("answerRequired")}</p>
<ul>${missing}</ul></div>`
}

const reviewOf = (view: InterviewView, token: string, now: Date, options: ReviewOptions): Document => {
  const { counted, say } = pageTexts(view)
  const open = view.questions.filter(({ id }) => !isAnswered(view.answers.get(id)))
  const unanswered = open.length
  // a missing required answer is refused without a question
  const needsConfirmation = unanswered > 0 && !open.some((question) => rulesOf(question).isRequired)
  const isAsked = options.asksToSubmit === true && needsConfirmation
  const consequence = view.retakesLeft === 0 ? say("last") : retakesText(view)
  const summary = () => {
    if (view.questions.length === 0) return say("noQuestions")
    if (unanswered === 0) return say("allAnswered")
    return counted("open", unanswered)
  }
  return {
    ...pageFrame(view),
    title: `${say("review")} – ${view.interviewName} – ${view.organizationName}`,
    width: "wide",
    scripts: ["time.js", "interview.js"],
    main: html`<header class="lead">
  ${view.position?.trim() ? html`<p class="eyebrow" dir="auto">${view.position}</p>` : null}
  <h1 dir="auto"${languageAttribute(view.language)}>${view.interviewName}</h1>
</header>
<div class="answering" data-review${scriptData(view, token)}>
<section class="copy" aria-labelledby="review">
<h2 id="review" class="section">${say("yourAnswers")}</h2>
${options.isRefused === true ? missingAnswers(view, token) : null}
${
  isAsked
    ? html`<div class="alert warm confirmation" role="group" tabindex="-1" autofocus aria-labelledby="anyway" aria-describedby="open"><h3 id="anyway">${say("submitOpen")}</h3>
<p id="open">${summary()} ${consequence}</p>
<p class="actions"><a class="button primary" href="/i/${token}/review">${say("goBack")}</a>
<button class="secondary" form="finish" data-submit>${say("submitAnyway")}</button></p></div>`
    : html`<p>${summary()}</p>`
}
<ol>
${view.questions.map((question, index) => {
  const isDone = isAnswered(view.answers.get(question.id))
  return html`<li data-answer="${question.id}"><div class="reviewed${isDone ? null : " open"}">${answerHeading(view, question, index + 1)}
${
  !isDone && rulesOf(question).isRequired
    ? html`<p class="missing">${say("required")} · ${say("notAnswered")}</p>`
    : savedAnswer(view, question, token)
}
<p class="go"><a class="button secondary" href="/i/${token}/questions/${index + 1}?review">${isDone ? say("change") : say("answer")}<span class="unseen">: ${questionTitle(view, question, index + 1)}</span></a></p></div></li>`
})}
</ol>
${
  isAsked
    ? null
    : html`<p>${consequence}</p>
<div class="actions finish"><button class="primary large" form="${needsConfirmation ? "ask" : "finish"}" data-submit>${say("submit")}</button></div>`
}
</section>
${panel(view, { token, now, current: null, status: view.attempt === 1 ? say("nothingSubmitted") : say("resubmit") })}
</div>
${finishForm(view, token)}
${needsConfirmation ? html`<form id="ask" action="/i/${token}/review"><input type="hidden" name="confirm" value="yes"></form>` : null}
${offlineNotice(view, token)}
<p class="unseen" role="alert" data-warning></p>`,
  }
}

/** The answers before their submission. `asksToSubmit`: asks whether to submit although questions are not answered. */
export const reviewPage = (view: InterviewView, token: string, now: Date, asksToSubmit = false): Document =>
  reviewOf(view, token, now, { asksToSubmit })

/** The answers were not submitted, because a required question is not answered. */
export const incompletePage = (view: InterviewView, token: string, now: Date): Document =>
  reviewOf(view, token, now, { isRefused: true })
