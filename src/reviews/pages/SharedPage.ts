/** The pages of a share link: who reads, the submission, and a closed link. They link to nothing else. */
import type { Document } from "../../platform/http/Document.ts"
import { errorSummary, type FieldErrors, field } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { brand, moment } from "../../platform/http/PageParts.ts"
import { nameOf } from "../../submissions/pages/SubmissionLabels.ts"
import { momentText } from "../../texts/Formats.ts"
import type { GuestIdentity } from "../GuestLink.ts"
import type { GuestLink } from "../GuestLinkRepository.ts"
import { answers, cv } from "./AnswerSections.ts"
import { narrative, scoreSection } from "./EvaluationSections.ts"
import { missingAnswers } from "./MissingAnswers.ts"
import { remarkSection } from "./RemarkSection.ts"
import { requirementMatrix } from "./RequirementMatrix.ts"
import { reviewSection } from "./ReviewSections.ts"
import { header, noticeBox } from "./SubmissionPage.ts"
import { isUnanswered, type SubmissionView } from "./SubmissionView.ts"

export const sharedHref = (token: string): string => `/shared/${token}`

interface SharedPage {
  readonly title: string
  readonly main: Html
}

const sharedPage = ({ organization_name, time_zone }: GuestLink, { main, title }: SharedPage): Document => ({
  title: `${title} – ${organization_name}`,
  masthead: brand(organization_name),
  zone: time_zone,
  isFramed: true,
  styles: ["icons.css", "workspace.css", "settings.css"],
  scripts: ["time.js", "settings.js", "player.js"],
  main,
})

/** Names neither the candidate nor the set: previews of links and programs that follow them see this page. */
export const openSharedPage = (
  link: GuestLink,
  token: string,
  typed: GuestIdentity & { readonly errors: FieldErrors },
): Document =>
  sharedPage(link, {
    title: "A candidate was shared with you",
    main: html`<header class="lead"><h1>A candidate was shared with you</h1>
<p class="welcome">${link.organization_name} asks for your view of a candidate. Say who you are to open the answers and the CV.</p></header>
${errorSummary(typed.errors, "The page was not opened.")}
<form method="post" action="${sharedHref(token)}" class="fields" novalidate>
${field({ name: "name", label: "Your name", errors: typed.errors, value: typed.name, isRequired: true, autocomplete: "name" })}
${field({ name: "email", label: "Your email address", errors: typed.errors, value: typed.email, type: "email", isRequired: true, autocomplete: "email" })}
<p class="note">${link.organization_name} sees your name, your address and when you open the page, and keeps them with the candidate. You get no emails. The link works until ${moment(link.expires_at, "short")}.</p>
<p class="actions"><button class="primary">Open</button></p></form>`,
  })

const closedNotice = (title: string, text: Html): Html =>
  html`<div class="notice"><span class="sign closed" aria-hidden="true"></span>
<h1>${title}</h1>
<p>${text}</p></div>`

/** Without the name of an organization, which the token does not lead to. */
export const unknownSharedPage: Document = {
  title: "This link does not work",
  masthead: null,
  scripts: [],
  main: closedNotice(
    "This link does not work",
    html`Part of it seems to be missing. Copy the whole link from the message in which you got it, or ask the person who sent it for a new one.`,
  ),
}

/** Says nothing about the candidate. */
export const closedSharedPage = (link: GuestLink): Document =>
  sharedPage(link, {
    title: "This link no longer works",
    main: closedNotice(
      "This link no longer works",
      html`It has expired, or <bdi>${link.organization_name}</bdi> has revoked it. Ask the person who sent it for a new one.`,
    ),
  })

export const crowdedSharedPage = (link: GuestLink): Document =>
  sharedPage(link, {
    title: "This link was opened too often",
    main: closedNotice(
      "This link was opened too often",
      html`Too many browsers of your network have opened it within an hour. Try again in an hour.`,
    ),
  })

/** Enough for the height of a phone and the width of a large screen. */
const marks = 24

/** Text of the style sheet: it is no content of the page, and cannot be selected. The page names the reader in words too. */
const watermark = ({ email, name }: GuestIdentity, link: GuestLink, now: Date): Html => {
  const text = `${name} · ${email} · ${momentText("en", now, link.time_zone)}`
  return html`<div class="watermark" aria-hidden="true">${Array.from({ length: marks }, () => html`<span data-text="${text}"></span>\n`)}</div>`
}

export const sharedSubmissionPage = (link: GuestLink, guest: GuestIdentity, view: SubmissionView): Document => {
  const texts = [answers(view), cv(view)].filter((one) => one !== null)
  const isEmpty = isUnanswered(view)
  const document = sharedPage(link, {
    title: nameOf(view.detail.candidate),
    main: html`${watermark(guest, link, view.now)}<div class="dossier">
<div class="top">
${header(view)}
<p class="note shared-with">Shared with <bdi>${guest.name}</bdi> (<bdi>${guest.email}</bdi>), shown ${moment(view.now, "short")}. The link works until ${moment(link.expires_at, "short")}. Do not pass the candidate's data on.</p>
${noticeBox(view)}
</div>
<div class="sources">
${isEmpty ? missingAnswers(view) : null}
${texts}
${remarkSection(view)}
</div>
${link.may_review && !isEmpty ? html`<a class="jump" href="#panel">Go to your review</a>\n` : null}<div class="review-panel" id="panel" role="region" aria-label="${link.may_review ? "Review" : "Requirements of the role"}" tabindex="-1">
${link.may_review ? reviewSection(view, { end: null, isFolded: isEmpty }) : requirementMatrix(view, undefined)}
</div>
<div class="background">
${link.shows_scores ? html`${scoreSection(view)}\n${narrative(view)}` : null}
</div>
</div>`,
  })
  return { ...document, width: "full" }
}
