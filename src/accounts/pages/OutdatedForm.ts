/**
 * A form whose record was saved by another member, or in another window, since the form was opened. Its save is refused and
 * shows what differs. "Save my version anyway" sends the version that was compared, so a third one is refused again.
 */
import { errorBox } from "../../platform/http/FormControls.ts"
import { type Form, valueOf } from "../../platform/http/Forms.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { AuditRow } from "../AuditLogRepository.ts"
import type { Member } from "../members/Member.ts"

/** Texts; empty: none. */
export interface Difference {
  readonly name: string
  readonly saved: string
  readonly own: string
}

export interface Outdated {
  /** The saved version. */
  readonly version: string
  /** The last change of the record; undefined: not recorded. */
  readonly last: AuditRow | undefined
  readonly differences: ReadonlyArray<Difference>
}

/** The version that the form was opened with, or that its member chose to replace; empty: none. */
export const versionOf = (form: Form): string => valueOf(form, "replaced") ?? valueOf(form, "version") ?? ""

const maxShown = 40

const maxLength = 300

/** Characters shown before the first difference of two texts. */
const maxLead = 60

/** `text` from shortly before it differs from `other`. */
const excerpt = (text: string, other: string): string => {
  const [all, others] = [[...text], [...other]]
  const different = all.findIndex((character, i) => character !== others[i])
  const from = Math.max(0, (different < 0 ? all.length : different) - maxLead)
  const shown = all.slice(from, from + maxLength).join("")
  return `${from > 0 ? "…" : ""}${shown}${all.length > from + maxLength ? "…" : ""}`
}

const version = (label: string, text: string, other: string): Html =>
  html`<dd><span class="quiet">${label}</span> ${text === "" ? html`<span class="quiet">(none)</span>` : html`<bdi class="written">${excerpt(text, other)}</bdi>`}</dd>`

/** `labels`: of the saved text and the own one. */
export const differenceList = (
  differences: ReadonlyArray<Difference>,
  [saved, own]: readonly [saved: string, own: string] = ["Saved", "Yours"],
): Html =>
  html`<dl class="differences">${differences
    .slice(0, maxShown)
    .map(
      (one) =>
        html`<div><dt dir="auto">${one.name}</dt>${version(saved, one.saved, one.own)}${version(own, one.own, one.saved)}</div>\n`,
    )}</dl>${differences.length > maxShown ? html`<p class="note">And ${differences.length - maxShown} more.</p>` : null}`

/** `record`: "set"; `href`: of the saved version. */
export const outdatedBox = (member: Member, record: string, href: string, { differences, last }: Outdated): Html => {
  const by = last?.member_id === member.id ? " by you" : last?.member ? html` by <bdi>${last.member}</bdi>` : null
  const saved = last === undefined ? null : html` It was last saved${by}, ${moment(last.created_at, "short")}.`
  return html`${errorBox(
    html`<strong>Not saved: the ${record} was saved while you were editing it.</strong>${saved} The form still has everything that you typed.`,
  )}
<section class="outdated" aria-labelledby="differences"><h2 id="differences">The saved version and yours</h2>
${differenceList(differences)}
<p class="note">“Save my version anyway” replaces the saved version with yours. <a href="${href}" target="_blank">Open the saved version<span class="unseen"> in a new tab</span></a></p></section>`
}

export const saveButton = (outdated: Outdated | undefined, label: string): Html =>
  outdated === undefined
    ? html`<button class="primary" name="do" value="save">${label}</button>`
    : html`<button class="primary" name="replaced" value="${outdated.version}">Save my version anyway</button>`
