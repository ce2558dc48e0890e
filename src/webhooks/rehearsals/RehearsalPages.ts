/** Routes of rehearsals of an endpoint's receiver. */
import { Effect, Layer } from "effect"
import { makeSettings, type WorkspaceRequest } from "../../accounts/Workspace.ts"
import { readForm } from "../../platform/http/Forms.ts"
import { seeOther } from "../../platform/http/Pages.ts"
import { RehearsalId, requireId } from "../../values/Ids.ts"
import { isChat } from "../chat/ChatMessage.ts"
import { makeEndpointRequests } from "../endpoints/EndpointPageRequest.ts"
import { endpointHref, webhooksHref } from "../endpoints/pages/EndpointPage.ts"
import { rehearsalHref, rehearsalListPage, rehearsalPage, rehearsalsHref } from "./pages/RehearsalPage.ts"
import { maxRehearsals } from "./Rehearsal.ts"
import { Rehearsals } from "./Rehearsals.ts"

const all = { limit: maxRehearsals, after: undefined }

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeSettings
    const { findEndpoint } = yield* makeEndpointRequests
    const rehearsals = yield* Rehearsals

    const showList = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const endpoint = yield* findEndpoint(request)
      if (isChat(endpoint.format)) return seeOther(endpointHref(endpoint.id))
      const { results } = yield* rehearsals.list(request.member, endpoint.id, all)
      return page(rehearsalListPage(request.member, { endpoint, rehearsals: results, notice: undefined }))
    })

    /** A form that is sent twice begins one: the second leads to it. */
    const begin = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { http, member } = request
      yield* readForm(http)
      const endpoint = yield* findEndpoint(request)
      return yield* rehearsals.begin(member, endpoint.id).pipe(
        Effect.map((id) => seeOther(rehearsalHref({ endpoint_id: endpoint.id, id }))),
        Effect.catchTag(
          "Conflict",
          Effect.fnUntraced(function* ({ reason }) {
            if (isChat(endpoint.format)) return seeOther(endpointHref(endpoint.id))
            const { results } = yield* rehearsals.list(member, endpoint.id, all)
            const running = results.find(({ state }) => state === "running")
            if (running !== undefined) return seeOther(rehearsalHref(running))
            const notice = { text: `Nothing was sent: ${reason}.`, isError: true }
            return page(rehearsalListPage(member, { endpoint, rehearsals: results, notice }), { status: 409 })
          }),
        ),
      )
    })

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const endpoint = yield* findEndpoint(request)
      const id = yield* requireId(RehearsalId, request.param("rehearsal"), "rehearsal")
      const rehearsal = yield* rehearsals.find(request.member, endpoint.id, id)
      return page(rehearsalPage(request.member, { endpoint, rehearsal, step: request.query("step") }))
    })

    const cancel = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const endpoint = yield* findEndpoint(request)
      const id = yield* requireId(RehearsalId, request.param("rehearsal"), "rehearsal")
      yield* rehearsals.cancel(request.member, endpoint.id, id)
      return seeOther(rehearsalHref({ endpoint_id: endpoint.id, id }))
    })

    const list = `${webhooksHref}/:id/rehearsals` as const
    yield* get(list, showList)
    yield* post(list, begin)
    yield* get(`${list}/:rehearsal`, show)
    yield* action(
      `${list}/:rehearsal/cancel`,
      cancel,
      ({ param }) => `${rehearsalsHref(param("id"))}/${param("rehearsal")}`,
    )
  }),
)
