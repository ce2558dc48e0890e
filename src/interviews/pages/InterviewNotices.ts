/** Pages of an interview that cannot be answered. */
import type { Document } from "../../platform/http/Document.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { textsOf } from "../../texts/Texts.ts"
import type { InterviewState, InterviewView } from "../InterviewView.ts"
import {
  answeredOf,
  answerHeading,
  contactText,
  offlineNotice,
  organizationName,
  pageFrame,
  savedAnswer,
  timeLimit,
} from "./InterviewComponents.ts"
import { instead, personReviewLink, personReviewNotice } from "./PersonReviewPage.ts"
import { resultLink } from "./ResultPage.ts"
import { selfIdentificationInvitation } from "./SelfIdentificationPage.ts"

interface Notice {
  readonly title: string
  readonly mark: "done" | "closed"
  readonly body: Html
}

const notice = (view: InterviewView, { body, mark, title }: Notice): Document => ({
  ...pageFrame(view),
  title: `${title} – ${view.organizationName}`,
  scripts: ["time.js", "interview.js"],
  main: html`<div class="notice">
<span class="sign ${mark}" aria-hidden="true"></span>
<p class="eyebrow" dir="auto">${view.interviewName}</p>
<h1>${title}</h1>
${body}
</div>`,
})

const noticeTexts = (view: InterviewView) => textsOf(view.spoken, "notice")

/** Filled by the script with unsent text. */
const unsent = (view: InterviewView, token: string): Html => {
  const { say } = textsOf(view.spoken, "device")
  return html`<section class="copy" aria-labelledby="unsent" data-forget="${view.submissionId}" data-attempt="${view.attempt}" data-state="/i/${token}/state" hidden>
<h2 id="unsent" class="section">${say("unsentTitle")}</h2>
<p class="note">${say("unsentText")}</p>
</section>`
}

/** `late`: an answer arrived after submission. */
export const completedPage = (view: InterviewView, token: string, late = false): Document => {
  const { pieces, say } = noticeTexts(view)
  const organization = organizationName(view)
  const reviewLink = personReviewLink(view, token)
  const isWhole = answeredOf(view) === view.questions.length
  const answered = { count: String(answeredOf(view)), total: String(view.questions.length) }
  return notice(view, {
    title: say("completed"),
    mark: "done",
    body: html`${late ? html`<p class="alert" role="alert"><strong>${say("lateTitle")}</strong> ${say("late")}</p>` : null}
<p>${
      view.candidateName === ""
        ? pieces("thanksWithoutName", { organization })
        : pieces("thanks", { name: html`<bdi>${view.candidateName}</bdi>`, organization })
    }${view.ranOut ? ` ${say("ranOut")}` : null}</p>
<dl class="facts">
  ${view.completedAt === null ? null : fact(say("submitted"), moment(view.completedAt, "short", view.spoken))}
  ${fact(say("answered"), isWhole ? html`${say("answeredOf", answered)}` : html`<span class="incomplete">${say("answeredOf", answered)}</span>`)}
  ${view.attempt === 1 ? null : fact(say("attempt"), html`${view.attempt}`)}
</dl>
${unsent(view, token)}
${view.improvableUntil === null ? null : improvement(view, view.improvableUntil, token)}
<h2>${say("nextTitle")}</h2>
<p>${instead(view) ?? pieces("next", { organization })} ${view.improvableUntil === null ? say("nothingToDo") : null}</p>
<p>${pieces("ask", { contact: contactText(view) })}</p>
${personReviewNotice(view)}
${resultLink(view, token)}
${reviewLink === null ? null : html`<p>${reviewLink}</p>`}
${selfIdentificationInvitation(view, token)}
<details class="copy"><summary>${say("read")}</summary>
<ol>
${view.questions.map(
  (question, index) => html`<li data-answer="${question.id}">${answerHeading(view, question, index + 1)}
${savedAnswer(view, question, token)}</li>`,
)}
</ol></details>
${offlineNotice(view, token)}`,
  })
}

const fact = (name: string, value: Html): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

const improvement = (view: InterviewView, at: Date, token: string): Html => {
  const { countedPieces, say } = noticeTexts(view)
  const time = timeLimit(view)
  const until = moment(at, "moment", view.spoken)
  return html`<h2>${say("improveTitle")}</h2>
<p>${countedPieces("improve", view.retakesLeft, { until })} ${say("improveCounts")} ${time === null ? say("improveUnlimited") : say("improveTimed", { time })}</p>
<form method="post" action="/i/${token}/reopen"><button class="secondary">${say("reopen")}</button></form>
<details><summary>${say("finalTitle")}</summary>
<form method="post" action="/i/${token}/final"><p>${say("finalText")}</p><button class="secondary">${say("final")}</button></form>
</details>`
}

export const timeOverPage = (view: InterviewView, token: string, late = false): Document => {
  const { pieces, say } = noticeTexts(view)
  return notice(view, {
    title: say("over"),
    mark: "done",
    body: html`${late ? html`<p class="alert" role="alert">${say("lateSoon")}</p>` : null}
<p data-wait="/i/${token}/state">${pieces("overText", { organization: organizationName(view) })}</p>
<p><a class="button secondary" href="/i/${token}${late ? "?late" : ""}">${say("show")}</a></p>
${unsent(view, token)}
${offlineNotice(view, token)}`,
  })
}

type ClosedState = Extract<InterviewState, "expired" | "cancelled" | "declined" | "withdrawn">

export const closedPage = (view: InterviewView, state: ClosedState, token: string): Document => {
  const { pieces, say } = noticeTexts(view)
  const [contact, organization] = [contactText(view), organizationName(view)]
  const text: Record<ClosedState, () => HtmlValue> = {
    expired: () => pieces("expiredText", { contact, until: moment(view.expiresAt, "moment", view.spoken) }),
    cancelled: () => pieces("cancelledText", { contact, organization }),
    declined: () => pieces("declinedText", { contact, organization }),
    withdrawn: () => pieces("withdrawnText", { contact }),
  }
  return notice(view, {
    title: say(state),
    mark: "closed",
    body: html`<p>${text[state]()}</p>
${unsent(view, token)}`,
  })
}

const refusals = {
  open: ["notStarted", "notStartedText"],
  running: ["running", "runningText"],
  time_over: ["over", "overLate"],
  completed: ["alreadySubmitted", "notKept"],
} as const satisfies Record<Exclude<InterviewState, ClosedState>, unknown>

const notKept = (view: InterviewView, sent: ReadonlyArray<string>): Html => {
  const { say } = textsOf(view.spoken, "device")
  return html`<section class="copy" aria-labelledby="not-kept">
<h2 id="not-kept" class="section">${say("unsentTitle")}</h2>
<p class="note">${say("unsentText")}</p>
${sent.map((text) => html`<div class="written" dir="auto">${text}</div>`)}
</section>`
}

export const refusedPage = (
  view: InterviewView,
  state: InterviewState,
  token: string,
  sent: ReadonlyArray<string> = [],
): Document => {
  if (state === "expired" || state === "cancelled" || state === "declined" || state === "withdrawn") {
    return closedPage(view, state, token)
  }
  const { pieces, say } = noticeTexts(view)
  const [title, text] = refusals[state === "completed" && view.ranOut ? "time_over" : state]
  return notice(view, {
    title: say(title),
    mark: "closed",
    body: html`<p>${say(text)} ${pieces("ask", { contact: contactText(view) })}</p>
<p><a class="button secondary" href="/i/${token}">${say("go")}</a></p>
${sent.length === 0 ? null : notKept(view, sent)}`,
  })
}

export const tooLargePage = (view: InterviewView, token: string): Document => {
  const { say } = noticeTexts(view)
  return notice(view, {
    title: say("tooLarge"),
    mark: "closed",
    body: html`<p>${say("tooLargeText")}</p>
<p><a class="button secondary" href="/i/${token}">${say("go")}</a></p>`,
  })
}
