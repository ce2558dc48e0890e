/** What became of each candidate of a form that invited. */
import type { InviteResult } from "../../../domain/Invite.ts"
import type { Member } from "../../../domain/Member.ts"
import { type Html, html } from "../../../service/Html.ts"
import type { SetRecord } from "../../../service/SetRecords.ts"
import type { Origin } from "../../invitations/Draft.ts"
import type { Document } from "../Document.ts"
import { recordPage } from "../sets/Parts.ts"
import { setHref } from "../sets/Words.ts"
import { cut } from "../settings/Parts.ts"
import { invitationHref, invitationsHref, statusClass, statusWord } from "./Words.ts"

interface Told {
  readonly result: InviteResult
  readonly origin: Origin | undefined
}

/** Of more the list has the rest. */
const most = 100

const origin = ({ origin: from }: Told): string =>
  from === undefined ? "" : "row" in from ? `Row ${from.row + 1}` : `Line ${from.line}`

const who = ({ result }: Told): string => cut(result.email_address ?? result.cv_link ?? "No address", 100)

const row = (told: Told): Html => {
  const { invitation, submission, error_message } = told.result
  const tag = () => {
    if (invitation === null) {
      if (error_message !== undefined) return html`<span class="tag bad">Not invited</span>`
      return html`<span class="tag on">${submission?.interview_url == null ? "CV taken in" : "Link made"}</span>`
    }
    const { status_text: status } = invitation
    if (status === "failed") return html`<span class="tag bad">Not written to</span>`
    const before = `Invited before: ${statusWord(status, false).toLowerCase()}`
    return html`<span class="${statusClass(status)}">${status === "pending" ? "Invited" : before}</span>`
  }
  const href =
    invitation !== null ? invitationHref(invitation.id) : submission === null ? null : `/submissions/${submission.id}`
  const name = html`<bdi>${who(told)}</bdi>`
  return html`<li><div class="row"><span class="row-head"><span class="row-name">${href === null ? name : html`<a href="${href}">${name}</a>`}</span>${tag()}</span>
<span class="row-text small">${origin(told)}${error_message === undefined ? null : html`: ${cut(error_message, 300)}`}</span>
${invitation === null && submission?.interview_url != null ? html`<code>${submission.interview_url}</code>` : null}</li>
`
}

const group = (title: string, all: ReadonlyArray<Told>): Html | null =>
  all.length === 0
    ? null
    : html`<section><h2>${title}</h2><ul class="rows">${all.slice(0, most).map(row)}</ul>${all.length > most ? html`<p class="note">And ${all.length - most} more.</p>` : null}</section>`

export const resultsPage = (
  member: Member,
  { set }: SetRecord,
  results: ReadonlyArray<InviteResult>,
  origins: ReadonlyArray<Origin>,
): Document => {
  const all = results.map((result, i): Told => ({ result, origin: origins[i] }))
  const isFault = ({ result }: Told) => result.error_message !== undefined
  const faulty = all.filter(isFault)
  const fine = all.filter((told) => !isFault(told))
  const title =
    faulty.length === 0
      ? `${fine.length === 1 ? "One candidate is" : `${fine.length} candidates are`} in`
      : `${fine.length} of ${all.length} candidates went through`
  return recordPage(member, {
    title,
    place: "Interview sets",
    back: { href: setHref(set.id), name: cut(set.title, 60) },
    main: html`<div id="results"><header class="lead"><h1>${title}</h1>
<p class="welcome">${faulty.length === 0 ? "Their mails leave within moments, where there are any to send." : "What went wrong is told below. Send those again when it is mended: nobody else is written to twice."}</p></header>
<div class="actions"><a class="button primary" href="${invitationsHref}?set=${set.id}">See the invitations</a>
<a class="button secondary" href="${setHref(set.id)}/invite">Invite more</a></div>
${group("Needs a look", faulty)}
${group("Went through", fine)}</div>`,
  })
}

/** What is seen while a form is invited with, and when nobody knows how far that got. */
export const invitingPage = (member: Member, { set }: SetRecord, isRunning: boolean): Document => {
  const title = isRunning ? "The candidates are being invited" : "It is not known who was invited"
  return recordPage(member, {
    title,
    place: "Interview sets",
    back: { href: setHref(set.id), name: cut(set.title, 60) },
    main: html`<div id="results"${isRunning ? html` data-refresh` : null}><div class="notice"><h1>${title}</h1>
<p>${
      isRunning
        ? html`Of many that takes some seconds. <a href="">Look again</a>`
        : "This service was stopped meanwhile. Send the form again: whoever was invited is not written to twice."
    }</p>
<p class="actions"><a class="button secondary" href="${invitationsHref}?set=${set.id}">See the invitations</a></p></div></div>`,
  })
}
