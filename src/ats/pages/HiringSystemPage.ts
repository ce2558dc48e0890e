/** Settings → Integrations → Hiring systems. */
import type { Member } from "../../accounts/Member.ts"
import { countText, cut, facts, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  compactSelect,
  confirmForm,
  copyField,
  errorSummary,
  type FieldErrors,
  field,
  hasErrors,
  type Notice,
} from "../../platform/http/FormControls.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { CallAddress } from "../CallAddress.ts"
import type { Connection, ExchangeLine } from "../Connection.ts"
import type { CredentialField } from "../Connector.ts"
import { connectors } from "../Connectors.ts"
import { HiringSystem, systemNames } from "../HiringSystem.ts"

const section = "Hiring systems"
export const connectionsHref = "/settings/integrations/hiring-systems"
const allConnections = { href: connectionsHref, name: "All hiring systems" }

export const connectionHref = (id: string): string => `${connectionsHref}/${id}`

const backTo = ({ id, name }: Connection) => ({ href: connectionHref(id), name: cut(name, 80) })

const newHref = (system: HiringSystem) => `${connectionsHref}/new?system=${system}`

/** The name of a credential's form field. */
export const credentialName = (name: string): string => `credential-${name}`

/** Labels for error texts, by the name of the form field. */
export const labelsOf = (system: HiringSystem): Readonly<Record<string, string>> => ({
  name: "The name",
  ...Object.fromEntries(connectors[system].credentials.map(({ label, name }) => [credentialName(name), label])),
})

const hasKey = (system: HiringSystem): boolean => connectors[system].authentication._tag !== "Signature"

const contractNote = html`<p class="note">Tested against the documented contract, not certified by the vendor.</p>`

const statusTag = ({ status }: Connection): Html =>
  status === "active" ? html`<span class="tag on">Active</span>` : html`<span class="tag off">Paused</span>`

const lastCall = ({ last_used_at }: Connection): Html =>
  last_used_at === null ? html`no calls yet` : html`last call ${moment(new Date(last_used_at), "short")}`

const countsText = ({ failed, orders, waiting }: Connection): string =>
  [
    countText(orders, "order", "orders"),
    ...(waiting === 0 ? [] : [countText(waiting, "waiting report", "waiting reports")]),
    ...(failed === 0 ? [] : [countText(failed, "failed report", "failed reports")]),
  ].join(", ")

export const connectionListPage = (
  member: Member,
  connections: ReadonlyArray<Connection>,
  notice: Notice | undefined,
): Document =>
  settingsPage(member, {
    title: section,
    section,
    notice,
    main: html`<header class="lead with-action"><div><h1>Hiring systems</h1>
<p class="welcome">A connected hiring system orders interviews, and gets the score and a link back.</p></div>
<a class="button primary" href="${connectionsHref}/new">Connect</a></header>
${
  connections.length === 0
    ? html`<p class="empty">No hiring systems yet. <a href="${connectionsHref}/new">Connect one</a>.</p>`
    : html`<ul class="rows">
${connections.map(
  (one) => html`<li><a class="row" href="${connectionHref(one.id)}">
<span class="row-head"><span class="row-name" dir="auto">${cut(one.name, 80)}</span>${statusTag(one)}</span>
<span class="row-text">${systemNames[one.system]} · ${countsText(one)}</span>
<span class="row-text small">${lastCall(one)}</span></a></li>
`,
)}</ul>`
}`,
  })

export const chooseSystemPage = (member: Member): Document =>
  settingsPage(member, {
    title: "Connect a hiring system",
    section,
    back: allConnections,
    main: html`<header class="lead"><h1>Connect a hiring system</h1></header>
<ul class="rows">
${HiringSystem.literals.map(
  (
    system,
  ) => html`<li><a class="row" href="${newHref(system)}"><span class="row-name">${systemNames[system]}</span></a></li>
`,
)}</ul>
${contractNote}`,
  })

const credentialControl = (
  { help, label, name, options }: CredentialField,
  { blank, errors, typed }: CredentialsForm,
): Html =>
  options === undefined
    ? field({ name: credentialName(name), label, type: "password", hint: help, errors })
    : compactSelect({
        name: credentialName(name),
        label,
        value: typed[name] ?? "",
        choices: [["", blank], ...options.map((one) => [one, one.toUpperCase()] as const)],
        hint: help,
        errors,
      })

export interface CredentialsForm {
  /** The typed values by field name. Secret values are not shown again. */
  readonly typed: Readonly<Record<string, string>>
  readonly errors: FieldErrors
  /** The label of the empty option. */
  readonly blank: string
}

/** `note`: says what a blank field does. */
const credentialControls = (system: HiringSystem, form: CredentialsForm, note: string): Html | null => {
  const fields = connectors[system].credentials
  return fields.length === 0
    ? null
    : html`<p class="note">${note}</p>
${fields.map((one) => credentialControl(one, form))}`
}

export interface ConnectForm extends Omit<CredentialsForm, "blank"> {
  readonly id: string
  readonly system: HiringSystem
  readonly name: string
}

export const connectPage = (member: Member, form: ConnectForm): Document => {
  const { errors, id, name, system } = form
  return settingsPage(member, {
    title: `${hasErrors(errors) ? "Not connected – " : ""}Connect ${systemNames[system]}`,
    section,
    back: { href: `${connectionsHref}/new`, name: "Other hiring systems" },
    main: html`<header class="lead"><h1>Connect ${systemNames[system]}</h1></header>
${errorSummary(errors, "The hiring system was not connected.")}
<form method="post" action="${connectionsHref}" class="fields" novalidate>
<input type="hidden" name="id" value="${id}"><input type="hidden" name="system" value="${system}">
${field({ name: "name", label: "Name", value: name, errors, isRequired: true, hint: `Identifies the account, such as ${systemNames[system]} of Acme.` })}
${credentialControls(system, { ...form, blank: "Choose" }, `If ${systemNames[system]} has not issued a credential yet, enter it later. The next page shows what ${systemNames[system]} needs.`)}
<p class="actions"><button class="primary">Connect</button> <a class="button secondary" href="${connectionsHref}">Cancel</a></p>
</form>
${contractNote}`,
  })
}

/** States only what docs/hiring-systems.md and the connectors state about the vendor's product. */
const steps: Readonly<Record<HiringSystem, ReadonlyArray<string>>> = {
  greenhouse: [
    "Give the addresses to Greenhouse's partner team, which registers the assessment partner.",
    "Enter the key in Greenhouse. Greenhouse sends it as the user name of HTTP Basic, with an empty password.",
  ],
  ashby: [
    "Give the addresses to Ashby.",
    "Give Ashby the key. Ashby sends it as the user name of HTTP Basic.",
    "Reports are sent with the Ashby API key that you enter here. The API key needs the permission candidatesWrite.",
  ],
  kombo: [
    "In Kombo's dashboard, under Webhooks, enter the addresses. Kombo signs its calls with the webhook secret that you enter here, so no key is needed.",
    "The service sends your interview sets to Kombo, and fetches open orders every hour.",
  ],
  workable: [
    "Give the addresses to Workable.",
    "Give Workable the key. Workable sends it as a bearer token.",
    "Reports are sent with the Workable access token that you enter here.",
  ],
}

const setup = ({ system }: Connection): Html =>
  html`<section class="connected" aria-labelledby="setup"><h2 id="setup">Set up ${systemNames[system]}</h2>
<ol>${steps[system].map((step) => html`<li>${step}</li>\n`)}</ol>
${contractNote}</section>`

const addressFields = (addresses: ReadonlyArray<CallAddress>): ReadonlyArray<Html> =>
  addresses.map(({ operation, url }, index) => copyField(`address-${index}`, operation, url))

interface KeyView {
  readonly connection: Connection
  readonly addresses: ReadonlyArray<CallAddress>
  /** Undefined: the hiring system needs none. */
  readonly key: string | undefined
}

/** The only page that shows the key. */
export const connectedPage = (member: Member, { addresses, connection, key }: KeyView): Document => {
  const title = key === undefined ? `${systemNames[connection.system]} is connected` : "Save the key now"
  return settingsPage(member, {
    title,
    section,
    main: html`<header class="lead"><h1>${title}</h1>
${key === undefined ? null : html`<p class="welcome">The key of <bdi>${connection.name}</bdi> is shown only this once.</p>`}</header>
<div class="once" data-forget="The key was shown once, and is not shown again.">
${key === undefined ? null : copyField("key", "The key", key)}
${addressFields(addresses)}
</div>
${setup(connection)}
<p class="actions spaced"><a class="button primary" href="${connectionHref(connection.id)}">${key === undefined ? "Open the connection" : "I have saved it"}</a></p>`,
  })
}

const exchangeTable = (exchanges: ReadonlyArray<ExchangeLine>): Html =>
  exchanges.length === 0
    ? html`<p class="empty">No calls or reports yet.</p>`
    : html`<table class="exchanges"><thead><tr><th scope="col">Time</th><th scope="col">Operation</th><th scope="col">HTTP status</th><th scope="col">Error</th></tr></thead>
<tbody>${exchanges.map(
        ({ at, error, operation, status }) =>
          html`<tr><td>${moment(new Date(at), "short")}</td><td>${operation}</td><td>${status ?? "none"}</td><td>${error === null ? null : cut(error, 150)}</td></tr>\n`,
      )}</tbody></table>`

interface ConnectionView {
  readonly connection: Connection
  readonly missing: ReadonlyArray<string> | undefined
  readonly addresses: ReadonlyArray<CallAddress>
  readonly exchanges: ReadonlyArray<ExchangeLine>
  readonly notice: Notice | undefined
}

/** Says why no reports are sent, and what to do. */
const obstacle = ({ connection: { id, system }, missing }: ConnectionView): Html | null => {
  if (missing !== undefined && missing.length === 0) return null
  const hasFields = connectors[system].credentials.length > 0
  const text =
    missing === undefined
      ? `The stored credentials cannot be decrypted, because SECRET_KEY has changed. Nothing is sent to ${systemNames[system]} until the former SECRET_KEY is restored, or ${hasFields ? "all credentials are entered again" : "the key is replaced"}.`
      : `Nothing is sent to ${systemNames[system]} until these credentials are entered: ${missing.join(", ")}.`
  return html`<div class="alert"><p>${text}</p>${!hasFields ? null : html`<p class="actions"><a class="button primary" href="${connectionHref(id)}/credentials">Enter the credentials</a></p>`}</div>`
}

const failedReports = ({ failed, id, status }: Connection): HtmlValue =>
  failed === 0 || status === "paused"
    ? failed
    : html`${failed} <form method="post" action="${connectionHref(id)}/send-failed" class="inline"><button class="link">Send again</button></form>`

export const connectionPage = (member: Member, view: ConnectionView): Document => {
  const { addresses, connection, exchanges, notice } = view
  const { id, last_used_at, name, orders, status, system, waiting } = connection
  const href = connectionHref(id)
  const step = status === "active" ? "pause" : "resume"
  return settingsPage(member, {
    title: `${cut(name, 80)} – ${section}`,
    section,
    back: allConnections,
    notice,
    main: html`<header class="lead"><h1 dir="auto">${name}</h1>
<p class="about">${statusTag(connection)} <span class="quiet">${systemNames[system]}</span></p></header>
${obstacle(view)}
<div class="actions"><form method="post" action="${href}/test"><button class="primary">Test</button></form>
<form method="post" action="${href}/${step}"><button class="secondary">${status === "active" ? "Pause" : "Resume"}</button></form>
${hasKey(system) ? html`<a class="button secondary" href="${href}/key">Replace the key…</a>` : null}
${connectors[system].credentials.length === 0 ? null : html`<a class="button secondary" href="${href}/credentials">Replace the credentials</a>`}
<a class="button danger" href="${href}/delete">Remove…</a></div>
${facts([
  ["Last call", last_used_at === null ? "none yet" : moment(new Date(last_used_at), "short")],
  ["Orders", orders],
  ["Waiting reports", waiting],
  ["Failed reports", failedReports(connection)],
])}
<section class="connected" aria-labelledby="addresses"><h2 id="addresses">Addresses</h2>
<div class="once">${addressFields(addresses)}</div></section>
${setup(connection)}
<section class="connected" aria-labelledby="exchanges"><h2 id="exchanges">Newest calls and reports</h2>
${exchangeTable(exchanges)}</section>`,
  })
}

/** `form`: the form's id; a form that is sent twice replaces the key once. */
export const replaceKeyPage = (member: Member, connection: Connection, form: string): Document =>
  settingsPage(member, {
    title: `Replace the key of ${cut(connection.name, 80)}`,
    section,
    back: backTo(connection),
    main: html`<header class="lead"><h1>Replace the key of <bdi>${connection.name}</bdi>?</h1></header>
<p>Calls with the former key are refused at once. The new key is shown only once.</p>
<form method="post" action="${connectionHref(connection.id)}/key" class="actions spaced"><input type="hidden" name="id" value="${form}"><button class="danger">Replace the key</button>
<a class="button secondary" href="${connectionHref(connection.id)}">Cancel</a></form>`,
  })

export const credentialsPage = (member: Member, connection: Connection, form: CredentialsForm): Document =>
  settingsPage(member, {
    title: `${hasErrors(form.errors) ? "Not saved – " : ""}Credentials of ${cut(connection.name, 80)}`,
    section,
    back: backTo(connection),
    main: html`<header class="lead"><h1>Replace the credentials of <bdi>${connection.name}</bdi></h1></header>
${errorSummary(form.errors, "Nothing was saved.")}
<form method="post" action="${connectionHref(connection.id)}/credentials" class="fields" novalidate>
${credentialControls(connection.system, form, "A field that you leave empty keeps its value.")}
<p class="actions"><button class="primary">Save</button> <a class="button secondary" href="${connectionHref(connection.id)}">Cancel</a></p>
</form>`,
  })

export const removeConnectionPage = (member: Member, connection: Connection): Document =>
  settingsPage(member, {
    title: `Remove ${cut(connection.name, 80)}`,
    section,
    back: backTo(connection),
    main: html`<header class="lead"><h1>Remove <bdi>${connection.name}</bdi>?</h1></header>
<p>Calls from ${systemNames[connection.system]} will be refused. The connection is deleted with its ${countText(connection.orders, "order", "orders")} and its log; submissions remain.</p>
${confirmForm({ action: `${connectionHref(connection.id)}/delete`, label: "Remove the connection", cancelHref: connectionHref(connection.id), cancelLabel: "Keep it" })}`,
  })
