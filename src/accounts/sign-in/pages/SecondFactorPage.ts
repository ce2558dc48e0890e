/** The second step of a sign-in, and a member's second factor. */
import { Redacted } from "effect"
import type { Document } from "../../../platform/http/Document.ts"
import {
  describedBy,
  errorSummary,
  errorText,
  type FieldErrors,
  field,
  hasErrors,
  type Notice,
  noticeBox,
} from "../../../platform/http/FormControls.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import { moment } from "../../../platform/http/PageParts.ts"
import { durationText } from "../../../texts/Formats.ts"
import type { Member } from "../../members/Member.ts"
import { accountMenu } from "../../pages/AccountMenu.ts"
import { countText, workspacePage } from "../../pages/WorkspacePage.ts"
import { keyText, qrPath, recoveryCodes, uriOf } from "../OneTimeCode.ts"
import type { SecondFactorStatus } from "../SecondFactors.ts"
import { proofHint } from "./PasskeySection.ts"
import { narrowPage } from "./SignInPage.ts"

const href = "/account/second-factor"

export const codeLabels = { code: "The code", proof: "The password or code" }

export const tooManyCodes = (seconds: number): string =>
  `Too many wrong codes. Try again in ${durationText("en", Math.ceil(seconds / 60))}.`

const codeField = (label: string, errors: FieldErrors, hint: string): Html =>
  field({ name: "code", label, errors, isRequired: true, isMono: true, autocomplete: "one-time-code", hint })

export const codePage = ({ errors }: { readonly errors: FieldErrors }): Document =>
  narrowPage(
    "Enter a code",
    html`<p>Your password is right. Now enter the code that your authenticator app shows for this service.</p>
${errorSummary(errors, "You were not signed in.")}
<form method="post" action="/sign-in/code" class="fields" novalidate>
${codeField("Code", errors, "6 digits of the app, or one of your recovery codes. Each works once.")}
<p><button class="primary large">Sign in</button></p>
</form>
<p class="note">No app and no recovery codes left? An owner or admin of your organization can remove your second factor under
Settings → Members. <a href="/sign-in">Start again</a></p>`,
    undefined,
    hasErrors(errors) ? "Not signed in – Enter a code" : "Enter a code",
  )

export const secondFactorSection = (status: SecondFactorStatus | undefined): Html =>
  html`<section class="apart" aria-labelledby="factor"><h2 id="factor">Second factor ${status === undefined ? html`<span class="tag off">Off</span>` : html`<span class="tag on">On</span>`}</h2>
<p class="note">${
    status === undefined
      ? "With it, a password alone is not enough to sign in: a code from an app on your phone is needed, too."
      : html`Since ${moment(status.since, "short")}. ${countText(status.codesLeft, "recovery code", "recovery codes")} left.`
  }</p>
<p class="actions"><a class="button secondary" href="${href}">${status === undefined ? "Set up" : "Recovery codes, removal"}</a></p></section>`

/** The member, and whether the account has a password and passkeys. */
interface Owner {
  readonly member: Member
  readonly hasPasswords: boolean
}

interface Frame {
  readonly title: string
  readonly errors?: FieldErrors
  /** The member cannot open other pages before the factor is set up. */
  readonly isAlone?: boolean
}

const framed = (
  { hasPasswords, member }: Owner,
  { errors = {}, isAlone = false, title }: Frame,
  main: Html,
): Document => ({
  ...workspacePage(member, {
    title: hasErrors(errors) ? `Not saved – ${title}` : title,
    place: "Account",
    width: "wide",
    main: html`<div class="settings">
${isAlone ? html`<span></span>` : accountMenu({ current: "factor", hasPasswords })}
<div class="setting account-page">
${isAlone ? null : html`<nav aria-label="Up"><a class="back" href="/account"><span aria-hidden="true">← </span>Your account</a></nav>`}
<header class="lead"><h1>${title}</h1></header>
${main}</div></div>`,
  }),
  styles: ["icons.css", "workspace.css", "settings.css"],
  scripts: ["time.js", "settings.js"],
})

const qrCode = (text: string): Html => {
  const { path, size } = qrPath(text)
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code with the key below"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`
}

interface SetUpForm {
  readonly secret: Redacted.Redacted<Uint8Array>
  /** The secret, encrypted. */
  readonly pending: string
  readonly isRequired: boolean
  readonly needsPassword: boolean
  readonly errors: FieldErrors
}

export const setUpPage = (
  owner: Owner,
  { errors, isRequired, needsPassword, pending, secret }: SetUpForm,
): Document => {
  const key = Redacted.value(secret)
  const { member } = owner
  return framed(
    owner,
    { title: "Set up a second factor", errors, isAlone: isRequired },
    html`${isRequired ? html`<p class="info">${member.organizationName} requires a second factor. Set it up to go on.</p>` : null}
${errorSummary(errors, "The second factor is not set up yet.")}
<form method="post" action="${href}" class="factor-steps" novalidate>
<input type="hidden" name="pending" value="${pending}">
${qrCode(uriOf(key, member.email))}
<ol><li>Open an authenticator app on your phone, such as Aegis, Google Authenticator, Microsoft Authenticator or a password manager.</li>
<li>Scan the code with it, or enter this key: <code data-secret>${keyText(key)}</code></li>
<li><label for="code">Enter the 6 digits of the code that the app shows.</label>
<input type="text" id="code" name="code" class="mono digits" inputmode="numeric" autocomplete="one-time-code" autocapitalize="off" spellcheck="false" required${describedBy("code", errors, null)}>
${errorText("code", errors)}</li>${
      needsPassword
        ? html`
<li><label for="proof">Enter your password.</label>
<input type="password" id="proof" name="proof" autocomplete="current-password" required${describedBy("proof", errors, null)}>
${errorText("proof", errors)}</li>`
        : null
    }</ol>
<p class="actions"><button class="primary">Turn on</button></p>
</form>
<p class="note">Afterwards you get ${recoveryCodes} recovery codes, and all your other sessions end.</p>`,
  )
}

/** Shown once. */
export const recoveryPage = (owner: Owner, codes: ReadonlyArray<string>): Document =>
  framed(
    owner,
    { title: "Your recovery codes" },
    html`<p class="info" role="status">Keep these codes where you keep passwords. They are shown only now.</p>
<p>Each signs you in once, together with your password, when you do not have the app.</p>
<pre id="codes" class="block recovery-codes" tabindex="0" role="group" aria-label="Recovery codes" data-secret>${codes.join("\n")}</pre>
<p class="actions"><a class="button primary" href="/home">I have kept them</a> <button type="button" class="secondary" data-copy="codes" hidden>Copy</button></p>`,
  )

interface FactorView {
  readonly status: SecondFactorStatus
  readonly errors: FieldErrors
  readonly notice: Notice | undefined
  /** The form that was sent. */
  readonly sent: "codes" | "remove" | undefined
}

/** One field of the page has the error; ids differ between the forms. */
const proofField = (name: "proof" | "removal_proof", errors: FieldErrors): Html =>
  field({
    name,
    label: "Your password, or a code",
    errors,
    isRequired: true,
    type: "password",
    autocomplete: "current-password",
    hint: proofHint,
  })

export const factorPage = (owner: Owner, { errors, notice, sent, status }: FactorView): Document => {
  const error = errors["proof"]
  const codes: FieldErrors = sent === "codes" && error !== undefined ? { proof: error } : {}
  const removal: FieldErrors = sent === "remove" && error !== undefined ? { removal_proof: error } : {}
  return framed(
    owner,
    { title: "Second factor", errors },
    html`${noticeBox(notice)}
${errorSummary({ ...codes, ...removal }, "Nothing was changed.")}
<p>On since ${moment(status.since, "short")}. ${countText(status.codesLeft, "recovery code", "recovery codes")} left.</p>
<section class="apart" aria-labelledby="new-codes"><h2 id="new-codes">New recovery codes</h2>
<p class="note">The earlier codes stop working.</p>
<form method="post" action="${href}/codes" class="fields" novalidate>
${proofField("proof", codes)}
<p class="actions"><button class="secondary">Make new codes</button></p></form></section>
<section class="apart" aria-labelledby="removal"><h2 id="removal">Remove</h2>
<p class="note">Afterwards your password alone signs you in. All your other sessions end. To move to another phone, remove the second factor and set it up again.</p>
<form method="post" action="${href}/remove" class="fields" novalidate>
${proofField("removal_proof", removal)}
<p class="actions"><button class="danger">Remove the second factor</button></p></form></section>`,
  )
}
