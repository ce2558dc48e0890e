/** A member's passkeys on the account page, and the button that signs in with one. */
import { type FieldErrors, field } from "../../../platform/http/FormControls.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import { moment } from "../../../platform/http/PageParts.ts"
import { type Passkey, passkeyLimits } from "../Passkey.ts"

/** What counts as a code where a password is asked for. */
export const proofHint = "A code is one of your authenticator app, or a recovery code."

export const passkeysHref = "/account/passkeys"
export const newPasskeyHref = `${passkeysHref}/options`

export const passkeySignInHref = "/sign-in/passkey"
export const passkeyOptionsHref = `${passkeySignInHref}/options`

/** The script shows the form, asks the browser for a passkey, and puts the answer into the hidden field. */
const asked = (how: "create" | "get", from: string, fields: Html): Html =>
  html` data-passkey="${how}" data-from="${from}" hidden><input type="hidden" name="passkey_answer">${fields}<p class="note" role="status"></p></form>`

/** The field with the password or code that removes a passkey. Ids differ between the forms of a page. */
export const removalField = (id: string): string => `removal_proof_${id}`

const proofField = (name: string, proof: "password" | "code", errors: FieldErrors): Html =>
  field({
    name,
    label: proof === "code" ? "Your password, or a code" : "Your password",
    errors,
    isRequired: true,
    type: "password",
    autocomplete: "current-password",
    ...(proof === "code" ? { hint: proofHint } : {}),
  })

const item = ({ createdAt, id, lastUsedAt, name }: Passkey, { errors, proof }: PasskeyForm): Html =>
  html`<li><div class="row"><div class="row-head"><span class="row-name"><bdi>${name}</bdi></span></div>
<span class="row-text small">added ${moment(createdAt, "short")} · ${lastUsedAt === null ? "not used yet" : html`last used ${moment(lastUsedAt, "short")}`}</span>
<details${errors[removalField(id)] === undefined ? null : html` open`}><summary>Remove<span class="unseen"> ${name}</span></summary>
<form method="post" action="${passkeysHref}/remove" class="fields" novalidate><input type="hidden" name="passkey" value="${id}">
<p class="note">All your other sessions end.</p>
${proof === undefined ? null : proofField(removalField(id), proof, errors)}
<p class="actions"><button class="danger">Remove passkey<span class="unseen"> ${name}</span></button></p></form></details></div></li>
`

interface PasskeyForm {
  readonly name: string
  /** With what members prove who they are: a password, or also a code. Undefined: they have neither. */
  readonly proof: "password" | "code" | undefined
  readonly errors: FieldErrors
}

const isRefused = (errors: FieldErrors): boolean =>
  ["passkey_name", "passkey_answer", "proof"].some((name) => errors[name] !== undefined)

export const passkeySection = (
  passkeys: ReadonlyArray<Passkey>,
  form: PasskeyForm,
): Html => html`<section class="apart" aria-labelledby="passkeys"><h2 id="passkeys">Passkeys</h2>
<p class="note">Sign in with the lock of your device or with a security key, without a password and a code.</p>
${passkeys.length === 0 ? null : html`<ul class="rows">${passkeys.map((one) => item(one, form))}</ul>`}
${
  passkeys.length >= passkeyLimits.count
    ? html`<p class="note">You have ${passkeyLimits.count} passkeys, the most that are possible.</p>`
    : html`<form method="post" action="${passkeysHref}" class="fields" novalidate${asked(
        "create",
        newPasskeyHref,
        html`<details${isRefused(form.errors) ? html` open` : null}><summary class="button secondary">Add a passkey</summary>
<div class="fields">${field({ name: "passkey_name", label: "Name", value: form.name, errors: form.errors, isRequired: true, hint: "To tell your passkeys apart" })}
${form.proof === undefined ? null : proofField("proof", form.proof, form.errors)}
<p class="actions"><button class="primary">Create passkey</button></p></div></details>`,
      )}
<noscript><p class="note">To add one, allow scripts for this page.</p></noscript>`
}</section>`

export const passkeySignIn = (next: string | undefined): Html =>
  html`<form method="post" action="${passkeySignInHref}" class="fields"${asked(
    "get",
    passkeyOptionsHref,
    html`${next === undefined ? null : html`<input type="hidden" name="next" value="${next}">`}<p><button class="secondary large">Sign in with a passkey</button></p>`,
  )}`
