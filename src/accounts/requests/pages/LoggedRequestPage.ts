/** One request of the log: how it ended, what to do, and the request as a curl command. */
import type { Document } from "../../../platform/http/Document.ts"
import { copyBlock } from "../../../platform/http/FormControls.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import { moment } from "../../../platform/http/PageParts.ts"
import type { Member } from "../../members/Member.ts"
import { factList, settingsPage, shellWord } from "../../pages/WorkspacePage.ts"
import { clientGone, unknownName } from "../LoggedRequest.ts"
import type { ReferredDocumentation, ReferredOperation } from "../OperationReference.ts"
import type { RequestRow } from "../RequestLogRepository.ts"
import { keyName, requestHref, requestLogHref, requestSection, requestsHref, statusTag } from "./RequestLogPage.ts"

interface LoggedRequestView {
  readonly logged: RequestRow
  /** All requests with its X-Request-Id. */
  readonly same: ReadonlyArray<RequestRow>
  readonly apiUrl: string
}

const leftOut = "NOT_LOGGED"

const queryText = (query: RequestRow["query"]): string => {
  const known = Object.entries(query ?? {}).filter(([name]) => name !== unknownName)
  if (known.length === 0) return ""
  return `?${new URLSearchParams(known.map(([name, value]): [string, string] => [name, value ?? leftOut]))}`
}

const curl = ({ has_idempotency_key, method, path, query }: RequestRow, apiUrl: string, body: string | undefined) =>
  [
    `curl -i${method === "GET" ? "" : method === "HEAD" ? " -I" : ` -X ${method}`} ${shellWord(`${apiUrl}${path}${queryText(query)}`)}`,
    `  -H "X-API-Key: $API_KEY"`,
    ...(has_idempotency_key ? [`  -H "Idempotency-Key: $(date +%s)"`] : []),
    ...(body === undefined ? [] : [`  -H 'Content-Type: application/json'`, `  -d ${shellWord(body)}`]),
  ].join(" \\\n")

const curlTitle = (body: string | undefined): string =>
  body === undefined ? "The same request as curl" : "The request as curl, with an example body"

const curlNote = ({ path, query }: RequestRow, body: string | undefined): Html => {
  const hasGap = Object.entries(query ?? {}).some(([name, value]) => value === null && name !== unknownName)
  return html`<p class="note">${
    body === undefined
      ? null
      : html`<strong>The body is not that of the request.</strong> Bodies are not logged: this one is the example of the operation, so put yours in its place. `
  }Set <code>API_KEY</code> to your key.${
    hasGap
      ? html` Replace <code>${leftOut}</code>: a value that may name a person, or that the parameter does not allow, is not logged.`
      : null
  }${
    query !== null && unknownName in query
      ? " The request had parameters that the operation does not know and that are left out here."
      : null
  }${path.includes("/:") ? " Replace the parameters with a colon: their values were no ids." : null}</p>`
}

/** Clauses of the documentation about the response, which the log does not have. */
const aboutResponse = /[,;] (?:listed in errors|which message (?:lists|explains)|message lists its parameters)/

const withoutResponse = (text: string): string => text.replace(aboutResponse, "").replace(" in errors", " in the table")

const errorList = (errors: NonNullable<RequestRow["errors"]>, { fieldErrors }: ReferredDocumentation): Html =>
  html`<table class="figure-table"><thead><tr><th scope="col">Where</th><th scope="col">Code</th><th scope="col">The value is</th></tr></thead>
<tbody>${errors.map(
    ({ code, pointer }) =>
      html`<tr><th scope="row"><code>${pointer}</code></th><td data-label="Code"><code>${code}</code></td><td data-label="The value is">${withoutResponse(fieldErrors.get(code) ?? "not valid")}</td></tr>
`,
  )}</tbody></table>
<p class="note">The messages of the response are not logged: send the request again to read them.</p>`

const warningSection = ({ warnings }: RequestRow): Html | null =>
  warnings === null
    ? null
    : html`<section aria-labelledby="warnings"><h2 id="warnings">Warnings</h2>
<p>The request was performed, but a part of it was ignored or not needed.</p>
<table class="figure-table"><thead><tr><th scope="col">Where</th><th scope="col">Code</th></tr></thead>
<tbody>${warnings.map(
        ({ code, pointer }) =>
          html`<tr><th scope="row"><code>${pointer}</code></th><td data-label="Code"><code>${code}</code></td></tr>
`,
      )}</tbody></table>
<p class="note"><a href="/docs/errors#codes-of-warnings">What the codes mean</a></p></section>`

const errorSection = ({ errors, problem, status }: RequestRow, reference: ReferredDocumentation): Html | null => {
  if (status === clientGone) {
    return html`<div class="alert warm"><p><strong>The client closed the connection before the response was ready.</strong> Its timeout may be too short. Send the request again with the
same Idempotency-Key: it is performed once.</p></div>`
  }
  if (problem === null) return null
  const known = reference.problems.get(problem)
  return html`<section aria-labelledby="error"><h2 id="error">Error: <code>${problem}</code></h2>
<div class="alert${status < 500 ? " warm" : ""}"><p>${known === undefined ? "The request failed." : `${withoutResponse(known.when)}.`}</p>
${
  known === undefined
    ? null
    : html`<p><strong>What to do:</strong> ${withoutResponse(known.advice)}. <strong>Retry:</strong> ${known.retry}.</p>
`
}<p><a href="/docs/errors#${problem}">More about this error</a></p></div>
${errors === null ? null : errorList(errors, reference)}</section>`
}

const operationLink = (operation: ReferredOperation | undefined, id: string): Html =>
  operation === undefined ? html`${id}` : html`<a href="${operation.href}">${operation.summary}</a>`

const sameList = (logged: RequestRow, same: ReadonlyArray<RequestRow>): Html | null => {
  const others = same.filter(({ id }) => id !== logged.id)
  return others.length === 0
    ? null
    : html`<section aria-labelledby="same"><h2 id="same">Other requests with this id</h2>
<ul class="rows requests">${others.map(
        (one) => html`<li class="row request">${statusTag(one)}
<a class="whole" href="${requestHref(one)}"><span class="method">${one.method}</span> <code>${one.path}</code></a>
<span class="row-text small">${one.duration_ms} ms</span>
${moment(new Date(one.created_at), "exact")}</li>
`,
      )}</ul></section>`
}

export const loggedRequestPage = (
  member: Member,
  { apiUrl, logged, same }: LoggedRequestView,
  reference: ReferredDocumentation,
): Document => {
  const operation = reference.operations.find(({ id }) => id === logged.operation)
  const body = logged.method === "GET" || logged.method === "HEAD" ? undefined : operation?.body
  const { api_key_id, client, has_idempotency_key, is_replayed, key_prefix, method, path, query, request_id } = logged
  const name = keyName(logged)
  return settingsPage(member, {
    title: `${method} ${path} – API requests`,
    section: requestSection,
    back: { href: requestLogHref, name: "All API requests" },
    main: html`<div class="request-page"><header class="lead"><h1>${operation?.summary ?? logged.operation}</h1>
<p class="about">${statusTag(logged)} <code>${method} ${path}</code></p></header>
${errorSection(logged, reference)}
${warningSection(logged)}
${factList([
  ["Time", moment(new Date(logged.created_at), "exact")],
  [
    "Requests",
    logged.requests === 1 ? null : `${logged.requests}, refused with 429 within a minute. This is the last of them`,
  ],
  ["Duration", `${logged.duration_ms} ms`],
  [
    "API key",
    key_prefix === null ? name : html`<a href="/settings/integrations/api-keys/${api_key_id}"><bdi>${name}</bdi></a>`,
  ],
  ["Operation", operationLink(operation, logged.operation)],
  ["Request id", html`<code>${request_id}</code>`],
  [
    "Idempotency-Key",
    has_idempotency_key ? (is_replayed ? "sent; the first response was returned again" : "sent") : "not sent",
  ],
  ["Client", client === null ? null : html`<code>${client}</code>`],
  [
    "Query",
    query === null
      ? null
      : html`${Object.entries(query).map(([parameter, value]) => html`${parameter === unknownName ? "Other parameters" : html`<code>${parameter}</code>`} ${value === null ? html`<span class="quiet">not logged</span>` : html`<code>${value}</code>`}<br>`)}`,
  ],
])}
${body === undefined ? null : curlNote(logged, body)}
${copyBlock("curl", curlTitle(body), curl(logged, apiUrl, body))}
${body === undefined ? curlNote(logged, body) : null}
<p class="spaced"><a href="${requestsHref({ operation: logged.operation })}">Requests of this operation</a> · <a href="${requestsHref({ key: api_key_id })}">Requests with this key</a></p>
${sameList(logged, same)}</div>`,
  })
}
