/** Settings → Organization → Reasons. */
import { Effect, Layer } from "effect"
import { fieldErrors, type Notice } from "../platform/http/FormControls.ts"
import { linesOf, readForm, typed } from "../platform/http/Forms.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { Organizations } from "./Organizations.ts"
import { reasonLabels, reasonsHref, reasonsPage } from "./pages/ReasonsPage.ts"
import { readReasons } from "./Reasons.ts"
import { makeSettings, type WorkspaceRequest } from "./Workspace.ts"

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { get, page, post } = yield* makeSettings
    const organizations = yield* Organizations

    const saved = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const { decline_reasons, reject_reasons } = yield* organizations.reasons(request.member)
      const [reject, decline] = [reject_reasons.join("\n"), decline_reasons.join("\n")]
      return { reject, decline, seenReject: reject, seenDecline: decline, errors: {} }
    })

    const show = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const notice: Notice | undefined =
        request.query("done") === "saved" ? { text: "The reasons were saved." } : undefined
      return page(reasonsPage(request.member, yield* saved(request), notice))
    })

    const save = Effect.fnUntraced(function* (request: WorkspaceRequest) {
      const form = yield* readForm(request.http)
      const lines = (name: string) => linesOf(typed(form, name))
      const own = { reject: lines("reject_reasons"), decline: lines("decline_reasons") }
      const seen = { seenReject: lines("seen_reject"), seenDecline: lines("seen_decline") }
      const reasonsOf = (reject: string, decline: string) => ({
        reject_reasons: readReasons(reject),
        decline_reasons: readReasons(decline),
      })
      return yield* organizations
        .setReasons(request.member, reasonsOf(seen.seenReject, seen.seenDecline), reasonsOf(own.reject, own.decline))
        .pipe(
          Effect.as(seeOther(`${reasonsHref}?done=saved`)),
          Effect.catchTags({
            Invalid: ({ errors }) =>
              Effect.succeed(
                page(
                  reasonsPage(
                    request.member,
                    { ...own, ...seen, errors: fieldErrors(errors, reasonLabels) },
                    undefined,
                  ),
                  {
                    status: 422,
                  },
                ),
              ),
            Conflict: Effect.fnUntraced(function* ({ reason }) {
              const now = yield* saved(request)
              const text = `Not saved: ${reason}. The form has what you typed. Saved are, for rejecting: ${now.reject.replaceAll("\n", "; ") || "none"}. For declining: ${now.decline.replaceAll("\n", "; ") || "none"}.`
              return page(reasonsPage(request.member, { ...now, ...own }, { text, isError: true }), { status: 409 })
            }),
          }),
        )
    })

    yield* get(reasonsHref, show)
    yield* post(reasonsHref, save)
  }),
)
