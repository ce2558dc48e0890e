/** The page on which members sign in. */
import { durationText } from "../../domain/texts/Formats.ts"
import { html } from "../../service/Html.ts"
import type { Document } from "./Document.ts"
import { brand } from "./Parts.ts"

export interface SignInForm {
  /** As it was typed. */
  readonly email: string
  /** Where to go afterwards: a path of this service. */
  readonly next: string | undefined
  /** Whether address and password are asked for here; else a button leads to the page where they are. */
  readonly isForm: boolean
  /** What became of the attempt before. */
  readonly fault?: "refused" | "too_often" | "unavailable"
  /** Until it may be tried again. */
  readonly seconds?: number
}

const waiting = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : durationText("en", Math.ceil(seconds / 60))

const said = ({ fault, isForm, seconds = 0 }: SignInForm): string | undefined => {
  switch (fault) {
    case "refused":
      return isForm
        ? "The e-mail address or the password is not right."
        : "You were not signed in: no member of this workspace has your address."
    case "too_often":
      return `That was tried too often. Try again in ${waiting(seconds)}.`
    case "unavailable":
      return "Signing in is not possible at the moment. Try again in a few minutes."
    default:
      return undefined
  }
}

export const signInPage = (form: SignInForm): Document => {
  const message = said(form)
  const alert =
    message === undefined ? null : html`<p class="alert" role="alert" id="fault"><strong>${message}</strong></p>`
  const invalid = form.fault === "refused" ? html` aria-invalid="true" aria-describedby="fault"` : null
  const next = form.next === undefined ? null : html`<input type="hidden" name="next" value="${form.next}">`
  return {
    title: message === undefined ? "Sign in" : `${message} – Sign in`,
    masthead: brand("Interview invitations"),
    scripts: [],
    styles: ["workspace.css"],
    main: html`<div class="sign-in">
<h1>Sign in</h1>
${alert}
${
  form.isForm
    ? html`<form method="post" action="/sign-in" class="fields">
${next}
<p><label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" inputmode="email" required value="${form.email}"${invalid}></p>
<p><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${invalid}></p>
<p><button class="primary large">Sign in</button></p>
</form>
<p class="note"><a href="/forgot-password">Lost your password?</a> You have no account? An owner or admin of your organization can
invite you.</p>`
    : html`<p><a class="button primary large" href="/sign-in/continue${form.next === undefined ? null : `?next=${encodeURIComponent(form.next)}`}">Continue</a></p>
<p class="note">You sign in on the page of your organization's provider, and come back here.</p>`
}
</div>`,
  }
}
