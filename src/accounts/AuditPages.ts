/** Settings → Organization → Audit log. */
import { Effect, Layer, Stream } from "effect"
import { type TableType, tableDownload } from "../files/TableDownload.ts"
import { MemberId, parseId } from "../values/Ids.ts"
import { momentOf, utc } from "../values/TimeZone.ts"
import { AuditLog } from "./AuditLog.ts"
import type { AuditFilter } from "./AuditLogRepository.ts"
import { actionNames, recordTypes } from "./pages/AuditLabels.ts"
import { type AuditForm, auditHeader, auditHref, auditLine, auditPage } from "./pages/AuditPage.ts"
import { makeSettings, type WorkspaceRequest } from "./Workspace.ts"

/** The end of a day is the beginning of the next one: days with a change of clocks have 23 or 25 hours. */
const beginningOf = (day: string | undefined, zone: string, later = 0): Date | undefined => {
  if (day === undefined || momentOf(`${day}T00:00`, utc) === undefined) return undefined
  const date = new Date(`${day}T00:00Z`)
  date.setUTCDate(date.getUTCDate() + later)
  return momentOf(date.toISOString().slice(0, 16), zone)
}

const filterOf = ({ member: { timeZone }, query }: WorkspaceRequest) => {
  const chosen = recordTypes.find(({ type }) => type === query("type"))?.type
  const action = actionNames.find((one) => one === query("type"))
  const who = query("who") ?? ""
  const actor: AuditFilter["actor"] = who === "none" || who === "keys" ? who : parseId(MemberId, who)
  const since = beginningOf(query("from"), timeZone)
  const until = beginningOf(query("to"), timeZone, 1)
  const record = (query("record") ?? "").slice(0, 100).toWellFormed().replaceAll("\0", "")
  const before = query("before")
  const form: AuditForm = {
    type: action ?? chosen ?? "",
    who: actor === undefined ? "" : who,
    from: since === undefined ? "" : (query("from") ?? ""),
    to: until === undefined ? "" : (query("to") ?? ""),
    record,
  }
  return {
    form,
    filter: {
      record_type: chosen,
      action,
      record_id: record === "" ? undefined : record,
      actor,
      since,
      until,
      before: before !== undefined && /^[1-9]\d{0,17}$/.test(before) ? before : undefined,
    },
  }
}

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page } = yield* makeSettings
    const auditLog = yield* AuditLog

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { filter, form } = filterOf(request)
      const entries = yield* auditLog.read(request.member, filter)
      return page(auditPage(request.member, entries, form, filter.before !== undefined))
    })

    const exportAll = Effect.fnUntraced(function* (request: WorkspaceRequest, type: TableType) {
      const { http, member } = request
      const { filter } = filterOf(request)
      const rows = Stream.map(auditLog.readAll(member, { ...filter, before: undefined }), (one) =>
        auditLine(member.timeZone, one),
      )
      const header = auditHeader(member.timeZone)
      return tableDownload({ name: "audit-log", type, languages: http.headers["accept-language"], header, rows })
    })

    yield* get(auditHref, show)
    yield* get(`${auditHref}.csv`, (request) => exportAll(request, "csv"))
    yield* get(`${auditHref}.xlsx`, (request) => exportAll(request, "xlsx"))
  }),
)
