/** The first page of `npm start`: links to all parts of the product, and the sample organization. */
import { shellWord } from "../../accounts/pages/WorkspacePage.ts"
import { defaultOf } from "../../config/SettingsTable.ts"
import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { tools } from "../../platform/http/PageParts.ts"
import type { SampleOrganization } from "../../sample/SampleRepository.ts"

/** The owner of the trial's own organization. */
export const memberEmail = "demo@example.com"

/** POST: signs in to the trial's own organization. */
export const ownHref = "/try/own"
/** POST: signs in to the sample organization. */
export const sampleHref = "/try/sample"
/** POST: removes the sample organization. */
export const removeSampleHref = "/try/sample/remove"

const links = [
  {
    href: "/mailbox",
    name: "Mailbox",
    text: "The emails to candidates. Open a link in an email to answer as a candidate.",
  },
  { href: "/receiver", name: "Receiver", text: "The webhooks that were sent, each with its signature checked." },
  { href: "/docs", name: "API", text: "The API reference for hiring systems: a guide and every operation." },
]

const button = (action: string, name: string, kind: "primary" | "secondary"): Html =>
  html`<form method="post" action="${action}"><button class="${kind}">${name}</button></form>`

/** The command that adds the sample to the data of this process. */
const addCommand = (dataDir: string): string =>
  `${dataDir === defaultOf("DATA_DIR") ? "" : `DATA_DIR=${shellWord(dataDir)} `}npx node src/main.ts sample add`

const sampleCard = (sample: SampleOrganization | undefined, dataDir: string): Html =>
  sample === undefined
    ? html`<section class="start-card"><h2>The sample</h2>
<p>There is no sample. To add one with 40 candidates, run <code>${addCommand(dataDir)}</code> in another terminal.</p></section>`
    : html`<section class="start-card"><h2>The product at work</h2>
<p>A sample: an invented company with three interview sets and 40 candidates in every state, apart from your workspace.${
        sample.state === "filling" ? html` <strong>It is being filled; you can watch.</strong>` : null
      }</p>
<div class="actions">${sample.owner === null ? null : button(sampleHref, "Open the sample", "primary")}</div>
${
  sample.state === "filling"
    ? null
    : html`<details><summary>Remove the sample…</summary><form method="post" action="${removeSampleHref}"><p>Deletes the invented company with its candidates, and all that you did in it. This cannot be undone.</p>
<button class="secondary danger">Remove the sample</button></form></details>`
}</section>`

/** `dataDir`: DATA_DIR. */
export const homePage = (sample: SampleOrganization | undefined, dataDir: string): Document => ({
  title: "Interview invitations",
  masthead: tools,
  scripts: [],
  main: html`<header class="lead"><h1>Your trial is ready</h1>
<p class="welcome">${sample === undefined ? "Begin in your own workspace. The button signs you in." : "Look at the sample, or begin in your own workspace. The buttons sign you in."}</p></header>
<div class="start-cards">${sampleCard(sample, dataDir)}
<section class="start-card"><h2>Your workspace</h2>
<p>For your own try, with one interview set and no candidates: invite one here, or with the curl command that the terminal shows. You are
${memberEmail}; the terminal shows the password.</p>
<div class="actions">${button(ownHref, "Open your workspace", sample === undefined ? "primary" : "secondary")}</div></section></div>
<ul class="rows">
${links.map(
  ({ href, name, text }) => html`<li><a class="row" href="${href}">
<span class="row-head"><span class="row-name">${name}</span></span>
<span class="row-text">${text}</span></a></li>`,
)}
</ul>`,
})
