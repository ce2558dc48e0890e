/** The comparison of candidates, at /submissions/compare?ids=<id>,<id>. */
import { Effect, Layer } from "effect"
import { makeWorkspace, queryOf, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Comparison } from "./Comparison.ts"
import { comparisonLimits } from "./ComparisonLimits.ts"
import { comparePage } from "./pages/ComparePage.ts"

const idsOf = ({ http }: WorkspaceRequest, name: string): ReadonlyArray<string> =>
  queryOf(http)
    .getAll(name)
    .flatMap((text) => text.toLowerCase().split(","))
    .filter((id) => id !== "")

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page } = yield* makeWorkspace
    const comparison = yield* Comparison

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const ids = idsOf(request, "ids")
      // a candidate chosen in the form
      const added = idsOf(request, "add").filter((id) => !ids.includes(id))
      if (added.length > 0)
        return seeOther(`/submissions/compare?ids=${[...ids, ...added].slice(0, comparisonLimits.ids).join(",")}`)
      const view = yield* comparison.read(request.member, ids)
      const isAnswered = view.problem === undefined || view.problem === "none" || view.problem === "one"
      return page(comparePage(request.member, view), { status: isAnswered ? 200 : 422 })
    })

    yield* get("/submissions/compare", show)
  }),
)
