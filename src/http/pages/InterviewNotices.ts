/** What a candidate sees when there is nothing to answer: after the end, or because the interview is closed. */
import type { Question } from "../../domain/InterviewSet.ts"
import type { AnswerRow } from "../../repository/Interviews.ts"
import { type Html, html } from "../../service/Html.ts"
import type { InterviewState, InterviewView } from "../../service/Interviews.ts"
import { fieldType, isAnswered } from "../AnswerForm.ts"
import type { Document } from "./Document.ts"
import { optionTitle, questionTitle } from "./InterviewQuestions.ts"
import { brand, languageAttribute, moment, written } from "./Parts.ts"

const notice = (options: {
  readonly organization: string | null
  readonly eyebrow: string | null
  readonly title: string
  readonly mark: "done" | "closed"
  readonly body: Html
  readonly refresh?: number
}): Document => ({
  title: options.organization === null ? options.title : `${options.title} – ${options.organization}`,
  masthead: options.organization === null ? null : brand(options.organization),
  scripts: ["time.js"],
  ...(options.refresh === undefined ? {} : { refresh: options.refresh }),
  main: html`<div class="notice">
<span class="sign ${options.mark}" aria-hidden="true"></span>
${options.eyebrow === null ? null : html`<p class="eyebrow" dir="auto">${options.eyebrow}</p>`}
<h1>${options.title}</h1>
${options.body}
</div>`,
})

/** The receipt: what was submitted, when, and what comes next. */
export const completedPage = (view: InterviewView): Document => {
  const answered = view.questions.filter(({ id }) => isAnswered(view.answers.get(id))).length
  return notice({
    organization: view.organizationName,
    eyebrow: view.interviewName,
    title: "Your answers are submitted",
    mark: "done",
    body: html`<p>Thank you, <bdi>${view.candidateName}</bdi>. <bdi>${view.organizationName}</bdi> has received your interview.</p>
<dl class="facts">
  ${view.completedAt === null ? null : html`<div><dt>Submitted</dt><dd>${moment(view.completedAt, "short")}</dd></div>`}
  <div><dt>Answered</dt><dd>${answered} of ${view.questions.length}</dd></div>
</dl>
<h2>What happens next</h2>
<p>Your answers are evaluated, and people at <bdi>${view.organizationName}</bdi> read them and decide. They will write to you.
There is nothing more to do; you can close this page.</p>
<details class="copy"><summary>Read what you submitted</summary>
<ol>
${view.questions.map((question, index) => copyOf(question, index + 1, view.answers.get(question.id), view.language))}
</ol></details>`,
  })
}

const copyOf = (question: Question, number: number, answer: AnswerRow | undefined, language: string | null): Html => {
  const type = fieldType(question)
  const chosen = question.options.filter(({ id }) => answer?.option_ids.includes(String(id)))
  const content = type === "checkbox" || type === "radio" ? chosen.map(optionTitle).join("\n") : answer?.content?.trim()
  return html`<li><h3 dir="auto"${languageAttribute(language)}>${questionTitle(question, number)}</h3>
${content ? written(content) : html`<p class="quiet">Not answered</p>`}</li>`
}

/** The time is over, and the service is about to submit what is saved. */
export const timeOverPage = (view: InterviewView): Document =>
  notice({
    organization: view.organizationName,
    eyebrow: view.interviewName,
    title: "Your time is over",
    mark: "done",
    body: html`<p>Everything that you saved is being submitted to <bdi>${view.organizationName}</bdi>. This page shows the receipt in a moment.</p>`,
    refresh: 5,
  })

type ClosedState = Extract<InterviewState, "expired" | "cancelled" | "withdrawn">

const closedTitles: Record<ClosedState, string> = {
  expired: "This interview is closed",
  cancelled: "This invitation was cancelled",
  withdrawn: "This application was withdrawn",
}

/** The page of an interview that can no longer be answered. */
export const closedPage = (view: InterviewView, state: ClosedState): Document => {
  const organization = html`<bdi>${view.organizationName}</bdi>`
  const reasons: Record<ClosedState, Html> = {
    expired: html`<p>It could be started until ${moment(view.expiresAt)}. If you still want to take part, please ask
${organization} to invite you again.</p>`,
    cancelled: html`<p>${organization} has taken the invitation back, so there is nothing to answer here. If this
surprises you, please ask your contact at ${organization}.</p>`,
    withdrawn: html`<p>The interview can no longer be answered, because your application is withdrawn. If this is not
what you wanted, please ask your contact at ${organization}.</p>`,
  }
  return notice({
    organization: view.organizationName,
    eyebrow: view.interviewName,
    title: closedTitles[state],
    mark: "closed",
    body: reasons[state],
  })
}

/** A step came too early or too late; `token` leads back to what can be done now. */
export const refusedPage = (view: InterviewView, token: string): Document => {
  if (view.state === "expired" || view.state === "cancelled" || view.state === "withdrawn") {
    return closedPage(view, view.state)
  }
  const reasons: Record<Exclude<InterviewState, ClosedState>, readonly [string, string]> = {
    open: ["The interview is not started yet", "Your answers can be saved once you have pressed Start."],
    running: ["Your time is over", "What you just sent came too late. Everything that was saved before is submitted."],
    completed: [
      "Your answers are submitted already",
      "They can no longer be changed. What you just sent was not kept.",
    ],
  }
  const [title, text] = reasons[view.state]
  return notice({
    organization: view.organizationName,
    eyebrow: view.interviewName,
    title,
    mark: "closed",
    body: html`<p>${text} If you have a question, please ask your contact at <bdi>${view.organizationName}</bdi>.</p>
<p><a class="button secondary" href="/i/${token}">Go to your interview</a></p>`,
  })
}

/** Nothing stands behind the link. */
export const unknownLinkPage: Document = notice({
  organization: null,
  eyebrow: null,
  title: "This link does not work",
  mark: "closed",
  body: html`<p>Perhaps a part of it is missing. Please open it again from your invitation mail, or copy the whole link into the address bar.</p>
<p>If that does not help, please ask the company that invited you.</p>`,
})
