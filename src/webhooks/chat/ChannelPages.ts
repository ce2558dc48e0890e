/** Routes of channels of Slack and Teams, which are endpoints of webhooks with another form. */
import { Effect, Layer, Schema } from "effect"
import type { Member } from "../../accounts/members/Member.ts"
import { makeSettings, type WorkspaceRequest } from "../../accounts/Workspace.ts"
import { fieldErrors } from "../../platform/http/FormControls.ts"
import { type Form, readForm, typed, valueOf, valuesOf } from "../../platform/http/Forms.ts"
import { seeOther } from "../../platform/http/Pages.ts"
import { Ids } from "../../platform/NewIds.ts"
import { uuid } from "../../values/Fields.ts"
import { EndpointId, parseId } from "../../values/Ids.ts"
import type { FieldError } from "../../values/Problem.ts"
import type { Choice } from "../endpoints/EndpointFilterRepository.ts"
import { makeEndpointRequests } from "../endpoints/EndpointPageRequest.ts"
import { Endpoints, type EndpointView } from "../endpoints/Endpoints.ts"
import { maxFound } from "../endpoints/pages/EndpointOptions.ts"
import { endpointHref } from "../endpoints/pages/EndpointPage.ts"
import { chatEvents, chatFormats, isChat } from "./ChatMessage.ts"
import { type ChannelForm, channelPage, channelsHref } from "./pages/ChannelPage.ts"

type Typed = Omit<ChannelForm, "chosen" | "errors" | "found">

const isUuid = Schema.is(uuid)

const empty: Typed = {
  ...{ name: "", url: "", format: "slack", find: "", interview_set_ids: [], project_ids: [] },
  events: chatEvents.map(([name]) => name),
}

const read = (form: Form): Typed => ({
  name: typed(form, "name"),
  url: typed(form, "url").trim(),
  format: chatFormats.find((one) => one === valueOf(form, "format")) ?? "slack",
  events: chatEvents.map(([name]) => name).filter((name) => valuesOf(form, "events").includes(name)),
  interview_set_ids: valuesOf(form, "interview_set_ids"),
  project_ids: valuesOf(form, "project_ids"),
  find: typed(form, "find").trim().slice(0, 200),
})

/** As in the form of webhooks: Enter in the field searches instead of saving. */
const isSearch = (form: Form): boolean =>
  valueOf(form, "do") === "find" || typed(form, "find").trim() !== (valueOf(form, "found") ?? "").trim()

const requestOf = ({ events, interview_set_ids, name, project_ids, url }: Typed) => ({
  ...{ name, url, interview_set_ids, project_ids },
  events: [...events],
})

const labels = { name: "The name", url: "The address", events: "The choice", choices: "The choice" }

const errorsOf = (errors: ReadonlyArray<FieldError>) =>
  fieldErrors(
    errors.map((error) => {
      const name = error.pointer.split("/")[1] ?? ""
      if (name === "events") return { ...error, pointer: "#/events", message: "is empty: choose at least one message" }
      if (/^(interview_set|project)_ids$/.test(name))
        return { ...error, pointer: "#/choices", message: "contained a record that has been deleted: check it" }
      return error
    }),
    labels,
  )

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeSettings
    const { findEndpoint } = yield* makeEndpointRequests
    const endpoints = yield* Endpoints
    const ids = yield* Ids

    const render = Effect.fnUntraced(function* (
      member: Member,
      id: string,
      form: Typed & Partial<Pick<ChannelForm, "errors">>,
      stored: EndpointView | undefined,
      status = 200,
    ) {
      const chosen = { sets: form.interview_set_ids.filter(isUuid), projects: form.project_ids.filter(isUuid) }
      const most = maxFound + 1 + chosen.sets.length + chosen.projects.length
      const found = yield* endpoints.findChoices(member, form.find, most)
      const others = (all: ReadonlyArray<Choice>, own: ReadonlyArray<string>) =>
        all.filter((one) => !own.includes(one.id))
      const whole = {
        errors: {},
        ...form,
        chosen: yield* endpoints.chosen(member, chosen),
        found: { sets: others(found.sets, chosen.sets), projects: others(found.projects, chosen.projects) },
      }
      return page(channelPage(member, id, whole, stored), { status })
    })

    const showNew = Effect.fnUntraced(function* ({ member }: WorkspaceRequest) {
      return yield* render(member, yield* ids.make(EndpointId), empty, undefined)
    })

    const create = Effect.fnUntraced(function* ({ http, member }: WorkspaceRequest) {
      const sent = yield* readForm(http)
      const id = parseId(EndpointId, valueOf(sent, "id") ?? "")
      if (id === undefined) return seeOther(`${channelsHref}/new`)
      const form = read(sent)
      if (isSearch(sent)) return yield* render(member, id, form, undefined)
      const created = seeOther(`${endpointHref(id)}?done=channel`)
      return yield* endpoints.create(member, requestOf(form), id, form.format).pipe(
        Effect.as(created),
        Effect.catchTag("Invalid", ({ errors }) =>
          errors.some(({ code }) => code === "already_made")
            ? Effect.succeed(created)
            : render(member, id, { ...form, errors: errorsOf(errors) }, undefined, 422),
        ),
      )
    })

    const showEdit = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const stored = yield* findEndpoint(request)
      const { events, format, id, interview_set_ids, name, project_ids } = stored
      if (!isChat(format)) return seeOther(`${endpointHref(id)}/edit`)
      const form = { ...{ name, url: "", format, events, find: "" }, interview_set_ids, project_ids }
      return yield* render(request.member, id, form, stored)
    })

    const update = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member } = request
      const stored = yield* findEndpoint(request)
      if (!isChat(stored.format)) return seeOther(endpointHref(stored.id))
      const sent = yield* readForm(http)
      const form = { ...read(sent), format: stored.format }
      if (isSearch(sent)) return yield* render(member, stored.id, form, stored)
      const { url, ...others } = requestOf(form)
      return yield* endpoints.update(member, stored.id, url === "" ? others : { ...others, url }).pipe(
        Effect.as(seeOther(`${endpointHref(stored.id)}?done=saved`)),
        Effect.catchTag("Invalid", ({ errors }) =>
          render(member, stored.id, { ...form, errors: errorsOf(errors) }, stored, 422),
        ),
      )
    })

    yield* get(`${channelsHref}/new`, showNew)
    yield* post(channelsHref, create)
    yield* get(`${channelsHref}/:id`, showEdit)
    yield* post(`${channelsHref}/:id`, update)
  }),
)
