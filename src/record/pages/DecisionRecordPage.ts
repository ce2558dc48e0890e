/** Settings → Organization → Decision record; reviews/pages/SubmissionRecordPage.ts has the record of one submission. */
import type { Member } from "../../accounts/members/Member.ts"
import { countText, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { RecordHead } from "../RecordExports.ts"

export const recordHref = "/settings/record"

/** A hash in groups, so that it wraps and can be compared by eye; copied, it has no blanks. */
export const hashText = (hash: string, id?: string): Html => {
  const groups = hash.match(/.{1,8}/g) ?? []
  return html`<code class="hash"${id === undefined ? null : html` id="${id}"`}>${groups.map((group) => html`${group}<wbr>`)}</code>`
}

const copyButton = (id: string, what: string): Html =>
  html` <button type="button" class="link" data-copy="${id}" hidden>Copy<span class="unseen"> ${what}</span></button>`

export const waitingText = (waiting: number): Html | null =>
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
<div><dt>Sealed</dt><dd>${sealed_at === null ? "not yet" : moment(sealed_at, "short")}</dd></div>
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
