/** Routes of Settings → Organization → Personal data. */
import { Effect, Layer, Stream } from "effect"
import type { WorkspaceRequest } from "../accounts/Workspace.ts"
import { makeSettings } from "../accounts/Workspace.ts"
import { download } from "../files/Download.ts"
import { readForm, typed } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { CandidateId, requireId } from "../values/Ids.ts"
import { LegalHolds } from "./LegalHolds.ts"
import { maxSearchLength, People } from "./People.ts"
import { erasePage, eraseWord, peopleHref, peoplePage, personHref, personPage } from "./pages/PeoplePage.ts"

const idOf = ({ param }: WorkspaceRequest) => requireId(CandidateId, param("id"), "candidate")

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page, post } = yield* makeSettings
    const legalHolds = yield* LegalHolds
    const people = yield* People

    const find = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const id = yield* idOf(request)
      return { ...(yield* people.show(request.member, id)), holds: yield* legalHolds.ofCandidate(request.member, id) }
    })

    const search = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const text = (query("q") ?? "").slice(0, maxSearchLength)
      return page(peoplePage(member, text, yield* people.search(member, text)))
    })

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      return page(personPage(request.member, yield* find(request), request.query("done")))
    })

    const exportData = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const id = yield* idOf(request)
      const content = Stream.encodeText(yield* people.everything(request.member, id))
      return download({ name: `candidate-${id}.json`, type: "application/json", content })
    })

    const confirmErase = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      return page(erasePage(request.member, yield* find(request), undefined))
    })

    const erase = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      const person = yield* find(request)
      const word = typed(yield* readForm(request.http), "confirm")
        .trim()
        .toLowerCase()
      if (word !== eraseWord) return page(erasePage(member, person, word), { status: 422 })
      return yield* people.erase(member, person.entry.id).pipe(
        Effect.map(({ erasedAt, erasedBefore }) => {
          const isRepeated = erasedAt.getTime() === erasedBefore?.getTime()
          return seeOther(`${personHref(person.entry.id)}?done=${isRepeated ? "unchanged" : "erased"}`)
        }),
        Effect.catchTag("Conflict", () =>
          Effect.map(find(request), (held) => page(erasePage(member, held, undefined), { status: 409 })),
        ),
      )
    })

    const person = `${peopleHref}/:id` as const
    yield* get(peopleHref, search)
    yield* get(person, show)
    // POST, because it writes to the audit log and other sites must not request it
    yield* action(`${person}/export`, exportData, ({ param }) => personHref(param("id")))
    yield* get(`${person}/erase`, confirmErase)
    yield* post(`${person}/erase`, erase)
  }),
)
