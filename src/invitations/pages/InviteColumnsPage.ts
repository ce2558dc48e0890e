/** The step in which a member says what the columns of a table mean. */
import type { Member } from "../../accounts/Member.ts"
import { countText, cut } from "../../accounts/pages/WorkspacePage.ts"
import type { SetRecord } from "../../interview-sets/InterviewSets.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  compactField,
  compactSelect,
  errorSummary,
  errorText,
  type FieldErrors,
} from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { referenceLimits } from "../../values/ExternalReference.ts"
import { type CandidateTable, type Column, type ColumnMeaning, columnName, samplesOf } from "../CandidateTable.ts"
import { draftHref } from "./InvitePage.ts"

export const columnMeanings: ReadonlyArray<readonly [ColumnMeaning, string]> = [
  ["ignore", "Ignore this column"],
  ["email", "Email address"],
  ["name", "Full name"],
  ["firstname", "First name"],
  ["lastname", "Last name"],
  ["cv_link", "Link to the CV"],
  ["external_id", "External id"],
  ["ats_candidate_id", "Id in the hiring system (UUID)"],
  ["metadata", "Metadata"],
]

const maxSample = 40

const samples = (table: CandidateTable, column: number): Html => {
  const shown = samplesOf(table, column)
  return shown.length === 0
    ? html`<p class="note">Empty</p>`
    : html`<ul class="samples">${shown.map((text) => html`<li><bdi>${cut(text, maxSample)}</bdi></li>`)}</ul>`
}

const columnEntry = (table: CandidateTable, column: Column, i: number, errors: FieldErrors): Html => {
  const name = columnName(table, i)
  const of = html`<span class="unseen"> of ${cut(name, 60)}</span>`
  return html`<li class="entry table-column" id="column-${i}"><div><h3 dir="auto">${cut(name, 100)}</h3>
${samples(table, i)}</div>
<div class="meaning">${compactSelect({ name: `column.${i}.field`, label: html`Meaning${of}`, value: column.field, errors, choices: columnMeanings })}
<div class="column-key">${compactField({ name: `column.${i}.key`, label: html`Metadata name${of}`, value: column.key, errors })}</div></div></li>
`
}

export const columnsPage = (
  member: Member,
  { set }: SetRecord,
  {
    columns,
    draft,
    errors,
    file,
    ignored,
    table,
  }: {
    /** The stored draft. */
    readonly draft: string
    readonly file: string
    readonly table: CandidateTable
    readonly columns: ReadonlyArray<Column>
    /** Names of the columns with values that are left out. */
    readonly ignored: ReadonlyArray<string>
    readonly errors: FieldErrors
  },
): Document => {
  const edit = draftHref(set.id, draft, "edit")
  const action = draftHref(set.id, draft, "columns")
  const size = `${countText(table.rows.length, "candidate", "candidates")}, ${countText(table.columns, "column", "columns")}`
  return recordPage(member, {
    title: `${Object.keys(errors).length > 0 ? "Not checked – " : ""}Table columns`,
    place: "Interview sets",
    back: { href: edit, name: "Invite candidates" },
    main: html`<header class="lead"><h1>Table columns</h1>
<p class="welcome">Choose what each column contains. ${file === "" ? null : html`<bdi>${cut(file, 80)}</bdi>: `}${size}.</p></header>
${errorSummary(errors, "Nothing was sent.")}
<form method="post" action="${action}" class="set-form" novalidate>
<button class="unseen" name="do" value="next" tabindex="-1" aria-hidden="true">Continue</button>
<div class="header-choice">${compactSelect({
      name: "header",
      label: "First row",
      value: table.header === undefined ? "no" : "yes",
      errors,
      choices: [
        ["yes", "Column names"],
        ["no", "A candidate"],
      ],
    })}
<button class="secondary" name="do" value="header">Apply</button></div>
<fieldset class="part"><legend><h2>Columns</h2></legend>
<ol class="entries">${columns.map((column, i) => columnEntry(table, column, i, errors))}</ol>
<p class="note">Metadata is your own data: it is returned with the candidate and in webhooks. Its names have at most ${referenceLimits.key} letters, digits, "_", "-" and ".".</p></fieldset>
${
  ignored.length === 0
    ? null
    : html`<fieldset class="part" id="ignored"><legend><h2>Ignored columns</h2></legend>
<p>${ignored.map((name, i) => html`${i === 0 ? "" : ", "}<strong><bdi>${cut(name, 60)}</bdi></strong>`)}</p>
<p><label class="pick"><input type="checkbox" name="confirmed" value="yes"${errors["confirmed"] === undefined ? null : html` aria-invalid="true" aria-describedby="confirmed-error"`}> <span>Leave out every column set to “Ignore this column”. The values are not stored.</span></label>
${errorText("confirmed", errors)}</p></fieldset>`
}
<p class="actions"><button class="primary large" name="do" value="next">Continue</button>
<a class="button secondary large" href="${edit}">Back</a></p>
</form>`,
  })
}
