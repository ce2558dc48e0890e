/** Settings → Integrations → API requests. */
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { Config } from "../../config/Config.ts"
import { positionOf } from "../../values/Cursor.ts"
import { ApiKeyId, parseId, requireId } from "../../values/Ids.ts"
import { momentOf, wallTime } from "../../values/TimeZone.ts"
import { ApiKeys } from "../api-keys/ApiKeys.ts"
import { makeSettings, type WorkspaceRequest } from "../Workspace.ts"
import { LoggedRequestId, type RequestFilter, StatusFilter } from "./LoggedRequest.ts"
import { OperationReference } from "./OperationReference.ts"
import { loggedRequestPage } from "./pages/LoggedRequestPage.ts"
import { emptyRequestForm, type RequestForm, requestLogHref, requestLogPage } from "./pages/RequestLogPage.ts"
import { RequestLog } from "./RequestLog.ts"

const perPage = 50
const maxFailures = 5
const maxSame = 20
const day = 86_400_000

const readStatus = Schema.decodeUnknownOption(StatusFilter)

const isWord = (value: string): boolean => /^[A-Za-z_]{1,60}$/.test(value)

/** Values that are none of a filter are left out. */
const filterOf = ({ member: { timeZone }, query }: WorkspaceRequest) => {
  const status = Option.getOrUndefined(readStatus(query("status")))
  const word = (name: string) => Option.getOrUndefined(Option.liftPredicate(isWord)(query(name) ?? ""))
  const key = parseId(ApiKeyId, query("key"))
  const since = momentOf(query("from") ?? "", timeZone)
  const until = momentOf(query("to") ?? "", timeZone)
  const id = (query("id") ?? "").trim()
  const form: RequestForm = {
    ...emptyRequestForm,
    status: status ?? "",
    operation: word("operation") ?? "",
    problem: word("problem") ?? "",
    key: key ?? "",
    from: since === undefined ? "" : wallTime(since, timeZone),
    to: until === undefined ? "" : wallTime(until, timeZone),
    id: /^[!-~]{1,128}$/.test(id) ? id : "",
  }
  const filter: RequestFilter = {
    status,
    operation: word("operation"),
    problem: word("problem"),
    api_key_id: key,
    request_id: form.id === "" ? undefined : form.id,
    since: since?.toISOString(),
    until: until?.toISOString(),
  }
  return { filter, form }
}

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { apiUrl, requestLogDays } = yield* Config
    const { get, page } = yield* makeSettings
    const apiKeys = yield* ApiKeys
    const requestLog = yield* RequestLog
    const { read } = yield* OperationReference

    const list = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, query } = request
      const { filter, form } = filterOf(request)
      const cursor = query("cursor")
      const after = cursor === undefined ? undefined : positionOf("requests", cursor)
      const { next_cursor, results } = yield* requestLog.list(member, filter, { limit: perPage, after })
      const isStart = after === undefined && Object.values(form).every((value) => value === "")
      const now = yield* DateTime.nowAsDate
      const since = new Date(now.getTime() - day).toISOString()
      const failures = isStart ? yield* requestLog.failures(member, { since }, maxFailures) : []
      const keys = yield* apiKeys.list(member)
      const view = {
        requests: results,
        next: next_cursor,
        isLater: after !== undefined,
        form,
        failures,
        keys,
        days: requestLogDays,
      }
      return page(requestLogPage(member, view, yield* read))
    })

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, param } = request
      const id = yield* requireId(LoggedRequestId, param("id"), "request")
      const logged = yield* requestLog.find(member, id)
      const same = yield* requestLog.list(
        member,
        { request_id: logged.request_id },
        { limit: maxSame, after: undefined },
      )
      return page(loggedRequestPage(member, { logged, same: same.results, apiUrl }, yield* read))
    })

    yield* get(requestLogHref, list)
    yield* get(`${requestLogHref}/:id`, show)
  }),
)
