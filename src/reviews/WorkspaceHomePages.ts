/** The workspace's home, at /home. */
import { Effect, Layer } from "effect"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { workspaceHomePage } from "./pages/WorkspaceHomePage.ts"
import { WorkspaceHome } from "./WorkspaceHome.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page } = yield* makeWorkspace
    const workspaceHome = yield* WorkspaceHome

    const show = Effect.fnUntraced(function* ({ member }: WorkspaceRequest) {
      return page(workspaceHomePage(member, yield* workspaceHome.read(member)))
    })

    yield* get("/home", show)
  }),
)
