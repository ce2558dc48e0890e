/** Two versions of one answer, for browsers without the script: the candidate chooses the one that counts. */
import type { Question } from "../../interview-sets/InterviewSet.ts"
import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import { brand, languageAttribute } from "../../platform/http/PageParts.ts"
import { fieldType, optionField, revisionField, textField } from "../AnswerForm.ts"
import type { AnswerRow } from "../AnswerRepository.ts"
import type { InterviewView } from "../InterviewView.ts"
import { answerHeading, savedAnswer, saying } from "./InterviewParts.ts"
import { panel } from "./InterviewProgress.ts"

export interface ChoicePageOptions {
  readonly token: string
  /** The number of the question, from 1. */
  readonly number: number
  /** When the page is made. */
  readonly now: Date
  readonly fromReview: boolean
  /** The answer that the candidate sent and that is not saved; `view` has the saved one. */
  readonly sent: AnswerRow
  /** The button that the candidate pressed. */
  readonly go: string
  /** The address that this button leads to. */
  readonly next: string
}

export const choicePage = (view: InterviewView, question: Question, options: ChoicePageOptions): Document => {
  const { fromReview, go, next, now, number, sent, token } = options
  const { say } = saying(view)
  const saved = view.answers.get(question.id)
  const sentView = { ...view, answers: new Map([[question.id, { file: null, revision: 0, ...sent }]]) }
  const fields =
    fieldType(question) === "text"
      ? [[textField(question), sent.content ?? ""]]
      : ["", ...sent.option_ids].map((id) => [optionField(question), id])
  return {
    language: view.spoken,
    title: `${say("versions")} – ${view.interviewName} – ${view.organizationName}`,
    masthead: brand(view.organizationName),
    wide: true,
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
${panel(view, { token, now, current: number, status: say("unsaved") })}
</div>`,
  }
}
