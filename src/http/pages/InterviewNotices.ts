/** What a candidate sees when there is nothing to answer: after the end, or because the interview is closed. */
import { type Html, html } from "../../service/Html.ts"
import type { InterviewState, InterviewView } from "../../service/interviews/View.ts"
import type { Document } from "./Document.ts"
import { answerHeading, savedAnswer, whomToAsk } from "./InterviewParts.ts"
import { answeredOf } from "./InterviewProgress.ts"
import { brand, counted, moment } from "./Parts.ts"

const notice = (options: {
  readonly organization: string | null
  readonly eyebrow: string | null
  readonly title: string
  readonly mark: "done" | "closed"
  readonly body: Html
}): Document => ({
  title: options.organization === null ? options.title : `${options.title} – ${options.organization}`,
  masthead: options.organization === null ? null : brand(options.organization),
  scripts: ["time.js", "interview.js"],
  main: html`<div class="notice">
<span class="sign ${options.mark}" aria-hidden="true"></span>
${options.eyebrow === null ? null : html`<p class="eyebrow" dir="auto">${options.eyebrow}</p>`}
<h1>${options.title}</h1>
${options.body}
</div>`,
})

const organizationOf = (view: InterviewView): Html => html`<bdi>${view.organizationName}</bdi>`

const texts = {
  lateTitle: "Not everything arrived in time",
  late: "What you sent last came after the interview had ended and is not part of it. What counts is what you find below.",
  lateSoon: "What you sent last came after the end of your time. Everything that you had saved before counts.",
  completed: "Your answers are submitted",
  thanks: (view: InterviewView) =>
    html`Thank you, <bdi>${view.candidateName}</bdi>. ${organizationOf(view)} has received your interview.`,
  submitted: "Submitted",
  answered: "Answered",
  attempt: "Attempt",
  nextTitle: "What happens next",
  next: (view: InterviewView) =>
    html`Your answers are evaluated, and people at ${organizationOf(view)} read them and decide. They will write to you.`,
  nothingToDo: "There is nothing more to do; you can close this page.",
  questions: (view: InterviewView) => html`If you have a question, please ask ${whomToAsk(view)}.`,
  read: "Read what you submitted",
  improveTitle: "Would you like to improve your answers?",
  improve: (view: InterviewView, until: Date) =>
    html`Until ${moment(until)} you can open your answers again and submit them
${view.retakesLeft === 1 ? "once more" : `again, up to ${view.retakesLeft} times`}. Opening them counts, whether you change something or not. Your last submission counts; ${
      view.minutes === null
        ? html`what you have saved at the end of that time is submitted.`
        : html`you have ${counted(view.minutes, "minute")} again, and at the end what you have saved is submitted.`
    }`,
  reopen: "Open my answers again",
  finalTitle: "I do not want to change anything more",
  finalText: "Then your answers go on at once. You can not open them again.",
  final: "My answers are final",
  over: "Your time is over",
  overText: (view: InterviewView) =>
    html`Everything that you saved is being submitted to ${organizationOf(view)}. In a moment you find the receipt here.`,
  show: "Show the receipt",
  go: "Go to your interview",
  unknown: "This link does not work",
  unknownText:
    "Perhaps a part of it is missing. Please open it again from your invitation mail, or copy the whole link into the address bar.",
  unknownAsk: "If that does not help, please ask the company that invited you.",
  tooLarge: "This is too much for one request",
  tooLargeText:
    "What you sent is larger than this service takes, so nothing of it was saved. Please shorten it, or choose a smaller file.",
  back: "Go back to your interview",
}

/** The receipt: what was submitted, when, and what comes next. `late`: something that was sent after it was not kept. */
export const completedPage = (view: InterviewView, token: string, late = false): Document =>
  notice({
    organization: view.organizationName,
    eyebrow: view.interviewName,
    title: texts.completed,
    mark: "done",
    body: html`${late ? html`<p class="alert" role="alert"><strong>${texts.lateTitle}.</strong> ${texts.late}</p>` : null}
<p>${texts.thanks(view)}</p>
<dl class="facts">
  ${view.completedAt === null ? null : fact(texts.submitted, moment(view.completedAt, "short"))}
  ${fact(texts.answered, html`${answeredOf(view)} of ${view.questions.length}`)}
  ${view.attempt === 1 ? null : fact(texts.attempt, html`${view.attempt}`)}
</dl>
${view.improvableUntil === null ? null : improvement(view, view.improvableUntil, token)}
<h2>${texts.nextTitle}</h2>
<p>${texts.next(view)} ${view.improvableUntil === null ? texts.nothingToDo : null}</p>
<p>${texts.questions(view)}</p>
<details class="copy" data-forget="${view.submissionId}"><summary>${texts.read}</summary>
<ol>
${view.questions.map(
  (question, index) => html`<li>${answerHeading(question, index + 1, view.language)}
${savedAnswer(question, view.answers.get(question.id), token)}</li>`,
)}
</ol></details>`,
  })

const fact = (name: string, value: Html): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

const improvement = (view: InterviewView, until: Date, token: string): Html => html`<h2>${texts.improveTitle}</h2>
<p>${texts.improve(view, until)}</p>
<form method="post" action="/i/${token}/reopen"><button class="secondary">${texts.reopen}</button></form>
<details><summary>${texts.finalTitle}</summary>
<form method="post" action="/i/${token}/final"><p>${texts.finalText}</p><button class="secondary">${texts.final}</button></form>
</details>`

/** The time is over, and the service is about to submit what is saved. `late`: something came after that. */
export const timeOverPage = (view: InterviewView, token: string, late = false): Document =>
  notice({
    organization: view.organizationName,
    eyebrow: view.interviewName,
    title: texts.over,
    mark: "done",
    body: html`${late ? html`<p class="alert" role="alert">${texts.lateSoon}</p>` : null}
<p data-forget="${view.submissionId}" data-wait="/i/${token}/state">${texts.overText(view)}</p>
<p><a class="button secondary" href="/i/${token}${late ? "?late" : ""}">${texts.show}</a></p>`,
  })

type ClosedState = Extract<InterviewState, "expired" | "cancelled" | "declined" | "withdrawn">

const closedTexts: Record<ClosedState, { readonly title: string; readonly text: (view: InterviewView) => Html }> = {
  expired: {
    title: "This interview is closed",
    text: (view) =>
      html`<p>It could be started until ${moment(view.expiresAt)}. If you still want to take part, please ask
${whomToAsk(view)} to invite you again.</p>`,
  },
  cancelled: {
    title: "This invitation was cancelled",
    text: (view) =>
      html`<p>${organizationOf(view)} has taken the invitation back, so there is nothing to answer here. If this
surprises you, please ask ${whomToAsk(view)}.</p>`,
  },
  declined: {
    title: "You have declined this interview",
    text: (view) =>
      html`<p>${organizationOf(view)} sees that you do not take part. Nothing that you may have answered is passed on or
evaluated. If you have changed your mind, please ask ${whomToAsk(view)} to invite you again.</p>`,
  },
  withdrawn: {
    title: "This application was withdrawn",
    text: (view) =>
      html`<p>The interview can no longer be answered, because your application is withdrawn. If this is not
what you wanted, please ask ${whomToAsk(view)}.</p>`,
  },
}

/** The page of an interview that can no longer be answered. */
export const closedPage = (view: InterviewView, state: ClosedState): Document =>
  notice({
    organization: view.organizationName,
    eyebrow: view.interviewName,
    title: closedTexts[state].title,
    mark: "closed",
    body: html`${closedTexts[state].text(view)}<p data-forget="${view.submissionId}"></p>`,
  })

const refusedTexts: Record<Exclude<InterviewState, ClosedState>, { readonly title: string; readonly text: string }> = {
  open: {
    title: "The interview is not started yet",
    text: "Your answers can be saved once you have pressed Start.",
  },
  running: { title: "The interview is running", text: "This can not be done while it does." },
  time_over: {
    title: "Your time is over",
    text: "What you just sent came too late. Everything that was saved before is submitted.",
  },
  completed: {
    title: "Your answers are submitted already",
    text: "What you just sent was not kept.",
  },
}

/** A step came too early or too late; `token` leads back to what can be done now. */
export const refusedPage = (view: InterviewView, state: InterviewState, token: string): Document => {
  if (state === "expired" || state === "cancelled" || state === "declined" || state === "withdrawn") {
    return closedPage(view, state)
  }
  const { text, title } = refusedTexts[state]
  return notice({
    organization: view.organizationName,
    eyebrow: view.interviewName,
    title,
    mark: "closed",
    body: html`<p>${text} ${texts.questions(view)}</p>
<p><a class="button secondary" href="/i/${token}">${texts.go}</a></p>`,
  })
}

/** More was sent than is read. */
export const tooLargePage = (token: string): Document =>
  notice({
    organization: null,
    eyebrow: null,
    title: texts.tooLarge,
    mark: "closed",
    body: html`<p>${texts.tooLargeText}</p>
<p><a class="button secondary" href="/i/${token}">${texts.back}</a></p>`,
  })

/** Nothing stands behind the link. */
export const unknownLinkPage: Document = notice({
  organization: null,
  eyebrow: null,
  title: texts.unknown,
  mark: "closed",
  body: html`<p>${texts.unknownText}</p>
<p>${texts.unknownAsk}</p>`,
})
