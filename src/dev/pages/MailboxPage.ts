/** The pages of the mailbox: the list of emails, and one email. */
import type { EmailRow } from "../../emails/EmailRepository.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment, tools } from "../../platform/http/PageParts.ts"
import { mailView } from "../../test-mode/pages/MailView.ts"

interface MailList {
  readonly title: string
  readonly about: Html
  readonly none: string
}

const mailList = (emails: ReadonlyArray<EmailRow>, { about, none, title }: MailList): Document => ({
  title,
  masthead: tools,
  scripts: ["time.js", "devLists.js"],
  main: html`<header class="lead"><h1>${title}</h1>
<p class="welcome">${about}</p></header>
<ul class="rows" data-live>
${emails.map(
  (email) => html`<li id="mail-${email.id}"><a class="row" href="/mailbox/${email.id}">
<span class="row-head"><span class="row-name" dir="auto">${email.recipient}</span>${moment(email.sent_at, "exact")}</span>
<span class="row-text" dir="auto">${email.is_test ? html`<span class="tag off">Test mode</span> ` : null}${email.subject}</span></a></li>`,
)}
</ul>
${emails.length > 0 ? null : html`<p class="empty">${none}</p>`}`,
})

const counting =
  "Opening an email and following its links counts as opened and clicked, as an email provider reports it."

/** `isSent`: emails are also sent to their recipients. */
export const mailboxPage = (emails: ReadonlyArray<EmailRow>, isSent: boolean): Document =>
  mailList(emails, {
    title: "Mailbox",
    about: html`${
      isSent
        ? "Emails are sent to their recipients. This list shows what was sent."
        : "Emails are stored here and not sent."
    } ${counting} <a href="/mailbox/sample">Emails of the sample</a>`,
    none: "No emails yet. Invite a candidate, and the invitation appears here.",
  })

export const sampleMailboxPage = (emails: ReadonlyArray<EmailRow>): Document =>
  mailList(emails, {
    title: "Emails of the sample",
    about: html`They are never sent. ${counting} <a href="/mailbox">Your emails</a>`,
    none: "The sample was removed, or is being created.",
  })

/** One email. Its links report the click and redirect. */
export const mailPage = (
  email: EmailRow,
  headers: ReadonlyArray<readonly [name: string, value: string]>,
): Document => ({
  title: email.subject,
  masthead: tools,
  scripts: ["time.js"],
  main: html`<nav aria-label="Mailbox"><a class="back" href="/mailbox"><span aria-hidden="true">← </span>All emails</a></nav>
${mailView(email, headers, "/mailbox")}`,
})

export const unknownMailPage: Document = {
  title: "Email not found",
  masthead: tools,
  scripts: [],
  main: html`<div class="notice"><span class="sign closed" aria-hidden="true"></span><h1>This email does not exist</h1>
<p><a class="button secondary" href="/mailbox">All emails</a></p></div>`,
}
