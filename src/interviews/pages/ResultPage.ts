/** What the evaluator found in the candidate's words, for the candidate, and the form for corrections and remarks. */
import type { Evidence } from "../../evaluations/Evaluation.ts"
import { type Outcome, outcomeOf } from "../../evaluations/Score.ts"
import { type RemarkKind, remarkKinds, remarkLimits } from "../../person-reviews/CandidateRemark.ts"
import { canRequest } from "../../person-reviews/PersonReview.ts"
import type { CandidateResult } from "../../person-reviews/ResultRepository.ts"
import type { Document } from "../../platform/http/Document.ts"
import { choice } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { languageAttribute, written } from "../../platform/http/PageParts.ts"
import { numberText } from "../../texts/Formats.ts"
import { textsOf } from "../../texts/Texts.ts"
import { type EvaluationWarning, evaluationWarningCodes } from "../../values/Warning.ts"
import type { InterviewView } from "../InterviewView.ts"
import { offlineNotice, organizationName, pageFrame, pageTexts } from "./InterviewComponents.ts"
import { personReviewNotice, personReviewOffer } from "./PersonReviewPage.ts"

export const resultHref = (token: string): string => `/i/${token}/result`

const resultTexts = ({ spoken }: Pick<InterviewView, "spoken">) => textsOf(spoken, "result")

/** On the page of a submitted interview. Null: the page is not open. */
export const resultLink = (view: InterviewView, token: string): Html | null =>
  view.hasResult
    ? html`<p><a class="button secondary" href="${resultHref(token)}">${resultTexts(view).say("link")}</a></p>`
    : null

export interface RemarkForm {
  readonly kind: RemarkKind
  readonly text: string
  readonly error: "empty" | "tooLong" | "full" | undefined
  /** The last form was stored. */
  readonly isSent: boolean
}

export const emptyRemark: RemarkForm = { kind: "correction", text: "", error: undefined, isSent: false }

const outcomeKeys = {
  met: "met",
  "partly met": "partly",
  "not rated": "unrated",
  "no match found": "missing",
} as const satisfies Record<Outcome, string>

const quotes = (label: string, evidence: ReadonlyArray<Evidence>): Html | null =>
  evidence.length === 0
    ? null
    : html`<p class="note">${label}</p>
${evidence.map(({ quote }) => html`<blockquote class="hint"><p dir="auto">${quote}</p></blockquote>\n`)}`

const criterion = (view: InterviewView, { evidence, score, title }: CandidateResult["criteria"][number]): Html => {
  const { say } = resultTexts(view)
  const of = (source: Evidence["source"]) => evidence.filter((one) => one.source === source)
  const outcome = outcomeKeys[outcomeOf(score)]
  return html`<li><h3 dir="auto"${languageAttribute(view.language)}>${title}</h3>
<p class="outcome ${outcome}">${say(outcome)}</p>
${quotes(say("answers"), of("answer"))}${quotes(say("cv"), of("cv"))}</li>
`
}

/** A code of a custom evaluator has the evaluator's own sentence. */
const warningText = (view: InterviewView, { code, message }: EvaluationWarning): Html => {
  const known = evaluationWarningCodes.find((one) => one === code)
  return known === undefined ? html`<bdi>${message}</bdi>` : html`${resultTexts(view).say(known)}`
}

const warnings = (view: InterviewView, result: CandidateResult): Html | null => {
  if (result.warnings.length === 0) return null
  const texts = new Set(result.warnings.map((one) => warningText(view, one).toString()))
  const shown = result.warnings.filter((one) => texts.delete(warningText(view, one).toString()))
  return html`<h2>${resultTexts(view).say("unsure")}</h2>
${shown.map((one) => html`<p>${warningText(view, one)}</p>`)}`
}

const errorText = (view: InterviewView, error: NonNullable<RemarkForm["error"]>): string => {
  const { say } = resultTexts(view)
  if (error === "tooLong")
    return textsOf(view.spoken, "accommodation").say("tooLong", { limit: String(remarkLimits.length) })
  return error === "full" ? say("full", { limit: String(remarkLimits.count) }) : say("empty")
}

const remarks = (view: InterviewView, token: string, { remarks: sent }: CandidateResult, form: RemarkForm): Html => {
  const { say } = resultTexts(view)
  const request = textsOf(view.spoken, "accommodation")
  const isFull = sent.length >= remarkLimits.count
  return html`<h2>${say("wrong")}</h2>
<p>${say("wrongText")}</p>
${form.isSent ? html`<p class="info" role="status">${say("sent")}</p>` : null}
${form.error === undefined ? null : html`<p class="alert" tabindex="-1" autofocus role="alert">${errorText(view, form.error)}</p>`}
${
  isFull
    ? html`<p>${say("full", { limit: String(remarkLimits.count) })}</p>`
    : html`<form method="post" action="${resultHref(token)}" class="declining">
<fieldset class="picks"><legend class="unseen">${say("wrong")}</legend>
${remarkKinds.map((kind) => choice({ name: "kind", value: kind, isChosen: kind === form.kind }, say(kind)))}</fieldset>
<p><label for="text">${say("write")}</label>
<textarea id="text" name="text" rows="4" dir="auto" autocomplete="off">${form.text}</textarea></p>
<p class="actions"><button class="primary">${request.pieces("send", { organization: organizationName(view) })}</button></p>
</form>`
}
${
  sent.length === 0
    ? null
    : html`<h3>${say("yours")}</h3>
${sent.map(({ kind, text }) => html`<p class="note">${say(kind)}</p><blockquote class="hint">${written(text)}</blockquote>\n`)}`
}`
}

export const resultPage = (view: InterviewView, token: string, result: CandidateResult, form: RemarkForm): Document => {
  const { pieces, say } = resultTexts(view)
  const organization = organizationName(view)
  const title = say("title")
  return {
    ...pageFrame(view),
    title: `${title} – ${view.organizationName}`,
    scripts: ["time.js", "interview.js"],
    main: html`<div class="notice">
<p class="eyebrow" dir="auto"${languageAttribute(view.language)}>${view.interviewName}</p>
<h1>${title}</h1>
<p>${pieces("text", { organization })}</p>
<p>${result.is_decided ? pieces("personDecided", { organization }) : result.is_read ? pieces("personRead", { organization }) : say("noPerson")}</p>
${personReviewNotice(view)}
${result.score === null ? null : html`<p class="outcome score">${say("score", { score: numberText(view.spoken, result.score) })}</p>`}
<h2>${say("asked")}</h2>
<ul class="findings">${result.criteria.map((one) => criterion(view, one))}</ul>
${warnings(view, result)}
${canRequest(view.personReview) ? personReviewOffer(view, token) : null}
${remarks(view, token, result, form)}
<p class="actions"><a class="button secondary" href="/i/${token}">${pageTexts(view).say("goBack")}</a></p>
</div>
${offlineNotice(view, token)}`,
  }
}
