/** Inviting candidates to a set: by rows, by a pasted table, or both. */

import type { Member } from "../../accounts/Member.ts"
import { cut, faultSummary, type Notice } from "../../accounts/pages/SettingsParts.ts"
import type { SetRecord } from "../../interview-sets/InterviewSets.ts"
import { control, select } from "../../interview-sets/pages/FormControls.ts"
import { recordPage } from "../../interview-sets/pages/RecordPage.ts"
import { setHref } from "../../interview-sets/pages/SetLabels.ts"
import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import { knownTokens } from "../Invitation.ts"
import type { InviteDraft, InviteErrors } from "../InviteDraft.ts"

/** Faults of a table that are told; the rest is told as a number. */
const mostLines = 20

export const invitePage = (
  member: Member,
  { set }: SetRecord,
  draft: InviteDraft,
  {
    faults,
    jobPosts,
    notice,
  }: {
    readonly faults: InviteErrors
    readonly jobPosts: ReadonlyArray<readonly [id: string, title: string]>
    readonly notice?: Notice
  },
): Document => {
  const { fields, lines } = faults
  const isFaulty = Object.keys(fields).length + lines.length > 0
  const action = `${setHref(set.id)}/invite`
  const told = lines.slice(0, mostLines)
  const tableFault =
    lines.length === 0
      ? fields
      : {
          ...fields,
          table: `${told.map(({ line, text }) => `Line ${line}: ${text}`).join(" ")}${lines.length > mostLines ? ` And ${lines.length - mostLines} more.` : ""}`,
        }
  const summary = isFaulty ? { ...fields, ...(lines.length > 0 ? { table: "" } : {}) } : {}
  return recordPage(member, {
    title: `${isFaulty ? "Nobody was invited – " : ""}Invite candidates`,
    place: "Interview sets",
    back: { href: setHref(set.id), name: cut(set.title, 120) },
    ...(notice === undefined ? {} : { notice }),
    main: html`<header class="lead"><h1>Invite candidates</h1>
<p class="welcome">${
      set.set_type === 2
        ? "Each needs the link of a CV, which is read and rated; nobody is written to."
        : "Each gets a mail with a link of their own. Who was invited already is not written to again."
    }</p></header>
${faultSummary(summary, "Nobody was invited.")}
<form method="post" action="${action}" class="set-form" novalidate><input type="hidden" name="id" value="${draft.id}">
<button class="unseen" name="do" value="invite" tabindex="-1" aria-hidden="true">Invite</button>
<fieldset class="part"><legend><h2>One by one</h2></legend>
<ol class="entries">${draft.rows.map(
      (
        row,
        i,
      ) => html`<li class="entry thirds" id="c${i}">${control({ name: `c.${i}.name`, label: html`Name<span class="unseen"> of candidate ${i + 1}</span>`, value: row.name, faults: fields })}
${control({ name: `c.${i}.email`, label: html`E-mail address<span class="unseen"> of candidate ${i + 1}</span>`, value: row.email, faults: fields })}
${control({ name: `c.${i}.cv`, label: html`Link of the CV<span class="unseen"> of candidate ${i + 1}</span>`, value: row.cv, faults: fields })}</li>`,
    )}</ol>
<p><button class="secondary" name="do" value="add" formaction="${action}#c${draft.rows.length}" formnovalidate>Add a row</button></p></fieldset>
<fieldset class="part"><legend><h2>Many at once</h2></legend>
${control({ name: "table", label: "Table", value: draft.table, faults: tableFault, area: true, hint: "Paste it from a spreadsheet or a CSV file, with the names of the columns (email, name, first name, last name, cv, id) in its first line, or one address a line." })}</fieldset>
<fieldset class="part"><legend><h2>The invitation</h2></legend>
${control({ name: "message", label: "Your words in the mail (optional)", value: draft.message, faults: fields, area: true, hint: `At least 10 characters. ${knownTokens} are filled in.` })}
${select({
  name: "send",
  label: "Mails",
  value: draft.send ? "mail" : "links",
  faults: fields,
  choices: [
    ["mail", "Send the invitations"],
    ["links", "Send nothing: I hand over the links myself"],
  ],
})}
${jobPosts.length === 0 ? null : select({ name: "job_post", label: "Job post", value: draft.job_post, faults: fields, choices: [["", "No job post"], ...jobPosts] })}</fieldset>
<p class="actions"><button class="primary large" name="do" value="invite">Invite</button>
<a class="button secondary large" href="${setHref(set.id)}">Cancel</a></p>
</form>`,
  })
}
