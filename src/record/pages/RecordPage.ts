/** Settings → Organization → Decision record, and the printable record of one submission. */
import type { Member } from "../../accounts/members/Member.ts"
import { countText, settingsPage, workspacePage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { noticeBox } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { EntryKind, SealedEntry } from "../RecordEntry.ts"
import type { RecordHead, SubmissionRecord } from "../RecordExports.ts"

export const recordHref = "/settings/record"

export const submissionRecordHref = (submission: string): string => `/submissions/${submission}/record`

/** A hash in groups, so that it wraps and can be compared by eye; copied, it has no blanks. */
const hashText = (hash: string, id?: string): Html => {
  const groups = hash.match(/.{1,8}/g) ?? []
  return html`<code class="hash"${id === undefined ? null : html` id="${id}"`}>${groups.map((group) => html`${group}<wbr>`)}</code>`
}

const copyButton = (id: string, what: string): Html =>
  html` <button type="button" class="link" data-copy="${id}" hidden>Copy<span class="unseen"> ${what}</span></button>`

const waitingText = (waiting: number): Html | null =>
  waiting === 0
    ? null
    : html`<p class="note">${countText(waiting, "fact waits", "facts wait")} to be sealed, which takes a second or two. Load the page again.</p>`

export const recordPage = (
  member: Member,
  { entries, head, keys, sealed_at, waiting }: RecordHead,
  refusal: string | undefined,
): Document =>
  settingsPage(member, {
    title: `${refusal === undefined ? "" : "Not exported – "}Decision record`,
    section: "Decision record",
    notice: refusal === undefined ? undefined : { text: `Not exported: ${refusal}.`, isError: true },
    main: html`<header class="lead"><h1>Decision record</h1>
<p class="welcome">Each evaluation, override and decision is an entry in a signed chain. A changed, missing or reordered entry shows when
an export is checked with the key's fingerprint.</p></header>
<dl class="seal">
<div><dt>Entries</dt><dd>${entries}</dd></div>
<div><dt>Hash of the last entry</dt><dd>${head === null ? "none yet" : html`${hashText(head, "head")}${copyButton("head", "the hash")}`}</dd></div>
<div><dt>Sealed</dt><dd>${sealed_at === null ? "not yet" : moment(sealed_at)}</dd></div>
<div><dt>Fingerprint of the key</dt><dd>${keys.length === 0 ? "made with the first entry" : html`${hashText(keys.at(-1) ?? "", "key")}${copyButton("key", "the fingerprint")}`}${
      keys.length < 2
        ? null
        : html`<br><span class="quiet">It replaced ${countText(keys.length - 1, "key", "keys")}, each of which signed the next one.</span>`
    }</dd></div>
</dl>
${waitingText(waiting)}
<section class="of-record" aria-labelledby="noted"><h2 id="noted">Note these outside of the service</h2>
<p>Keep the fingerprint, the number of entries and the last hash where this service cannot change them, for example in a monthly
email to your auditor. An export is later compared with them: without the fingerprint, it does not prove who made it; without
the hash, not that the record was not rewritten.</p></section>
<section class="of-record" aria-labelledby="export"><h2 id="export">Export</h2>
<p>One file with all entries and the public keys. It contains personal data, except that of erased candidates. The export is
noted in the audit log. Check it with <code>interview-invitations record verify</code>.</p>
<form method="post" action="${recordHref}/export"><button class="secondary">Download the record</button></form></section>`,
  })

const kindNames: Readonly<Record<EntryKind, string>> = {
  evaluation: "Evaluation",
  override: "Override of a score",
  decision: "Decision",
}

const label = (name: string): string => {
  const words = name
    .replaceAll("_", " ")
    .replace(/^cv\b/, "CV")
    .replace(/^cfg importance id$/, "importance")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Facts that are null are left out, and lists follow what is on one line. */
const shownFields = (record: Readonly<Record<string, unknown>>) => {
  const known = Object.entries(record).filter(([, value]) => value !== null)
  const isLong = (value: unknown) => typeof value === "object"
  return [...known.filter(([, value]) => !isLong(value)), ...known.filter(([, value]) => isLong(value))]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Any value of an entry, with the names of its fields, so that a new field is shown too. */
const valueOf = (value: unknown): Html => {
  if (Array.isArray(value)) {
    return value.length === 0
      ? html`none`
      : html`<ul>${value.map((one: unknown) => html`<li>${valueOf(one)}</li>\n`)}</ul>`
  }
  if (isObject(value)) return fields(value)
  if (value === null || value === undefined || value === "") return html`none`
  if (typeof value === "boolean") return html`${value ? "yes" : "no"}`
  return html`<span dir="auto">${String(value)}</span>`
}

const fields = (record: Readonly<Record<string, unknown>>): Html =>
  html`<dl class="signed">${shownFields(record).map(([name, value]) => html`<div><dt>${label(name)}</dt><dd>${valueOf(value)}</dd></div>\n`)}</dl>`

const entrySection = ({ content, entry, hash, signature }: SealedEntry): Html =>
  html`<section class="card entry" aria-labelledby="entry-${entry.number}"><h2 id="entry-${entry.number}">${kindNames[entry.kind]} <span class="quiet">entry ${entry.number} · ${moment(new Date(entry.at))}</span></h2>
${fields(entry.facts)}
${content === null ? html`<p class="note">The content was erased with the candidate's personal data. The chain still has its hash.</p>` : fields(content)}
<p class="note">Hash ${hashText(hash)}<br>
Key ${hashText(entry.key)}<br>
Signature <code class="hash">${signature.match(/.{1,8}/g)?.map((group) => html`${group}<wbr>`) ?? ""}</code></p></section>
`

export const submissionRecordPage = (
  member: Member,
  submission: string,
  { entries, interview, name, waiting }: SubmissionRecord,
  refusal: string | undefined,
): Document => {
  const shown = name === "" ? "a candidate without a name" : name
  return {
    ...workspacePage(member, {
      title: `${refusal === undefined ? "" : "Not exported – "}Record of ${shown}`,
      place: "Submissions",
      width: "wide",
      main: html`<nav aria-label="Up"><a class="back" href="/submissions/${submission}"><span aria-hidden="true">← </span>Submission</a></nav>
${noticeBox(refusal === undefined ? undefined : { text: `Not exported: ${refusal}.`, isError: true })}
<div class="record"><header class="lead"><h1>Record of <bdi>${shown}</bdi></h1>
<p class="about"><bdi>${interview}</bdi> · submission <code>${submission}</code></p></header>
${waitingText(waiting)}
${
  entries.length === 0
    ? html`<p class="empty">The record has no entries about this submission yet. The first follows its evaluation, or a decision.</p>`
    : html`<form method="post" action="${submissionRecordHref(submission)}/export" class="save-record"><button class="secondary">Download as JSON</button>
<p class="note">With the evaluated texts, signatures and public keys, for <code>interview-invitations record verify</code>. To save this page
as a PDF, print it.</p></form>
${entries.map(entrySection)}`
}</div>`,
    }),
    styles: ["icons.css", "workspace.css", "settings.css", "records.css"],
    scripts: ["time.js", "settings.js"],
  }
}
