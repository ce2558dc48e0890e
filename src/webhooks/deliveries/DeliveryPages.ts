/** Routes of a webhook's deliveries. */
import { DateTime, Effect, Layer } from "effect"
import type { WorkspaceRequest } from "../../accounts/Workspace.ts"
import { makeSettings } from "../../accounts/Workspace.ts"
import { numberOf, readForm, valueOf } from "../../platform/http/Forms.ts"
import { seeOther } from "../../platform/http/Pages.ts"
import { definedOnly } from "../../values/definedOnly.ts"
import { DeliveryId, requireId } from "../../values/Ids.ts"
import { momentOf, wallTime } from "../../values/TimeZone.ts"
import { makeEndpointRequests, noticeOf } from "../endpoints/EndpointPageRequest.ts"
import { endpointHref, webhooksHref } from "../endpoints/pages/EndpointPage.ts"
import { Deliveries } from "./Deliveries.ts"
import { DeliveryInspector } from "./DeliveryInspector.ts"
import { deliveryPage, resendPage } from "./pages/DeliveryPage.ts"

const deliveryIdOf = ({ param }: WorkspaceRequest) => requireId(DeliveryId, param("delivery"), "delivery")

const seenOf = (text: string | undefined): Date | null | undefined => {
  if (text === undefined || text === "") return text === "" ? null : undefined
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at
}

const seenAttempts = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : undefined

// All failed ones

const hour = 3_600_000
const spans = new Map([
  ["1h", { name: "the last hour", millis: hour }],
  ["24h", { name: "the last 24 hours", millis: 24 * hour }],
  ["7d", { name: "the last 7 days", millis: 7 * 24 * hour }],
  ["30d", { name: "the last 30 days", millis: 30 * 24 * hour }],
])
const defaultSpan = "24h"

/** `read`: of the query or the form. A time that is entered replaces the span. */
const failedIn = Effect.fnUntraced(function* (read: (name: string) => string | undefined, timeZone: string) {
  const text = read("since")
  const [from, until] = [momentOf(read("from") ?? "", timeZone), momentOf(read("to") ?? "", timeZone)]
  const span = text !== undefined && spans.has(text) ? text : defaultSpan
  const since = from ?? new Date((yield* DateTime.nowAsDate).getTime() - (spans.get(span)?.millis ?? 0))
  const form = {
    since: span,
    from: from === undefined ? "" : wallTime(from, timeZone),
    to: until === undefined ? "" : wallTime(until, timeZone),
  }
  return { form, filter: { since, until } }
})

const redirectToEndpoint = ({ param }: WorkspaceRequest) => Effect.succeed(seeOther(endpointHref(param("id"))))

const toDelivery = ({ param }: WorkspaceRequest) => `${endpointHref(param("id"))}/deliveries/${param("delivery")}`

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeSettings
    const { findEndpoint } = yield* makeEndpointRequests

    const deliveries = yield* Deliveries
    const deliveryInspector = yield* DeliveryInspector

    // One delivery

    const showWith = Effect.fnUntraced(function* (request: WorkspaceRequest, conflict: string | undefined) {
      const { member, query } = request
      const endpoint = yield* findEndpoint(request)
      const id = yield* deliveryIdOf(request)
      const inspected = yield* deliveryInspector.read(member, endpoint.id, id)
      const chosen = query("attempt")
      const attempt = chosen === undefined ? inspected.attempts.length : numberOf(chosen)
      const notice = conflict === undefined ? noticeOf(request) : { text: conflict, isError: true }
      const view = { endpoint, inspected, now: yield* DateTime.nowAsDate, attempt, notice }
      return page(deliveryPage(member, view), { status: conflict === undefined ? 200 : 409 })
    })

    const show = (request: WorkspaceRequest) => showWith(request, undefined)

    const resend = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const endpoint = yield* findEndpoint(request)
      const id = yield* deliveryIdOf(request)
      const seen = seenOf(valueOf(yield* readForm(request.http), "seen"))
      const { delivery } = yield* deliveryInspector.read(request.member, endpoint.id, id)
      const href = `${endpointHref(endpoint.id)}/deliveries`
      const isAgain = seen !== undefined && delivery.resent_at?.getTime() !== seen?.getTime()
      if (isAgain) return seeOther(`${href}/${id}?done=again`)
      return yield* deliveries.resend(request.member, id, definedOnly({ seen })).pipe(
        Effect.map((newDelivery) => seeOther(`${href}/${newDelivery}?done=resent`)),
        Effect.catchTag("Conflict", ({ reason }) => showWith(request, `Not sent again: ${reason}.`)),
      )
    })

    const sendNow = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const endpoint = yield* findEndpoint(request)
      const id = yield* deliveryIdOf(request)
      const seen = seenAttempts(valueOf(yield* readForm(request.http), "seen"))
      yield* deliveryInspector.read(request.member, endpoint.id, id)
      return yield* deliveries.sendNow(request.member, id, definedOnly({ seen })).pipe(
        Effect.as(seeOther(`${endpointHref(endpoint.id)}/deliveries/${id}?done=due`)),
        Effect.catchTag("Conflict", ({ reason }) => showWith(request, `The delivery was not sent: ${reason}.`)),
      )
    })

    const showFailed = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, query } = request
      const endpoint = yield* findEndpoint(request)
      const { filter, form } = yield* failedIn(query, member.timeZone)
      const failed = yield* deliveries.countFailed(member, endpoint.id, filter)
      const choices = [...spans].map(([value, { name }]) => [value, name] as const)
      return page(resendPage(member, endpoint, { failed, form, spans: choices }))
    })

    const resendFailed = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const endpoint = yield* findEndpoint(request)
      const form = yield* readForm(request.http)
      const { filter } = yield* failedIn((name) => valueOf(form, name), request.member.timeZone)
      const href = endpointHref(endpoint.id)
      return yield* deliveries.resendFailed(request.member, endpoint.id, filter).pipe(
        Effect.map((count) => seeOther(`${href}?done=failed&count=${count}`)),
        Effect.catchTag("Conflict", () => Effect.succeed(seeOther(href))),
      )
    })

    const endpoint = `${webhooksHref}/:id` as const
    yield* get(`${endpoint}/deliveries`, redirectToEndpoint)
    yield* get(`${endpoint}/deliveries/:delivery`, show)
    yield* action(`${endpoint}/deliveries/:delivery/resend`, resend, toDelivery)
    yield* action(`${endpoint}/deliveries/:delivery/send-now`, sendNow, toDelivery)
    yield* get(`${endpoint}/resend`, showFailed)
    yield* post(`${endpoint}/resend`, resendFailed)
  }),
)
