/** Routes of Settings → Organization → Personal data. */
import { Effect, Layer, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import type { WorkspaceRequest } from "../accounts/Workspace.ts"
import { makeSettings } from "../accounts/Workspace.ts"
import { readForm, typed } from "../platform/http/Forms.ts"
import { type pages, seeOther } from "../platform/http/Pages.ts"
import { CandidateId } from "../values/Ids.ts"
import { NotFound } from "../values/Problem.ts"
import { maxSearchLength, People } from "./People.ts"
import { erasePage, eraseWord, peopleHref, peoplePage, personHref, personPage } from "./pages/PeoplePage.ts"

type RenderPage = ReturnType<typeof pages>

const readId = Schema.decodeUnknownOption(CandidateId)
const idOf = ({ param }: WorkspaceRequest) =>
  Effect.mapError(Effect.fromOption(readId(param("id"))), () => new NotFound({ record: "candidate" }))

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeSettings
    const people = yield* People

    const find = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      return yield* people.show(request.member.organizationId, yield* idOf(request))
    })

    const search = Effect.fnUntraced(function* (page: RenderPage, { member, query }: WorkspaceRequest) {
      const text = (query("q") ?? "").slice(0, maxSearchLength)
      return page(peoplePage(member, text, yield* people.search(member.organizationId, text)))
    })

    const show = Effect.fnUntraced(function* (page: RenderPage, request: WorkspaceRequest) {
      return page(personPage(request.member, yield* find(request), request.query("done") === "erased"))
    })

    const exportData = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { id: memberId, organizationId } = request.member
      const id = yield* idOf(request)
      const data = yield* people
        .everything(organizationId, id, memberId)
        .pipe(Effect.catchTag("BlobStoreUnavailable", Effect.die))
      return HttpServerResponse.text(`${JSON.stringify(data, null, 2)}\n`, {
        contentType: "application/json",
        headers: { "content-disposition": `attachment; filename="candidate-${id}.json"` },
      })
    })

    const confirmErase = Effect.fnUntraced(function* (page: RenderPage, request: WorkspaceRequest) {
      return page(erasePage(request.member, yield* find(request), undefined))
    })

    const erase = Effect.fnUntraced(function* (page: RenderPage, request: WorkspaceRequest) {
      const { member } = request
      const person = yield* find(request)
      const word = typed(yield* readForm(request.http), "confirm")
        .trim()
        .toLowerCase()
      if (word !== eraseWord) return page(erasePage(member, person, word), { status: 422 })
      yield* people.erase(member.organizationId, person.entry.id, member.id)
      return seeOther(`${personHref(person.entry.id)}?done=erased`)
    })

    const person = `${peopleHref}/:id` as const
    yield* get(peopleHref, (request) => search(page, request))
    yield* get(person, (request) => show(page, request))
    // POST, because it writes to the audit log and other sites must not request it
    yield* action(`${person}/export`, exportData, ({ param }) => personHref(param("id")))
    yield* get(`${person}/erase`, (request) => confirmErase(page, request))
    yield* post(`${person}/erase`, (request) => erase(page, request))
  }),
)
