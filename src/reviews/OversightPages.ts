/** Routes of Settings → Organization → Oversight. */
import { Effect, Layer } from "effect"
import { makeSettings, type WorkspaceRequest } from "../accounts/Workspace.ts"
import { Oversight } from "./Oversight.ts"
import { oversightHref, oversightPage } from "./pages/OversightPage.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page } = yield* makeSettings
    const oversight = yield* Oversight

    const show = Effect.fnUntraced(function* ({ member }: WorkspaceRequest) {
      return page(oversightPage(member, yield* oversight.read(member)))
    })

    yield* get(oversightHref, show)
  }),
)
