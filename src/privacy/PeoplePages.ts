/**
 * Settings → Organization → Personal data. GET /settings/people (a search), …/:id, …/:id/erase; POST …/:id/export (a
 * download), …/:id/erase.
 */
import { Effect, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { readForm, typed } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { CandidateId } from "../values/Ids.ts"
import { NotFound } from "../values/Problem.ts"
import { People } from "./People.ts"
import { erasePage, eraseWord, peopleHref, peoplePage, personHref, personPage } from "./pages/PeoplePage.ts"

const readId = Schema.decodeUnknownOption(CandidateId)
const unknown = new NotFound({ record: "candidate" })

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const people = yield* People
    const { get, page, post } = yield* makeSettings
    const idOf = ({ param }: WorkspaceRequest) => Effect.mapError(Effect.fromOption(readId(param("id"))), () => unknown)
    const find = (visit: WorkspaceRequest) =>
      Effect.flatMap(idOf(visit), (id) => people.show(visit.member.organizationId, id))

    yield* router.add(
      "GET",
      peopleHref,
      get(({ member, query }) => {
        const asked = (query("q") ?? "").slice(0, 400)
        return Effect.map(people.search(member.organizationId, asked), (found) =>
          page(peoplePage(member, asked, found)),
        )
      }),
    )

    yield* router.add(
      "GET",
      `${peopleHref}/:id`,
      get((visit) =>
        Effect.map(find(visit), (person) => page(personPage(visit.member, person, visit.query("done") === "erased"))),
      ),
    )

    // a step, though it changes nothing: it is noted who took the data out, and no page of another site may ask for it
    yield* router.add(
      "POST",
      `${peopleHref}/:id/export`,
      post((visit) =>
        Effect.gen(function* () {
          const id = yield* idOf(visit)
          const all = yield* people
            .everything(visit.member.organizationId, id, visit.member.id)
            .pipe(Effect.catchTag("BlobStoreUnavailable", Effect.die))
          return HttpServerResponse.text(`${JSON.stringify(all, null, 2)}\n`, {
            contentType: "application/json",
            headers: { "content-disposition": `attachment; filename="candidate-${id}.json"` },
          })
        }),
      ),
    )

    yield* router.add(
      "GET",
      `${peopleHref}/:id/erase`,
      get((visit) => Effect.map(find(visit), (person) => page(erasePage(visit.member, person, undefined)))),
    )

    yield* router.add(
      "POST",
      `${peopleHref}/:id/erase`,
      post((visit) =>
        Effect.gen(function* () {
          const person = yield* find(visit)
          const word = typed(yield* readForm(visit.request), "confirm")
            .trim()
            .toLowerCase()
          if (word !== eraseWord) return page(erasePage(visit.member, person, word), { status: 422 })
          yield* people.erase(visit.member.organizationId, person.entry.id, visit.member.id)
          return seeOther(`${personHref(person.entry.id)}?done=erased`)
        }),
      ),
    )
    yield* router.add(
      "GET",
      `${peopleHref}/:id/export`,
      get(({ param }) => Effect.succeed(seeOther(personHref(param("id"))))),
    )
  }),
)
