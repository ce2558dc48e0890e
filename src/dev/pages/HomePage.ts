/** The first page of `npm start`: links to all parts of the product. */
import { firstPlace } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import { tools } from "../../platform/http/PageParts.ts"

const links = [
  {
    href: firstPlace,
    name: "Workspace",
    text: "Invite candidates, read their answers and decide. Sign in as demo@example.com; the terminal shows the password.",
  },
  {
    href: "/mailbox",
    name: "Mailbox",
    text: "The emails to candidates. Open a link in an email to answer as a candidate.",
  },
  { href: "/receiver", name: "Receiver", text: "The webhooks that were sent, each with its signature checked." },
  { href: "/docs", name: "API", text: "The API reference for hiring systems: a guide and every operation." },
]

export const homePage: Document = {
  title: "Interview invitations",
  masthead: tools,
  scripts: [],
  main: html`<header class="lead"><h1>Your trial is ready</h1>
<p class="welcome">Invite a candidate in the workspace, or with the curl command that the terminal shows. Then open the mailbox.</p></header>
<ul class="rows">
${links.map(
  ({ href, name, text }) => html`<li><a class="row" href="${href}">
<span class="row-head"><span class="row-name">${name}</span></span>
<span class="row-text">${text}</span></a></li>`,
)}
</ul>`,
}
