/** Routes of Settings → Webhooks. */
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import type { Member } from "../../accounts/members/Member.ts"
import type { WorkspaceRequest } from "../../accounts/Workspace.ts"
import { makeSettings } from "../../accounts/Workspace.ts"
import type { FieldErrors } from "../../platform/http/FormControls.ts"
import { type Form, numberOf, readForm, typed, valueOf } from "../../platform/http/Forms.ts"
import { seeOther } from "../../platform/http/Pages.ts"
import { Ids } from "../../platform/NewIds.ts"
import { uuid } from "../../values/Fields.ts"
import { DeliveryId, EndpointId, parseId } from "../../values/Ids.ts"
import type { FieldError } from "../../values/Problem.ts"
import { momentOf, wallTime } from "../../values/TimeZone.ts"
import { isChat } from "../chat/ChatMessage.ts"
import { Deliveries } from "../deliveries/Deliveries.ts"
import { DeliveryState } from "../deliveries/Delivery.ts"
import type { DeliveryFilter } from "../deliveries/DeliveryRepository.ts"
import { defaultEventTypes, eventOf, eventTypes } from "../events/WebhookEvent.ts"
import type { CreateEndpoint } from "./Endpoint.ts"
import type { Choice } from "./EndpointFilterRepository.ts"
import { endpointIdOf, makeEndpointRequests, noticeOf } from "./EndpointPageRequest.ts"
import { Endpoints, type EndpointView } from "./Endpoints.ts"
import { deleteEndpointPage, editEndpointPage, enablePage, newEndpointPage } from "./pages/EndpointFormPage.ts"
import { type EndpointForm, endpointForm, maxFound } from "./pages/EndpointOptions.ts"
import {
  endpointHref,
  endpointListPage,
  endpointPage,
  type Filter,
  shownEndpoints,
  webhooksHref,
} from "./pages/EndpointPage.ts"
import { isSameName } from "./StaticHeaders.ts"

const perPage = 50
const isUuid = Schema.is(uuid)

// Add and change

type FormInput = Omit<EndpointForm, "chosen" | "errors" | "found">

/** `stored`: names of the headers with a stored value. */
const formOf = (form: Form, stored: ReadonlyArray<string>): FormInput => {
  const texts = endpointForm.read(form)
  const { events, headers } = texts
  const parents = eventTypes.filter((type) => events.includes(type))
  return {
    ...texts,
    events: [...new Set(events)].filter((name) => !parents.some((parent) => name.startsWith(`${parent}.`))),
    headers: headers.map((header, index) => ({
      ...header,
      isStored: stored.some((name) => isSameName(name, header.name.trim())),
      isRemoved: valueOf(form, `headers.${index}.remove`) === "yes",
    })),
    find: typed(form, "find").trim().slice(0, 200),
  }
}

const emptyForm: FormInput = {
  ...endpointForm.textsOf({ events: [...defaultEventTypes] }),
  headers: [],
  find: "",
}

const formOfEndpoint = ({ header_names, ...endpoint }: EndpointView): FormInput => ({
  ...endpointForm.textsOf(endpoint),
  headers: header_names.map((name) => ({ name, value: "", isStored: true, isRemoved: false })),
  find: "",
})

/** True for the Find button, and for a changed search text: Enter in its field searches instead of saving. */
const isSearch = (form: Form): boolean =>
  valueOf(form, "do") === "find" || typed(form, "find").trim() !== (valueOf(form, "found") ?? "").trim()

/** Empty rows are left out of the request, and keep their place in the form. */
const withoutRemoved = ({ headers, ...form }: FormInput) => ({
  ...form,
  headers: headers.map(({ isRemoved, name, value }) => (isRemoved ? { name: "", value: "" } : { name, value })),
})

/** An empty field of the form removes the stored value. */
const requestOf = (form: FormInput): CreateEndpoint => ({
  ...{ description: "", max_per_minute: 0 },
  ...endpointForm.requestOf(withoutRemoved(form)),
})

const noEvent = "is empty: choose at least one event"
const chosenGone = "contained a record that has been deleted: check the current choice"

/** Both lists of ids are one choice on the page. */
const errorsByField = (form: FormInput, errors: ReadonlyArray<FieldError>): FieldErrors => {
  const { interview_set_ids, project_ids, ...others } = endpointForm.errorsOf(
    withoutRemoved(form),
    errors.map((error) => {
      if (error.code === "unknown_event" || error.code === "too_few") return { ...error, message: noEvent }
      return error.code === "not_found" ? { ...error, message: chosenGone } : error
    }),
  )
  const choices = interview_set_ids ?? project_ids
  return choices === undefined ? others : { ...others, choices }
}

const readState = Schema.decodeUnknownOption(DeliveryState)

const filterOf = ({
  member: { timeZone },
  query,
}: WorkspaceRequest): { readonly wanted: DeliveryFilter; readonly filter: Filter } => {
  const state = Option.getOrUndefined(readState(query("state")))
  const name = query("event") ?? ""
  const event = eventOf(name)
  const since = momentOf(query("from") ?? "", timeZone)
  const until = momentOf(query("to") ?? "", timeZone)
  const before = parseId(DeliveryId, query("before"))
  return {
    wanted: { state, event_type: event?.type, event_status: event?.status, since, until, before },
    filter: {
      state: state ?? "",
      event: event === undefined ? "" : name,
      from: since === undefined ? "" : wallTime(since, timeZone),
      to: until === undefined ? "" : wallTime(until, timeZone),
      before: before ?? "",
    },
  }
}

const toEndpoint = ({ param }: WorkspaceRequest) => endpointHref(param("id"))

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeSettings
    const { findEndpoint, findWithParked, health } = yield* makeEndpointRequests
    const deliveries = yield* Deliveries
    const endpoints = yield* Endpoints
    const ids = yield* Ids

    /** The form with the titles of the chosen records, and the other records that the search finds. */
    const withChoices = Effect.fnUntraced(function* (member: Member, form: FormInput, errors: FieldErrors = {}) {
      const chosenIds = { sets: form.interview_set_ids.filter(isUuid), projects: form.project_ids.filter(isUuid) }
      const found = yield* endpoints.findChoices(
        member,
        form.find,
        maxFound + 1 + chosenIds.sets.length + chosenIds.projects.length,
      )
      const others = (all: ReadonlyArray<Choice>, chosen: ReadonlyArray<string>) =>
        all.filter(({ id }) => !chosen.includes(id))
      return {
        ...form,
        errors,
        chosen: yield* endpoints.chosen(member, chosenIds),
        found: { sets: others(found.sets, chosenIds.sets), projects: others(found.projects, chosenIds.projects) },
      }
    })

    const showNew = Effect.fnUntraced(function* ({ member }: WorkspaceRequest) {
      const form = yield* withChoices(member, emptyForm)
      return page(newEndpointPage(member, yield* ids.make(EndpointId), form))
    })

    const create = Effect.fnUntraced(function* ({ member, http }: WorkspaceRequest) {
      const sent = yield* readForm(http)
      const id = parseId(EndpointId, valueOf(sent, "id") ?? "")
      if (id === undefined) return seeOther(`${webhooksHref}/new`)
      const form = formOf(sent, [])
      if (isSearch(sent)) return page(newEndpointPage(member, id, yield* withChoices(member, form)))
      const showErrors = Effect.fnUntraced(function* (errors: ReadonlyArray<FieldError>) {
        const shown = yield* withChoices(member, form, errorsByField(form, errors))
        return page(newEndpointPage(member, id, shown), { status: 422 })
      })
      const created = seeOther(`${endpointHref(id)}/secret?done=added`)
      return yield* endpoints.create(member, requestOf(form), id).pipe(
        Effect.as(created),
        Effect.catchTag("Invalid", ({ errors }) =>
          errors.some(({ code }) => code === "already_made") ? Effect.succeed(created) : showErrors(errors),
        ),
      )
    })

    const showEdit = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const endpoint = yield* findEndpoint(request)
      if (isChat(endpoint.format)) return seeOther(`${webhooksHref}/channels/${endpoint.id}`)
      const form = yield* withChoices(request.member, formOfEndpoint(endpoint))
      return page(editEndpointPage(request.member, endpoint, form))
    })

    const update = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const endpoint = yield* findEndpoint(request)
      if (isChat(endpoint.format)) return seeOther(`${webhooksHref}/channels/${endpoint.id}`)
      const sent = yield* readForm(request.http)
      const form = formOf(sent, endpoint.header_names)
      if (isSearch(sent)) return page(editEndpointPage(member, endpoint, yield* withChoices(member, form)))
      const showErrors = Effect.fnUntraced(function* (errors: ReadonlyArray<FieldError>) {
        const shown = yield* withChoices(member, form, errorsByField(form, errors))
        return page(editEndpointPage(member, endpoint, shown), { status: 422 })
      })
      return yield* endpoints.update(member, endpoint.id, requestOf(form)).pipe(
        Effect.as(seeOther(`${endpointHref(endpoint.id)}?done=saved`)),
        Effect.catchTag("Invalid", ({ errors }) => showErrors(errors)),
      )
    })

    // List and show

    const showList = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, query } = request
      const all = yield* endpoints.list(member)
      const number = numberOf(query("page"))
      const shown = shownEndpoints(all, number).map(({ id }) => id)
      const activityOf = yield* deliveries.activity(member, shown, yield* DateTime.nowAsDate)
      return page(endpointListPage(member, all, yield* health, number, activityOf, noticeOf(request)))
    })

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const { endpoint, parked } = yield* findWithParked(request)
      const { filter, wanted } = filterOf(request)
      const found = yield* deliveries.list(member, endpoint.id, wanted, perPage + 1)
      const listed = found.slice(0, perPage)
      const hasMore = found.length > perPage
      const lastSearched =
        wanted.event_type === undefined || hasMore
          ? undefined
          : yield* deliveries.searchedUntil(member, endpoint.id, wanted)
      const next = hasMore ? listed.at(-1)?.id : lastSearched
      const activityOf = yield* deliveries.activity(member, [endpoint.id], yield* DateTime.nowAsDate)
      const chosen = yield* endpoints.chosen(member, {
        sets: endpoint.interview_set_ids,
        projects: endpoint.project_ids,
      })
      const shown = { health: yield* health, activity: activityOf(endpoint.id), chosen }
      const view = { ...shown, endpoint, parked, filter, deliveries: listed, next, notice: noticeOf(request) }
      return page(endpointPage(member, view))
    })

    const remove = Effect.fnUntraced(
      function* (request: WorkspaceRequest) {
        yield* endpoints.remove(request.member, yield* endpointIdOf(request))
        return seeOther(`${webhooksHref}?done=deleted`)
      },
      Effect.catchTag("NotFound", () => Effect.succeed(seeOther(`${webhooksHref}?done=gone`))),
    )

    const disable = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { endpoint } = yield* findWithParked(request)
      // an endpoint that is already inactive gets no audit entry
      if (endpoint.status === "active" || endpoint.next_probe_at !== null)
        yield* endpoints.disable(request.member, endpoint.id)
      return seeOther(`${endpointHref(endpoint.id)}?done=disabled`)
    })

    const sendParkedOf = Effect.fnUntraced(function* ({ member }: WorkspaceRequest, id: EndpointId) {
      const sent = deliveries.sendParked(member, id)
      return yield* Effect.catchTag(sent, "Conflict", () => Effect.succeed(0))
    })

    const enable = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const form = yield* readForm(request.http)
      const { endpoint } = yield* findWithParked(request)
      if (endpoint.status === "inactive") yield* endpoints.enable(request.member, endpoint.id)
      const sent = valueOf(form, "parked") === "send" ? yield* sendParkedOf(request, endpoint.id) : 0
      return seeOther(`${endpointHref(endpoint.id)}?done=enabled${sent === 0 ? "" : `&count=${sent}`}`)
    })

    const sendParked = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { endpoint } = yield* findWithParked(request)
      const sent = yield* sendParkedOf(request, endpoint.id)
      return seeOther(`${endpointHref(endpoint.id)}?done=unparked&count=${sent}`)
    })

    const endpoint = `${webhooksHref}/:id` as const
    const showDelete = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { endpoint: found, parked } = yield* findWithParked(request)
      return page(deleteEndpointPage(request.member, found, parked))
    })

    const showEnable = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { endpoint: found, parked } = yield* findWithParked(request)
      if (found.status === "active") return seeOther(endpointHref(found.id))
      return page(enablePage(request.member, found, parked))
    })

    yield* get(webhooksHref, showList)
    yield* post(webhooksHref, create)
    yield* get(`${webhooksHref}/new`, showNew)
    yield* get(endpoint, show)
    yield* post(endpoint, update)
    yield* get(`${endpoint}/edit`, showEdit)
    yield* get(`${endpoint}/delete`, showDelete)
    yield* post(`${endpoint}/delete`, remove)
    yield* action(`${endpoint}/disable`, disable, toEndpoint)
    yield* get(`${endpoint}/enable`, showEnable)
    yield* post(`${endpoint}/enable`, enable)
    yield* action(`${endpoint}/send-parked`, sendParked, toEndpoint)
  }),
)
