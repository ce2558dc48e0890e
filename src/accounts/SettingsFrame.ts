/**
 * The frame of the settings' pages: owners and admins see them, everybody else is told that they may not, whatever they
 * ask for. A page is made with `get`, a step with `post`.
 */
import { Effect } from "effect"
import type { HttpServerError, HttpServerResponse } from "effect/http"
import type { UnreadableSecret } from "../platform/crypto/SecretBox.ts"
import type { FormTooLarge } from "../platform/http/Forms.ts"
import type { NotAllowed, NotFound } from "../values/Problem.ts"
import { maySetUp } from "./Member.ts"
import { ownersPage, refusedPage, unreadableSecretPage } from "./pages/SettingsNotices.ts"
import { makeWorkspace, type WorkspaceRequest } from "./Workspace.ts"

type Fault = NotFound | NotAllowed | FormTooLarge | UnreadableSecret | HttpServerError.HttpServerError
type Handler = (visit: WorkspaceRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse, Fault>

/** Gives the makers of pages and steps. */
export const makeSettings = Effect.map(makeWorkspace, ({ get, page, post }) => {
  const allowed = (handler: Handler) => (visit: WorkspaceRequest) =>
    maySetUp(visit.member)
      ? Effect.catchTags(handler(visit), {
          NotAllowed: () => Effect.succeed(page(ownersPage(visit.member), { status: 403 })),
          UnreadableSecret: ({ message }) =>
            Effect.as(Effect.logWarning(message), page(unreadableSecretPage(visit.member), { status: 503 })),
        })
      : Effect.succeed(page(refusedPage(visit.member), { status: 403 }))
  return {
    page,
    get: (handler: Handler) => get(allowed(handler)),
    post: (handler: Handler) => post(allowed(handler)),
  }
})
