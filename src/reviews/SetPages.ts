/** The list of interview sets, and the page of each. Their form: interview-sets/SetFormPages.ts. */
import { Effect, Layer } from "effect"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { InterviewSets } from "../interview-sets/InterviewSets.ts"
import { setHref, setsHref } from "../interview-sets/pages/SetLabels.ts"
import { SetDrafts } from "../interview-sets/SetDrafts.ts"
import { Notices } from "../notices/Notices.ts"
import type { Document } from "../platform/http/Document.ts"
import { named, readForm, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Ids } from "../platform/NewIds.ts"
import { SetFigures } from "../submissions/SetFigures.ts"
import { pageLimit, positionOf } from "../values/Cursor.ts"
import { InterviewSetId, parseId } from "../values/Ids.ts"
import { setListPage } from "./pages/SetListPage.ts"
import { setPage } from "./pages/SetPage.ts"

const notices: Readonly<Record<string, string>> = {
  created: "The set was created. Preview it, then invite candidates.",
  saved: "Your changes were saved.",
  archived: "The set was archived.",
  used: "The set was unarchived.",
}

const toSet = ({ param }: WorkspaceRequest) => setHref(param("id"))

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, page } = yield* makeWorkspace

    const ids = yield* Ids
    const candidateNotices = yield* Notices
    const interviewSets = yield* InterviewSets
    const setDrafts = yield* SetDrafts
    const setFigures = yield* SetFigures

    const render = (document: Document) => Effect.succeed(page(document))

    const showList = Effect.fnUntraced(function* ({ member, query }: WorkspaceRequest) {
      const cursor = query("cursor")
      const after = cursor === undefined ? undefined : positionOf("interview-sets", cursor)
      if (cursor !== undefined && after === undefined) return seeOther(setsHref)
      const search = { text: (query("q") ?? "").slice(0, 200).trim(), archived: query("state") === "archived" }
      const found = yield* interviewSets.search(member, search, { limit: pageLimit.default, after })
      const isStart = after === undefined && search.text === "" && !search.archived
      const drafts = isStart ? yield* setDrafts.list(member) : []
      const isForInvite = query("for") === "invite"
      const notice = query("done") === "draft" ? { text: "The draft was deleted." } : undefined
      return yield* render(
        setListPage(member, search, found, {
          drafts: isForInvite ? [] : drafts,
          figures: yield* setFigures.figures(
            member,
            found.results.map(({ id }) => id),
          ),
          isFirst: after === undefined,
          isForInvite,
          notice,
        }),
      )
    })

    const showSet = Effect.fnUntraced(function* ({ member, param, query }: WorkspaceRequest) {
      const record = yield* interviewSets.read(member, param("id"))
      const text = named(notices, query("done"))
      const notice = text === undefined ? undefined : { text }
      const { id } = record.set
      return yield* render(
        setPage(member, record, {
          copyId: yield* ids.make(InterviewSetId),
          count: yield* setFigures.count(member, id),
          funnel: (yield* setFigures.funnels(member, [id])).get(id) ?? [],
          languages: yield* interviewSets.languages,
          notice,
        }),
      )
    })

    const duplicate = Effect.fnUntraced(function* ({ member, param, http }: WorkspaceRequest) {
      const form = yield* readForm(http)
      const { set } = yield* interviewSets.read(member, param("id"))
      const id = parseId(InterviewSetId, valueOf(form, "id"))
      if (id === undefined) return seeOther(setHref(set.id))
      return yield* interviewSets.duplicate(member, set.id, id).pipe(
        Effect.tap((copy) => candidateNotices.followCopy(member, set.id, copy)),
        Effect.map((copy) => seeOther(`${setHref(copy)}/edit?done=copied`)),
        Effect.catchTags({ Conflict: () => Effect.succeed(seeOther(setHref(set.id))), Invalid: Effect.die }),
      )
    })

    const setArchived = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest, archived: boolean) {
      yield* interviewSets.archive(member, param("id"), archived)
      return seeOther(`${setHref(param("id"))}?done=${archived ? "archived" : "used"}`)
    })

    const archive = (request: WorkspaceRequest) => setArchived(request, true)

    const unarchive = (request: WorkspaceRequest) => setArchived(request, false)

    yield* get(setsHref, showList)
    yield* get(`${setsHref}/:id`, showSet)
    yield* action(`${setsHref}/:id/archive`, archive, toSet)
    yield* action(`${setsHref}/:id/unarchive`, unarchive, toSet)
    yield* action(`${setsHref}/:id/duplicate`, duplicate, toSet)
  }),
)
