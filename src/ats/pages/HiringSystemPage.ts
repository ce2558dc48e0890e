/** Settings → Integrations → Hiring systems. */
import type { Member } from "../../accounts/members/Member.ts"
import { countText, cut, factList, settingsPage } from "../../accounts/pages/WorkspacePage.ts"
import type { Document } from "../../platform/http/Document.ts"
import {
  confirmForm,
  copyBlock,
  copyField,
  errorSummary,
  type FieldErrors,
  field,
  hasErrors,
  type Notice,
  selectField,
} from "../../platform/http/FormControls.ts"
import { type Html, type HtmlValue, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { CallAddress } from "../CallAddress.ts"
import { type Connection, type ExchangeLine, otherIntegration } from "../Connection.ts"
import { type CredentialField, verifyingCredential } from "../Connector.ts"
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
  credentials: "The form",
  ...Object.fromEntries(connectors[system].credentials.map(({ label, name }) => [credentialName(name), label])),
})

const hasKey = (system: HiringSystem): boolean => connectors[system].authentication._tag !== "Signature"

const contractNote = (system: HiringSystem): Html =>
  html`<p class="note">${connectors[system].guide.caveat ?? "Tested against the documented contract, not certified by the vendor."}</p>`

const isComplete = ({ missing }: Connection): boolean => missing !== null && missing.length === 0

const statusTag = (connection: Connection): Html =>
  connection.status === "active" && isComplete(connection) && connection.lacks_access
    ? html`<span class="tag off">Access missing</span>`
    : connection.status === "active" && !isComplete(connection)
      ? html`<span class="tag off">Credentials missing</span>`
      : connection.status === "active"
        ? html`<span class="tag on">Active</span>`
        : html`<span class="tag off">Paused</span>`

const lastCall = ({ last_used_at }: Connection): Html =>
  last_used_at === null ? html`no calls yet` : html`last call ${moment(new Date(last_used_at), "short")}`

const countsText = ({ failed, orders, waiting }: Connection): string =>
  [
    countText(orders, "order", "orders"),
    ...(waiting === 0 ? [] : [countText(waiting, "waiting report", "waiting reports")]),
    ...(failed === 0 ? [] : [countText(failed, "failed report", "failed reports")]),
  ].join(", ")

/** The hiring systems that can be connected. */
const systemCards = html`<ul class="systems">
${HiringSystem.literals.map(
  (
    system,
  ) => html`<li class="system"><h2 class="system-name"><span class="mark" aria-hidden="true">${systemNames[system].slice(0, 1)}</span>${systemNames[system]}</h2>
<p>${connectors[system].guide.summary}<span class="note">Needed: ${connectors[system].guide.needs}</span>${connectors[system].guide.isUntried ? html`<span class="note">Not tried with ${systemNames[system]} yet.</span>` : null}</p>
<p><a class="button secondary" href="${newHref(system)}">Connect<span class="unseen"> ${systemNames[system]}</span></a></p></li>
`,
)}</ul>
<p class="note spaced">Another hiring system? It uses the API, with <a href="/settings/integrations/api-keys/new">an API key</a>.</p>`

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
${connections.length === 0 ? null : html`<a class="button primary" href="${connectionsHref}/new">Connect</a>`}</header>
${
  connections.length === 0
    ? systemCards
    : html`<ul class="rows">
${connections.map(
  (one) => html`<li><a class="row" href="${connectionHref(one.id)}">
<span class="row-head"><span class="row-name" dir="auto">${cut(one.name, 80)}</span>${statusTag(one)}</span>
<span class="row-text">${systemNames[one.system]} · ${countsText(one)} · ${lastCall(one)}</span></a></li>
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
${systemCards}`,
  })

export interface CredentialsForm {
  /** The credentials that the operator did not set for all organizations. */
  readonly fields: ReadonlyArray<CredentialField>
  /** Typed and known values by field name. Secret values are not shown again. */
  readonly typed: Readonly<Record<string, string>>
  readonly errors: FieldErrors
}

/** `isEntered`: a blank field keeps its value. */
const credentialControl = (
  { help, isKnown, label, name, options }: CredentialField,
  { errors, typed }: CredentialsForm,
  isEntered: boolean,
): Html => {
  const shared = {
    name: credentialName(name),
    label,
    value: typed[name] ?? "",
    hint: isEntered ? `${help} It is entered: leave the field empty to keep it.` : help,
    errors,
  }
  if (options === undefined) return field({ ...shared, type: isKnown ? "text" : "password" })
  const choices = options.map((one) => [one, one.toUpperCase()] as const)
  return selectField({ ...shared, options: [["", isEntered ? "Unchanged" : "Choose"], ...choices] })
}

/** `missing`: labels of the fields that are not entered. */
const credentialControls = (
  fields: ReadonlyArray<CredentialField>,
  form: CredentialsForm,
  missing: ReadonlyArray<string> | null,
): Html | null => {
  const isEntered = ({ label }: CredentialField) => missing !== null && !missing.includes(label)
  const controls = (all: ReadonlyArray<CredentialField>) =>
    all.map((one) => credentialControl(one, form, isEntered(one)))
  const ofOperator = fields.filter(({ isPartner }) => isPartner)
  return fields.length === 0
    ? null
    : html`<div class="fields" id="credentials" tabindex="-1">${controls(fields.filter(({ isPartner }) => !isPartner))}${
        ofOperator.length === 0
          ? null
          : html`<p class="note">The operator of this service has the following, for all organizations. Ask the operator to set them; leave the fields empty.</p>
${controls(ofOperator)}`
      }</div>`
}

export interface ConnectForm extends CredentialsForm {
  readonly id: string
  readonly system: HiringSystem
  readonly name: string
}

export const connectPage = (member: Member, form: ConnectForm): Document => {
  const { errors, fields, id, name, system } = form
  return settingsPage(member, {
    title: `${hasErrors(errors) ? "Not connected – " : ""}Connect ${systemNames[system]}`,
    section,
    back: { href: `${connectionsHref}/new`, name: "Other hiring systems" },
    main: html`<header class="lead"><h1>Connect ${systemNames[system]}</h1></header>
${errorSummary(errors, "The hiring system was not connected.")}
<ol class="welcome">
<li>Name the account here.</li>
${
  connectors[system].oauth === undefined
    ? html`<li>The next page shows ${hasKey(system) ? html`the key, only once, and` : null} the steps for the administrator of your ${accountOf(system)}.</li>`
    : html`<li>On the next page, an administrator of your ${accountOf(system)} grants access.</li>`
}
<li>Then recruiters send interviews from it.</li>
</ol>
<form method="post" action="${connectionsHref}" class="fields" novalidate>
<input type="hidden" name="id" value="${id}"><input type="hidden" name="system" value="${system}">
${field({ name: "name", label: "Name", value: name, errors, isRequired: true, hint: `Identifies the account, such as ${systemNames[system]} of Acme.` })}
${fields.length === 0 ? null : html`<p class="note">What you do not have yet can be entered later. The next page says where to find it.</p>`}
${credentialControls(fields, form, null)}
<p class="actions"><button class="primary">Connect</button> <a class="button secondary" href="${connectionsHref}">Cancel</a></p>
</form>`,
  })
}

/** Whose administrator does the steps. */
const accountOf = (system: HiringSystem): string => connectors[system].guide.account ?? `${systemNames[system]} account`

/** The credentials that the operator sets for all organizations. */
const partnerFields = (system: HiringSystem): ReadonlyArray<CredentialField> =>
  connectors[system].credentials.filter(({ isPartner }) => isPartner)

const partnerStep = (system: HiringSystem): Html | null => {
  const fields = partnerFields(system)
  const example = JSON.stringify({ [system]: Object.fromEntries(fields.map(({ name }) => [name, "…"])) })
  return fields.length === 0
    ? null
    : html`<li>To enter ${fields.map(({ label }) => label).join(", ")} once for all organizations, set <code>HIRING_SYSTEM_PARTNERS</code> to <code>${example}</code> in the environment. What is not set there is entered here.</li>`
}

/** What the operator sets in the environment, for every vendor. */
const environment = (addresses: ReadonlyArray<CallAddress>): Html | null => {
  const [first] = addresses
  return first === undefined
    ? null
    : html`<li>In the environment, set <code>API_URL</code> to the https address at which the hiring system reaches this service. It is <code>${new URL(first.url).origin}</code> now.</li>`
}

const list = (all: ReadonlyArray<string>, before: Html | null = null, after: Html | null = null): Html =>
  html`<ol>${before}${all.map((step) => html`<li>${step}</li>\n`)}${after}</ol>`

/** The address without the names of the calls. */
const baseOf = (addresses: ReadonlyArray<CallAddress>): string => addresses[0]?.url.replace(/\/[^/]*$/, "") ?? ""

const insecure = (addresses: ReadonlyArray<CallAddress>): Html | null =>
  addresses.some(({ url }) => url.startsWith("http://"))
    ? html`<div class="alert"><p>These addresses begin with http://. Hiring systems send keys only to https addresses: the operator sets <code>API_URL</code> to the https address of this service.</p></div>`
    : null

const setup = ({ system }: Connection, addresses: ReadonlyArray<CallAddress>, redirect: string): Html =>
  html`<section class="connected" aria-labelledby="setup"><h2 id="setup">Set up ${systemNames[system]}</h2>
<p class="note">For the administrator of your ${accountOf(system)}. <a href="/docs/hiring-systems#${system}">What ${systemNames[system]} sends and gets</a></p>
${list(connectors[system].guide.administrator)}</section>
<section class="connected" aria-labelledby="partner"><h2 id="partner">Once, by the operator of this service</h2>
<p class="note">${connectors[system].guide.repeated ?? `If other organizations are connected to ${systemNames[system]} already, this is done.`}</p>
${list(connectors[system].guide.operator, environment(addresses), partnerStep(system))}
${insecure(addresses)}
<div class="once">${connectors[system].guide.hasBase ? copyBlock("base", "Base address", baseOf(addresses)) : null}${addressFields(addresses)}${connectors[system].oauth === undefined ? null : copyBlock("redirect", "Redirect address", redirect)}</div>
${contractNote(system)}</section>`

const addressFields = (addresses: ReadonlyArray<CallAddress>): ReadonlyArray<Html> =>
  addresses.map(({ operation, url }, index) => copyBlock(`address-${index}`, operation, url))

/** Leads to the vendor's page, where an administrator grants access. */
const grantLink = ({ id }: Connection, isFirst: boolean): Html =>
  html`<a class="button ${isFirst ? "primary" : "secondary"}" href="${connectionHref(id)}/grant">Grant access${isFirst ? null : " again"}</a>`

/** Says that an administrator has to grant access, and how. */
const accessNeeded = (connection: Connection): Html | null => {
  const name = systemNames[connection.system]
  return isComplete(connection) && connection.lacks_access
    ? html`<div class="alert"><p>Nothing is sent to ${name}, and its orders wait, until an administrator of ${name} grants access. If access was granted before, the calls and reports below say why it ended.</p>
<div class="actions spaced">${grantLink(connection, true)}</div></div>`
    : null
}

/** Whose the missing credentials are, if they are not the organization's. `fields`: those that the organization enters. */
const askOperator = (
  system: HiringSystem,
  missing: ReadonlyArray<string>,
  fields: ReadonlyArray<CredentialField>,
): string => {
  const labels = connectors[system].credentials.flatMap((one) =>
    missing.includes(one.label) && (one.isPartner || !fields.includes(one)) ? [one.label] : [],
  )
  if (labels.length === 0) return ""
  return labels.length === missing.length
    ? " Ask the operator of this service for them."
    : ` Ask the operator of this service for ${labels.join(", ")}.`
}

/** Says what does not work while credentials are missing, and what to do. `isLast`: the page shows the key for the last time. */
const obstacle = (connection: Connection, fields: ReadonlyArray<CredentialField>, isLast = false): Html | null => {
  const { id, missing, system } = connection
  if (isComplete(connection)) return null
  const connector = connectors[system]
  const name = systemNames[system]
  const verifying = verifyingCredential(connector)
  const secret = connector.credentials.find((one) => one.name === verifying)
  const isRefused = secret !== undefined && (missing === null || missing.includes(secret.label))
  const effect = isRefused ? `Orders of ${name} are refused, and nothing is sent to it` : `Nothing is sent to ${name}`
  const text =
    missing === null
      ? `The stored credentials cannot be decrypted, because SECRET_KEY has changed. ${effect} until the former SECRET_KEY is restored, or ${fields.length > 0 ? "all credentials are entered again" : "the key is replaced"}.`
      : `${effect} until these credentials are entered: ${missing.join(", ")}.${askOperator(system, missing, fields)}`
  if (isLast) return html`<p class="note spaced">${text} Save the key first.</p>`
  return html`<div class="alert"><p>${text}</p>${fields.length === 0 ? null : html`<p class="actions spaced"><a class="button primary" href="${connectionHref(id)}/credentials">Enter the credentials</a></p>`}</div>`
}

interface KeyView {
  readonly connection: Connection
  /** Where the vendor leads the member's browser after a grant of access. */
  readonly redirect: string
  readonly fields: ReadonlyArray<CredentialField>
  readonly addresses: ReadonlyArray<CallAddress>
  /** Undefined: the hiring system needs none. */
  readonly key: string | undefined
}

/** The only page that shows the key. */
export const connectedPage = (member: Member, { addresses, connection, fields, key, redirect }: KeyView): Document => {
  const { id, name, system } = connection
  const title =
    key === undefined
      ? `${systemNames[system]} is ${isComplete(connection) && !connection.lacks_access ? "connected" : "almost connected"}`
      : "Save the key now"
  return settingsPage(member, {
    title,
    section,
    main: html`<header class="lead"><h1>${title}</h1>
${key === undefined ? null : html`<p class="welcome">The key of <bdi>${name}</bdi> is shown only this once.</p>`}</header>
${key === undefined ? null : html`<div class="once" data-forget="The key was shown once, and is not shown again.">${copyField("key", "The key", key)}</div>`}
${obstacle(connection, fields, key !== undefined)}
${accessNeeded(connection)}
${setup(connection, addresses, redirect)}
<p class="actions spaced"><a class="button primary" href="${connectionHref(id)}">${key === undefined ? "Open the connection" : "I have saved it"}</a></p>`,
  })
}

const exchangeRow = ({ at, candidate, error, operation, status, submission_id }: ExchangeLine): Html =>
  html`<tr><td>${moment(new Date(at), "short")}</td><td>${operation}</td><td>${status ?? "none"}</td><td>${submission_id === null ? null : html`<a href="/submissions/${submission_id}" dir="auto">${cut(candidate ?? "Submission", 60)}</a>`}</td><td>${error === null ? null : cut(error, 150)}</td></tr>
`

const exchangeTable = (exchanges: ReadonlyArray<ExchangeLine>): Html =>
  exchanges.length === 0
    ? html`<p class="empty">No calls or reports yet.</p>`
    : html`<table class="exchanges"><thead><tr><th scope="col">Time</th><th scope="col">Operation</th><th scope="col">HTTP status</th><th scope="col">Candidate</th><th scope="col">Error</th></tr></thead>
<tbody>${exchanges.map(exchangeRow)}</tbody></table>`

/**
 * The newest order was of another integration, and none of this connection's came since. `exchanges`: newest first. Undefined:
 * the integration id is not known to be wrong.
 */
const otherIntegrationOf = ({ system }: Connection, exchanges: ReadonlyArray<ExchangeLine>): string | undefined => {
  const orders = exchanges.filter(({ operation }) => connectors[system].calls.some(({ path }) => path === operation))
  const newest = orders.find(({ error, order_id }) => order_id !== null || error?.startsWith(otherIntegration))
  return newest?.order_id === null ? newest.error?.slice(otherIntegration.length) : undefined
}

const wrongIntegration = (connection: Connection, exchanges: ReadonlyArray<ExchangeLine>): Html | null => {
  const { id, system } = connection
  const other = otherIntegrationOf(connection, exchanges)
  return other === undefined
    ? null
    : html`<div class="alert"><p>The newest order from ${systemNames[system]} is of the integration <bdi>${cut(other, 100)}</bdi>, not of this connection's, so it was ignored. Compare the integration id.</p>
<p class="actions spaced"><a class="button secondary" href="${connectionHref(id)}/credentials">Compare the integration id</a></p></div>`
}

interface ConnectionView {
  readonly connection: Connection
  /** As in KeyView. */
  readonly redirect: string
  readonly fields: ReadonlyArray<CredentialField>
  readonly addresses: ReadonlyArray<CallAddress>
  readonly exchanges: ReadonlyArray<ExchangeLine>
  readonly notice: Notice | undefined
}

const failedReports = ({ failed, id, status }: Connection): HtmlValue =>
  failed === 0 || status === "paused"
    ? failed
    : html`${failed} <form method="post" action="${connectionHref(id)}/send-failed" class="inline"><button class="link">Send again</button></form>`

export const connectionPage = (member: Member, view: ConnectionView): Document => {
  const { addresses, connection, exchanges, fields, notice, redirect } = view
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
${obstacle(connection, fields)}
${accessNeeded(connection)}
${wrongIntegration(connection, exchanges)}
<div class="actions">${connectors[system].test === undefined || !isComplete(connection) ? null : html`<form method="post" action="${href}/test"><button class="secondary">Test the credentials</button></form>`}
${connectors[system].oauth === undefined || !isComplete(connection) || connection.lacks_access ? null : grantLink(connection, false)}
<form method="post" action="${href}/${step}"><button class="secondary">${status === "active" ? "Pause" : "Resume"}</button></form>
${hasKey(system) ? html`<a class="button secondary" href="${href}/key">Replace the key…</a>` : null}
${fields.length === 0 || !isComplete(connection) ? null : html`<a class="button secondary" href="${href}/credentials">Replace the credentials</a>`}
<a class="button danger" href="${href}/delete">Remove…</a></div>
${factList([
  ["Last call", last_used_at === null ? "none yet" : moment(new Date(last_used_at), "short")],
  ["Orders", orders],
  ["Waiting reports", waiting],
  ["Failed reports", failedReports(connection)],
])}
${last_used_at === null ? setup(connection, addresses, redirect) : null}
<section class="connected" aria-labelledby="exchanges"><h2 id="exchanges">Newest calls and reports</h2>
${exchangeTable(exchanges)}</section>
${last_used_at === null ? null : html`<details class="connected"><summary>Steps and addresses of the set-up</summary>${setup(connection, addresses, redirect)}</details>`}`,
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

export const credentialsPage = (member: Member, connection: Connection, form: CredentialsForm): Document => {
  const { id, missing, name } = connection
  return settingsPage(member, {
    title: `${hasErrors(form.errors) ? "Not saved – " : ""}Credentials of ${cut(name, 80)}`,
    section,
    back: backTo(connection),
    main: html`<header class="lead"><h1>${isComplete(connection) ? "Replace" : "Enter"} the credentials of <bdi>${name}</bdi></h1></header>
${errorSummary(form.errors, "Nothing was saved.")}
<form method="post" action="${connectionHref(id)}/credentials" class="fields" novalidate>
${credentialControls(form.fields, form, missing)}
<p class="actions"><button class="primary">Save</button> <a class="button secondary" href="${connectionHref(id)}">Cancel</a></p>
</form>`,
  })
}

export const removeConnectionPage = (member: Member, connection: Connection): Document =>
  settingsPage(member, {
    title: `Remove ${cut(connection.name, 80)}`,
    section,
    back: backTo(connection),
    main: html`<header class="lead"><h1>Remove <bdi>${connection.name}</bdi>?</h1></header>
<p>Calls from ${systemNames[connection.system]} will be refused. The connection is deleted with its ${countText(connection.orders, "order", "orders")} and its log; submissions remain.</p>
${confirmForm({ action: `${connectionHref(connection.id)}/delete`, label: "Remove the connection", cancelHref: connectionHref(connection.id), cancelLabel: "Keep it" })}`,
  })
