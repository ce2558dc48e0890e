/** The workspace's home, at /home. */
import { Effect, Layer } from "effect"
import { may } from "../accounts/Permissions.ts"
import { makeWorkspace, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { makeShowAssigned } from "./AssignmentPages.ts"
import { workspaceHomePage } from "./pages/WorkspaceHomePage.ts"
import { WorkspaceHome } from "./WorkspaceHome.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page } = yield* makeWorkspace
    const workspaceHome = yield* WorkspaceHome

    const showAssigned = yield* makeShowAssigned

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { member } = request
      if (!may(member, "readSubmissions")) return page(yield* showAssigned(request))
      const notice =
        request.query("done") === "corrected"
          ? { text: "The address was corrected. The invitation is being sent to it, with the same link." }
          : undefined
      return page(workspaceHomePage(member, yield* workspaceHome.read(member), notice))
    })

    yield* get("/home", show)
  }),
)
