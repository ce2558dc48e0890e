/** The workspace's home, at /home. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import type { pages } from "../platform/http/Pages.ts"
import { workspaceHomePage } from "./pages/WorkspaceHomePage.ts"
import { WorkspaceHome } from "./WorkspaceHome.ts"

type RenderPage = ReturnType<typeof pages>

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { get, page } = yield* makeWorkspace
    const workspaceHome = yield* WorkspaceHome

    const show = Effect.fnUntraced(function* (page: RenderPage, { member }: WorkspaceRequest) {
      return page(workspaceHomePage(member, yield* workspaceHome.read(member)))
    })

    yield* router.add(
      "GET",
      "/home",
      get((request) => show(page, request)),
    )
  }),
)
