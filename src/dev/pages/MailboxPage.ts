/** The mails that left this machine: the list, and one mail. */
import type { EmailRow } from "../../emails/EmailRepository.ts"
import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import { moment, tools } from "../../platform/http/PageParts.ts"
import { rewriteLinks } from "../Mailbox.ts"

/** Newest first, as the service gives them. `isSent`: they leave this machine too. */
export const mailboxPage = (emails: ReadonlyArray<EmailRow>, isSent: boolean): Document => ({
  title: "Mailbox",
  masthead: tools,
  scripts: ["time.js", "live.js"],
  main: html`<header class="lead"><h1>Mailbox</h1>
<p class="welcome">${
    isSent
      ? "Mails leave this machine, to the people they are addressed to. This is what was sent."
      : "Every mail that is sent on this machine arrives here and nowhere else."
  } Opening a mail and following its links is
reported as a mail provider would report it.</p></header>
<ul class="rows" data-live>
${emails.map(
  (email) => html`<li id="mail-${email.id}"><a class="row" href="/mailbox/${email.id}">
<span class="row-head"><span class="row-name" dir="auto">${email.recipient}</span>${moment(email.sent_at, "short")}</span>
<span class="row-text" dir="auto">${email.subject}</span></a></li>`,
)}
</ul>
${emails.length > 0 ? null : html`<p class="empty">No mail yet. Invite a candidate, and the invitation appears here.</p>`}`,
})

/**
 * About how high a mail is where a line holds so many characters; pixels. The page can not ask the frame, which is
 * closed to it and runs no script: its text says how much there is, and a frame that is too low scrolls.
 */
const heightOf = (text: string, perLine: number): number =>
  text.split("\n").reduce((height, line) => height + Math.ceil([...line].length / perLine) * 25 + 6, 190)

/**
 * One mail. Its HTML stands in a frame that runs no script; its links lead through this service, which reports them
 * and goes on to where they lead.
 */
export const mailPage = (
  email: EmailRow,
  headers: ReadonlyArray<readonly [name: string, value: string]>,
): Document => ({
  title: email.subject,
  masthead: tools,
  scripts: ["time.js"],
  main: html`<nav aria-label="Mailbox"><a class="back" href="/mailbox"><span aria-hidden="true">← </span>All mails</a></nav>
<header class="lead"><h1 dir="auto">${email.subject}</h1>
<p class="welcome">${moment(email.sent_at)}</p></header>
<dl class="headers">
${headers.map(
  ([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>
`,
)}</dl>
<iframe class="mail" height="${heightOf(email.text, 34)}" data-wide="${heightOf(email.text, 64)}" title="The mail" sandbox="allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox" srcdoc="${`<base target="_top">${rewriteLinks(email.html, (index) => `/mailbox/${email.id}/links/${index}`)}`}"></iframe>
<details class="copy"><summary>Text version</summary><pre>${email.text}</pre></details>`,
})

/** There is no such mail. */
export const unknownMailPage: Document = {
  title: "No such mail",
  masthead: tools,
  scripts: [],
  main: html`<div class="notice"><span class="sign closed" aria-hidden="true"></span><h1>There is no such mail</h1>
<p><a class="button secondary" href="/mailbox">All mails</a></p></div>`,
}
