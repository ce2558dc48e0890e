/** The newest invitation of a submission, and what a member can do with it. */
import type { Member } from "../../accounts/members/Member.ts"
import { cut, factList } from "../../accounts/pages/WorkspacePage.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { setHref } from "../../interview-sets/pages/SetLabels.ts"
import type { InvitationRecord } from "../../invitations/Invitations.ts"
import { invitationHref, mailName, statusClass, statusText } from "../../invitations/pages/InvitationLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import { compactSelect, copyField } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment, withMoments, written } from "../../platform/http/PageParts.ts"
import { failureText } from "../../submissions/pages/SubmissionLabels.ts"
import { isAnswerable, isSubmitted } from "../../submissions/Submission.ts"
import { actsBy, testActChoices } from "../../test-mode/TestActs.ts"
import { numberText } from "../../texts/Formats.ts"
import { wallTime } from "../../values/TimeZone.ts"
import { addressForm } from "./AddressForm.ts"
import { foldedPart } from "./FoldedPart.ts"
import { formHref, type SubmissionView, submissionHref } from "./SubmissionView.ts"

const factors = [1.25, 1.5, 2, 3]

const extension = (view: SubmissionView, { detail, facts }: InvitationRecord): Html => {
  const { extension: typed } = view
  const now = detail.time_factor
  const isStarted = detail.submission.status_text === "started"
  const form = typed ?? { until: wallTime(new Date(detail.expires_at), view.timeZone), factor: String(now), errors: {} }
  const { errors } = form
  const timed = (factor: number) =>
    `${factor}× time${facts.minutes === null ? "" : ` (${numberText("en", Math.round(facts.minutes * factor * 10) / 10)} minutes)`}`
  const known = [
    ...(isStarted && now !== 1
      ? []
      : [["1", now === 1 ? "No extra time" : "No extra time (no email is sent)"] as const]),
    ...(now === 1 ? [] : [[String(now), `Current: ${timed(now)}`] as const]),
    ...factors.flatMap((one) => (one > now ? [[String(one), timed(one)] as const] : [])),
  ]
  const until = html`<p class="control"><label for="until">Deadline to start <span class="quiet">${view.timeZone}</span></label>
<input type="datetime-local" id="until" name="until" value="${form.until}"${errors["until"] === undefined ? null : html` aria-invalid="true" aria-describedby="until-error"`}>${errors["until"] === undefined ? null : html`<span class="error" id="until-error">${withMoments(errors["until"])}</span>`}</p>`
  return html`<details class="extend" id="extend"${typed === undefined ? null : html` open`}><summary>Give more time</summary>
<form method="post" action="${formHref(view, "extend", invitationHref(detail.id))}" class="filter stacked" novalidate>
${isStarted ? null : until}
${facts.minutes === null ? null : html`<input type="hidden" name="shown_factor" value="${now}">${compactSelect({ name: "factor", label: `Time to answer (${facts.minutes} minutes by default)`, value: form.factor, errors, choices: known })}`}
${isStarted ? html`<p class="note">The candidate has started: the clock on the open page gets the added time within half a minute. No email is sent.</p>` : detail.mails_stopped ? null : html`<p class="note">The candidate gets an email about a later deadline or more time.</p>`}
<p><button class="secondary">Save</button></p></form></details>`
}

const correction = (view: SubmissionView, { detail }: InvitationRecord): Html => {
  const { address, around } = view
  const query = around === undefined ? "" : `?${new URLSearchParams({ list: around.list })}`
  const form = { invitation: detail.id, email: detail.email, query }
  return html`<div class="correct" id="correct">
${addressForm(address === undefined ? form : { ...form, typed: address.email, errors: address.errors })}
<p class="note">The candidate keeps the interview, the link and the deadline.</p></div>`
}

const isOpen = ({ detail }: InvitationRecord): boolean =>
  !["cancelled", "expired"].includes(detail.status_text) && isAnswerable(detail.submission.status_text)

const reminderText = ({ history }: SubmissionView, record: InvitationRecord): string | null => {
  const past = history.invitations.find(({ id }) => id === record.detail.id)
  if (past === undefined) return null
  const mail = history.mails.find(({ kind }) => kind === "invitation_reminder")
  if (past.reminder === "skipped") return "Not needed"
  if (past.reminder === "queued") return mail?.state === "queued" ? "Waiting to be sent" : "Sent"
  const isWaiting = isOpen(record) && record.detail.submission.status_text !== "started"
  return isWaiting ? "Before the deadline, if the interview is not started" : null
}

const mails = ({ facts }: InvitationRecord): Html | null =>
  facts.mails.length === 0
    ? null
    : html`<details><summary>Emails (${facts.mails.length})</summary><ul class="plain">${facts.mails
        .toReversed()
        .map(
          (mail) =>
            html`<li>${mailName(mail.kind)}, ${mail.state === "sent" ? "sent" : mail.state === "queued" ? "waiting to be sent" : mail.state === "failed" ? "not sent" : "cancelled"} ${moment(new Date(mail.sent_at ?? mail.created_at), "short")}${
              mail.error === null ? null : html` <span class="quiet">${cut(mail.error, 200)}</span>`
            }</li>\n`,
        )}</ul></details>`

/** A candidate who has submitted answers is not invited to the set again (InvitePlan.ts `planPerson`). */
const closedNote = ({ detail }: InvitationRecord): Html =>
  html`<p class="note">${
    isSubmitted(detail.submission.status_text)
      ? "The candidate has submitted the answers, so this invitation is closed."
      : html`This invitation is closed. To invite this candidate again, <a href="${setHref(detail.interview_set.id)}/invite">send a new invitation</a>.`
  }</p>`

/** The status of the email. Omitted once the candidate has started, unless the invitation failed or ended. */
const statusTag = ({ detail }: InvitationRecord): Html | null => {
  const { status_text: status, submission } = detail
  const isPast = submission.status_text === "started" || isSubmitted(submission.status_text)
  if (isPast && !["failed", "cancelled", "expired"].includes(status)) return null
  return html`<span class="${statusClass(status)}">${statusText(status, detail.declined_at !== null)}</span> `
}

/** Where answers are missing: below what happened. */
export const openInvitation = (view: SubmissionView): Html | null =>
  view.invited === undefined
    ? null
    : html`<div class="invitation" id="invitation">${invitationOf(view, view.invited, true)}</div>`

/** Beside answers: folded. */
export const invitationSection = (view: SubmissionView): Html | null => {
  const { invited } = view
  if (invited === undefined) return null
  const content = invitationOf(view, invited, false)
  const note = isOpen(invited) ? null : "closed"
  const opened = view.opened === "invitation" || view.extension !== undefined || view.address !== undefined
  return foldedPart({ id: "invitation", title: "Invitation", note, isOpen: opened, className: "invitation" }, content)
}

/** The acts of the scripted candidate of test mode (docs/test-mode.md). */
const scripted = (view: SubmissionView, href: string, record: InvitationRecord): Html | null => {
  const isMailed = !["started", "completed", "evaluated"].includes(record.detail.submission.status_text)
  const choices = testActChoices.filter(({ isBeforeStart }) => isMailed || !isBeforeStart)
  const groups = actsBy.map((by) => {
    const own = choices.filter((choice) => choice.by === by)
    return own.length === 0
      ? null
      : html`<optgroup label="${by}">${own.map(({ label, value }) => html`<option value="${value}">${label}</option>`)}</optgroup>`
  })
  return html`<div class="apart"><h3><label for="act">Act as the candidate</label></h3>
<form method="post" action="${formHref(view, "test", href)}" class="ask">
<select id="act" name="do" autocomplete="off">${groups}</select>
<button class="secondary">Do it</button></form>
<p class="note">Test mode: with the events of live mode.</p></div>`
}

/** `isBelow`: the page has said what happened. */
const invitationOf = (view: SubmissionView, invited: InvitationRecord, isBelow: boolean): Html => {
  const { detail } = invited
  const href = invitationHref(detail.id)
  const isLive = isOpen(invited)
  const isStarted = detail.submission.status_text === "started"
  const isFailed = detail.status_text === "failed"
  const failure = isBelow || !isFailed ? "" : failureText(detail.failure_reason)
  const corrects = (isLive && isFailed) || view.address !== undefined
  return html`${corrects && isBelow ? null : html`<p class="about">${isBelow && !isLive ? null : statusTag(invited)}<bdi class="quiet">${detail.email}</bdi></p>`}
${failure === "" ? null : html`<p class="note">The email did not reach the candidate: ${failure}.</p>`}
${corrects ? correction(view, invited) : null}
${detail.email_status === "queued" ? html`<p class="info">An email to the candidate is waiting to be sent.</p>` : null}
${detail.mails_stopped ? html`<p class="info">This address has unsubscribed from your organization's emails: no emails are sent to it.</p>` : null}
${
  isLive
    ? html`<div class="actions">${detail.mails_stopped ? null : html`<form method="post" action="${formHref(view, "resend", href)}"><input type="hidden" name="id" value="${view.resend}">${corrects ? html`<button class="link">Send to the same address</button>` : html`<button class="secondary">Send the email again</button>`}</form>`}
<a class="${corrects ? "cancel-link" : "button secondary danger"}" href="${href}/cancel">Cancel invitation…</a></div>`
    : isBelow
      ? null
      : closedNote(invited)
}
${view.isTest && isLive ? scripted(view, href, invited) : null}
${isLive && detail.interview_url !== null ? copyField("link", "The candidate's link – anyone with it can answer", detail.interview_url) : null}
${isLive && (!isStarted || invited.facts.minutes !== null) && !isFailed ? extension(view, invited) : null}
${mails(invited)}
${invited.facts.message?.trim() ? html`<details><summary>Personal message</summary>${written(cut(invited.facts.message.trim(), 5000))}</details>` : null}
${factList([
  ["Deadline to start", isLive && !isStarted && !isBelow ? moment(new Date(detail.expires_at), "short") : null],
  ["Reminder", reminderText(view, invited)],
  ["Extra time", detail.time_factor === 1 ? null : `${detail.time_factor}× time`],
])}`
}

export const cancelPage = (member: Member, { detail }: InvitationRecord): Document => {
  const name = detail.candidate.name ?? detail.email
  const submission = submissionHref(detail.submission.id)
  return recordPage(member, {
    title: "Cancel the invitation?",
    place: "Submissions",
    back: { href: `${submission}#invitation`, name: "Submission" },
    main: html`<div class="notice"><h1>Cancel the invitation?</h1>
<p>The link of <bdi>${cut(name, 200)}</bdi> to “<bdi>${cut(detail.interview_set.title, 200)}</bdi>” will stop working, and unsubmitted answers are lost. The candidate gets no email. This cannot be undone, but you can invite the candidate again.</p>
<form method="post" action="${invitationHref(detail.id)}/cancel" class="actions"><button class="secondary danger">Cancel the invitation</button>
<a class="button secondary" href="${submission}#invitation">Keep invitation</a></form></div>`,
  })
}
