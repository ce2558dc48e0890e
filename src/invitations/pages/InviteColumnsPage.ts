/** The step in which a member says what the columns of a table mean. */
import type { Member } from "../../accounts/members/Member.ts"
import { countText, cut } from "../../accounts/pages/WorkspacePage.ts"
import { columnFields } from "../../candidates/Candidate.ts"
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
import type { Separator } from "../../values/Csv.ts"
import { referenceLimits } from "../../values/ExternalReference.ts"
import { type CandidateTable, type Column, type ColumnMeaning, columnName, samplesOf } from "../CandidateTable.ts"
import { draftHref } from "./InvitePage.ts"

export const columnMeanings: ReadonlyArray<readonly [ColumnMeaning, string]> = [
  ["ignore", "Ignore this column"],
  ...columnFields.map(({ field, label }) => [field, label] as const),
  ["metadata", "Metadata"],
]

const maxSample = 40

/** Different values of a column; if the encoding is in doubt, first those that depend on it, so that a wrong choice shows. */
const samples = (table: CandidateTable, column: number, isEncodingCertain: boolean): Html => {
  const shown = samplesOf(table, column, isEncodingCertain ? undefined : (text) => /\P{ASCII}/u.test(text))
  return shown.length === 0
    ? html`<span class="note">Empty</span>`
    : html`<ul class="samples">${shown.map((text) => html`<li><bdi>${cut(text, maxSample)}</bdi></li>`)}</ul>`
}

const columnRow = (
  table: CandidateTable,
  column: Column,
  i: number,
  isEncodingCertain: boolean,
  errors: FieldErrors,
): Html => {
  const name = columnName(table, i)
  const of = html`<span class="unseen"> of ${cut(name, 60)}</span>`
  return html`<tr><th scope="row" dir="auto">${cut(name, 100)}</th><td>${samples(table, i, isEncodingCertain)}</td>
<td>${compactSelect({ name: `column.${i}.field`, label: html`<span class="unseen">Contents${of}</span>`, value: column.field, errors, choices: columnMeanings })}
<div class="column-key">${compactField({ name: `column.${i}.key`, label: html`Metadata name${of}`, value: column.key, errors })}</div></td></tr>
`
}

const separatorNames: ReadonlyArray<readonly [Separator, name: string, text: string]> = [
  [",", "comma", "Comma ( , )"],
  [";", "semicolon", "Semicolon ( ; )"],
  ["\t", "tab", "Tab"],
  ["|", "bar", "Vertical bar ( | )"],
]

export const separatorNamed = (given: string | undefined): Separator | undefined =>
  separatorNames.find(([, name]) => name === given)?.[0]

/** Encodings of files that spreadsheets and older systems write. */
const encodings: ReadonlyArray<readonly [string, string]> = [
  ["windows-1252", "Western European (Windows-1252)"],
  ["macintosh", "Western European (Mac Roman)"],
  ["ibm850", "Western European (DOS 850)"],
  ["windows-1250", "Central European (Windows-1250)"],
  ["iso-8859-2", "Central European (ISO 8859-2)"],
  ["ibm852", "Central European (DOS 852)"],
  ["x-mac-ce", "Central European (Mac)"],
  ["windows-1251", "Cyrillic (Windows-1251)"],
  ["koi8-u", "Cyrillic (KOI8)"],
  ["ibm866", "Cyrillic (DOS 866)"],
  ["x-mac-cyrillic", "Cyrillic (Mac)"],
  ["windows-1253", "Greek (Windows-1253)"],
  ["windows-1254", "Turkish (Windows-1254)"],
  ["x-mac-turkish", "Turkish (Mac)"],
  ["windows-1255", "Hebrew (Windows-1255)"],
  ["windows-1256", "Arabic (Windows-1256)"],
  ["windows-1257", "Baltic (Windows-1257)"],
  ["windows-1258", "Vietnamese (Windows-1258)"],
  ["windows-874", "Thai (Windows-874)"],
  ["gb18030", "Chinese, simplified (GB 18030)"],
  ["big5", "Chinese, traditional (Big5)"],
  ["shift_jis", "Japanese (Shift JIS)"],
  ["euc-jp", "Japanese (EUC-JP)"],
  ["euc-kr", "Korean (EUC-KR)"],
  ["utf-8", "Unicode (UTF-8)"],
]

const encodingChoices = (chosen: string): typeof encodings =>
  encodings.some(([name]) => name === chosen) ? encodings : [[chosen, chosen], ...encodings]

/** Names what was guessed and may be wrong, and what to look at. */
const doubt = (isSeparatorCertain: boolean, isEncodingCertain: boolean): Html | null => {
  if (isSeparatorCertain && isEncodingCertain) return null
  const texts = [
    ...(isSeparatorCertain
      ? []
      : ["We are not sure about the separator. If values of different columns share a cell, choose another one."]),
    ...(isEncodingCertain
      ? []
      : ["We are not sure about the encoding of this file. If letters or symbols are wrong, choose another one."]),
  ]
  return html`<div class="alert warm doubt" id="doubt">${texts.map((text) => html`<p>${text}</p>`)}<p>“Apply” shows the values again.</p></div>`
}

export const columnsPage = (
  member: Member,
  { set }: SetRecord,
  {
    columns,
    draft,
    encoding,
    errors,
    file,
    ignored,
    isEncodingCertain,
    table,
  }: {
    /** The stored draft. */
    readonly draft: string
    readonly file: string
    /** Of a file that can be read in another encoding. */
    readonly encoding: string | undefined
    readonly isEncodingCertain: boolean
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
<fieldset class="part"><legend class="unseen">How the table is read</legend>
${doubt(table.isSeparatorCertain, isEncodingCertain)}
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
${compactSelect({
  name: "separator",
  label: "Separator",
  value: separatorNames.find(([separator]) => separator === table.separator)?.[1] ?? "comma",
  errors,
  choices: separatorNames.map(([, name, text]) => [name, text] as const),
})}
${encoding === undefined ? null : html`<div class="encoding">${compactSelect({ name: "encoding", label: "Encoding", value: encoding, errors, choices: encodingChoices(encoding) })}</div>`}
<button class="secondary" name="do" value="header">Apply</button></div></fieldset>
<fieldset class="part"><legend class="unseen">Columns</legend>
<table class="chosen-table mapping"><thead><tr><th scope="col">Column</th><th scope="col">First values</th><th scope="col">Contents</th></tr></thead>
<tbody>${columns.map((column, i) => columnRow(table, column, i, isEncodingCertain, errors))}</tbody></table>
<p class="note">Metadata is your own data: it is returned with the candidate and in webhooks. Its names have at most ${referenceLimits.key} letters, digits, "_", "-" and ".".</p></fieldset>
${
  ignored.length === 0
    ? null
    : html`<fieldset class="part" id="ignored"><legend><h2>Ignored columns</h2></legend>
<p>${ignored.map((name, i) => html`${i === 0 ? "" : ", "}<strong><bdi>${cut(name, 60)}</bdi></strong>`)}</p>
<p><label class="pick"><input type="checkbox" name="confirmed" value="yes"${errors["confirmed"] === undefined ? null : html` aria-invalid="true" aria-describedby="confirmed-error"`}> <span>Leave out every column set to “Ignore this column”. The values are not stored.</span></label>
${errorText("confirmed", errors)}</p></fieldset>`
}
<p class="actions"><button class="primary" name="do" value="next">Continue</button>
<a class="button secondary" href="${edit}">Back</a></p>
</form>`,
  })
}
