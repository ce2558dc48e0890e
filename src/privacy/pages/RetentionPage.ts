/** Settings → Organization → Retention: periods, what they would delete now, and legal holds. */
import type { Member } from "../../accounts/members/Member.ts"
import { type Outdated, outdatedBox, saveButton } from "../../accounts/pages/OutdatedForm.ts"
import { countText, cut, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  choice,
  compactField,
  errorSummary,
  type FieldErrors,
  hasErrors,
  type Notice,
} from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { DueCounts } from "../DataRetention.ts"
import type { DueCount } from "../DataRetentionRepository.ts"
import type { LegalHold } from "../LegalHoldRepository.ts"
import { heldName, maxHolds } from "../LegalHolds.ts"
import { maxDays, minAuditDays, type RetainedKind, retainedKinds, type TypedPeriods } from "../RetentionPeriods.ts"
import { personHref } from "./PeoplePage.ts"

export const retentionHref = "/settings/retention"
export const holdsHref = `${retentionHref}/holds`

export const periodLabels = {
  recordings: "The days for recordings",
  cvs: "The days for CVs",
  answers: "The days for answers",
  candidates: "The days for candidates",
  audit: "The days for the audit log",
} as const

interface Kind {
  readonly label: string
  readonly hint: string
  readonly one: string
  readonly many: string
}

export const kinds: Readonly<Record<RetainedKind, Kind>> = {
  recordings: {
    label: "Recordings, days",
    hint: "Sound and video of spoken answers, from the day they were recorded. Transcripts stay with the answers.",
    one: "recording",
    many: "recordings",
  },
  cvs: {
    label: "CVs, days",
    hint: "File, link and text. The evaluation stays, with the quotes that support it.",
    one: "submission's CV",
    many: "submissions' CVs",
  },
  answers: {
    label: "Answers, days",
    hint: "Texts, choices, files, recordings and transcripts. The evaluation stays, with the quotes that support it.",
    one: "submission's answers",
    many: "submissions' answers",
  },
  candidates: {
    label: "Candidates, days",
    hint: "All personal data, as under Personal data → Erase, after the last of a candidate's interviews. Scores, states and times stay.",
    one: "candidate",
    many: "candidates",
  },
  audit: {
    label: "Audit log, days",
    hint: `At least ${minAuditDays}: the EU AI Act asks for six months. No entry is deleted while a legal hold is in force.`,
    one: "entry",
    many: "entries",
  },
}

export interface RetentionForm extends TypedPeriods {
  /** That the form was opened with. */
  readonly version: string
  readonly errors: FieldErrors
  readonly outdated?: Outdated
  /** After "Count what would be deleted". */
  readonly counts?: DueCounts
}

const countedText = (kind: RetainedKind, { due, held, oldest }: DueCount): Html => {
  const { many, one } = kinds[kind]
  return html`<p class="counted"><strong>${due === 0 ? `No ${many}` : countText(due, one, many)}</strong> would be deleted now${oldest === null ? null : html`, the oldest from ${moment(oldest, "day")}`}${held === 0 ? null : html`; a legal hold keeps ${countText(held, one, many)}`}.</p>`
}

const period = (form: RetentionForm, kind: RetainedKind): Html => {
  const counted = form.counts?.get(kind)
  const { hint, label } = kinds[kind]
  const isRequired = kind === "recordings"
  return html`<div class="period">${compactField({ name: kind, label, value: form[kind], errors: form.errors, hint, isNumber: true, isRequired })}
${counted === undefined ? (form.counts === undefined ? null : html`<p class="counted">Kept.</p>`) : countedText(kind, counted)}</div>`
}

const holdRow = (
  hold: LegalHold,
): Html => html`<li class="hold"><div><p class="row-head"><a href="${hold.candidate_id === null ? `/interview-sets/${hold.interview_set_id}` : personHref(hold.candidate_id)}"><bdi>${cut(heldName(hold), 80)}</bdi></a> <span class="quiet">${hold.candidate_id === null ? "interview set with all its candidates" : "candidate"}</span></p>
<p class="note" dir="auto">${hold.reason}</p>
<p class="note">placed ${moment(hold.placed_at, "short")}${hold.placed_by === null ? null : html` by <bdi>${hold.placed_by}</bdi>`}</p></div>
<a class="button secondary" href="${holdsHref}/${hold.id}/release">Release…<span class="unseen"> the hold on ${heldName(hold)}</span></a></li>
`

const holdList = (
  holds: ReadonlyArray<LegalHold>,
): Html => html`<section aria-labelledby="holds"><h2 id="holds">Legal holds</h2>
<p class="note">Nothing about a held candidate, or about the candidates of a held interview set, is deleted or erased until the hold is released.
Place one on a candidate under <a href="/settings/people">Personal data</a>, or at the end of an interview set's page.</p>
${holds.length === 0 ? html`<p class="empty">No legal hold is in force.</p>` : html`<ul class="holds">${holds.map(holdRow)}</ul>`}
${holds.length < maxHolds ? null : html`<p class="note">Only the newest ${maxHolds} are shown.</p>`}</section>`

export const retentionPage = (
  member: Member,
  form: RetentionForm,
  {
    holds,
    notice,
    webhookDays,
  }: {
    readonly holds: ReadonlyArray<LegalHold>
    readonly webhookDays: number
    readonly notice?: Notice | undefined
  },
): Document =>
  settingsPage(member, {
    title: hasErrors(form.errors) || form.outdated !== undefined ? "Not saved – Retention" : "Retention",
    section: "Retention",
    notice,
    main: html`<header class="lead"><h1>Retention</h1>
<p class="welcome">After how many days data is deleted by itself, from 1 to ${maxDays}. An empty field keeps it until a candidate is erased.</p></header>
${errorSummary(form.errors, "Nothing was saved.")}
${form.outdated === undefined ? null : outdatedBox(member, "periods", retentionHref, form.outdated)}
<form method="post" action="${retentionHref}" class="fields retention" novalidate>
<input type="hidden" name="version" value="${form.version}">
${retainedKinds.map((kind) => period(form, kind))}
<fieldset class="picks"><legend>The days of CVs, answers and candidates count from</legend>
${choice({ name: "from", value: "end", isChosen: form.from === "end" }, "the end of the interview")}
${choice({ name: "from", value: "decision", isChosen: form.from === "decision" }, "the decision; undecided candidates are kept")}
<p class="note">An interview that was not submitted ends with its deadline, and needs no decision.</p></fieldset>
<p class="note">Events and finished webhook deliveries are kept for ${countText(webhookDays, "day", "days")}. The operator of this service sets this for all organizations.</p>
<p class="actions save-row">${saveButton(form.outdated, "Save")} <button class="secondary" name="do" value="count">Count what would be deleted</button></p>
</form>
${holdList(holds)}
<p class="note">What was deleted is in the <a href="/settings/audit?action=organization.delete_old">audit log</a>; candidates that were erased are <a href="/settings/audit?action=candidate.erase">there, too</a>.</p>`,
  })
