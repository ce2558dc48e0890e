/** Settings → Organization → Audit log. */
import { Predicate, type Schema } from "effect"
import type { Document } from "../../platform/http/Document.ts"
import { select } from "../../platform/http/FormControls.ts"
import { type Html, html } from "../../platform/http/Html.ts"
import { moment } from "../../platform/http/PageParts.ts"
import type { AuditPage } from "../AuditLog.ts"
import type { AuditRow } from "../AuditLogRepository.ts"
import { masked } from "../api-keys/ApiKey.ts"
import type { Member } from "../members/Member.ts"
import { countText, cut, settingsPage } from "./WorkspacePage.ts"

export const auditHref = "/settings/audit"

export const recordTypes = [
  { type: "api_key", name: "API keys", one: "an API key" },
  { type: "webhook_endpoint", name: "Webhooks", one: "a webhook" },
  { type: "webhook_delivery", name: "Deliveries", one: "a delivery" },
  { type: "ats_connection", name: "Hiring systems", one: "a connection to a hiring system" },
  { type: "interview_set", name: "Interview sets", one: "an interview set" },
  { type: "invitation", name: "Invitations", one: "an invitation" },
  { type: "message_template", name: "Message templates", one: "a message template" },
  { type: "project", name: "Projects", one: "a project" },
  { type: "job_post", name: "Job posts", one: "a job post" },
  { type: "member", name: "Members", one: "a member" },
  { type: "organization", name: "Organization", one: "the organization" },
  { type: "evaluation", name: "Scores", one: "a score" },
  { type: "submission", name: "Submissions", one: "a submission" },
  { type: "candidate", name: "Personal data", one: "a candidate's data" },
] as const

export interface AuditForm {
  readonly type: string
  readonly who: string
  readonly from: string
  readonly to: string
  readonly record: string
}

const actions: Readonly<Record<string, string>> = {
  "ats_connection.set_credentials": "replaced the credentials of a hiring system",
  "ats_connection.send_failed": "sent failed reports to a hiring system again",
  "ats_connection.rotate_key": "replaced the key of a hiring system",
  "member.invite": "invited a member",
  "member.remove": "removed a member",
  "member.send_link": "sent a member a link to set a password",
  "member.link_identity": "signed in at the provider for the first time",
  "member.unlink_identity": "unlinked a member's account at the provider",
  "member.set_password": "set their password",
  "webhook_endpoint.enable": "activated a webhook",
  "webhook_endpoint.disable": "deactivated a webhook",
  "webhook_endpoint.deactivate": "deactivated a webhook",
  "webhook_endpoint.recover": "activated a webhook that works again",
  "webhook_endpoint.resume": "sent a webhook's paused deliveries",
  "webhook_endpoint.end_probes": "stopped trying a webhook",
  "webhook_endpoint.resend_failed": "sent failed deliveries of a webhook again",
  "webhook_endpoint.send_parked": "sent a webhook's paused deliveries",
  "webhook_delivery.resend": "sent a delivery again",
  "webhook_delivery.send_now": "sent a waiting delivery at once",
  "interview_set.invite": "invited candidates",
  "interview_set.archive": "archived an interview set",
  "interview_set.unarchive": "unarchived an interview set",
  "invitation.resend": "sent an invitation again",
  "invitation.cancel": "cancelled an invitation",
  "invitation.extend": "gave a candidate more time",
  "webhook_endpoint.regenerate_secret": "created a new secret for a webhook",
  "webhook_endpoint.remove_old_secret": "ended the old secret of a webhook",
  "evaluation.override": "overrode a score, or removed an override",
  "submission.decide": "decided about a submission",
  "submission.review": "sent a review of a submission",
  "submission.change_review": "changed a review of a submission",
  "submission.evaluate_again": "had a submission evaluated again",
  "submission.retry_cv": "had a CV fetched again",
  "submission.replace_cv_link": "replaced the link to a CV",
  "candidate.erase": "erased a candidate's data",
  "candidate.export": "exported a candidate's data",
}

const verbs: Readonly<Record<string, string>> = { create: "created", update: "changed", delete: "deleted" }

const actionText = ({ action, record_type }: AuditRow): string => {
  const known = actions[action]
  if (known !== undefined) return known
  const verb = verbs[action.split(".")[1] ?? ""]
  const one = recordTypes.find(({ type }) => type === record_type)?.one
  return verb === undefined || one === undefined ? action : `${verb} ${one}`
}

const label = (name: string): string => name.replaceAll("_", " ")

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
  if (Array.isArray(value)) return value.length === 0 ? "nothing" : value.map(valueText).join(", ")
  if (isRecord(value)) {
    const { id, name, ...rest } = value
    // a member
    if (id !== undefined && typeof name === "string" && Object.keys(rest).length === 0) return visible(name)
    return Object.entries(value)
      .map(([field, part]) => `${label(field)}: ${fieldText(field, part)}`)
      .join(", ")
  }
  return visible(String(value))
}

/** A key without scopes has all (src/accounts/api-keys/Scopes.ts). */
const fieldText = (name: string, value: Schema.Json | undefined): string =>
  name === "scopes" && Array.isArray(value) && value.length === 0 ? "all" : valueText(value)

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

const maxDetail = 400

const detailText = ({ after, before, ...rest }: AuditRow["detail"]): string => {
  const own = Object.entries(rest).map(([name, value]) => `${label(name)}: ${fieldText(name, value)}`)
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
const ofService: ReadonlyArray<string> = ["deactivate", "recover", "resume", "end_probes"].map(
  (action) => `webhook_endpoint.${action}`,
)

const actorText = ({ action, api_key, member }: AuditRow): string => {
  if (api_key !== null) return member ?? `API key ${masked(api_key)}`
  return member ?? (ofService.includes(action) ? "The service" : "Command line")
}

const entryOf = (row: AuditRow): Html => {
  const detail = serviceText(row) ?? detailText(row.detail)
  return html`<li><div class="row"><div class="row-head"><span class="row-name"><bdi>${actorText(row)}</bdi> <span class="deed">${actionText(row)}</span></span>${moment(row.created_at, "short")}</div>
${detail === "" ? null : html`<span class="row-text" dir="auto">${detail}</span>`}
<a class="row-text small" href="${auditHref}?record=${encodeURIComponent(row.record_id)}">record <code>${cut(row.record_id, 60)}</code></a></div></li>
`
}

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
    ["none", "Command line"],
  ],
})}
${select({
  name: "type",
  label: "What",
  value: form.type,
  options: [["", "Everything"], ...recordTypes.map(({ name, type }) => [type, name] as const)],
})}
<p><label for="from">From</label> <input type="date" id="from" name="from" value="${form.from}"></p>
<p><label for="to">To</label> <input type="date" id="to" name="to" value="${form.to}"></p>
${form.record === "" ? null : html`<input type="hidden" name="record" value="${form.record}">`}
<p class="actions"><button class="secondary">Show</button> <a class="button secondary" href="${auditHref}">Clear</a></p>
</form>`

export const auditPage = (
  member: Member,
  { actors, entries, next }: AuditPage,
  form: AuditForm,
  isLaterPage: boolean,
): Document => {
  const filters = Object.entries(form).filter(([, value]) => value !== "")
  const href = (extra: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams({ ...Object.fromEntries(filters), ...extra }).toString()
    return query === "" ? auditHref : `${auditHref}?${query}`
  }
  return settingsPage(member, {
    title: "Audit log",
    section: "Audit log",
    main: html`<header class="lead"><h1>Audit log</h1>
<p class="welcome">Who changed what, and when. Entries cannot be changed. Days are in the time zone of the organization, ${member.timeZone}.</p></header>
${filterForm(form, actors)}
${form.record === "" ? null : html`<p class="info">Only entries about record <code>${form.record}</code>.</p>`}
${
  entries.length === 0
    ? html`<p class="empty">${filters.length === 0 && !isLaterPage ? "No changes yet." : html`No entries match. <a href="${auditHref}">Show all entries</a>`}</p>`
    : html`<ul class="rows log">
${entries.map(entryOf)}</ul>`
}
${
  next === null && !isLaterPage
    ? null
    : html`<nav class="pager" aria-label="Pages">${isLaterPage ? html`<a class="button secondary" href="${href({})}">Newest</a>` : null}
${next === null ? null : html`<a class="button secondary" href="${href({ before: next })}">Older</a>`}</nav>`
}`,
  })
}
