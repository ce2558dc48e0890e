/** The page on which members sign in: by password, at a provider, or both. */

import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { brand } from "../../platform/http/PageParts.ts"
import { durationText } from "../../texts/Formats.ts"

export interface SignInForm {
  /** As it was typed. */
  readonly email: string
  /** Where to go afterwards: a path of this service. */
  readonly next: string | undefined
  /** Whether address and password are asked for. */
  readonly passwords: boolean
  /** What people call the provider; undefined: there is none. */
  readonly provider: string | undefined
  /** What became of the attempt before. */
  readonly fault?: "unknown" | "stale" | "denied" | "too_often" | "overloaded" | "unavailable"
  /** Whether that was at the provider. */
  readonly isAway?: boolean
  /** Until it may be tried again. */
  readonly seconds?: number
}

const waiting = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : durationText("en", Math.ceil(seconds / 60))

const said = ({ fault, isAway = false, provider = "The provider", seconds = 0 }: SignInForm): string | undefined => {
  switch (fault) {
    case "unknown":
      return isAway
        ? `You were not signed in: no member here is known by your account at ${provider}.`
        : "The e-mail address or the password is not right."
    case "stale":
      return "That sign-in took too long, was used before, or began in another browser. Please begin again."
    case "denied":
      return `${provider} did not sign you in: it was cancelled there, or you may not use this service.`
    case "too_often":
      return `That was tried too often. Try again in ${waiting(seconds)}.`
    case "overloaded":
      return `Too many people are signing in at the moment. Try again in ${waiting(seconds)}.`
    case "unavailable":
      return isAway
        ? `${provider} can not be reached at the moment. Try again in a few minutes.`
        : "Signing in is not possible at the moment. Try again in a few minutes."
    default:
      return undefined
  }
}

/** The link to the provider. */
export const providerLink = (provider: string, next: string | undefined, isFirst: boolean): Html =>
  html`<p><a class="button ${isFirst ? "primary" : "secondary"} large" href="/sign-in/continue${next === undefined ? null : `?next=${encodeURIComponent(next)}`}">Sign in with <bdi>${provider}</bdi></a></p>`

/** Whom to ask; the same whoever it is. */
const helpOf = (
  provider: string,
): Html => html`<p>Were you invited? Then ${provider} has to know you by the address that the
invitation went to, and to have it confirmed. Ask the owner or admin who invited you, or whoever looks after ${provider}
where you work. Everybody else: an owner or admin of your organization can invite you.</p>`

const passwordForm = (form: SignInForm): Html => {
  const isWrong = form.fault === "unknown" && form.isAway !== true
  const invalid = isWrong ? html` aria-invalid="true" aria-describedby="fault"` : null
  const next = form.next === undefined ? null : html`<input type="hidden" name="next" value="${form.next}">`
  return html`<form method="post" action="/sign-in" class="fields">
${next}
<p><label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" inputmode="email" required value="${form.email}"${invalid}></p>
<p><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${invalid}></p>
<p><button class="primary large">Sign in</button></p>
</form>
<p class="note"><a href="/forgot-password">Lost your password?</a> You have no account? An owner or admin of your organization can
invite you.</p>`
}

export const signInPage = (form: SignInForm): Document => {
  const { next, passwords, provider } = form
  const message = said(form)
  const alert =
    message === undefined ? null : html`<p class="alert" role="alert" id="fault"><strong>${message}</strong></p>`
  return {
    title: message === undefined ? "Sign in" : `${message} – Sign in`,
    masthead: brand("Interview invitations"),
    scripts: [],
    styles: ["workspace.css"],
    main: html`<div class="sign-in">
<h1>Sign in</h1>
${alert}
${provider !== undefined && form.fault === "unknown" && form.isAway === true ? helpOf(provider) : null}
${provider === undefined ? null : providerLink(provider, next, !passwords)}
${provider !== undefined && passwords ? html`<p class="either"><span>or</span></p>` : null}
${passwords ? passwordForm(form) : html`<p class="note">You sign in on the page of your organization's provider, and come back here.</p>`}
</div>`,
  }
}
