/** Settings → Integrations → API requests: the list. */
import type { Document } from "../../../platform/http/Document.ts"
import { filterCount, fold, select } from "../../../platform/http/FormControls.ts"
import { type Html, html } from "../../../platform/http/Html.ts"
import { moment } from "../../../platform/http/PageParts.ts"
import { dateText } from "../../../texts/Formats.ts"
import type { ApiKey } from "../../api-keys/ApiKey.ts"
import type { Member } from "../../members/Member.ts"
import { countText, cut, settingsPage } from "../../pages/WorkspacePage.ts"
import { clientGone, type StatusFilter } from "../LoggedRequest.ts"
import type { ReferredDocumentation } from "../OperationReference.ts"
import type { FailureRow, RequestRow } from "../RequestLogRepository.ts"

export const requestLogHref = "/settings/integrations/requests"
export const requestSection = "API requests"

export const emptyRequestForm = { status: "", operation: "", problem: "", key: "", from: "", to: "", id: "" }
export type RequestForm = Readonly<Record<keyof typeof emptyRequestForm, string>>

/** The list with these filters. */
export const requestsHref = (form: Partial<RequestForm>, cursor?: string | null): string => {
  const given = Object.entries({ ...form, cursor: cursor ?? "" }).filter(([, value]) => value !== "")
  return given.length === 0 ? requestLogHref : `${requestLogHref}?${new URLSearchParams(given)}`
}

export const requestHref = ({ id }: Pick<RequestRow, "id">): string => `${requestLogHref}/${id}`

const statusWord = (status: number): string => {
  if (status === clientGone) return "Disconnected"
  if (status < 400) return "OK"
  return status < 500 ? "Refused" : "Failed"
}

/** The class of a status has a colour and a word. */
export const statusTag = ({ status }: Pick<RequestRow, "status">): Html =>
  html`<span class="tag ${status < 400 ? "on" : status < 500 ? "off" : "bad"}">${status} ${statusWord(status)}</span>`

/** "Hiring system", or how the key is shown without a name. */
export const keyName = ({ key_name, key_prefix }: Pick<RequestRow, "key_name" | "key_prefix">): string =>
  key_prefix === null ? "A deleted key" : cut(key_name?.trim() || `${key_prefix}.****`, 60)

const shortPath = (path: string): string => path.replace(/^\/company\/integration/, "")

const statuses: ReadonlyArray<readonly [StatusFilter | "", string]> = [
  ["", "Any"],
  ["failed", "All that failed (4xx, 5xx)"],
  ["4xx", "Refused (4xx)"],
  ["5xx", "Failed in the service (5xx)"],
  ["2xx", "OK (2xx)"],
]

export interface RequestList {
  readonly requests: ReadonlyArray<RequestRow>
  readonly next: string | null
  readonly isLater: boolean
  readonly form: RequestForm
  /** Of the last 24 hours; empty with filters. */
  readonly failures: ReadonlyArray<FailureRow>
  readonly keys: ReadonlyArray<ApiKey>
  /** For which requests are kept. */
  readonly days: number
}

const filtersOf = (form: RequestForm): number => Object.values(form).filter((value) => value !== "").length

const isFiltered = (form: RequestForm): boolean => filtersOf(form) > 0

/** The organization has no requests at all. */
const isUnused = ({ form, isLater, requests }: RequestList): boolean =>
  requests.length === 0 && !isLater && !isFiltered(form)

const filterForm = (
  { form, keys }: RequestList,
  { operations }: ReferredDocumentation,
  timeZone: string,
): Html => html`${fold(html`Filters${filterCount(filtersOf(form))}`)}<form method="get" action="${requestLogHref}" class="filter log-filter" aria-label="Filter requests">
${select({ name: "status", label: "Status", value: form.status, options: statuses })}
${select({
  name: "operation",
  label: "Operation",
  value: form.operation,
  options: [["", "Any"], ...operations.map(({ id, summary }) => [id, summary] as const)],
})}
${select({
  name: "key",
  label: "API key",
  value: form.key,
  options: [["", "Any"], ...keys.map(({ id, name, value }) => [id, cut(name ?? value, 60)] as const)],
})}
<p><label for="from">From ${timeZone}</label> <input type="datetime-local" id="from" name="from" value="${form.from}"></p>
<p><label for="to">To ${timeZone}</label> <input type="datetime-local" id="to" name="to" value="${form.to}"></p>
<p><label for="id">Request id</label> <input type="text" id="id" name="id" class="mono" value="${form.id}" maxlength="128" autocomplete="off" spellcheck="false" placeholder="X-Request-Id"></p>
${form.problem === "" ? null : html`<input type="hidden" name="problem" value="${form.problem}">`}
<p class="actions"><button class="secondary">Filter</button>${isFiltered(form) ? html` <a class="button secondary" href="${requestLogHref}">Clear</a>` : null}</p>
</form>`

const row = (request: RequestRow): Html => {
  const { duration_ms, is_replayed, method, path, problem } = request
  return html`<li class="row request">${statusTag(request)}
<a class="whole" href="${requestHref(request)}"><span class="method">${method}</span> <code>${shortPath(path)}</code></a>
<span class="row-text small">${problem === null ? null : html`<code>${problem}</code> · `}${is_replayed ? "replayed · " : null}${request.requests > 1 ? `${request.requests} requests · ` : null}<bdi>${keyName(request)}</bdi> · ${duration_ms} ms</span>
${moment(new Date(request.created_at), "second")}</li>
`
}

/** The requests of each day of the organization's time zone, under its date. */
const daysOf = (requests: ReadonlyArray<RequestRow>, zone: string): ReadonlyArray<Html> =>
  Object.entries(Object.groupBy(requests, ({ created_at }) => dateText("en", new Date(created_at), zone))).map(
    ([date, rows = []]) => html`<section><h2 class="section">${date}</h2>
<ul class="rows requests">
${rows.map(row)}</ul></section>
`,
  )

const summaryOf = ({ operations }: ReferredDocumentation, id: string): string =>
  operations.find((one) => one.id === id)?.summary ?? id

const failureList = (failures: ReadonlyArray<FailureRow>, reference: ReferredDocumentation): Html | null =>
  failures.length === 0
    ? null
    : html`<section class="request-failures" aria-labelledby="failures"><h2 id="failures" class="section">Most frequent failures of the last 24 hours</h2>
<ul class="rows">
${failures.map(
  (one) => html`<li class="row request">${statusTag(one)}
<a class="whole" href="${requestsHref({ operation: one.operation, ...(one.problem === null ? { status: "failed" } : { problem: one.problem }) })}">${summaryOf(reference, one.operation)}${one.problem === null ? null : html` <code>${one.problem}</code>`}</a>
<span class="row-text small">${countText(one.requests, "request", "requests")}</span>
${moment(one.last_at, "second")}</li>
`,
)}</ul></section>`

const emptyText = (list: RequestList): Html => {
  if (isUnused(list)) {
    return html`<p class="empty">No requests in the last ${countText(list.days, "day", "days")}. <a href="/settings/integrations/api-keys/new">Create an API key</a> and send the first
one: <a href="/docs/quickstart">Quickstart</a>.</p>`
  }
  return html`<p class="empty">No requests match. A request appears about a second after its response. <a href="${requestLogHref}">Show all requests</a></p>`
}

export const requestLogPage = (member: Member, list: RequestList, reference: ReferredDocumentation): Document => {
  const { days, form, isLater, next, requests } = list
  return settingsPage(member, {
    title: "API requests",
    section: requestSection,
    main: html`<header class="lead with-action"><div><h1>API requests</h1>
<p class="welcome">What systems asked the API with your keys in the last ${countText(days, "day", "days")}, newest first. Bodies and data of candidates are not kept.
<a href="/docs/request-log">What is logged</a></p></div>
<p class="actions"><a class="button secondary" href="${requestsHref(form)}">Refresh</a></p></header>
${isUnused(list) ? null : filterForm(list, reference, member.timeZone)}
${form.problem === "" ? null : html`<p class="info">Only requests that failed with <code>${form.problem}</code>: <a href="/docs/errors#${form.problem}">what it means</a>.</p>`}
${failureList(list.failures, reference)}
${requests.length === 0 ? emptyText(list) : html`<div class="log-days">${daysOf(requests, member.timeZone)}</div>`}
${
  next === null && !isLater
    ? null
    : html`<nav class="pager" aria-label="Pages">${isLater ? html`<a class="button secondary" href="${requestsHref(form)}">Newest</a>` : null}
${next === null ? null : html`<a class="button secondary" href="${requestsHref(form, next)}">Older</a>`}</nav>`
}`,
  })
}
