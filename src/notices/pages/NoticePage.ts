/** Settings → Organization → Candidates' notices. */
import type { Member } from "../../accounts/members/Member.ts"
import { type Difference, type Outdated, outdatedBox, saveButton } from "../../accounts/pages/OutdatedForm.ts"
import { cut, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { SetChoice } from "../../interview-sets/InterviewSetRepository.ts"
import { countryCodes, countryName, placeText } from "../../interview-sets/JobLocation.ts"
import { setHref } from "../../interview-sets/pages/SetLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  choice,
  choiceGroup,
  confirmForm,
  copyField,
  errorSummary,
  type FieldErrors,
  field,
  hasErrors,
  type Notice as PageNotice,
  selectField,
  textarea,
} from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { newYorkDays, noticeLimits, type TypedNotice } from "../Notice.ts"
import type { Notice } from "../NoticeRepository.ts"
import { calendarDate } from "./NoticeText.ts"

export const noticesHref = "/settings/notices"

export const noticeHref = (id: string): string => `${noticesHref}/${id}`

const section = "Candidates' notices"

const back = { href: noticesHref, name: section }

export const noticeErrorLabels = {
  set: "The interview set",
  country: "The country",
  region: "The region",
  city: "The city",
  words: "The text",
  contact: "The contact",
  alternative: "The other way",
  days: "The number of days",
  posted_on: "The date",
}

const maxTitle = 80

export const noticeName = ({ place, set_title }: Pick<Notice, "place" | "set_title">): string =>
  `${place === null ? "Everywhere" : placeText(place)}, ${set_title === null ? "all interview sets" : cut(set_title, maxTitle)}`

const daysOf = ({ days, meanwhile }: Notice): string => {
  if (days === 0) return "No days of notice"
  return `${days} business ${days === 1 ? "day" : "days"}; until then, ${meanwhile === "wait" ? "evaluations wait" : "a warning before invites"}`
}

const noticeRow = (notice: Notice): Html =>
  html`<li><a href="${noticeHref(notice.id)}"><bdi>${noticeName(notice)}</bdi></a>
<span class="quiet">${daysOf(notice)} · ${notice.posted_on === null ? "counted from the invitation" : `published on ${calendarDate("en", notice.posted_on)}`}</span></li>\n`

/** Of the guide, and of the rule that the pages repeat. */
const legalNote = html`The service gives the means; which laws want a notice, and what it must say, is for your counsel to judge. <a href="/docs/candidate-notices">Guide</a>`

export const noticeListPage = (
  member: Member,
  notices: ReadonlyArray<Notice>,
  notice: PageNotice | undefined,
): Document =>
  settingsPage(member, {
    title: section,
    section,
    notice,
    main: html`<header class="lead"><h1>${section}</h1>
<p class="welcome">What candidates read before software rates their interview or CV: your words, and facts that the service knows. Candidates of a set
get the notices whose place contains a location of the set's job. ${legalNote}</p></header>
${
  notices.length === 0
    ? html`<p class="empty">No notices. Candidates get none.</p>`
    : html`<ul class="impact-reports">${notices.map(noticeRow)}</ul>`
}
<p class="actions spaced"><a class="button primary" href="${noticesHref}/new">New notice</a></p>`,
  })

export interface NoticeForm {
  readonly typed: TypedNotice
  /** That the form was opened with; empty: a new notice. */
  readonly version: string
  readonly errors: FieldErrors
  readonly refusal?: string
  readonly notice?: PageNotice | undefined
  readonly outdated?: Outdated
}

const names: ReadonlyArray<readonly [string, (typed: TypedNotice) => string]> = [
  ["Interview set", ({ set }) => set],
  ["Place", ({ city, country, region }) => [city, region, country].filter((part) => part !== "").join(", ")],
  ["Text", ({ words }) => words],
  ["Contact", ({ contact }) => contact],
  ["Another way", ({ alternative }) => alternative],
  ["Business days", ({ days }) => days],
  ["Until then", ({ meanwhile }) => meanwhile],
  ["Published on", ({ posted_on }) => posted_on],
]

export const noticeDifferences = (saved: TypedNotice, own: TypedNotice): ReadonlyArray<Difference> =>
  names
    .map(([name, textOf]) => ({ name, saved: textOf(saved), own: textOf(own) }))
    .filter((one) => one.saved !== one.own)

const formFields = ({ errors, typed }: NoticeForm, sets: ReadonlyArray<SetChoice>): Html => {
  const countries = countryCodes
    .map((code) => [code, countryName(code)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, "en"))
  const isListed = typed.set === "" || sets.some(({ id }) => id === typed.set)
  return html`<section class="made" aria-labelledby="for"><h2 id="for">For whom</h2>
${selectField({
  name: "set",
  label: "Interview set",
  value: typed.set,
  errors,
  isRequired: true,
  options: [
    ["", "All interview sets"],
    ...(isListed ? [] : [[typed.set, "The set that is chosen now"] as const]),
    ...sets.map(({ id, title }) => [id, title] as const),
  ],
})}
${selectField({ name: "country", label: "Country", value: typed.country, errors, isRequired: true, options: [["", "Everywhere"], ...countries], hint: "Compared with the job's locations in the interview set." })}
<div class="side-by-side">${field({ name: "region", label: "Region", value: typed.region, errors, isMono: true, hint: "The ISO 3166-2 code without the country, such as NY." })}
${field({ name: "city", label: "City", value: typed.city, errors, hint: "As in the set, such as New York." })}</div></section>
<section class="made" aria-labelledby="says"><h2 id="says">What it says</h2>
<p class="note">The service adds the facts: the requirements and their importance, the evaluator, which data is rated, what is covered before, how long data is kept,
and that a person decides. It says them in the candidate's language; your words stay as they are.</p>
${textarea({ name: "words", label: "Your words", value: typed.words, errors, hint: `At most ${noticeLimits.words} characters.` })}
${field({ name: "contact", label: "Whom to ask", value: typed.contact, errors, isRequired: true, hint: "An email or https address, or a name and a phone number." })}
${textarea({ name: "alternative", label: "Another way", value: typed.alternative, errors, hint: `The other process or the accommodation that candidates can ask for, and how; at most ${noticeLimits.alternative} characters.` })}</section>
<section class="made" aria-labelledby="period"><h2 id="period">Days of notice</h2>
<div class="side-by-side">${field({ name: "days", label: "Business days", value: typed.days, errors, hint: `Monday to Friday; public holidays count as business days. Blank: ${newYorkDays} for New York City, else 0. At most ${noticeLimits.days}.` })}
${field({ name: "posted_on", label: "Published on", type: "date", value: typed.posted_on, errors, hint: "When you published it, for example with the job. Blank: the days count from each candidate's invitation." })}</div>
${choiceGroup(
  "meanwhile",
  "Until the days are over",
  errors,
  html`${choice({ name: "meanwhile", value: "warn", isChosen: typed.meanwhile !== "wait" }, "A warning before candidates are invited; interviews are rated as usual")}
${choice({ name: "meanwhile", value: "wait", isChosen: typed.meanwhile === "wait" }, "Evaluations wait: candidates can answer, and nothing is rated")}`,
)}</section>`
}

const form = (
  member: Member,
  href: string,
  label: string,
  page: NoticeForm,
  sets: ReadonlyArray<SetChoice>,
): Html => html`${errorSummary(page.errors, "Nothing was saved.")}
${page.outdated === undefined ? null : outdatedBox(member, "notice", href, page.outdated)}
<form method="post" action="${href}" class="fields" novalidate>
${page.version === "" ? null : html`<input type="hidden" name="version" value="${page.version}">`}
${formFields(page, sets)}
<p class="actions save-row">${saveButton(page.outdated, label)}</p></form>`

const isRefused = ({ errors, outdated, refusal }: NoticeForm): boolean =>
  hasErrors(errors) || outdated !== undefined || refusal !== undefined

const boxOf = ({ notice, refusal }: NoticeForm): PageNotice | undefined =>
  refusal === undefined ? notice : { text: `Not saved: ${refusal}.`, isError: true }

export const newNoticePage = (member: Member, page: NoticeForm, sets: ReadonlyArray<SetChoice>): Document =>
  settingsPage(member, {
    title: `${isRefused(page) ? "Not saved – " : ""}New notice`,
    section,
    back,
    notice: boxOf(page),
    main: html`<header class="lead"><h1>New notice</h1>
<p class="welcome">Candidates who are invited from now on get it. ${legalNote}</p></header>
${form(member, `${noticesHref}/new`, "Publish", page, sets)}`,
  })

/** `address`: of the public page. */
export const noticePage = (
  member: Member,
  saved: Notice & { readonly missesSet: boolean },
  address: string,
  page: NoticeForm,
  sets: ReadonlyArray<SetChoice>,
): Document =>
  settingsPage(member, {
    title: `${isRefused(page) ? "Not saved – " : ""}Notice`,
    section,
    back,
    notice: boxOf(page),
    main: html`<header class="lead"><h1><bdi>${noticeName(saved)}</bdi></h1>
<p class="welcome">Candidates who got it keep the version that they got. Those who are invited from now on get the changed one.</p></header>
${
  saved.missesSet && saved.interview_set_id !== null
    ? html`<p class="alert warm">Candidates of the interview set do not get it: the set has no job location in this place. <a href="${setHref(saved.interview_set_id)}/edit">Edit the set</a></p>`
    : null
}
${copyField("address", "Public page, for the job post", address)}
<p class="note follows"><a href="${address}">Open the page</a>. ${saved.interview_set_id === null ? html`Append <code>?set=</code> and the id of a set, and the page lists what is rated.` : null}</p>
${form(member, noticeHref(saved.id), "Save", page, sets)}
<section class="apart" aria-labelledby="withdraw"><h2 id="withdraw">Withdraw the notice</h2>
<p>Its public page closes, and later candidates do not get it. Candidates who got it can still read it, and evaluations that wait keep waiting.</p>
<p class="actions"><a class="button secondary" href="${noticeHref(saved.id)}/withdraw">Withdraw</a></p></section>`,
  })

export const withdrawNoticePage = (member: Member, saved: Notice): Document =>
  settingsPage(member, {
    title: "Withdraw a notice",
    section,
    back: { href: noticeHref(saved.id), name: cut(noticeName(saved), maxTitle) },
    main: html`<header class="lead"><h1>Withdraw the notice?</h1></header>
<p><bdi>${noticeName(saved)}</bdi></p>
<p class="note">Later candidates do not get it. This cannot be undone; a new notice can have the same words.</p>
${confirmForm({ action: `${noticeHref(saved.id)}/withdraw`, label: "Withdraw the notice", cancelHref: noticeHref(saved.id) })}`,
  })
