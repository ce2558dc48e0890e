/** POST /sample/remove: an owner or admin of the sample organization removes it, and is then signed out. */
import { Effect, Layer } from "effect"
import { firstPlace } from "../accounts/pages/WorkspacePage.ts"
import { makeWorkspace, sessionCookie, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Samples } from "./Samples.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { action } = yield* makeWorkspace
    const samples = yield* Samples
    const session = yield* sessionCookie

    const remove = Effect.fnUntraced(function* ({ member }: WorkspaceRequest) {
      yield* samples.remove(member.organizationId)
      return session.clear(seeOther("/"))
    })

    yield* action("/sample/remove", remove, () => firstPlace)
  }),
)
