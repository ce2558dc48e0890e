/** The candidate's first page in a preview of an organization's appearance: nothing on it can be opened or sent. */
import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import { brand, type Logo } from "../../platform/http/PageParts.ts"
import type { InterviewView } from "../InterviewView.ts"
import { invitedPage } from "./InvitedPage.ts"

export const appearancePreviewPage = (view: InterviewView, logo: Logo | undefined): Document => {
  const { main, ...document } = invitedPage(view, "preview")
  return {
    ...document,
    masthead: brand(view.organizationName, logo),
    scripts: ["time.js"],
    main: html`<div inert>${main}</div>`,
  }
}
