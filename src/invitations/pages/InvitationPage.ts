/** The page of an invitation. */

import type { Member } from "../../accounts/Member.ts"
import { cut, facts } from "../../accounts/pages/WorkspacePage.ts"
import { hiringSystemFields } from "../../candidates/Candidate.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { setHref } from "../../interview-sets/pages/SetLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  compactSelect,
  copyField,
  errorSummary,
  type FieldErrors,
  type Notice,
} from "../../platform/http/FormControls.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { moment, withMoments, written } from "../../platform/http/PageParts.ts"
import { failureText, statusName } from "../../submissions/pages/SubmissionLabels.ts"
import type { FormId } from "../../values/Ids.ts"
import type { InvitationRecord } from "../Invitations.ts"
import { invitationHref, invitationsHref, mailName, statusClass, statusText } from "./InvitationLabels.ts"

export interface ExtensionForm {
  /** UTC, as in a datetime-local input. */
  readonly until: string
  readonly factor: string
  readonly errors: FieldErrors
}

const timeline = ({ detail, facts }: InvitationRecord): Html => {
  const all: ReadonlyArray<readonly [string | null, HtmlValue]> = [
    [detail.created_at, html`Invited as <bdi>${detail.email}</bdi>`],
    [detail.sent_at, "Email sent"],
    [detail.delivered_at, "Email delivered"],
    [detail.opened_at, "Email opened"],
    [detail.clicked_at, "Link followed"],
    [detail.failed_at, `Email failed: ${failureText(detail.failure_reason)}`],
    [facts.initiated_at, "Interview opened"],
    [facts.started_at, "Started to answer"],
    [facts.completed_at, "Submitted"],
    [detail.declined_at, "Candidate declined"],
    [detail.declined_at === null ? detail.cancelled_at : null, "Cancelled"],
  ]
  const done = all
    .flatMap(([at, text]) => (at === null ? [] : [{ at, text }]))
    .toSorted((a, b) => a.at.localeCompare(b.at))
  const canStart = ["need_interview", "initiated"].includes(detail.submission.status_text)
  return html`<section class="card"><h2>Timeline</h2><ol class="timeline">${done.map(({ at, text }) => html`<li>${text}${moment(new Date(at), "short")}</li>`)}${
    canStart && detail.status_text !== "cancelled"
      ? html`<li class="ahead">Last day to start${moment(new Date(detail.expires_at), "short")}</li>`
      : null
  }</ol></section>`
}

const mails = ({ facts }: InvitationRecord): Html =>
  html`<section class="card"><h2>Emails</h2>${
    facts.mails.length === 0
      ? html`<p class="quiet">None.</p>`
      : html`<ul class="plain-list">${facts.mails.map(
          (mail) =>
            html`<li>${mailName(mail.kind)}, ${mail.state === "sent" ? "sent" : mail.state === "queued" ? "waiting to be sent" : mail.state === "failed" ? "not sent" : "cancelled"} ${moment(new Date(mail.sent_at ?? mail.created_at), "short")}${
              mail.error === null ? null : html` <span class="quiet">${cut(mail.error, 200)}</span>`
            }</li>`,
        )}</ul>`
  }</section>`

const factors: ReadonlyArray<readonly [string, string]> = [
  ["1.25", "1.25× time"],
  ["1.5", "1.5× time"],
  ["2", "2× time"],
  ["3", "3× time"],
]

const extension = ({ detail, facts }: InvitationRecord, form: ExtensionForm): Html => {
  const now = detail.time_factor
  const known = [
    ["1", now === 1 ? "No extra time" : "No extra time, without an email"] as const,
    ...(now === 1 ? [] : [[String(now), `As now: ${now}× time`] as const]),
    ...factors.filter(([one]) => Number(one) > now),
  ]
  return html`<section class="card" id="extend"><h2>Give more time</h2>
<form method="post" action="${invitationHref(detail.id)}/extend" class="filter stacked" novalidate>
${errorSummary(form.errors, "Nothing was saved.")}
<p class="control"><label for="until">Can be started until <span class="quiet" data-zone>UTC</span></label>
<input type="datetime-local" id="until" name="until" value="${form.until}" data-utc${form.errors["until"] === undefined ? null : html` aria-invalid="true" aria-describedby="until-error"`}>${form.errors["until"] === undefined ? null : html`<span class="error" id="until-error">${withMoments(form.errors["until"])}</span>`}</p>
${facts.minutes === null ? null : html`<input type="hidden" name="shown_factor" value="${now}">${compactSelect({ name: "factor", label: `Time to answer (${facts.minutes} minutes by default)`, value: form.factor, errors: form.errors, choices: known })}`}
<p><button class="secondary">Save and tell the candidate</button></p></form></section>`
}

const isOpen = ({ detail }: InvitationRecord): boolean =>
  !["cancelled", "expired"].includes(detail.status_text) &&
  ["need_interview", "initiated", "started"].includes(detail.submission.status_text)

export const invitationPage = (
  member: Member,
  record: InvitationRecord,
  form: ExtensionForm,
  resend: FormId,
  notice: Notice | undefined,
): Document => {
  const { detail } = record
  const href = invitationHref(detail.id)
  const name = detail.candidate.name ?? detail.email
  const isLive = isOpen(record)
  const isStarted = detail.submission.status_text === "started"
  return recordPage(member, {
    title: `${name} – Invitation`,
    place: "Invitations",
    back: { href: `${invitationsHref}?set=${detail.interview_set.id}`, name: "Invitations to this set" },
    notice,
    main: html`<header class="lead"><p class="eyebrow" dir="auto"><a href="${setHref(detail.interview_set.id)}">${cut(detail.interview_set.title, 200)}</a></p>
<h1 dir="auto">${cut(name, 200)}</h1>
<p class="about"><span class="${statusClass(detail.status_text)}">${statusText(detail.status_text, detail.declined_at !== null)}</span> <bdi class="quiet">${detail.email}</bdi>
<a href="/submissions/${detail.submission.id}">Submission: ${statusName(detail.submission.status_text, detail.declined_at, detail.status_text).toLowerCase()}</a></p></header>
${detail.mails_stopped ? html`<p class="info">This address has unsubscribed from your organization's emails: no emails are sent to it.</p>` : null}
<div class="dossier"><div class="findings">
${
  isLive
    ? html`<div class="actions">${detail.mails_stopped ? null : html`<form method="post" action="${href}/resend"><input type="hidden" name="id" value="${resend}"><button class="primary">Send the email again</button></form>`}
<a class="button secondary danger" href="${href}/cancel">Cancel invitation…</a></div>`
    : html`<p class="info">This invitation is closed. To invite this candidate again, <a href="${setHref(detail.interview_set.id)}/invite">send a new invitation</a>.</p>`
}
${isLive && detail.interview_url !== null ? html`<section class="card"><h2>The candidate's link</h2>${copyField("link", "Anyone with this link can answer as the candidate", detail.interview_url)}</section>` : null}
${isLive && !isStarted && detail.status_text !== "failed" ? extension(record, form) : null}
${record.facts.message?.trim() ? html`<section class="card"><h2>Personal message</h2>${written(cut(record.facts.message.trim(), 5000))}</section>` : null}
${facts([
  ["Extra time", detail.time_factor === 1 ? null : `${detail.time_factor}× time`],
  ...hiringSystemFields.map(({ label, of }) => {
    const value = of(detail.candidate)
    return [label, value === null ? null : html`<bdi>${value}</bdi>`] as const
  }),
  ["Id for the API", html`<code>${detail.id}</code>`],
])}
</div><div class="beside-findings">${timeline(record)}
${mails(record)}</div></div>`,
  })
}

export const cancelPage = (member: Member, { detail }: InvitationRecord): Document => {
  const name = detail.candidate.name ?? detail.email
  return recordPage(member, {
    title: "Cancel the invitation?",
    place: "Invitations",
    back: { href: invitationHref(detail.id), name: "The invitation" },
    main: html`<div class="notice"><h1>Cancel the invitation?</h1>
<p>The link of <bdi>${cut(name, 200)}</bdi> to “<bdi>${cut(detail.interview_set.title, 200)}</bdi>” will stop working, and unsubmitted answers are lost. The candidate gets no email. This cannot be undone, but you can invite the candidate again.</p>
<form method="post" action="${invitationHref(detail.id)}/cancel" class="actions"><button class="secondary danger">Cancel the invitation</button>
<a class="button secondary" href="${invitationHref(detail.id)}">Keep it</a></form></div>`,
  })
}
