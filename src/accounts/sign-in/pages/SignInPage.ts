/** Pages for visitors who are not signed in. */
import type { Document } from "../../../platform/http/Document.ts"
import {
  describedBy,
  errorBox,
  errorSummary,
  errorText,
  type FieldErrors,
  field,
  hasErrors,
} from "../../../platform/http/FormControls.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import { brand } from "../../../platform/http/PageParts.ts"
import { durationText } from "../../../texts/Formats.ts"
import type { LinkOwner } from "../PasswordLinkRepository.ts"
import { passwordLength } from "../Passwords.ts"
import { passkeySignIn } from "./PasskeySection.ts"

export const narrowPage = (
  title: string,
  main: Html,
  organization = "Interview invitations",
  documentTitle = title,
): Document => ({
  title: documentTitle,
  masthead: brand(organization),
  isFramed: true,
  scripts: ["time.js"],
  styles: ["icons.css", "workspace.css", "settings.css"],
  main: html`<div class="sign-in">
<h1>${title}</h1>
${main}
</div>`,
})

export const newPasswordField = (label: string, errors: FieldErrors): Html =>
  field({
    name: "password",
    label,
    errors,
    isRequired: true,
    type: "password",
    autocomplete: "new-password",
    hint: `At least ${passwordLength.min} characters. Try a passphrase.`,
  })

export const memberNameField = (label: string, value: string, errors: FieldErrors): Html =>
  field({
    name: "name",
    label,
    value,
    errors,
    autocomplete: "name",
    hint: "Your colleagues see it beside your changes.",
  })

export interface SignInForm {
  readonly email: string
  readonly next: string | undefined
  readonly passwords: boolean
  readonly provider: string | undefined
  readonly error?: "unknown" | "stale" | "denied" | "passkey" | "too_often" | "overloaded" | "unavailable"
  /** Errors of empty fields. */
  readonly errors?: FieldErrors
  readonly isAtProvider?: boolean
  readonly seconds?: number
}

const waitText = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : durationText("en", Math.ceil(seconds / 60))

const errorMessage = ({ error, isAtProvider = false, provider = "The provider", seconds = 0 }: SignInForm) => {
  switch (error) {
    case "unknown":
      return isAtProvider
        ? `You were not signed in: no member here has your account at ${provider}.`
        : "The email address or the password is wrong."
    case "stale":
      return "This sign-in took too long, was used before, or started in another browser. Please start again."
    case "passkey":
      return "You were not signed in: the passkey is not known here, or it was used too late. Try again, or use your password."
    case "denied":
      return `${provider} did not sign you in: the sign-in was cancelled there, or you may not use this service.`
    case "too_often":
      return `Too many attempts. Try again in ${waitText(seconds)}.`
    case "overloaded":
      return `Too many people are signing in at the moment. Try again in ${waitText(seconds)}.`
    case "unavailable":
      return isAtProvider
        ? `${provider} cannot be reached at the moment. Try again in a few minutes.`
        : "Signing in is not possible at the moment. Try again in a few minutes."
    default:
      return undefined
  }
}

const providerLink = (provider: string, next: string | undefined, isPrimary: boolean): Html =>
  html`<p><a class="button ${isPrimary ? "primary" : "secondary"} large" href="/sign-in/continue${next === undefined ? null : `?next=${encodeURIComponent(next)}`}">Sign in with <bdi>${provider}</bdi></a></p>`

const separator = html`<p class="either"><span>or</span></p>`

/** The same for all, so it reveals no member. */
const providerHelp = (
  provider: string,
): Html => html`<p>Were you invited? Then your account at ${provider} must have the address that
the invitation was sent to, and ${provider} must have verified it and send it to this service. Ask the owner or admin who invited you, or the administrator of
${provider} at your company. Not invited yet? An owner or admin of your organization can invite you.</p>`

const passwordForm = (form: SignInForm): Html => {
  const { errors = {} } = form
  const isWrong = form.error === "unknown" && form.isAtProvider !== true
  const wrong = html` aria-invalid="true" aria-describedby="error"`
  const state = (name: string) => (isWrong ? wrong : describedBy(name, errors, null))
  // a message has the focus; before the form, a provider's button would be skipped
  const isFirst = errorMessage(form) === undefined && !hasErrors(errors) && form.provider === undefined
  const next = form.next === undefined ? null : html`<input type="hidden" name="next" value="${form.next}">`
  return html`<form method="post" action="/sign-in" class="fields" novalidate>
${next}
<p><label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${form.email}"${isFirst ? html` autofocus` : null}${state("email")}>${errorText("email", errors)}</p>
<p><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${state("password")}>${errorText("password", errors)}</p>
<p><button class="primary large">Sign in</button></p>
</form>
<p class="note"><a href="/forgot-password">Lost your password?</a> No account? An owner or admin of your organization can
invite you.</p>`
}

export const signInPage = (form: SignInForm): Document => {
  const { errors = {}, next, passwords, provider } = form
  const message = hasErrors(errors) ? "You were not signed in." : errorMessage(form)
  return {
    title: message === undefined ? "Sign in" : `${message} – Sign in`,
    masthead: brand("Interview invitations"),
    isFramed: true,
    scripts: ["passkey.js"],
    styles: ["icons.css", "workspace.css"],
    main: html`<div class="sign-in">
<h1>Sign in</h1>
${hasErrors(errors) || message === undefined ? errorSummary(errors, "You were not signed in.") : errorBox(html`<strong>${message}</strong>`)}
${provider !== undefined && form.error === "unknown" && form.isAtProvider === true ? providerHelp(provider) : null}
${provider === undefined ? null : providerLink(provider, next, !passwords)}
${provider !== undefined && passwords ? separator : null}
${passwords ? html`${passwordForm(form)}${passkeySignIn(next)}` : html`<p class="note">You sign in at your organization's provider and then come back here.</p>`}
</div>`,
  }
}

export const passwordLabels = { email: "The address", name: "Your name", password: "The password" }

const backToSignIn = html`<p class="note"><a href="/sign-in">Back to sign-in</a></p>`

export const forgotPasswordPage = (form: {
  readonly email: string
  readonly errors: FieldErrors
  readonly seconds?: number
}): Document =>
  narrowPage(
    "A new password",
    html`<p>Enter the address that you sign in with. If it belongs to a member, we send a link to it.</p>
${form.seconds === undefined ? errorSummary(form.errors, "No link was sent.") : errorBox(html`<strong>Too many requests. Try again in ${durationText("en", Math.ceil(form.seconds / 60))}.</strong>`)}
<form method="post" action="/forgot-password" class="fields" novalidate>
${field({ name: "email", label: "Email address", errors: form.errors, isRequired: true, type: "email", autocomplete: "username", value: form.email })}
<p><button class="primary large">Send the link</button></p>
</form>
${backToSignIn}`,
  )

export const linkSentPage: Document = narrowPage(
  "Check your inbox",
  html`<p role="status">If the address belongs to a member, we have sent a link to it. The link works once, for an hour.</p>
<p class="note">No email after a few minutes? Look in the spam folder, and check the address. No account? An owner or admin of
your organization can invite you.</p>
${backToSignIn}`,
)

export const deadLinkPage: Document = narrowPage(
  "This link no longer works",
  html`<p>Links work once, and for a limited time: an invitation for a week, a link for a new password for an hour. Setting a password ends
the other links, too.</p>
<p><a class="button primary" href="/forgot-password">Get a new link</a></p>
${backToSignIn}`,
)

export interface PasswordForm extends Pick<LinkOwner, "email" | "joined" | "name" | "organization_name"> {
  readonly errors: FieldErrors
  readonly passwords: boolean
  readonly provider: string | undefined
}

export const passwordPage = (form: PasswordForm): Document => {
  const { email, errors, joined, name, organization_name, passwords, provider } = form
  const title = joined && passwords ? "Choose a new password" : "Welcome"
  const providerChoice =
    provider === undefined || (joined && passwords)
      ? null
      : html`${providerLink(provider, undefined, !passwords)}
<p class="note">Your account at ${provider} must have this address.</p>
${passwords ? separator : null}`
  const passwordChoice = passwords
    ? html`${errorSummary(errors, "Nothing was saved.")}
<form method="post" class="fields" novalidate>
<input type="email" name="email" value="${email}" autocomplete="username" hidden>
${joined ? null : memberNameField("Your name", name ?? "", errors)}
${newPasswordField("Password", errors)}
<p><button class="primary large">Save and sign in</button></p>
</form>`
    : null
  return narrowPage(
    title,
    html`<p>${joined ? "You sign in to the workspace of" : "You were invited to the workspace of"} <bdi>${organization_name}</bdi> as
<bdi>${email}</bdi>.</p>
${providerChoice}
${passwordChoice}`,
    organization_name,
    hasErrors(errors) ? `Not saved – ${title}` : title,
  )
}

export interface SetupForm {
  readonly organization: string
  readonly name: string
  readonly email: string
  readonly errors: FieldErrors
  readonly passwords: boolean
}

export const setupLabels = {
  code: "The code",
  organization: "The name",
  name: "Your name",
  email: "The address",
  password: "The password",
}

export const setupPage = ({ email, errors, name, organization, passwords }: SetupForm): Document =>
  narrowPage(
    "Your organization",
    html`<p>Create your organization. You become its owner and can invite the other members.</p>
${errorSummary(errors, "The organization was not created.")}
<form method="post" action="/setup" class="fields" novalidate><input type="hidden" name="time_zone" data-own-zone>
${field({
  name: "code",
  label: "Setup code",
  errors,
  isRequired: true,
  hint: html`The operator of this service gets it with the command <code>setup</code>.`,
})}
${field({ name: "organization", label: "Name of the organization", errors, isRequired: true, autocomplete: "organization", value: organization, hint: "Candidates see it in emails and on pages." })}
${field({ name: "name", label: "Your name", errors, autocomplete: "name", value: name })}
${field({ name: "email", label: "Your email address", errors, isRequired: true, autocomplete: "username", type: "email", value: email })}
${passwords ? newPasswordField("Password", errors) : html`<p class="note">You sign in at the provider. Your account there must have this address.</p>`}
<p><button class="primary large">Create the organization</button></p>
</form>`,
    undefined,
    hasErrors(errors) ? "Not created – Your organization" : "Your organization",
  )

export const unknownPathPage: Document = narrowPage(
  "Page not found",
  html`<p>There is no page at this address. Part of the link may be missing.</p>
<p><a class="button primary" href="/submissions">Go to the workspace</a></p>
<p class="note">Do you want to answer interview questions? Open the link in your invitation email again.</p>`,
)
