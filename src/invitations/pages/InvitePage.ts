/** The form that invites candidates, and its results. */
import type { Duration } from "effect"
import type { Member } from "../../accounts/members/Member.ts"
import { livePreview } from "../../accounts/pages/LivePreview.ts"
import { cut, testModeHref } from "../../accounts/pages/WorkspacePage.ts"
import type { TrialPlaces } from "../../accounts/TrialPlaces.ts"
import type { OfferedLanguage } from "../../interview-sets/InterviewSetRepository.ts"
import type { SetRecord } from "../../interview-sets/InterviewSets.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { nothingToAsk, setHref, submissionsHref, unreadLanguages } from "../../interview-sets/pages/SetLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  choice,
  choiceGroup,
  compactField,
  compactSelect,
  describedBy,
  errorSummary,
  errorText,
  type FieldErrors,
  hasErrors,
  type Notice,
  optional,
} from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { numberText } from "../../texts/Formats.ts"
import { durationText } from "../../values/DurationText.ts"
import type { InviteDraft, Origin } from "../InviteDraft.ts"
import type { InviteOutcome } from "../InviteForms.ts"
import type { InviteResult } from "../InviteResult.ts"
import type { MessageTemplate } from "../MessageTemplate.ts"
import { insertButtons, statusClass, statusText } from "./InvitationLabels.ts"
import { templatesHref } from "./MessageTemplatePage.ts"

export const inviteHref = (set: string): string => `${setHref(set)}/invite`

/** The form, filled with the candidate of the submission. */
export const inviteAgainHref = (set: string, submission: string): string => `${inviteHref(set)}?again=${submission}`

export const draftHref = (set: string, draft: string, step: "edit" | "columns" | "check" | "email" | "send"): string =>
  `${inviteHref(set)}/${draft}/${step}`

export interface InviteForm {
  /** The stored draft that the form shows, if any. */
  readonly base: string
  readonly draft: InviteDraft
  readonly template: string
  readonly errors: FieldErrors
  readonly languages: ReadonlyArray<OfferedLanguage>
  readonly jobPosts: ReadonlyArray<readonly [id: string, title: string]>
  readonly templates: ReadonlyArray<MessageTemplate>
  readonly maxCandidates: number
  /** How long candidates can start. */
  readonly expires: Duration.Duration
  readonly notice?: Notice | undefined
}

const exampleLines = "ada@example.com, Ada Lovelace\ngrace@example.com, Grace Hopper"

const exampleFile = `data:text/csv;charset=utf-8,${encodeURIComponent(`email,name,cv_link\r\n${exampleLines.replaceAll(", ", ",").replaceAll("\n", ",\r\n")},\r\n`)}`

const fileField = (errors: FieldErrors, maxCandidates: number): Html =>
  html`<div class="control drop"><label>CSV file <span class="quiet">– choose it, or drop it here</span>
<input type="file" name="file" accept=".csv,.tsv,.tab,.txt,text/csv,text/tab-separated-values,text/plain"${describedBy("file", errors, "hint")}></label>
<span class="note" id="file-hint">Separated by commas, semicolons, tabs or vertical bars; at most ${numberText("en", maxCandidates)} candidates. The rows appear under Paste. <a href="${exampleFile}" download="candidates.csv">Example file</a></span>${errorText("file", errors)}</div>`

const ways = [
  ["rows", "Enter"],
  ["table", "Paste"],
  ["file", "CSV file"],
] as const

/** The way that has an error, else the one that has values. */
const openWay = ({ rows, table }: InviteDraft, errors: FieldErrors): (typeof ways)[number][0] => {
  const named = Object.keys(errors)
  if (named.includes("file")) return "file"
  if (named.includes("table")) return "table"
  if (named.some((name) => name.startsWith("c."))) return "rows"
  return table !== "" && rows.every(({ cv, email, name }) => `${name}${email}${cv}`.trim() === "") ? "table" : "rows"
}

/** Shows the fields of one way to enter candidates (invite.css); those of the others are sent, too. */
const wayChoice = (chosen: string): Html =>
  html`<div class="ways" role="radiogroup" aria-label="How to enter candidates">${ways.map(
    ([value, name]) =>
      html`<label><input type="radio" name="way" value="${value}"${value === chosen ? html` checked` : null}>${name}</label>\n`,
  )}</div>`

interface RowField {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly type?: "email" | "url"
}

const rowField = (errors: FieldErrors, row: number, { label, ...rest }: RowField): Html =>
  compactField({
    ...rest,
    label: html`<span class="head">${label}</span><span class="unseen"> of candidate ${row + 1}</span>`,
    errors,
  })

const templateField = (templates: ReadonlyArray<MessageTemplate>, chosen: string, action: string): Html =>
  templates.length === 0
    ? html`<p class="note">For a text that you use often: <a href="${templatesHref}">Manage templates</a></p>`
    : html`<div class="template-choice">${compactSelect({
        name: "template",
        label: "Template",
        value: chosen,
        errors: {},
        choices: [["", "Choose a template"], ...templates.map(({ id, name }) => [id, cut(name, 40)] as const)],
      })}
<button class="secondary" name="do" value="use" formaction="${action}#message-part" formnovalidate>Use</button>
<a href="${templatesHref}">Manage templates</a></div>`

export const invitePage = (
  member: Member,
  { set }: SetRecord,
  { base, draft, errors, expires, jobPosts, languages, maxCandidates, notice, template, templates }: InviteForm,
): Document => {
  const isRefused = hasErrors(errors)
  const action = inviteHref(set.id)
  const isCvSet = set.set_type === 2
  return recordPage(member, {
    title: `${isRefused ? "Not checked – " : ""}Invite candidates`,
    place: "Interview sets",
    back: { href: setHref(set.id), name: cut(set.title, 120) },
    ...(notice === undefined ? {} : { notice }),
    main: html`<header class="lead"><h1>Invite candidates</h1>
<p class="welcome">${
      isCvSet
        ? "Each candidate needs a link to a CV, which is evaluated. No emails are sent."
        : `Each candidate gets an email with a personal link and can start within ${durationText(expires)}. People already invited won't be emailed again.`
    } Nothing is sent until you have checked the list.</p></header>
${nothingToAsk(set)}
${unreadLanguages(set.cfg_lingual_ids, languages)}
${errorSummary(errors, "No candidates were invited.")}
<div class="${isCvSet ? "" : "with-live"}"><form method="post" action="${action}" id="invite-form" enctype="multipart/form-data" class="set-form invite-form" novalidate><input type="hidden" name="base" value="${base}">
<button class="unseen" name="do" value="check" tabindex="-1" aria-hidden="true">Check candidates</button>
<fieldset class="part"><legend><h2>Candidates</h2></legend>
${wayChoice(openWay(draft, errors))}
<div class="way-rows"><ol class="entries slim">${draft.rows.map(
      ({ cv, email, name }, row) =>
        html`<li class="entry thirds" id="c${row}">${rowField(errors, row, { name: `c.${row}.name`, label: "Name", value: name })}
${rowField(errors, row, { name: `c.${row}.email`, label: "Email address", value: email, type: "email" })}
${rowField(errors, row, { name: `c.${row}.cv`, label: "Link to the CV", value: cv, type: "url" })}</li>`,
    )}</ol>
<p><button class="secondary" name="do" value="add" formaction="${action}#c${draft.rows.length}" formnovalidate>Add a row</button></p></div>
<div class="way-table">${compactField({ name: "table", label: draft.file === "" ? "Table" : html`Table <span class="quiet">from <bdi>${cut(draft.file, 80)}</bdi></span>`, value: draft.table, errors, area: true, rows: 8, placeholder: exampleLines, hint: "Paste from a spreadsheet, with or without a row of column names; or enter one address per line." })}</div>
<div class="way-file">${fileField(errors, maxCandidates)}</div></fieldset>
<fieldset class="part" id="message-part"><legend><h2>The invitation</h2></legend>
${templateField(templates, template, action)}
${compactField({ name: "message", label: html`Personal message${optional}`, value: draft.message, errors, area: true, hint: "If you write one: at least 10 characters." })}
${insertButtons("message")}
<p class="template-actions"><button class="link" name="do" value="template" formnovalidate>Save as template</button></p>
${choiceGroup(
  "send",
  "Emails",
  errors,
  html`${choice({ name: "send", value: "mail", isChosen: draft.send }, "Email each candidate the link")}${choice({ name: "send", value: "links", isChosen: !draft.send }, "Send no emails; I share the links")}`,
)}
${jobPosts.length === 0 ? null : compactSelect({ name: "job_post", label: "Job post", value: draft.job_post, errors, choices: [["", "No job post"], ...jobPosts] })}</fieldset>
<p class="actions save-row"><button class="primary" name="do" value="check">Check candidates</button>
<a class="button secondary" href="${setHref(set.id)}">Cancel</a></p>
</form>
${isCvSet ? null : livePreview({ form: "invite-form", views: [{ name: "Preview email", href: `${action}/preview` }] })}</div>`,
  })
}

interface ResultLine {
  readonly result: InviteResult
  readonly origin: Origin | undefined
  /** Had an open invitation. */
  readonly isKnown: boolean
}

const maxResults = 100

export const originText = (from: Origin | undefined): string =>
  from === undefined ? "" : "row" in from ? `Row ${from.row + 1}` : `Line ${from.line}`

const hasFailed = ({ result }: ResultLine) => result.error_message !== undefined

/** Not emailed again. */
const wasInvitedBefore = ({ isKnown, result: { invitation } }: ResultLine) =>
  invitation !== null && (isKnown || invitation.status_text !== "pending")

const who = ({ result }: ResultLine): string => cut(result.email_address ?? result.cv_link ?? "No address", 100)

const resultRow = (line: ResultLine): Html => {
  const { invitation, submission, error_message } = line.result
  const tag = () => {
    if (invitation === null) {
      if (error_message !== undefined) return html`<span class="tag bad">Not invited</span>`
      return html`<span class="tag on">${submission?.interview_url == null ? "CV received" : "Link ready"}</span>`
    }
    const { status_text: status } = invitation
    if (status === "failed") return html`<span class="tag bad">Not sent</span>`
    const before = `Invited before: ${statusText(status, false).toLowerCase()}`
    return html`<span class="${statusClass(status)}">${wasInvitedBefore(line) ? before : "Invited"}</span>`
  }
  const href = submission === null ? null : `/submissions/${submission.id}`
  const address = who(line)
  const given = line.result.candidate?.name?.trim()
  const name = html`<bdi>${given === undefined || given === "" ? address : cut(given, 80)}</bdi>`
  return html`<tr><th scope="row">${href === null ? name : html`<a href="${href}">${name}</a>`} <span class="quiet">${given === undefined || given === "" ? null : html`<bdi>${address}</bdi> · `}${originText(line.origin)}</span></th>
<td>${tag()}${error_message === undefined ? null : html` ${cut(error_message, 300)}`}${invitation === null && submission?.interview_url != null ? html` <span class="beside-copy"><code id="link-${submission.id}">${submission.interview_url}</code> <button type="button" class="link" data-copy="link-${submission.id}" hidden>Copy<span class="unseen"> the link of ${address}</span></button></span>` : null}</td></tr>
`
}

const group = (title: string, all: ReadonlyArray<ResultLine>): Html | null =>
  all.length === 0
    ? null
    : html`<section><h2>${title}</h2><table class="chosen-table results"><thead><tr><th scope="col">Candidate</th><th scope="col">Result</th></tr></thead>
<tbody>${all.slice(0, maxResults).map(resultRow)}</tbody></table>${all.length > maxResults ? html`<p class="note">And ${all.length - maxResults} more.</p>` : null}</section>`

export const candidates = (count: number): string => (count === 1 ? "1 candidate" : `${count} candidates`)

const resultLines = ({ before, origins, results }: InviteOutcome): ReadonlyArray<ResultLine> => {
  const known = new Set(before)
  return results.map((result, i) => ({ result, origin: origins[i], isKnown: known.has(i) }))
}

const maxOrigins = 20

const originsText = (origins: ReadonlyArray<Origin>): string => {
  const named = origins.slice(0, maxOrigins).map((one) => originText(one).toLowerCase())
  return `${named.join(", ")}${origins.length > maxOrigins ? ` and ${origins.length - maxOrigins} more` : ""}`
}

const repeatedText = (repeated: NonNullable<InviteOutcome["repeated"]>): string => {
  const [named, more] = [repeated.slice(0, maxOrigins), repeated.length - maxOrigins]
  const texts = named.map(({ first, origin }) =>
    `${originText(origin)} is the same as ${originText(first)}`.toLowerCase(),
  )
  return `${texts.join(", ")}${more > 0 ? ` and ${more} more` : ""}`
}

export const inviteResultsPage = (
  member: Member,
  { set }: SetRecord,
  outcome: InviteOutcome,
  trial: TrialPlaces | undefined,
): Document => {
  const { leftOut, repeated = [] } = outcome
  const people = resultLines(outcome)
  const faulty = people.filter(hasFailed)
  const fine = people.filter((line) => !hasFailed(line))
  const before = fine.filter(wasInvitedBefore)
  const fresh = fine.filter((line) => !wasInvitedBefore(line))
  const mailbox = member.isTest === true ? testModeHref : trial?.mailbox
  const mailed = fresh.some(({ result }) => result.invitation !== null)
  const verb = mailed || fresh.length === 0 ? "invited" : "added"
  const title =
    fine.length === 0
      ? "No candidates were invited"
      : faulty.length > 0
        ? `${fresh.length} of ${candidates(people.length)} ${verb}`
        : fresh.length === 0
          ? "All candidates had been invited before"
          : `${candidates(fresh.length)} ${verb}`
  const text = [
    faulty.length > 0
      ? "Correct the errors below and invite these candidates again. The others won't be emailed again."
      : mailed
        ? fresh.length === 1
          ? "The email is being sent."
          : "The emails are being sent."
        : fresh.some(({ result }) => result.submission?.interview_url != null)
          ? "No emails are sent. Share the link with each candidate."
          : "",
    before.length > 0 ? `${candidates(before.length)} had been invited before and got no new email.` : "",
    leftOut.length > 0 ? `Left out, because of errors or unsubscribed addresses: ${originsText(leftOut)}.` : "",
    repeated.length > 0 ? `Listed twice: ${repeatedText(repeated)}.` : "",
  ]
  return recordPage(member, {
    title,
    place: "Interview sets",
    back: { href: setHref(set.id), name: cut(set.title, 60) },
    main: html`<div id="results" class="record"><header class="lead"><h1>${title}</h1>
<p class="welcome">${text.filter(Boolean).join(" ")}</p></header>
<div class="actions"><a class="button primary" href="${submissionsHref(set.id)}">Show submissions</a>
<a class="button secondary" href="${setHref(set.id)}/invite">Invite more</a>${mailed && mailbox !== undefined ? html` <a class="button secondary" href="${mailbox}">Open the mailbox</a>` : null}</div>
${group("Not invited", faulty)}
${group(verb === "invited" ? "Invited" : "Added", fresh)}
${group("Invited before", before)}</div>`,
  })
}

/** `isRunning` false: the process stopped. */
export const inviteRunningPage = (member: Member, { set }: SetRecord, isRunning: boolean): Document => {
  const title = isRunning ? "Inviting candidates…" : "The result of this invite is unknown"
  return recordPage(member, {
    title,
    place: "Interview sets",
    back: { href: setHref(set.id), name: cut(set.title, 60) },
    main: html`<div id="results"${isRunning ? html` data-refresh` : null}><div class="notice"><h1>${title}</h1>
<p>${
      isRunning
        ? html`This can take some seconds. <a href="">Reload</a>`
        : "The service stopped before the invite was finished. Send the form again: people already invited won't be emailed again."
    }</p>
<p class="actions"><a class="button secondary" href="${submissionsHref(set.id)}">Show submissions</a></p></div></div>`,
  })
}
