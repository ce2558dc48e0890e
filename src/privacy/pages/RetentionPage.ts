/** Settings → Organization → Retention: periods, what they would delete now, and legal holds. */
import type { Member } from "../../accounts/members/Member.ts"
import { type Outdated, outdatedBox, saveButton } from "../../accounts/pages/OutdatedForm.ts"
import { countText, cut, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  choice,
  describedBy,
  errorSummary,
  errorText,
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
  events: "The days for events",
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
    label: "Recordings",
    hint: "Sound and video of spoken answers, from the day they were recorded. Transcripts stay with the answers.",
    one: "recording",
    many: "recordings",
  },
  cvs: {
    label: "CVs",
    hint: "File, link and text. The evaluation stays, with the quotes that support it.",
    one: "submission's CV",
    many: "submissions' CVs",
  },
  answers: {
    label: "Answers",
    hint: "Texts, choices, files, recordings and transcripts. The evaluation stays, with the quotes that support it.",
    one: "submission's answers",
    many: "submissions' answers",
  },
  candidates: {
    label: "Candidates",
    hint: "All personal data, as under Personal data → Erase, after the last of a candidate's interviews. Scores, states and times stay.",
    one: "candidate",
    many: "candidates",
  },
  events: {
    label: "Webhook events",
    hint: "Events and their finished deliveries, with what receivers answered. Events that wait for a receiver stay.",
    one: "event",
    many: "events",
  },
  audit: {
    label: "Audit log",
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
  /** Nothing was saved yet: these periods would delete data at once. */
  readonly isAsking?: boolean
}

/** A confirmation is of these periods: after another change, the form asks again. */
export const confirmationOf = ({ answers, audit, candidates, cvs, events, from, recordings }: TypedPeriods): string =>
  [recordings, cvs, answers, candidates, events, audit, from].map((text) => text.trim()).join("/")

const question = (form: RetentionForm): Html | null => {
  if (form.isAsking !== true) return null
  const due = retainedKinds.flatMap((kind) => {
    const count = form.counts?.get(kind)?.due ?? 0
    return count === 0 ? [] : [countText(count, kinds[kind].one, kinds[kind].many)]
  })
  return html`<div class="alert warm" role="alert" tabindex="-1" autofocus><p><strong>Nothing is saved yet.</strong> With these days, ${due.join(", ")} would be deleted within ten minutes. This cannot be undone.</p>
<input type="hidden" name="confirmed" value="${confirmationOf(form)}">
<p><button class="danger">Save and delete</button></p></div>`
}

const countedText = (kind: RetainedKind, { due, held, oldest }: DueCount): Html => {
  const { many, one } = kinds[kind]
  return html`<p class="counted"><strong>${due === 0 ? `No ${many}` : countText(due, one, many)}</strong> would be deleted now${oldest === null ? null : html`, the oldest from ${moment(oldest, "day")}`}${held === 0 ? null : html`; a legal hold keeps ${countText(held, one, many)}`}.</p>`
}

const period = (form: RetentionForm, kind: RetainedKind): Html => {
  const counted = form.counts?.get(kind)
  const { hint, label } = kinds[kind]
  return html`<div class="period"><div><label for="${kind}">${label}</label>
<p class="note" id="${kind}-hint">${hint}</p>${errorText(kind, form.errors)}
${counted === undefined ? (form.counts === undefined ? null : html`<p class="counted">Kept.</p>`) : countedText(kind, counted)}</div>
<span class="days"><input type="text" inputmode="numeric" id="${kind}" name="${kind}" value="${form[kind]}" autocomplete="off"${kind === "recordings" ? html` required` : null}${describedBy(kind, form.errors, hint)}> days</span></div>`
}

const holdRow = (hold: LegalHold): Html => {
  const isSet = hold.candidate_id === null
  const href = isSet ? `/interview-sets/${hold.interview_set_id}` : personHref(hold.candidate_id)
  return html`<li class="hold"><div><p><a href="${href}"><bdi>${cut(heldName(hold), 80)}</bdi></a>${isSet ? html` <span class="quiet">with all its candidates</span>` : null}</p>
<p dir="auto">${hold.reason}</p>
<p class="note">since ${moment(hold.placed_at, "short")}${hold.placed_by === null ? null : html`, placed by <bdi>${hold.placed_by}</bdi>`}</p></div>
<a class="button secondary" href="${holdsHref}/${hold.id}/release">Release…<span class="unseen"> the hold on ${heldName(hold)}</span></a></li>
`
}

const holdList = (
  holds: ReadonlyArray<LegalHold>,
): Html => html`<section class="legal-holds" aria-labelledby="holds"><h2 id="holds">Legal holds</h2>
<p class="note">Data under a hold is neither deleted nor erased until the hold is released. Place one on a candidate under
<a href="/settings/people">Personal data</a>, or on all candidates of an interview set at the end of the set's page.</p>
${holds.length === 0 ? html`<p class="empty">No legal hold is in force.</p>` : html`<ul class="rows">${holds.map(holdRow)}</ul>`}
${holds.length < maxHolds ? null : html`<p class="note">Only the newest ${maxHolds} are shown.</p>`}
<p class="note">The audit log has <a href="/settings/audit?type=organization.delete_old">what was deleted</a> and
<a href="/settings/audit?type=candidate.erase">which candidates were erased</a>.</p></section>`

export const retentionPage = (
  member: Member,
  form: RetentionForm,
  {
    eventDays,
    holds,
    notice,
  }: {
    /** After which the operator deletes the events of all organizations. */
    readonly eventDays: number
    readonly holds: ReadonlyArray<LegalHold>
    readonly notice?: Notice | undefined
  },
): Document =>
  settingsPage(member, {
    title: hasErrors(form.errors) || form.outdated !== undefined ? "Not saved – Retention" : "Retention",
    section: "Retention",
    notice,
    main: html`<header class="lead"><h1>Retention</h1>
<p class="welcome">Data is deleted by itself after these days, from 1 to ${maxDays.toLocaleString("en")}. Without a number, it is kept until its candidate is erased.</p></header>
${errorSummary(form.errors, "Nothing was saved.")}
${form.outdated === undefined ? null : outdatedBox(member, "periods", retentionHref, form.outdated)}
<form method="post" action="${retentionHref}" class="fields retention" novalidate>
<input type="hidden" name="version" value="${form.version}">
${question(form)}
${retainedKinds.map((kind) => period(form, kind))}
<fieldset class="picks"><legend>The days of CVs, answers and candidates count from</legend>
${choice({ name: "from", value: "end", isChosen: form.from === "end" }, "the end of the interview")}
${choice({ name: "from", value: "decision", isChosen: form.from === "decision" }, "the decision; undecided candidates are kept")}
<p class="note">An interview that was not submitted ends with its deadline, and needs no decision.</p></fieldset>
<p class="note">Events go after ${countText(eventDays, "day", "days")} in any case: the operator of this service sets this for all organizations.</p>
<p class="actions save-row">${form.isAsking === true ? null : saveButton(form.outdated, "Save")} <button class="secondary" name="do" value="count">Count what would be deleted</button></p>
</form>
${holdList(holds)}`,
  })
