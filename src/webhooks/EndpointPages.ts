/**
 * Settings → Webhooks. GET /settings/webhooks, …/new, …/:id (with its deliveries), …/:id/edit, …/:id/delete; POST
 * /settings/webhooks, …/:id, …/:id/delete, …/:id/disable, …/:id/enable, …/:id/send-parked.
 */
import { Effect, Option, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { makeSettings } from "../accounts/Workspace.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { type Form, numberOf, readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { ids } from "../platform/NewIds.ts"
import { EndpointId } from "../values/Ids.ts"
import type { FieldError } from "../values/Problem.ts"
import { filterOf } from "./DeliveryFilter.ts"
import { DeliveryLog } from "./DeliveryLog.ts"
import { makeVisited, noticeOf } from "./EndpointRequest.ts"
import { Endpoints } from "./Endpoints.ts"
import { editEndpointPage, labels, newEndpointPage } from "./pages/EndpointFormPages.ts"
import { endpointListPage } from "./pages/EndpointListPage.ts"
import { endpointPage } from "./pages/EndpointPage.ts"
import { endpointHref, webhooksHref } from "./pages/EndpointParts.ts"
import { deleteEndpointPage, enablePage } from "./pages/EndpointStepPages.ts"
import { eventTypes } from "./WebhookEvent.ts"

const perPage = 50

/** The events that a form names: a parent stands for all that is below of it. */
const eventsOf = (form: Form): ReadonlyArray<string> => {
  const all = form.flatMap(([name, value]) => (name === "events" ? [value.slice(0, 100)] : [])).slice(0, 50)
  const parents = eventTypes.filter((type) => all.includes(type))
  return [...new Set(all)].filter((name) => !parents.some((parent) => name.startsWith(`${parent}.`)))
}

const noEvent: FieldError = { pointer: "#/events", code: "required", message: "is empty: choose at least one event" }

/** As the service takes it, which takes no events for all of them: no name is none of its events. */
const asked = (form: ReturnType<typeof formOf>) => (form.events.length === 0 ? { ...form, events: [""] } : form)

const toldOf = (errors: ReadonlyArray<FieldError>) =>
  fieldErrors(
    errors.map((fault) => (fault.code === "unknown_event" ? noEvent : fault)),
    labels,
  )

const formOf = (form: Form) => ({
  name: typed(form, "name"),
  url: typed(form, "url").trim(),
  description: typed(form, "description"),
  events: eventsOf(form),
})

const emptyForm = { name: "", url: "", description: "", events: eventTypes, faults: {} }

const readId = Schema.decodeOption(EndpointId)

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const endpoints = yield* Endpoints
    const log = yield* DeliveryLog
    const newId = yield* ids
    const { get, page, post } = yield* makeSettings
    const { health, idOf, withParked } = yield* makeVisited

    yield* router.add(
      "GET",
      webhooksHref,
      get((visit) =>
        Effect.gen(function* () {
          const all = yield* endpoints.list(visit.member.organizationId)
          const number = numberOf(visit.query("page"))
          return page(endpointListPage(visit.member, all, yield* health, number, noticeOf(visit)))
        }),
      ),
    )

    yield* router.add(
      "GET",
      `${webhooksHref}/new`,
      get(({ member }) => Effect.map(newId(EndpointId), (id) => page(newEndpointPage(member, id, emptyForm)))),
    )

    yield* router.add(
      "POST",
      webhooksHref,
      post(({ member, request }) =>
        Effect.gen(function* () {
          const sent = yield* readForm(request)
          const id = Option.getOrUndefined(readId(valueOf(sent, "id") ?? ""))
          if (id === undefined) return seeOther(`${webhooksHref}/new`)
          const form = formOf(sent)
          const again = (errors: ReadonlyArray<FieldError>) =>
            page(newEndpointPage(member, id, { ...form, faults: toldOf(errors) }), { status: 422 })
          const done = seeOther(`${endpointHref(id)}/secret?done=added`)
          return yield* endpoints.create(member.organizationId, asked(form), { by: member.id, id }).pipe(
            Effect.as(done),
            Effect.catchTag("Invalid", ({ errors }) =>
              Effect.succeed(errors.some(({ code }) => code === "already_made") ? done : again(errors)),
            ),
          )
        }),
      ),
    )

    yield* router.add(
      "GET",
      `${webhooksHref}/:id`,
      get((visit) =>
        Effect.gen(function* () {
          const { endpoint, parked } = yield* withParked(visit)
          const { asked, filter } = filterOf(visit)
          const found = yield* log.list(visit.member.organizationId, endpoint.id, asked, perPage + 1)
          const deliveries = found.slice(0, perPage)
          const isSearched = asked.event_type !== undefined && found.length <= perPage
          const next = isSearched
            ? yield* log.searchedUntil(visit.member.organizationId, endpoint.id, asked)
            : found.length > perPage
              ? deliveries.at(-1)?.id
              : undefined
          return page(
            endpointPage(visit.member, {
              endpoint,
              parked,
              filter,
              deliveries,
              next,
              health: yield* health,
              notice: noticeOf(visit),
            }),
          )
        }),
      ),
    )

    yield* router.add(
      "GET",
      `${webhooksHref}/:id/edit`,
      get((visit) =>
        Effect.map(withParked(visit), ({ endpoint }) => {
          const { description, events, name, url } = endpoint
          const form = { name, url, events, description: description ?? "", faults: {} }
          return page(editEndpointPage(visit.member, endpoint, form))
        }),
      ),
    )

    yield* router.add(
      "POST",
      `${webhooksHref}/:id`,
      post((visit) =>
        Effect.gen(function* () {
          const { member, request } = visit
          const { endpoint } = yield* withParked(visit)
          const form = formOf(yield* readForm(request))
          return yield* endpoints.update(member.organizationId, endpoint.id, asked(form), member.id).pipe(
            Effect.as(seeOther(`${endpointHref(endpoint.id)}?done=saved`)),
            Effect.catchTag("Invalid", ({ errors }) => {
              const faulty = { ...form, faults: toldOf(errors) }
              return Effect.succeed(page(editEndpointPage(member, endpoint, faulty), { status: 422 }))
            }),
          )
        }),
      ),
    )

    yield* router.add(
      "GET",
      `${webhooksHref}/:id/delete`,
      get((visit) =>
        Effect.map(withParked(visit), ({ endpoint, parked }) =>
          page(deleteEndpointPage(visit.member, endpoint, parked)),
        ),
      ),
    )

    yield* router.add(
      "POST",
      `${webhooksHref}/:id/delete`,
      post((visit) =>
        idOf(visit).pipe(
          Effect.flatMap((id) => endpoints.remove(visit.member.organizationId, id, visit.member.id)),
          Effect.as(seeOther(`${webhooksHref}?done=deleted`)),
          Effect.catchTag("NotFound", () => Effect.succeed(seeOther(`${webhooksHref}?done=gone`))),
        ),
      ),
    )

    yield* router.add(
      "POST",
      `${webhooksHref}/:id/disable`,
      post((visit) =>
        Effect.gen(function* () {
          const { endpoint } = yield* withParked(visit)
          // off already, by its failures: that stays to be seen
          if (endpoint.status === "active") {
            yield* endpoints.disable(visit.member.organizationId, endpoint.id, visit.member.id)
          }
          return seeOther(`${endpointHref(endpoint.id)}?done=disabled`)
        }),
      ),
    )

    yield* router.add(
      "GET",
      `${webhooksHref}/:id/enable`,
      get((visit) =>
        Effect.map(withParked(visit), ({ endpoint, parked }) =>
          endpoint.status === "active"
            ? seeOther(endpointHref(endpoint.id))
            : page(enablePage(visit.member, endpoint, parked)),
        ),
      ),
    )

    /** Sends what is parked; of an endpoint that was switched off meanwhile nothing. */
    const sendParked = ({ member }: Parameters<typeof idOf>[0], id: EndpointId) =>
      Effect.catchTag(log.sendParked(member.organizationId, id, member.id), "Conflict", () => Effect.succeed(0))

    yield* router.add(
      "POST",
      `${webhooksHref}/:id/enable`,
      post((visit) =>
        Effect.gen(function* () {
          const form = yield* readForm(visit.request)
          const { endpoint } = yield* withParked(visit)
          const { id } = endpoint
          if (endpoint.status === "inactive") {
            yield* endpoints.enable(visit.member.organizationId, id, visit.member.id)
          }
          const sent = valueOf(form, "parked") === "send" ? yield* sendParked(visit, id) : 0
          return seeOther(`${endpointHref(id)}?done=enabled${sent === 0 ? "" : `&count=${sent}`}`)
        }),
      ),
    )

    yield* router.add(
      "POST",
      `${webhooksHref}/:id/send-parked`,
      post((visit) =>
        Effect.gen(function* () {
          const { endpoint } = yield* withParked(visit)
          const sent = yield* sendParked(visit, endpoint.id)
          return seeOther(`${endpointHref(endpoint.id)}?done=unparked&count=${sent}`)
        }),
      ),
    )

    // the addresses of the steps show the webhook, should somebody load them
    for (const step of ["disable", "send-parked"]) {
      yield* router.add(
        "GET",
        `${webhooksHref}/:id/${step}`,
        get(({ param }) => Effect.succeed(seeOther(endpointHref(param("id"))))),
      )
    }
  }),
)
