/** The candidate's page with the notices about the rating by software. */
import type { CandidateNotice } from "../../notices/NoticeRepository.ts"
import { noticeBody, noticeTexts, versionText } from "../../notices/pages/NoticeText.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { shortDateText } from "../../texts/Formats.ts"
import type { InterviewView } from "../InterviewView.ts"
import { offlineNotice, organizationName, pageFrame, pageTexts } from "./InterviewComponents.ts"
import { instead, personReviewLink } from "./PersonReviewPage.ts"

export const candidateNoticeHref = (token: string): string => `/i/${token}/notice`

/** On the page before the start. Null: there is no notice. */
export const noticeInvitation = (view: InterviewView, token: string): Html | null => {
  if (!view.hasNotice) return null
  const { pieces, say } = noticeTexts(view.spoken)
  // no software rates the interview any more
  if (instead(view) !== null) return html`<p><a href="${candidateNoticeHref(token)}">${say("title")}</a></p>`
  return html`<p>${pieces("invite", { organization: organizationName(view) })} <a href="${candidateNoticeHref(token)}">${say("link")}</a></p>`
}

const givenNotice = (view: InterviewView, given: CandidateNotice): Html => {
  const { say } = noticeTexts(view.spoken)
  const { content, content_hash, over_at, version_at } = given
  const waits = content.meanwhile === "wait" && over_at !== null
  return html`${noticeBody(view.spoken, view.organizationName, content)}
${waits ? html`<p>${say("until", { date: shortDateText(view.spoken, over_at, view.timeZone) })}</p>` : null}
<p class="quiet">${versionText(view.spoken, version_at, content_hash, view.timeZone)}</p>
`
}

export const candidateNoticePage = (
  view: InterviewView,
  token: string,
  given: ReadonlyArray<CandidateNotice>,
): Document => {
  const title = noticeTexts(view.spoken).say("title")
  const ask = personReviewLink(view, token)
  return {
    ...pageFrame(view),
    title: `${title} – ${view.organizationName}`,
    scripts: ["interview.js"],
    main: html`<div class="notice voluntary">
<p class="eyebrow" dir="auto">${view.interviewName}</p>
<h1>${title}</h1>
${given.map((one) => givenNotice(view, one))}
${ask === null ? null : html`<p>${ask}</p>`}
<p class="actions"><a class="button secondary" href="/i/${token}">${pageTexts(view).say("goBack")}</a></p>
</div>
${offlineNotice(view, token)}`,
  }
}
