/** Pages of a lost password, and of the links that set one. */

import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { durationText } from "../../texts/Formats.ts"
import type { LinkOwner } from "../PasswordLinkRepository.ts"
import { credential, narrowPage, newPassword } from "./Credentials.ts"
import { type FieldErrors, faultSummary } from "./SettingsParts.ts"
import { providerLink } from "./SignInPage.ts"

export const labels = { email: "The address", name: "Your name", password: "The password" }

const back = html`<p class="note"><a href="/sign-in">Back to signing in</a></p>`

/** `seconds`: until it may be asked again. */
export const forgotPage = (form: {
  readonly email: string
  readonly faults: FieldErrors
  readonly seconds?: number
}): Document =>
  narrowPage(
    "A new password",
    "A new password",
    html`<p>Enter the address that you sign in with. If it is a member's, a mail with a link goes there.</p>
${form.seconds === undefined ? null : html`<p class="alert" role="alert"><strong>That was asked too often. Try again in ${durationText("en", Math.ceil(form.seconds / 60))}.</strong></p>`}
<form method="post" action="/forgot-password" class="fields" novalidate>
${credential({ name: "email", label: "E-mail address", faults: form.faults, kind: "email", autocomplete: "username", value: form.email })}
<p><button class="primary large">Send the link</button></p>
</form>
${back}`,
  )

/** The same whoever has the address. */
export const askedPage: Document = narrowPage(
  "Check your inbox",
  "Check your inbox",
  html`<p role="status">If the address is a member's, a mail is on its way to it. The link in it works for an hour, and once.</p>
<p class="note">No mail after some minutes? Look in the spam folder, and check the address. Whoever was not invited has no
account: an owner or admin of your organization can help.</p>
${back}`,
)

/** For a link that was used, is over, or was never made. */
export const deadLinkPage: Document = narrowPage(
  "This link does not work any more",
  "This link does not work any more",
  html`<p>It works once, and for a limited time: an invitation for a week, a new password for an hour. Setting a password ends
the other links, too.</p>
<p><a class="button primary" href="/forgot-password">Ask for a new link</a></p>
${back}`,
)

export interface PasswordForm extends Pick<LinkOwner, "email" | "joined" | "name" | "organization_name"> {
  readonly faults: FieldErrors
  /** Whether passwords are a way to sign in; else only the provider is. */
  readonly passwords: boolean
  /** What people call the provider; undefined: there is none. */
  readonly provider: string | undefined
}

/** What a member who was invited may do in place of choosing a password. */
const elsewhere = (provider: string, passwords: boolean): Html => html`${providerLink(provider, undefined, !passwords)}
<p class="note">${provider} has to know you by this address.</p>
${passwords ? html`<p class="either"><span>or</span></p>` : null}`

/** Sent to its own address: the link is in no field. */
export const passwordPage = ({
  email,
  faults,
  joined,
  name,
  organization_name,
  passwords,
  provider,
}: PasswordForm): Document =>
  narrowPage(
    `${Object.keys(faults).length > 0 ? "Not saved – " : ""}${joined && passwords ? "Choose a new password" : "Welcome"}`,
    joined && passwords ? "Choose a new password" : "Welcome",
    html`<p>${joined ? "You sign in to the workspace of" : "You were invited to the workspace of"} <bdi>${organization_name}</bdi> as
<bdi>${email}</bdi>.</p>
${provider === undefined || (joined && passwords) ? null : elsewhere(provider, passwords)}
${
  passwords
    ? html`${faultSummary(faults, "Nothing was saved.")}
<form method="post" class="fields" novalidate>
<input type="email" name="email" value="${email}" autocomplete="username" hidden>
${joined ? null : credential({ name: "name", label: "Your name", faults, autocomplete: "name", value: name ?? "", isOptional: true, hint: "Your colleagues see it beside what you do." })}
${newPassword("password", "Password", faults)}
<p><button class="primary large">Save and sign in</button></p>
</form>`
    : null
}`,
    organization_name,
  )
