/** The preview of an organization's appearance: the candidate's first page, which is inert, and the sender of emails. */
import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import { brand, type Logo } from "../../platform/http/PageParts.ts"
import type { InterviewView } from "../InterviewView.ts"
import { invitedPage } from "./InvitedPage.ts"

interface Previewed {
  readonly sender: string
  readonly replyTo: string | null
  readonly logo: Logo | undefined
}

const closeTab = "Close this tab to continue editing."

export const appearancePreviewPage = (view: InterviewView, { logo, replyTo, sender }: Previewed): Document => {
  const { main, ...document } = invitedPage(view, "preview")
  return {
    ...document,
    language: "en",
    title: "Preview of the appearance",
    masthead: brand(view.organizationName, logo),
    scripts: ["time.js"],
    main: html`<header class="lead"><h1>Preview</h1><p class="info">This is a preview: nothing is saved or sent. ${closeTab}</p></header>
<div inert lang="${view.spoken}">${main}</div>
<section class="spaced" aria-labelledby="email"><h2 id="email" class="section">Emails to candidates</h2>
<dl class="headers"><div><dt>From</dt><dd><bdi>${sender}</bdi></dd></div>
${replyTo === null ? null : html`<div><dt>Replies go to</dt><dd><bdi>${replyTo}</bdi></dd></div>`}</dl>
<p class="note">They have the same logo and colour. Before you invite candidates, you see the whole email.</p></section>`,
  }
}

/** `reasons`: whole sentences. */
export const unusableAppearancePage = (reasons: ReadonlyArray<string>): Document => ({
  title: "Preview of the appearance",
  masthead: null,
  scripts: [],
  main: html`<div class="notice"><h1>There is nothing to preview yet</h1>
<ul>${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>
<p>${closeTab}</p></div>`,
})
