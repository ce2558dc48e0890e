/** Pages on which somebody who is not signed in yet types who they are: their frame and their fields. */

import type { Document } from "../../platform/http/Document.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { brand } from "../../platform/http/PageParts.ts"
import { passwordLength } from "../Passwords.ts"
import { described, errorOf, type FieldErrors } from "./SettingsParts.ts"

/** A page with one narrow column. */
export const narrowPage = (title: string, heading: string, main: Html, organization?: string): Document => ({
  title,
  masthead: brand(organization ?? "Interview invitations"),
  scripts: ["time.js"],
  styles: ["workspace.css", "settings.css"],
  main: html`<div class="sign-in">
<h1>${heading}</h1>
${main}
</div>`,
})

interface Credential {
  readonly name: string
  readonly label: string
  readonly faults: FieldErrors
  readonly hint?: HtmlValue
  readonly autocomplete: string
  readonly value?: string
  readonly kind?: "text" | "email" | "password"
  readonly isOptional?: boolean
}

/** A field that a browser may fill in. What was typed as a password is never sent back. */
export const credential = ({
  autocomplete,
  faults,
  hint,
  isOptional = false,
  kind = "text",
  label,
  name,
  value = "",
}: Credential): Html => html`<p><label for="${name}">${label}${isOptional ? html` <span class="quiet">optional</span>` : null}</label>
${hint ? html`<span class="note" id="${name}-hint">${hint}</span>` : null}
<input id="${name}" name="${name}" type="${kind}" autocomplete="${autocomplete}"${isOptional ? null : html` required`}${kind === "email" ? html` inputmode="email"` : null}${kind === "password" ? null : html` value="${value}"`}${kind === "text" ? html` dir="auto"` : null}${described(name, faults, hint)}>${errorOf(name, faults)}</p>`

/** A password to be set. */
export const newPassword = (name: string, label: string, faults: FieldErrors): Html =>
  credential({
    name,
    label,
    faults,
    kind: "password",
    autocomplete: "new-password",
    hint: `At least ${passwordLength.least} characters. A few words in a row are good.`,
  })
