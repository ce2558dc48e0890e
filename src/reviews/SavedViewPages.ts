/** Forms and links of saved views of the list of submissions, and the form of its columns. */
import { Effect, Layer } from "effect"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { fieldErrors } from "../platform/http/FormControls.ts"
import { readForm, typed, valueOf } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { listHref, queryOf, queryText, searchOfList } from "../submissions/SubmissionSearch.ts"
import { columnsHref, viewNoticeHref, viewsHref } from "./pages/SavedViewParts.ts"
import { SavedViews } from "./SavedViews.ts"
import { href, makeShowList, queryOfList } from "./SubmissionListPages.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action, get, post } = yield* makeWorkspace
    const savedViews = yield* SavedViews
    const show = yield* makeShowList

    const save = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member, http } = request
      const form = yield* readForm(http)
      const list = typed(form, "list")
      const search = searchOfList(list)
      const view = { name: typed(form, "name"), isShared: valueOf(form, "shared") !== undefined }
      const refuse = (error: string, shown = list) => show(request, queryOfList(shown), { error, view })
      return yield* savedViews.save(member, { ...view, search }).pipe(
        Effect.as(seeOther(viewNoticeHref(search, "saved"))),
        Effect.catchTags({
          Invalid: ({ errors }) => refuse(fieldErrors(errors, { name: "The name of the view" })["name"] ?? ""),
          Conflict: ({ reason }) => refuse(`The view was not saved: ${reason}.`),
          NotFound: () =>
            refuse(
              "The view was not saved: the interview set does not exist, or you have no access to it. The list now has all sets.",
              queryText(queryOf({ ...search, set: undefined })),
            ),
        }),
      )
    })

    const open = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      return seeOther(listHref(searchOfList((yield* savedViews.read(member, param("id"))).query)))
    })

    const remove = Effect.fnUntraced(function* ({ member, param }: WorkspaceRequest) {
      const { query } = yield* savedViews.remove(member, param("id"))
      return seeOther(viewNoticeHref(searchOfList(query), "deleted"))
    })

    const chooseColumns = Effect.fnUntraced(function* ({ member, http }: WorkspaceRequest) {
      const form = yield* readForm(http)
      yield* savedViews.chooseColumns(
        member,
        form.flatMap(([name, column]) => (name === "columns" ? [column] : [])),
      )
      return seeOther(listHref(searchOfList(typed(form, "list"))))
    })

    yield* action(viewsHref, save, () => href)
    yield* action(columnsHref, chooseColumns, () => href)
    yield* get(`${viewsHref}/:id`, open)
    yield* get(`${viewsHref}/:id/delete`, open)
    yield* post(`${viewsHref}/:id/delete`, remove)
  }),
)
