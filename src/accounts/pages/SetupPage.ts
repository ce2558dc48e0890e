/** The first page of an empty installation. */

import type { Document } from "../../platform/http/Document.ts"
import { html } from "../../platform/http/Html.ts"
import { credential, narrowPage, newPassword } from "./Credentials.ts"
import { type FieldErrors, faultSummary } from "./SettingsParts.ts"

/** As it was typed; the code and the password are typed again. */
export interface SetupForm {
  readonly organization: string
  readonly name: string
  readonly email: string
  readonly faults: FieldErrors
  /** Whether passwords are a way to sign in. */
  readonly passwords: boolean
}

export const labels = {
  code: "The code",
  organization: "The name",
  name: "Your name",
  email: "The address",
  password: "The password",
}

export const setupPage = ({ email, faults, name, organization, passwords }: SetupForm): Document =>
  narrowPage(
    `${Object.keys(faults).length > 0 ? "Not created – " : ""}Your organization`,
    "Your organization",
    html`<p>Nobody uses this service yet. Create your organization, with you as its owner; you can invite everybody else then.</p>
${faultSummary(faults, "The organization was not created.")}
<form method="post" action="/setup" class="fields" novalidate>
${credential({
  name: "code",
  label: "Setup code",
  faults,
  autocomplete: "off",
  hint: html`Whoever runs the service gets it from the command <code>interview-invitations setup</code>.`,
})}
${credential({ name: "organization", label: "Name of the organization", faults, autocomplete: "organization", value: organization, hint: "Candidates read it in mails and on pages." })}
${credential({ name: "name", label: "Your name", faults, autocomplete: "name", value: name, isOptional: true })}
${credential({ name: "email", label: "Your e-mail address", faults, autocomplete: "username", kind: "email", value: email })}
${passwords ? newPassword("password", "Password", faults) : html`<p class="note">You will sign in at the provider, which has to know you by this address.</p>`}
<p><button class="primary large">Create the organization</button></p>
</form>`,
  )
