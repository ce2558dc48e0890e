/** Settings → Integrations → API Keys: the list, one key, and what has to be read before a key is deleted. */

import type { Document } from "../../platform/http/Document.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { ApiKey } from "../ApiKey.ts"
import type { Member } from "../Member.ts"
import { Scope } from "../Scopes.ts"
import {
  cut,
  described,
  errorOf,
  type FieldErrors,
  facts,
  faultSummary,
  field,
  type Notice,
  pager,
  settingsPage,
} from "./SettingsParts.ts"
import { keyName, keyStatus, scopesText, scopeWords, sinceText } from "./SettingsWords.ts"

const section = "API Keys"
export const keysHref = "/settings/integrations/api-keys"
const all = { href: keysHref, name: "All API keys" }

export const keyHref = (id: string): string => `${keysHref}/${id}`

/** What the form of a key holds, as it was typed. */
export interface KeyForm {
  readonly name: string
  readonly description: string
  /** Everything, or the scopes alone. */
  readonly isUnrestricted: boolean
  readonly scopes: ReadonlyArray<string>
  readonly faults: FieldErrors
}

export const labels = {
  name: "The name",
  description: "The description",
  scopes: "What it may do",
  expires_at: "The day",
  status: "The status",
}

const perPage = 50

const statusTag = (key: ApiKey): Html => {
  const { isOn, name } = keyStatus(key)
  return html`<span class="tag ${isOn ? "on" : "off"}">${name}</span>`
}

const used = ({ last_used_at }: ApiKey): Html =>
  last_used_at === null ? html`never used` : html`used ${moment(new Date(last_used_at), "short")}`

/** A key that nothing presents is one that somebody else may find. */
const idleDays = 30

const idle = ({ created_at, last_used_at }: ApiKey, now: Date): Html | null => {
  const days = Math.floor((now.getTime() - Date.parse(last_used_at ?? created_at)) / 86_400_000)
  return days < idleDays ? null : html` · <strong>not used for ${days} days</strong>`
}

const expiry = ({ expired, expires_at }: ApiKey): Html =>
  expires_at === null
    ? html`does not expire`
    : html`${expired ? "expired" : "expires"} ${moment(new Date(expires_at), "short")}`

/** `number` is that of the page, from 1. */
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
    title: "API Keys",
    section,
    notice,
    main: html`<header class="lead with-action"><div><h1>API Keys</h1>
<p class="welcome">Hiring systems present a key with each request. <a href="/docs">What they can ask for</a></p></div>
<a class="button primary" href="${keysHref}/new">Create a key</a></header>
${
  keys.length === 0
    ? html`<p class="empty">There is no key yet. <a href="${keysHref}/new">Create one</a> for each system that invites candidates, so that one can be
taken away without the others.</p>`
    : html`<ul class="rows">
${keys.slice((shown - 1) * perPage, shown * perPage).map(
  (key) => html`<li><a class="row" href="${keyHref(key.id)}">
<span class="row-head"><span class="row-name" dir="auto">${cut(keyName(key), 80)}</span>${statusTag(key)}</span>
<span class="row-text"><code>${key.value}</code> · ${scopesText(key)}</span>
<span class="row-text small">created ${moment(new Date(key.created_at), "short")} · ${used(key)} · ${expiry(key)}${idle(key, now)}</span></a></li>
`,
)}</ul>`
}
${pager(keysHref, shown, pages)}`,
  })
}

const access = ({
  faults,
  isUnrestricted,
  scopes,
}: KeyForm): Html => html`<fieldset class="picks"${described("scopes", faults, null)}>
<legend>What it may do</legend>
<label class="pick"><input type="radio" name="access" value="some"${isUnrestricted ? null : html` checked`}> <span>Only what is chosen here</span></label>
<div class="below">
${Scope.literals.map(
  (
    scope,
  ) => html`<label class="pick"><input type="checkbox" name="scopes" value="${scope}"${scopes.includes(scope) ? html` checked` : null}>
<span><strong>${scopeWords[scope].name}</strong> <span class="note">${scopeWords[scope].text}</span></span></label>
`,
)}</div>
<label class="pick"><input type="radio" name="access" value="all"${isUnrestricted ? html` checked` : null}> <span>Everything <span class="note">Also what is added to the API later.</span></span></label>
${errorOf("scopes", faults)}
</fieldset>`

const common = (form: KeyForm): Html => html`${field({
  name: "name",
  label: "Name",
  value: form.name,
  faults: form.faults,
  hint: "Which system uses it: you will look for it here when that system is replaced.",
})}
${field({ name: "description", label: "Description", value: form.description, faults: form.faults, kind: "area" })}
${access(form)}`

/** `id` is the one that the key will have: a form that is sent twice makes one key. */
export const newKeyPage = (member: Member, id: string, form: KeyForm & { readonly expires: string }): Document =>
  settingsPage(member, {
    title: Object.keys(form.faults).length > 0 ? "Not created – New API key" : "New API key",
    section,
    back: all,
    main: html`<header class="lead"><h1>New API key</h1></header>
${faultSummary(form.faults, "The key was not created.")}
<form method="post" action="${keysHref}" class="fields" novalidate>
<input type="hidden" name="id" value="${id}">
${common(form)}
${field({
  name: "expires_at",
  label: "Expires on",
  value: form.expires,
  faults: form.faults,
  kind: "date",
  hint: "It stops working when this day begins, in UTC. Left empty, it does not expire.",
})}
<p class="actions"><button class="primary">Create the key</button> <a class="button secondary" href="${keysHref}">Cancel</a></p>
</form>`,
  })

export interface KeyPage {
  readonly key: ApiKey
  readonly form: KeyForm & { readonly status: string }
  readonly now: Date
  readonly notice: Notice | undefined
}

/** One key, and what can be changed of it. */
export const keyPage = (member: Member, { form, key, notice, now }: KeyPage): Document => {
  const action = key.status === "active" ? "deactivate" : "activate"
  return settingsPage(member, {
    title: `${Object.keys(form.faults).length > 0 ? "Not saved – " : ""}${cut(keyName(key), 80)} – API Keys`,
    section,
    back: all,
    notice,
    main: html`<header class="lead"><h1 dir="auto">${keyName(key)}</h1>
<p class="about">${statusTag(key)} <code>${key.value}</code></p></header>
${facts([
  ["Created", moment(new Date(key.created_at), "short")],
  [
    "Last used",
    html`${key.last_used_at === null ? "never" : moment(new Date(key.last_used_at), "short")}${idle(key, now)}`,
  ],
  ["Expires", key.expires_at === null ? "never" : moment(new Date(key.expires_at), "short")],
])}
<p class="note">The whole value was shown when the key was created; only a hash of it is kept. Is it lost or known to somebody else?
<a href="${keysHref}/new">Create a new key</a>, give it to the system, then delete this one.</p>
${faultSummary(form.faults, "Nothing was saved.")}
<form method="post" action="${keyHref(key.id)}" class="fields" novalidate>
${common(form)}
<fieldset class="picks"${described("status", form.faults, null)}><legend>Status</legend>
<label class="pick"><input type="radio" name="status" value="active"${form.status === "active" ? html` checked` : null}> <span>Active</span></label>
<label class="pick"><input type="radio" name="status" value="inactive"${form.status === "inactive" ? html` checked` : null}> <span>Inactive <span class="note">It opens nothing until it is active again.</span></span></label>
${errorOf("status", form.faults)}</fieldset>
<p class="actions"><button class="primary">Save</button></p>
</form>
<section class="apart" aria-labelledby="end"><h2 id="end">${key.status === "active" ? "Stop this key" : "This key is stopped"}</h2>
<p class="note">${
      key.status === "active"
        ? "Deactivated, it opens nothing from the next request on, and can be activated again. Deleted, it is gone."
        : "Requests that present it are refused. You can activate it again, or delete it."
    }</p>
<div class="actions"><form method="post" action="${keyHref(key.id)}/${action}"><button class="secondary">${key.status === "active" ? "Deactivate" : "Activate"}</button></form>
<a class="button danger" href="${keyHref(key.id)}/delete">Delete…</a></div></section>`,
  })
}

/** Asks once more, and says who may still be using the key. */
export const deleteKeyPage = (member: Member, key: ApiKey, now: Date): Document => {
  const last = key.last_used_at === null ? null : new Date(key.last_used_at)
  return settingsPage(member, {
    title: `Delete ${cut(keyName(key), 80)}`,
    section,
    back: { href: keyHref(key.id), name: cut(keyName(key), 80) },
    main: html`<header class="lead"><h1>Delete <bdi>${keyName(key)}</bdi>?</h1><p class="about"><code>${key.value}</code></p></header>
${
  last === null
    ? html`<p>It was <strong>never used</strong>: nothing that runs today needs it.</p>`
    : html`<p>It was <strong>last used ${sinceText(last, now)}</strong>, on ${moment(last, "short")}. Whatever presents it is refused from
the next request on.</p>`
}
<p>A deleted key can not be brought back.</p>
<form method="post" action="${keyHref(key.id)}/delete" class="actions spaced"><button class="danger">Delete the key</button>
<a class="button secondary" href="${keyHref(key.id)}">Keep it</a></form>`,
  })
}
