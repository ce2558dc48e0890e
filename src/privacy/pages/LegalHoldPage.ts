/** Pages that place and release a legal hold. */
import type { Member } from "../../accounts/members/Member.ts"
import { cut, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { confirmForm, errorSummary, type FieldErrors, hasErrors, textarea } from "../../platform/http/FormControls.ts"
import { html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { HeldSubject, HoldSubject, LegalHold } from "../LegalHoldRepository.ts"
import { heldName, reasonLength } from "../LegalHolds.ts"
import { personHref } from "./PeoplePage.ts"
import { holdsHref, retentionHref } from "./RetentionPage.ts"

const section = "Retention"
const back = { href: retentionHref, name: "Retention" }

export const reasonLabels = { reason: "The reason" }

export const newHoldHref = (of: HoldSubject): string => `${subjectHref(of)}/hold`

/** The page of the candidate or the set, which shows the hold. */
export const subjectHref = ({ _tag, id }: HoldSubject): string =>
  _tag === "Candidate" ? personHref(id) : `/interview-sets/${id}`

export interface HoldForm {
  readonly of: HoldSubject
  readonly subject: HeldSubject
  readonly reason: string
  readonly errors: FieldErrors
  readonly refusal?: string | undefined
}

export const placeHoldPage = (member: Member, { errors, of, reason, refusal, subject }: HoldForm): Document =>
  settingsPage(member, {
    title: `${hasErrors(errors) || refusal !== undefined ? "Not placed – " : ""}Legal hold`,
    section: of._tag === "Candidate" ? "Personal data" : section,
    back: { href: subjectHref(of), name: cut(heldName(subject), 80) },
    notice: refusal === undefined ? undefined : { text: `Not placed: ${refusal}.`, isError: true },
    main: html`<header class="lead"><h1>Legal hold on <bdi>${cut(heldName(subject), 80)}</bdi></h1>
<p class="welcome">${of._tag === "Candidate" ? "The candidate's data is neither deleted nor erased" : "The data of all candidates of this interview set is neither deleted nor erased"} until the hold is released, also if a period of retention ends, or the candidate asks for an erasure. Webhook events, which are copies, are deleted as usual.</p></header>
${errorSummary(errors, "The hold was not placed.")}
<form method="post" action="${newHoldHref(of)}" class="fields" novalidate>
${textarea({ name: "reason", label: "Reason", value: reason, errors, isRequired: true, hint: `For your colleagues, such as the file number of a lawsuit. ${reasonLength.min} to ${reasonLength.max} characters.` })}
<p class="actions"><button class="primary">Place the hold</button> <a class="button secondary" href="${subjectHref(of)}">Cancel</a></p></form>`,
  })

export const releaseHoldPage = (member: Member, hold: LegalHold): Document =>
  settingsPage(member, {
    title: "Release a legal hold",
    section,
    back,
    main: html`<header class="lead"><h1>Release the hold on <bdi>${cut(heldName(hold), 80)}</bdi>?</h1></header>
<p dir="auto">${hold.reason}</p>
<p class="note">Placed ${moment(hold.placed_at, "short")}${hold.placed_by === null ? null : html` by <bdi>${hold.placed_by}</bdi>`}. What a period of retention would have deleted meanwhile is deleted within ten minutes.</p>
${confirmForm({ action: `${holdsHref}/${hold.id}/release`, label: "Release the hold", cancelHref: retentionHref })}`,
  })
