/** What a candidate reads in a notice, on the candidate's and on the public page. */
import { placeText } from "../../interview-sets/JobLocation.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { contactLink, written } from "../../platform/http/PageParts.ts"
import { daysText, shortDateText } from "../../texts/Formats.ts"
import { type Language, textsOf } from "../../texts/Texts.ts"
import type { NoticeContent, RatedRequirement } from "../NoticeContent.ts"
import type { PublicNotice } from "../Notices.ts"

export const noticeTexts = (language: Language): ReturnType<typeof textsOf<"ratingNotice">> =>
  textsOf(language, "ratingNotice")

/** "1 Dec 2026" of 2026-12-01. */
export const calendarDate = (language: Language, date: string): string =>
  shortDateText(language, new Date(`${date}T12:00:00Z`))

/** Characters of the version's hash that tell it apart. */
const hashShown = 12

/** "Version of 1 Dec 2026 (3f2a…)". `hash`: hexadecimal. */
export const versionText = (language: Language, made: Date, hash: string, zone: string): Html =>
  html`${noticeTexts(language).say("version", { date: shortDateText(language, made, zone) })} (<code>${hash.slice(0, hashShown)}</code>)`

const importanceNames = new Map([
  [244, "goodToHave"],
  [245, "important"],
  [272, "veryImportant"],
  [273, "mustHave"],
] as const)

const requirementLine = (language: Language, { importance, title }: RatedRequirement): Html => {
  const name = [...importanceNames].find(([id]) => id === importance)?.[1] ?? "goodToHave"
  return html`<li><bdi>${title}</bdi> <span class="quiet">(${noticeTexts(language).say(name)})</span></li>\n`
}

const softwareText = (language: Language, organization: Html, { evaluator }: PublicNotice["content"]): Html => {
  const { pieces, say } = noticeTexts(language)
  if (evaluator === null) return html`${pieces("other", { organization })}`
  const name = html`<bdi>${evaluator.evaluator}</bdi>`
  if (evaluator.model === null) return html`${pieces("keyword", { evaluator: name })}`
  const host = evaluator.host === null ? html`${say("ownHost")}` : html`<bdi>${evaluator.host}</bdi>`
  return html`${pieces("model", { evaluator: name, model: html`<bdi>${evaluator.model}</bdi>`, host })}`
}

const keptList = (language: Language, organization: Html, content: PublicNotice["content"]): Html => {
  const { pieces, say } = noticeTexts(language)
  const { answers, candidates, cvs, from, recordings } = content.kept
  const line = (name: string, days: number | null) =>
    html`<li>${name}: ${days === null ? pieces("noLimit", { organization }) : daysText(language, days)}</li>\n`
  return html`<ul>${line(say("keptCv"), cvs)}${content.is_cv_only === true ? null : line(say("keptAnswers"), answers)}${
    content.is_spoken === true ? line(say("keptRecordings"), recordings) : null
  }${line(say("keptAll"), candidates)}</ul>
${[answers, candidates, cvs].every((days) => days === null) ? null : html`<p>${say(from === "end" ? "fromEnd" : "fromDecision")}</p>`}`
}

/** `heading`: the level of the headings of parts. */
export const noticeBody = (
  language: Language,
  organizationName: string,
  content: NoticeContent | PublicNotice["content"],
  heading: 2 | 3 = 2,
): Html => {
  const { pieces, say } = noticeTexts(language)
  const organization = html`<bdi>${organizationName}</bdi>`
  const { alternative, contact, is_cv_only, is_spoken, place, posted_on, requirements = [], words } = content
  const title = (text: Html) => (heading === 2 ? html`<h2>${text}</h2>` : html`<h3>${text}</h3>`)
  return html`<p>${pieces("intro", { organization })}</p>
<p>${say("decides")}</p>
${place === null ? null : html`<p>${pieces("place", { place: html`<bdi>${placeText(place, language)}</bdi>` })}</p>`}
${words.trim() === "" ? null : html`${title(html`${pieces("words", { organization })}`)}${written(words)}`}
${
  requirements.length === 0
    ? null
    : html`${title(html`${say("rated")}`)}<p>${say("ratedText")}</p>
<ul>${requirements.map((one) => requirementLine(language, one))}</ul>`
}
${title(html`${say("software")}`)}<p>${softwareText(language, organization, content)}</p>
${title(html`${say("data")}`)}<ul>${is_cv_only === true ? null : html`<li>${say("answers")}</li>`}<li>${say("cv")}</li>${is_spoken === true ? html`<li>${say("recordings")}</li>` : null}</ul>
<p>${say("covered")}</p>
${title(html`${say("kept")}`)}${keptList(language, organization, content)}
${title(html`${say("instead")}`)}<p>${say("insteadText")}</p>
${alternative.trim() === "" ? null : written(alternative)}
<p>${pieces("contact", { contact: contactLink(contact) })}</p>
${posted_on === null ? null : html`<p class="quiet">${say("posted", { date: calendarDate(language, posted_on) })}</p>`}`
}
