/** Settings → Organization → Audit log. */
import { Predicate, type Schema } from "effect"
import type { Document } from "../../platform/http/Document.ts"
import { select } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment, withMoments } from "../../platform/http/PageParts.ts"
import { dateText } from "../../texts/Formats.ts"
import type { TableCell } from "../../values/Csv.ts"
import { wallTime } from "../../values/TimeZone.ts"
import type { AuditPage, NamedEntry } from "../AuditLog.ts"
import type { AuditRow } from "../AuditLogRepository.ts"
import { masked } from "../api-keys/ApiKey.ts"
import type { Member } from "../members/Member.ts"
import { actionGroups, actionText, recordTypes } from "./AuditLabels.ts"
import { countText, cut, settingsPage } from "./WorkspacePage.ts"

export const auditHref = "/settings/audit"

export interface AuditForm {
  readonly type: string
  readonly who: string
  readonly from: string
  readonly to: string
  readonly record: string
}

/** Words for fields whose names do not say what they hold. */
const fieldNames: Readonly<Record<string, string>> = {
  expires_at: "ends",
  interview_set_ids: "interview sets",
  max_per_minute: "attempts per minute",
  project_ids: "projects",
  scopes: "access",
}

const label = (name: string): string => fieldNames[name] ?? name.replaceAll("_", " ")

/** Replaces characters that reverse text and could make one value look like another. */
const visible = (text: string): string =>
  text.replace(
    /\p{Bidi_Control}/gu,
    (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`,
  )

const isRecord = (value: Schema.Json | undefined): value is { readonly [key: string]: Schema.Json } =>
  Predicate.isObject(value)

const valueText = (value: Schema.Json | undefined): string => {
  if (value === null || value === undefined || value === "") return "nothing"
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(isId)) return countText(value.length, "record", "records")
    return value.length === 0 ? "nothing" : value.map(valueText).join(", ")
  }
  if (isRecord(value)) {
    const { id, name, ...rest } = value
    // a member
    if (id !== undefined && typeof name === "string" && Object.keys(rest).length === 0) return visible(name)
    return Object.entries(value)
      .map(([field, part]) => `${label(field)}: ${fieldText(field, part)}`)
      .join(", ")
  }
  if (typeof value === "boolean") return value ? "yes" : "no"
  return visible(String(value))
}

const isMissing = (value: Schema.Json | undefined): boolean => value === null || value === undefined || value === ""

/** A key without scopes has all (src/accounts/Permissions.ts). */
const fieldText = (name: string, value: Schema.Json | undefined): string => {
  if (name === "scopes" && Array.isArray(value))
    return value.length === 0 ? "all" : value.map((scope) => label(String(scope))).join(", ")
  return name === "expires_at" && isMissing(value) ? "never" : valueText(value)
}

/** Words for the details of what the service does with webhooks. */
const causes: Readonly<Record<string, string>> = {
  failures: "too many failures in a row",
  gone: "the receiver answered 410 Gone",
}

const serviceText = ({ action, detail }: AuditRow): string | undefined => {
  const { failed_probes, queued, reason } = detail
  if (action === "webhook_endpoint.deactivate") return causes[String(reason)]
  if (action === "webhook_endpoint.resume" && typeof queued === "number")
    return countText(queued, "delivery", "deliveries")
  return typeof failed_probes === "number"
    ? countText(failed_probes, "failed try before", "failed tries before")
    : undefined
}

const decisionDeeds: Readonly<Record<string, string>> = {
  advance: "advanced",
  hold: "decided to hold",
  reject: "rejected",
}

const decisionDeed = ({ after }: AuditRow["detail"]): string | undefined => {
  if (!isRecord(after)) return undefined
  const { decision } = after
  return isMissing(decision) ? "cleared the decision about" : decisionDeeds[String(decision)]
}

/** What was done, in words that contain the details, or a decision's outcome. */
const deedOf = ({ action, detail }: AuditRow): string | undefined => {
  if (action === "submission.decide") return decisionDeed(detail)
  const { candidates, days, invited, may_review, member, shows_scores } = detail
  if (action === "submission.share" && typeof days === "number") {
    const rights = [may_review === true ? "with a review" : "", shows_scores === true ? "with scores" : ""]
    return ["shared a submission by a link", `for ${countText(days, "day", "days")}`, ...rights.filter(Boolean)].join(
      " ",
    )
  }
  if (action === "interview_set.invite" && typeof candidates === "number" && typeof invited === "number") {
    if (invited === candidates) return `invited ${countText(candidates, "candidate", "candidates")}`
    if (invited > 0) return `invited ${candidates} candidates, ${invited} of them new`
    return `invited ${countText(candidates, "candidate", "candidates")} who had been invited before`
  }
  if (typeof member !== "string") return undefined
  if (action === "submission.assign") return `asked ${cut(visible(member), maxName)} to review a submission`
  return action === "submission.unassign" ? `no longer asks ${cut(visible(member), maxName)} for a review` : undefined
}

const maxDetail = 400

const isId = (value: Schema.Json | undefined): boolean =>
  typeof value === "string" && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)

/** Fields that the entry shows as the name of its record. */
const nameFields = ["name", "title", "email"] as const

/** A deleted record has the name that it had then. */
const subjectName = ({ detail, subject }: NamedEntry): string | undefined => {
  if (subject?.is_erased) return "an erased person"
  if (subject !== undefined) return subject.name ?? "a candidate without a name"
  return nameFields
    .map((field) => detail[field])
    .find((value) => typeof value === "string" && value !== "")
    ?.toString()
}

const partsOf = (fields: { readonly [key: string]: Schema.Json }, shown: string | undefined) =>
  Object.entries(fields).filter(([name, value]) => {
    if (isId(value)) return false
    return !(nameFields.some((field) => field === name) && value === shown)
  })

const detailText = (entry: NamedEntry): string => {
  const { after, before, ...rest } = entry.detail
  const own = partsOf(rest, subjectName(entry)).map(([name, value]) => `${label(name)}: ${fieldText(name, value)}`)
  const changed =
    isRecord(before) && isRecord(after)
      ? [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
          const [from, to] = [fieldText(name, before[name]), fieldText(name, after[name])]
          return from === to ? [] : [`${label(name)}: ${from} → ${to}`]
        })
      : before === undefined && after === undefined
        ? []
        : [`${valueText(before)} → ${valueText(after)}`]
  return cut([...own, ...changed].join(" · "), maxDetail)
}

/** Only the service itself does these. */
const ofService: ReadonlyArray<string> = [
  ...["deactivate", "recover", "resume", "end_probes"].map((action) => `webhook_endpoint.${action}`),
  "organization.delete_old",
]

/** Only candidates do these, on the pages of their links. */
const ofCandidate: ReadonlyArray<string> = ["request_person", "withdraw_person_request", "candidate_remark"].map(
  (action) => `submission.${action}`,
)

const actorText = ({ action, api_key, api_key_name, detail, guest, member }: AuditRow): string => {
  if (guest !== null) return guest
  if (member !== null) return member
  if (api_key !== null) return `API key ${api_key_name?.trim() || masked(api_key)}`
  if (ofCandidate.includes(action)) return "The candidate"
  return ofService.includes(action) || detail["retention"] === true ? "The service" : "Command line"
}

/** Pages of the records. Other folders import this one, so it cannot import their addresses. */
const folders: Readonly<Record<string, string>> = {
  api_key: "/settings/integrations/api-keys",
  webhook_endpoint: "/settings/webhooks",
  ats_connection: "/settings/integrations/hiring-systems",
  hiring_stage: "/settings/stages",
  tag: "/settings/tags",
  interview_set: "/interview-sets",
  message_template: "/message-templates",
  saved_view: "/submissions/views",
  project: "/projects",
  member: "/settings/members",
  candidate: "/settings/people",
  submission: "/submissions",
  invitation: "/submissions",
  evaluation: "/submissions",
  notice: "/settings/notices",
}

const maxName = 80

/** `link`: between the deed and the record. Nothing if the actor is the record. */
const subjectOf = (row: NamedEntry, link: " " | ": "): Html | null => {
  const name = subjectName(row)
  if (name === undefined || row.member_id === row.record_id || row.record_type === "organization") return null
  const shown = cut(visible(name), maxName)
  const folder = folders[row.record_type]
  const { interview_set = null, is_open = false, submission_id = null } = row.subject ?? {}
  const linked =
    is_open && folder !== undefined
      ? html`<a href="${folder}/${submission_id ?? row.record_id}">${shown}</a>`
      : html`<bdi>${shown}</bdi>`
  return html`${link}${linked}${interview_set === null ? null : html`, <bdi>${cut(visible(interview_set), maxName)}</bdi>`}`
}

/** Empty where the deed contains the details. */
const entryText = (row: NamedEntry): string =>
  deedOf(row) === undefined || row.action === "submission.decide" ? (serviceText(row) ?? detailText(row)) : ""

const entryOf = (row: NamedEntry): Html => {
  const deed = deedOf(row)
  const [detail, folded] = deed === undefined ? [entryText(row), ""] : ["", entryText(row)]
  return html`<li><div class="row">${moment(row.created_at, "clock")}
<span class="row-name"><bdi>${cut(visible(actorText(row)), maxName)}</bdi> <span class="deed">${deed ?? actionText(row)}${subjectOf(row, row.action === "submission.decide" && deed !== undefined ? " " : ": ")}</span></span>
${detail === "" ? null : html`<span class="row-text" dir="auto">${withMoments(detail)}</span>`}
<details><summary><span class="unseen">More</span></summary>${folded === "" ? null : html`<span class="row-text" dir="auto">${withMoments(folded)}</span> `}<a href="${auditHref}?record=${encodeURIComponent(row.record_id)}">All entries about this record</a> <code>${cut(row.record_id, 60)}</code></details></div></li>
`
}

/** The entries of each day of the organization's time zone, under its date. */
const daysOf = (entries: ReadonlyArray<NamedEntry>, zone: string): ReadonlyArray<Html> =>
  Object.entries(Object.groupBy(entries, (row) => dateText("en", row.created_at, zone))).map(
    ([date, rows = []]) => html`<section><h2 class="section">${date}</h2>
<ul class="rows log">
${rows.map(entryOf)}</ul></section>
`,
  )

/** `zone`: that of the times. */
export const auditHeader = (zone: string): ReadonlyArray<string> => [
  `Time (${zone})`,
  "Who",
  "What",
  "Record",
  "Interview set",
  "Details",
  "Id of the record",
]

export const auditLine = (zone: string, row: NamedEntry): ReadonlyArray<TableCell> => [
  // cells have no time zone
  new Date(`${wallTime(row.created_at, zone)}Z`),
  actorText(row),
  deedOf(row) ?? actionText(row),
  subjectName(row) ?? null,
  row.subject?.interview_set ?? null,
  entryText(row) || null,
  row.record_id,
]

const option = (value: string, text: string, chosen: string): Html =>
  html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`

const whatGroup = (name: string, type: string, chosen: string): Html =>
  html`<optgroup label="${name}">${option(type, `All: ${name}`, chosen)}${actionGroups(type).map(([action, text]) => option(action, text, chosen))}</optgroup>
`

const filterForm = (
  form: AuditForm,
  actors: AuditPage["actors"],
): Html => html`<form method="get" action="${auditHref}" class="filter log-filter" aria-label="Filter entries">
${select({
  name: "who",
  label: "Who",
  value: form.who,
  options: [
    ["", "Everyone"],
    ...actors.map(({ id, name }) => [id, cut(name, 60)] as const),
    ["keys", "API keys"],
    ["none", "Command line, service, candidates"],
  ],
})}
<p><label for="type">What</label> <select id="type" name="type">
<option value="">Everything</option>
${recordTypes.map(({ name, type }) => whatGroup(name, type, form.type))}</select></p>
<p><label for="from">From</label> <input type="date" id="from" name="from" value="${form.from}"></p>
<p><label for="to">To</label> <input type="date" id="to" name="to" value="${form.to}"></p>
${form.record === "" ? null : html`<input type="hidden" name="record" value="${form.record}">`}
<p class="actions"><button class="secondary">Filter</button> <a class="button secondary" href="${auditHref}">Clear</a></p>
</form>`

export const auditPage = (
  member: Member,
  { actors, entries, next }: AuditPage,
  form: AuditForm,
  isLaterPage: boolean,
): Document => {
  const filters = Object.entries(form).filter(([, value]) => value !== "")
  const href = (extra: Readonly<Record<string, string>>, extension = "") => {
    const query = new URLSearchParams({ ...Object.fromEntries(filters), ...extra }).toString()
    return query === "" ? `${auditHref}${extension}` : `${auditHref}${extension}?${query}`
  }
  const named = entries[0] === undefined ? undefined : subjectName(entries[0])
  return settingsPage(member, {
    title: "Audit log",
    section: "Audit log",
    main: html`<header class="lead with-action"><div><h1>Audit log</h1>
<p class="welcome">Who changed what, and when. Entries cannot be changed. Days and times are in the time zone of the organization, ${member.timeZone}.</p></div>
<p class="list-tools">Export <a href="${href({}, ".xlsx")}">Excel</a> <a href="${href({}, ".csv")}">CSV</a></p></header>
${filterForm(form, actors)}
${form.record === "" ? null : html`<p class="info">Only entries about ${named === undefined ? html`record <code>${form.record}</code>` : html`<bdi title="${form.record}">${cut(visible(named), maxName)}</bdi>`}.</p>`}
${
  entries.length === 0
    ? html`<p class="empty">${filters.length === 0 && !isLaterPage ? "No changes yet." : html`No entries match. <a href="${auditHref}">Show all entries</a>`}</p>`
    : html`<div class="log-days">${daysOf(entries, member.timeZone)}</div>`
}
${
  next === null && !isLaterPage
    ? null
    : html`<nav class="pager" aria-label="Pages">${isLaterPage ? html`<a class="button secondary" href="${href({})}">Newest</a>` : null}
${next === null ? null : html`<a class="button secondary" href="${href({ before: next })}">Older</a>`}</nav>`
}`,
  })
}
