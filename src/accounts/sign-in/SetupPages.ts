/** Creates the first organization, at /setup. */
import { Effect, Redacted } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Config } from "../../config/Config.ts"
import { type FieldErrors, fieldErrors } from "../../platform/http/FormControls.ts"
import { overloadedErrors, readPublicForm, retryLater, typed, valueOf } from "../../platform/http/Forms.ts"
import { onlyFromOwnPage, seeOther } from "../../platform/http/Pages.ts"
import { Throttle } from "../../platform/http/Throttle.ts"
import { firstPlace } from "../pages/WorkspacePage.ts"
import { renderer, sessionCookie } from "../Workspace.ts"
import { setupLabels, setupPage } from "./pages/SignInPage.ts"
import { Sessions } from "./Sessions.ts"
import { Setup } from "./Setup.ts"
import { SignInAttempts } from "./SignInAttempts.ts"

const empty = { organization: "", name: "", email: "" }
const tooLarge = { "": "The form is too large." }

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const page = yield* renderer
    const { appUrl } = yield* Config
    const session = yield* sessionCookie
    const throttle = yield* Throttle
    const sessions = yield* Sessions
    const setup = yield* Setup
    const { passwords } = yield* SignInAttempts

    const render = Effect.fnUntraced(function* (form: typeof empty, errors: FieldErrors = {}, status = 200) {
      return page(setupPage({ ...form, errors, passwords }), { status })
    })

    const show = Effect.flatMap(setup.isOpen, (isOpen) =>
      isOpen ? render(empty) : Effect.succeed(seeOther("/sign-in")),
    )

    const create = Effect.fnUntraced(
      function* (request: HttpServerRequest.HttpServerRequest) {
        if (!(yield* setup.isOpen)) return seeOther("/sign-in")
        const form = yield* readPublicForm(request)
        const shown = {
          organization: typed(form, "organization"),
          name: typed(form, "name"),
          email: typed(form, "email"),
        }
        const code = Redacted.make(typed(form, "code"))
        const password = passwords ? Redacted.make(valueOf(form, "password") ?? "") : undefined
        return yield* setup.found({ ...shown, timeZone: typed(form, "time_zone"), code, password }).pipe(
          Effect.flatMap(({ email }) => sessions.start({ email }, request.headers["user-agent"])),
          Effect.map(({ token }) => session.set(token)(seeOther(firstPlace))),
          Effect.catchTags({
            Conflict: () => Effect.succeed(seeOther("/sign-in")),
            SignInRefused: () => Effect.succeed(seeOther("/sign-in")),
            Invalid: ({ errors }) => render(shown, fieldErrors(errors, setupLabels), 422),
            Overloaded: (limit) =>
              Effect.map(render(shown, overloadedErrors(limit), 503), (response) =>
                retryLater(response, limit.retryAfter),
              ),
          }),
        )
      },
      Effect.catchTag("FormTooLarge", () => render(empty, tooLarge, 413)),
    )

    const createRoute = Effect.flatMap(HttpServerRequest.HttpServerRequest, create)
    yield* router.add("GET", "/setup", show)
    yield* router.add("POST", "/setup", createRoute.pipe(onlyFromOwnPage(appUrl), throttle.publicForm))
  }),
)
