/** The pages of Settings → Organization → Personal data. */
import type { Member } from "../../accounts/members/Member.ts"
import { countText, cut, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import { displayName } from "../../candidates/Candidate.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  describedBy,
  errorSummary,
  errorText,
  type FieldErrors,
  type Notice,
} from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { day, moment } from "../../platform/http/PageParts.ts"
import type { LegalHold } from "../LegalHoldRepository.ts"
import { heldName } from "../LegalHolds.ts"
import { maxFound, type Person } from "../People.ts"
import type { PersonEntry } from "../PersonRepository.ts"

const section = "Personal data"
export const peopleHref = "/settings/people"
const all = { href: peopleHref, name: "Personal data" }

export const personHref = (id: string): string => `${peopleHref}/${id}`

export const eraseWord = "erase"

const isErased = ({ email, erased_at, ...entry }: PersonEntry): boolean =>
  erased_at !== null && displayName({ ...entry, email }) === ""

const nameOf = (entry: PersonEntry): string =>
  isErased(entry) ? "Erased candidate" : displayName(entry) || "Candidate without a name"

const row = (entry: PersonEntry): Html => html`<li><a class="row" href="${personHref(entry.id)}">
<span class="row-head"><span class="row-name" dir="auto">${cut(nameOf(entry), 80)} ${isErased(entry) ? html`<span class="tag off">Erased</span>` : null}</span><span class="row-text small">added ${moment(entry.created_at, "day")}</span></span>
<span class="row-text small">${entry.email === null ? null : html`<bdi>${cut(entry.email, 100)}</bdi> · `}${countText(entry.submissions, "submission", "submissions")}</span></a></li>
`

export const peoplePage = (member: Member, query: string, found: ReadonlyArray<PersonEntry>): Document =>
  settingsPage(member, {
    title: "Personal data",
    section,
    main: html`<header class="lead"><h1>Personal data</h1>
<p class="welcome">Find a candidate to export or erase their data.</p></header>
<form method="get" action="${peopleHref}" class="fields" role="search">
<div><label for="q">Name or email</label>
<div class="in-line"><input type="text" id="q" name="q" value="${query}" autocomplete="off" aria-describedby="q-hint" dir="auto">
<button class="primary">Search</button></div>
<p class="note" id="q-hint">The beginnings of words are enough. The ID of a candidate works too.</p></div>
</form>
${
  query.trim() === ""
    ? null
    : found.length === 0
      ? html`<p class="empty" role="status">No candidate found. A candidate may have several addresses; try another one, or the name.</p>`
      : html`<ul class="rows">
${found.map(row)}</ul>
${found.length < maxFound ? null : html`<p class="note">Only the newest ${maxFound} are shown. Type more of the name, or the address.</p>`}`
}`,
  })

const orNone = (count: number, one: string, many: string): string =>
  count === 0 ? `no ${many}` : countText(count, one, many)

/** What is stored about the person, as a sentence. */
const storedText = ({ counts }: Person): string => {
  const counted = [
    orNone(counts.submissions, "submission", "submissions"),
    orNone(counts.invitations, "invitation", "invitations"),
    orNone(counts.mails, "email", "emails"),
    orNone(counts.answers, "answer", "answers"),
    orNone(counts.cvs, "CV", "CVs"),
    orNone(counts.files, "file", "files"),
    orNone(counts.evaluations, "evaluation", "evaluations"),
    orNone(counts.events, "webhook event", "webhook events"),
  ]
  return `Stored: ${counted.slice(0, -1).join(", ")} and ${counted.at(-1)}.`
}

const newestSubmissions = ({ counts }: Person): Html | null =>
  counts.newest.length === 0
    ? null
    : html`<section class="of-person" aria-labelledby="submissions"><h2 id="submissions">Submissions</h2>
<ul class="rows">${counts.newest.map(({ created_at, id, title }) => html`<li><a class="row" href="/submissions/${id}"><span class="row-head"><span class="row-name" dir="auto">${cut(title, 100)}</span><span class="row-text small">${day(created_at)}</span></span></a></li>\n`)}</ul>
${counts.submissions > counts.newest.length ? html`<p class="note">The newest ${counts.newest.length} of ${counts.submissions} are shown.</p>` : null}</section>`

/** With the legal holds in force of the candidate and of the candidate's interview sets. */
type HeldPerson = Person & { readonly holds: ReadonlyArray<LegalHold> }

const holdBox = ({ holds }: HeldPerson): Html | null =>
  holds.length === 0
    ? null
    : html`<div class="alert warm on-hold"><p><strong>On legal hold: the data cannot be erased.</strong></p>
${holds.map((hold) => html`<p>${hold.title === null ? null : html`<bdi>${cut(heldName(hold), 80)}</bdi>: `}<bdi>${hold.reason}</bdi> <span class="quiet">since ${moment(hold.placed_at, "day")}</span></p>`)}
<p><a href="/settings/retention#holds">Legal holds</a></p></div>`

const noticeOf = ({ entry, holds }: HeldPerson, done: string | undefined): Notice | undefined => {
  if (done === "erased")
    return { text: "The personal data was erased. The remaining records do not identify the candidate." }
  if (done === "unchanged" && isErased(entry))
    return { text: "Nothing was removed: nothing was stored since the erasure, whose time stays." }
  return done === "held" && holds.length > 0 ? { text: `${cut(nameOf(entry), 80)} is on legal hold.` } : undefined
}

export const personPage = (member: Member, person: HeldPerson, done: string | undefined): Document => {
  const { entry } = person
  const href = personHref(entry.id)
  return settingsPage(member, {
    title: `${cut(nameOf(entry), 80)} – Personal data`,
    section,
    back: all,
    notice: noticeOf(person, done),
    main: html`<header class="lead"><h1 dir="auto">${nameOf(entry)}</h1>
<p class="about">${entry.email === null ? null : html`<bdi>${entry.email}</bdi> `}<span class="quiet">added ${moment(entry.created_at, "short")}</span>${entry.erased_at === null ? null : html` <span class="tag off">Erased ${moment(entry.erased_at, "short")}</span>`}</p>
<p class="note">${storedText(person)}</p></header>
${holdBox(person)}
${newestSubmissions(person)}
<div class="two-cards">
<section aria-labelledby="export"><h2 id="export">Export</h2>
<p class="note">One JSON file with the candidate's details, answers, CVs, emails, evaluations, events and uploaded files (base64). The
export is noted in the audit log.</p>
<form method="post" action="${href}/export"><button class="secondary">Download the data</button></form></section>
<section aria-labelledby="erase"><h2 id="erase">Erase</h2>
<p class="note">Removes all data that identifies the candidate. Scores, states and times stay. This cannot be undone.</p>
<p>${person.holds.length > 0 ? html`<span class="quiet">Not possible during a legal hold.</span>` : html`<a class="button danger" href="${href}/erase">Erase…</a>`}</p></section></div>
${person.holds.some((hold) => hold.candidate_id !== null) || isErased(entry) ? null : html`<p class="note of-person"><a href="${href}/hold">Place a legal hold…</a> keeps the data from being deleted or erased.</p>`}
<p class="note of-person">ID in the API <code id="person-id">${entry.id}</code> <button type="button" class="link" data-copy="person-id" hidden>Copy<span class="unseen"> the ID</span></button>${entry.ats_candidate_id === null ? null : html` · ID in the hiring system <code>${entry.ats_candidate_id}</code>`}</p>`,
  })
}

/** What an erasure removes, and the form that confirms it. */
const eraseForm = ({ counts, entry }: Person, errors: FieldErrors): Html => {
  const href = personHref(entry.id)
  const hint = `Type “${eraseWord}” to confirm.`
  return html`<p>These are removed at once and cannot be restored:</p>
<ul class="plain-list">
<li>name, addresses, telephone number, and the id in your hiring system</li>
<li>${orNone(counts.answers, "answer", "answers")}, ${orNone(counts.cvs, "CV", "CVs")} and ${orNone(counts.files, "file", "files")}</li>
<li>texts and recipients of ${countText(counts.mails, "email", "emails")}, and providers' reports on them</li>
<li>summaries, quotes and inputs of ${countText(counts.evaluations, "evaluation", "evaluations")}, and the reasons of overridden scores, also in the decision record</li>
<li>the address in ${countText(counts.events, "webhook event", "webhook events")}, and receivers' responses to them</li>
</ul>
<p>An open interview ends, and invitations are cancelled. Scores, states and times stay for your statistics, without identifying
data. An address that unsubscribed stays unsubscribed; only its hash is kept.</p>
<p class="note">Not erased: data in your hiring system, data in receivers of webhooks, and backups of the database.</p>
${errorSummary(errors, "Nothing was erased.")}
<form method="post" action="${href}/erase" class="fields" novalidate>
<p><label for="confirm">Are you sure?</label>
<span class="note" id="confirm-hint">${hint}</span>
<input type="text" id="confirm" name="confirm" autocomplete="off" autocapitalize="off" spellcheck="false" required${describedBy("confirm", errors, hint)}>${errorText("confirm", errors)}</p>
<p class="actions"><button class="danger">Erase the data</button> <a class="button secondary" href="${href}">Keep it</a></p></form>`
}

/** `typed`: the wrong word; undefined before the form is sent. */
export const erasePage = (member: Member, person: HeldPerson, typed: string | undefined): Document => {
  const { entry } = person
  const href = personHref(entry.id)
  const errors: FieldErrors = typed === undefined ? {} : { confirm: `Type the word “${eraseWord}” to confirm.` }
  return settingsPage(member, {
    title: `${typed === undefined ? "" : "Not erased – "}Erase ${cut(nameOf(entry), 80)}`,
    section,
    back: { href, name: cut(nameOf(entry), 80) },
    main: html`<header class="lead"><h1>${person.holds.length > 0 ? "On legal hold: " : "Erase "}<bdi>${nameOf(entry)}</bdi>${person.holds.length > 0 ? null : "?"}</h1>
<p class="about">${entry.email === null ? null : html`<bdi>${entry.email}</bdi>`}</p></header>
${
  person.holds.length > 0
    ? html`${holdBox(person)}<p class="actions"><a class="button secondary" href="${href}">Back to the candidate</a></p>`
    : eraseForm(person, errors)
}`,
  })
}
