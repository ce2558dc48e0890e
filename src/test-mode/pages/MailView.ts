/** A stored email on a page. */
import type { EmailRow } from "../../emails/EmailRepository.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import { rewriteLinks } from "../StoredMail.ts"

/** Estimates the height of an email in pixels, because a sandboxed frame cannot be measured. */
const heightOf = (text: string, perLine: number): number =>
  text.split("\n").reduce((height, line) => height + Math.ceil([...line].length / perLine) * 25 + 6, 190)

/** In a sandboxed frame without scripts. `base`: the path of the mailbox, below which the links are followed. */
export const mailView = (
  email: EmailRow,
  headers: ReadonlyArray<readonly [name: string, value: string]>,
  base: string,
): Html => html`<header class="lead"><h1 dir="auto">${email.subject}</h1>
<p class="welcome">${moment(email.sent_at)}</p></header>
<dl class="headers">
${headers.map(
  ([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>
`,
)}</dl>
<iframe class="mail" height="${heightOf(email.text, 34)}" data-wide="${heightOf(email.text, 64)}" title="The email" sandbox="allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox" srcdoc="${`<base target="_top">${rewriteLinks(email.html, (index) => `${base}/${email.id}/links/${index}`)}`}"></iframe>
<details class="copy"><summary>Text version</summary><pre>${email.text}</pre></details>`
