/**
 * Deliveries of a webhook. GET /settings/webhooks/:id/deliveries (the webhook's page), …/deliveries/:delivery,
 * …/:id/resend; POST …/deliveries/:delivery/resend, …/:id/resend (all that failed).
 */
import { Effect, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { numberOf, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { DeliveryId } from "../values/Ids.ts"
import { NotFound } from "../values/Problem.ts"
import { DeliveryInspector } from "./DeliveryInspector.ts"
import { DeliveryLog } from "./DeliveryLog.ts"
import { makeVisited, noticeOf } from "./EndpointRequest.ts"
import { deliveryPage } from "./pages/DeliveryPage.ts"
import { endpointHref, webhooksHref } from "./pages/EndpointParts.ts"
import { resendPage } from "./pages/EndpointStepPages.ts"

const readId = Schema.decodeOption(DeliveryId)
const unknown = new NotFound({ record: "delivery" })

const hour = 3_600_000
/** How far back failed deliveries are sent again: by name of the choice, in milliseconds. */
const spans = new Map([
  ["1h", { name: "the last hour", millis: hour }],
  ["24h", { name: "the last 24 hours", millis: 24 * hour }],
  ["7d", { name: "the last 7 days", millis: 7 * 24 * hour }],
  ["30d", { name: "the last 30 days", millis: 30 * 24 * hour }],
])
const usual = "24h"

const spanOf = (text: string | undefined): string => (text !== undefined && spans.has(text) ? text : usual)

/** What resent_at was when the form was made; undefined: the form does not say. */
const seenOf = (text: string | undefined): Date | null | undefined => {
  if (text === undefined || text === "") return text === "" ? null : undefined
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at
}

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const evidences = yield* DeliveryInspector
    const log = yield* DeliveryLog
    const { get, page, post } = yield* makeSettings
    const { find, now } = yield* makeVisited

    const deliveryOf = ({ param }: WorkspaceRequest) =>
      Effect.mapError(Effect.fromOption(readId(param("delivery"))), () => unknown)

    const show = Effect.fnUntraced(function* (visit: WorkspaceRequest, fault: string | undefined) {
      const endpoint = yield* find(visit)
      const id = yield* deliveryOf(visit)
      const evidence = yield* evidences.read(visit.member.organizationId, endpoint.id, id)
      const asked = visit.query("attempt")
      const attempt = asked === undefined ? evidence.attempts.length : numberOf(asked)
      const notice = fault === undefined ? noticeOf(visit) : { text: fault, isError: true }
      const view = { endpoint, evidence, now: yield* now, attempt, notice }
      return page(deliveryPage(visit.member, view), { status: fault === undefined ? 200 : 409 })
    })

    const deliveries = `${webhooksHref}/:id/deliveries`

    yield* router.add(
      "GET",
      `${deliveries}/:delivery`,
      get((visit) => show(visit, undefined)),
    )

    yield* router.add(
      "POST",
      `${deliveries}/:delivery/resend`,
      post((visit) =>
        Effect.gen(function* () {
          const { member, request } = visit
          const endpoint = yield* find(visit)
          const id = yield* deliveryOf(visit)
          const seen = seenOf(valueOf(yield* readForm(request), "seen"))
          const { delivery } = yield* evidences.read(member.organizationId, endpoint.id, id)
          const href = `${endpointHref(endpoint.id)}/deliveries`
          // sent twice: what was asked for is done
          if (seen !== undefined && delivery.resent_at?.getTime() !== seen?.getTime()) {
            return seeOther(`${href}/${id}?done=again`)
          }
          const asked = { by: member.id, ...(seen === undefined ? {} : { seen }) }
          return yield* log.resend(member.organizationId, id, asked).pipe(
            Effect.map((made) => seeOther(`${href}/${made}?done=resent`)),
            Effect.catchTag("Conflict", ({ reason }) => show(visit, `It was not sent again: ${reason}.`)),
          )
        }),
      ),
    )

    yield* router.add(
      "GET",
      `${webhooksHref}/:id/resend`,
      get((visit) =>
        Effect.gen(function* () {
          const { member, query } = visit
          const endpoint = yield* find(visit)
          const span = spanOf(query("since"))
          const since = new Date((yield* now).getTime() - (spans.get(span)?.millis ?? 0))
          const failed = yield* log.failedSince(member.organizationId, endpoint.id, since)
          const choices = [...spans].map(([value, { name }]) => [value, name] as const)
          return page(resendPage(member, endpoint, { failed, since: span, spans: choices }))
        }),
      ),
    )

    yield* router.add(
      "POST",
      `${webhooksHref}/:id/resend`,
      post((visit) =>
        Effect.gen(function* () {
          const { member, request } = visit
          const endpoint = yield* find(visit)
          const span = spanOf(valueOf(yield* readForm(request), "since"))
          const since = new Date((yield* now).getTime() - (spans.get(span)?.millis ?? 0))
          return yield* log.resendFailed(member.organizationId, endpoint.id, since, member.id).pipe(
            Effect.map((count) => seeOther(`${endpointHref(endpoint.id)}?done=failed&count=${count}`)),
            // it is off: its page says so, and how it is switched on
            Effect.catchTag("Conflict", () => Effect.succeed(seeOther(endpointHref(endpoint.id)))),
          )
        }),
      ),
    )

    // addresses that somebody may load by hand
    yield* router.add(
      "GET",
      deliveries,
      get(({ param }) => Effect.succeed(seeOther(endpointHref(param("id"))))),
    )
    yield* router.add(
      "GET",
      `${deliveries}/:delivery/resend`,
      get(({ param }) => Effect.succeed(seeOther(`${webhooksHref}/${param("id")}/deliveries/${param("delivery")}`))),
    )
  }),
)
