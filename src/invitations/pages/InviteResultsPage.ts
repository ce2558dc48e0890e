/** What became of each candidate of a form that invited. */

import type { Member } from "../../accounts/Member.ts"
import { cut } from "../../accounts/pages/SettingsParts.ts"
import type { SetRecord } from "../../interview-sets/InterviewSets.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { setHref } from "../../interview-sets/pages/SetLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import type { Origin } from "../InviteDraft.ts"
import type { InviteResult } from "../InviteRequest.ts"
import { invitationHref, invitationsHref, statusClass, statusWord } from "./InvitationWords.ts"

interface Told {
  readonly result: InviteResult
  readonly origin: Origin | undefined
  /** Where the same candidate stands before in the form. */
  readonly same: Origin | undefined
}

/** Of more the list has the rest. */
const most = 100

const place = (from: Origin | undefined): string =>
  from === undefined ? "" : "row" in from ? `Row ${from.row + 1}` : `Line ${from.line}`

const isFault = ({ result }: Told) => result.error_message !== undefined

/** Invited by an earlier form or request, and not written to again. */
const isBefore = ({ result: { invitation } }: Told) => invitation !== null && invitation.status_text !== "pending"

const who = ({ result }: Told): string => cut(result.email_address ?? result.cv_link ?? "No address", 100)

const row = (told: Told): Html => {
  const { invitation, submission, error_message } = told.result
  const tag = () => {
    if (told.same !== undefined) return html`<span class="tag">Listed twice</span>`
    if (invitation === null) {
      if (error_message !== undefined) return html`<span class="tag bad">Not invited</span>`
      return html`<span class="tag on">${submission?.interview_url == null ? "CV received" : "Link ready"}</span>`
    }
    const { status_text: status } = invitation
    if (status === "failed") return html`<span class="tag bad">Not sent</span>`
    const before = `Invited before: ${statusWord(status, false).toLowerCase()}`
    return html`<span class="${statusClass(status)}">${status === "pending" ? "Invited" : before}</span>`
  }
  const href =
    invitation !== null ? invitationHref(invitation.id) : submission === null ? null : `/submissions/${submission.id}`
  const name = html`<bdi>${who(told)}</bdi>`
  return html`<li><div class="row"><span class="row-head"><span class="row-name">${href === null ? name : html`<a href="${href}">${name}</a>`}</span>${tag()}</span>
<span class="row-text small">${place(told.origin)}${told.same === undefined ? null : `: the same as ${place(told.same).toLowerCase()}`}${error_message === undefined ? null : html`: ${cut(error_message, 300)}`}</span>
${invitation === null && submission?.interview_url != null ? html`<span class="beside-copy"><code id="link-${submission.id}">${submission.interview_url}</code> <button type="button" class="link" data-copy="link-${submission.id}" hidden>Copy<span class="unseen"> the link of ${who(told)}</span></button></span>` : null}</li>
`
}

const group = (title: string, all: ReadonlyArray<Told>): Html | null =>
  all.length === 0
    ? null
    : html`<section><h2>${title}</h2><ul class="rows">${all.slice(0, most).map(row)}</ul>${all.length > most ? html`<p class="note">And ${all.length - most} more.</p>` : null}</section>`

const candidates = (count: number): string => (count === 1 ? "1 candidate" : `${count} candidates`)

/** Each with where the same candidate stands before, if there. */
const toldOf = (results: ReadonlyArray<InviteResult>, origins: ReadonlyArray<Origin>): ReadonlyArray<Told> => {
  const seen = new Map<string, Origin>()
  return results.map((result, i) => {
    const origin = origins[i]
    const id = result.submission?.id
    const same = id === undefined ? undefined : seen.get(id)
    if (id !== undefined && same === undefined && origin !== undefined) seen.set(id, origin)
    return { result, origin, same }
  })
}

export const resultsPage = (
  member: Member,
  { set }: SetRecord,
  results: ReadonlyArray<InviteResult>,
  origins: ReadonlyArray<Origin>,
): Document => {
  const all = toldOf(results, origins)
  const people = all.filter(({ same }) => same === undefined)
  const faulty = people.filter(isFault)
  const fine = people.filter((told) => !isFault(told))
  const before = fine.filter(isBefore)
  const fresh = fine.filter((told) => !isBefore(told))
  const mailed = fresh.some(({ result }) => result.invitation !== null)
  const deed = mailed || fresh.length === 0 ? "invited" : "added"
  const title =
    fine.length === 0
      ? "Nobody was invited"
      : faulty.length > 0
        ? `${fresh.length} of ${candidates(people.length)} ${deed}`
        : fresh.length === 0
          ? "Everybody was invited before"
          : `${candidates(fresh.length)} ${deed}`
  const text = [
    faulty.length > 0
      ? "See below what went wrong. Once it is put right, invite those again: nobody else gets a second mail."
      : mailed
        ? "Their mails are on the way."
        : fresh.some(({ result }) => result.submission?.interview_url != null)
          ? "No mail is sent: give each candidate the link."
          : "",
    before.length > 0 ? `${candidates(before.length)} had been invited before and got no new mail.` : "",
  ]
  return recordPage(member, {
    title,
    place: "Interview sets",
    back: { href: setHref(set.id), name: cut(set.title, 60) },
    main: html`<div id="results"><header class="lead"><h1>${title}</h1>
<p class="welcome">${text.filter(Boolean).join(" ")}</p></header>
<div class="actions"><a class="button primary" href="${invitationsHref}?set=${set.id}">See the invitations</a>
<a class="button secondary" href="${setHref(set.id)}/invite">Invite more</a></div>
${group("Not invited", faulty)}
${group(deed === "invited" ? "Invited" : "Added", fresh)}
${group("Invited before", before)}
${group(
  "Left out",
  all.filter(({ same }) => same !== undefined),
)}</div>`,
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
