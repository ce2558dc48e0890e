/** Settings → Integrations → API keys. */
import type { Document } from "../../../platform/http/Document.ts"
import {
  choice,
  choiceGroup,
  confirmForm,
  copyBlock,
  copyField,
  errorSummary,
  type FieldErrors,
  field,
  hasErrors,
  type Notice,
  textarea,
} from "../../../platform/http/FormControls.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import { moment } from "../../../platform/http/PageParts.ts"
import type { Member } from "../../members/Member.ts"
import { grantsOf, Scope } from "../../Permissions.ts"
import { cut, factList, pager, settingsPage, shellWord, sinceText } from "../../pages/WorkspacePage.ts"
import { requestsHref } from "../../requests/pages/RequestLogPage.ts"
import type { ApiKey } from "../ApiKey.ts"

const section = "API keys"
export const keysHref = "/settings/integrations/api-keys"
const allKeys = { href: keysHref, name: "All API keys" }

export const keyHref = (id: string): string => `${keysHref}/${id}`

interface KeyForm {
  readonly name: string
  readonly description: string
  readonly isUnrestricted: boolean
  readonly scopes: ReadonlyArray<string>
  readonly errors: FieldErrors
}

export const labels = {
  name: "The name",
  description: "The description",
  scopes: "The access",
  expires_at: "The day",
  status: "The status",
}

const scopeNames: Readonly<Record<Scope, string>> = {
  invite_candidates: "Invite candidates",
  create_set: "Create interview sets",
  manage_sets: "Manage interview sets",
  review_submissions: "Decide about candidates",
  manage_webhooks: "Manage webhooks",
  manage_emails: "Manage suppressions",
  manage_privacy: "Manage personal data",
  read: "Read everything",
}

const scopesText = ({ scopes }: ApiKey): string => {
  if (scopes.length === 0) return "Everything"
  const [first = "", ...others] = scopes.map((scope) => scopeNames[scope])
  return [first, ...others.map((name) => name.charAt(0).toLowerCase() + name.slice(1))].join(", ")
}

const nameOf = ({ name }: ApiKey): string => cut(name ?? "Key without a name", 80)

const perPage = 50

const statusTag = ({ expired, status }: ApiKey): Html => {
  const text = status === "inactive" ? "Inactive" : expired ? "Expired" : "Active"
  return html`<span class="tag ${text === "Active" ? "on" : "off"}">${text}</span>`
}

const lastUse = ({ last_used_at }: ApiKey): Html =>
  last_used_at === null ? html`never used` : html`used ${moment(new Date(last_used_at), "short")}`

const idleDays = 30

const idleNote = ({ created_at, last_used_at }: ApiKey, now: Date): Html | null => {
  const days = Math.floor((now.getTime() - Date.parse(last_used_at ?? created_at)) / 86_400_000)
  return days < idleDays ? null : html` · <strong>not used for ${days} days</strong>`
}

const expiry = ({ expired, expires_at }: ApiKey): Html =>
  expires_at === null
    ? html`does not expire`
    : html`${expired ? "expired" : "expires"} ${moment(new Date(expires_at), "short")}`

export const keyListPage = (
  member: Member,
  keys: ReadonlyArray<ApiKey>,
  number: number,
  now: Date,
  notice: Notice | undefined,
): Document => {
  const pages = Math.max(1, Math.ceil(keys.length / perPage))
  const shown = Math.min(Math.max(1, number), pages)
  return settingsPage(member, {
    title: "API keys",
    section,
    notice,
    main: html`<header class="lead with-action"><div><h1>API keys</h1>
<p class="welcome">Hiring systems send a key with each request. <a href="/docs">API reference</a></p></div>
<a class="button primary" href="${keysHref}/new">Create a key</a></header>
${
  keys.length === 0
    ? html`<p class="empty">No API keys yet. <a href="${keysHref}/new">Create one</a> for each hiring system, so that you can revoke each one
separately.</p>`
    : html`<ul class="rows">
${keys.slice((shown - 1) * perPage, shown * perPage).map(
  (key) => html`<li><a class="row" href="${keyHref(key.id)}">
<span class="row-head"><span class="row-name" dir="auto">${nameOf(key)}</span>${statusTag(key)}</span>
<span class="row-text"><code>${key.value}</code> · ${scopesText(key)}</span>
<span class="row-text small">created ${moment(new Date(key.created_at), "short")} · ${lastUse(key)} · ${expiry(key)}${idleNote(key, now)}</span></a></li>
`,
)}</ul>`
}
${pager(keysHref, shown, pages)}`,
  })
}

const access = ({ errors, isUnrestricted, scopes }: KeyForm): Html =>
  choiceGroup(
    "scopes",
    "Access",
    errors,
    html`${choice({ name: "access", value: "some", isChosen: !isUnrestricted }, html`Only what is selected here <span class="note">Every key can read submissions, invitations, sets, projects, events and webhooks.</span>`)}
<div class="below">
${Scope.literals.map((scope) =>
  choice(
    { name: "scopes", value: scope, isChosen: scopes.includes(scope), type: "checkbox" },
    html`<strong>${scopeNames[scope]}</strong> <span class="note">${grantsOf(scope)}.</span>`,
  ),
)}</div>
${choice({ name: "access", value: "all", isChosen: isUnrestricted }, html`Everything <span class="note">Including future additions to the API.</span>`)}`,
  )

const commonFields = (form: KeyForm): Html => html`${field({
  name: "name",
  label: "Name",
  value: form.name,
  errors: form.errors,
  hint: "The system that uses the key, so that you find the key when that system is replaced.",
})}
${textarea({ name: "description", label: "Description", value: form.description, errors: form.errors })}
${access(form)}`

const newKeyTitle = (member: Member): string => (member.isTest === true ? "New test key" : "New API key")

/** What a key of this mode reads and changes (docs/test-mode.md). */
const modeNote = (member: Member): string =>
  member.isTest === true
    ? "It is a test key: it begins with iv_test_, and reads and changes test mode only."
    : "It is a live key: it begins with iv_live_. To try the API without real candidates, enter test mode and create a test key."

/** `id` of the future key: a form sent twice creates one. */
export const newKeyPage = (member: Member, id: string, form: KeyForm & { readonly expires: string }): Document =>
  settingsPage(member, {
    title: `${hasErrors(form.errors) ? "Not created – " : ""}${newKeyTitle(member)}`,
    section,
    back: allKeys,
    main: html`<header class="lead"><h1>${newKeyTitle(member)}</h1>
<p class="welcome">${modeNote(member)} <a href="/docs/test-mode">Test mode</a></p></header>
${errorSummary(form.errors, "The key was not created.")}
<form method="post" action="${keysHref}" class="fields" novalidate>
<input type="hidden" name="id" value="${id}">
${commonFields(form)}
${field({
  name: "expires_at",
  label: "Expires on",
  value: form.expires,
  errors: form.errors,
  type: "date",
  hint: "The key stops working when this day begins, in UTC. Leave empty for a key that does not expire.",
})}
<p class="actions"><button class="primary">Create the key</button> <a class="button secondary" href="${keysHref}">Cancel</a></p>
</form>`,
  })

interface KeyView {
  readonly key: ApiKey
  readonly form: KeyForm & { readonly status: string }
  readonly now: Date
  readonly notice: Notice | undefined
}

export const keyPage = (member: Member, { form, key, notice, now }: KeyView): Document => {
  const action = key.status === "active" ? "deactivate" : "activate"
  return settingsPage(member, {
    title: `${hasErrors(form.errors) ? "Not saved – " : ""}${nameOf(key)} – API keys`,
    section,
    back: allKeys,
    notice,
    main: html`<header class="lead"><h1 dir="auto">${nameOf(key)}</h1>
<p class="about">${statusTag(key)} <code>${key.value}</code></p></header>
${factList([
  ["Created", moment(new Date(key.created_at), "short")],
  [
    "Last used",
    html`${key.last_used_at === null ? "never" : moment(new Date(key.last_used_at), "short")}${idleNote(key, now)}`,
  ],
  ["Expires", key.expires_at === null ? "never" : moment(new Date(key.expires_at), "short")],
])}
<p class="spaced-below"><a href="${requestsHref({ key: key.id })}">Requests with this key</a></p>
<p class="note">The whole value was shown only when the key was created; the service stores a hash of it. If it is lost or leaked,
<a href="${keysHref}/new">create a new key</a>, give it to the system, then delete this one.</p>
${errorSummary(form.errors, "Nothing was saved.")}
<form method="post" action="${keyHref(key.id)}" class="fields" novalidate>
${commonFields(form)}
${choiceGroup(
  "status",
  "Status",
  form.errors,
  html`${choice({ name: "status", value: "active", isChosen: form.status === "active" }, "Active")}${choice(
    { name: "status", value: "inactive", isChosen: form.status === "inactive" },
    html`Inactive <span class="note">Requests are rejected until reactivated.</span>`,
  )}`,
)}
<p class="actions"><button class="primary">Save</button></p>
</form>
<section class="apart" aria-labelledby="end"><h2 id="end">${key.status === "active" ? "Deactivate or delete" : "This key is inactive"}</h2>
<p class="note">${
      key.status === "active"
        ? "Requests with an inactive key are rejected; you can reactivate it. A deleted key cannot be restored."
        : "Requests with it are rejected. You can reactivate it, or delete it."
    }</p>
<div class="actions"><form method="post" action="${keyHref(key.id)}/${action}"><button class="secondary">${key.status === "active" ? "Deactivate" : "Activate"}</button></form>
<a class="button danger" href="${keyHref(key.id)}/delete">Delete…</a></div></section>`,
  })
}

export const deleteKeyPage = (member: Member, key: ApiKey, now: Date): Document => {
  const last = key.last_used_at === null ? null : new Date(key.last_used_at)
  return settingsPage(member, {
    title: `Delete ${nameOf(key)}`,
    section,
    back: { href: keyHref(key.id), name: nameOf(key) },
    main: html`<header class="lead"><h1>Delete <bdi>${nameOf(key)}</bdi>?</h1><p class="about"><code>${key.value}</code></p></header>
${
  last === null
    ? html`<p>The key was <strong>never used</strong>.</p>`
    : html`<p>The key was <strong>last used ${sinceText(last, now)}</strong>, on ${moment(last, "short")}. After
deletion, requests with it are rejected.</p>`
}
<p>A deleted key cannot be restored.</p>
${confirmForm({ action: `${keyHref(key.id)}/delete`, label: "Delete the key", cancelHref: keyHref(key.id), cancelLabel: "Keep it" })}`,
  })
}

export const keyCreatedPage = (
  member: Member,
  key: { readonly name: string; readonly value: string; readonly apiUrl: string },
): Document =>
  settingsPage(member, {
    title: "Save the key now",
    section,
    main: html`<header class="lead"><h1>Save the key now</h1>
<p class="welcome">The ${member.isTest === true ? "test key" : "key"} “<bdi>${key.name}</bdi>” is shown only once. Store it with the system's secrets, never in a web
page, a log or version control.${member.isTest === true ? " It works in test mode only: a live key takes its place when you go live." : null}</p></header>
<div class="once" data-forget="The value was shown once, and is not shown again.">
${copyField("value", "The key", key.value)}
${copyBlock("curl", "Try it", `curl -H ${shellWord(`X-API-Key: ${key.value}`)} \\\n${shellWord(`${key.apiUrl}/company/integration/me/v1`)}`)}
</div>
<p class="actions spaced"><a class="button primary" href="${keysHref}?done=created">I have saved it</a></p>`,
  })

export const keyAlreadyCreatedPage = (member: Member, id: string): Document =>
  settingsPage(member, {
    title: "The key already exists",
    section,
    back: allKeys,
    main: html`<div class="notice"><span class="sign closed" aria-hidden="true"></span>
<h1>The key already exists</h1>
<p>This form was sent before and created one key. Its value was shown then and cannot be shown again. If you did not save it,
delete that key and create another.</p>
<p class="actions"><a class="button primary" href="${keyHref(id)}">Open the key</a> <a class="button secondary" href="${keysHref}/new">Create another</a></p></div>`,
  })
