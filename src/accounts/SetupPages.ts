/** The first organization and its owner. GET and POST /setup, until there is one. */
import { Effect, Redacted } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Config } from "../config/Config.ts"
import { Assets } from "../platform/http/Assets.ts"
import { overloadedErrors, readPublicForm, retryLater, typed, valueOf } from "../platform/http/Forms.ts"
import { onlyFromOwnPage, pages, seeOther } from "../platform/http/Pages.ts"
import { Throttle } from "../platform/http/Throttle.ts"
import { type FieldErrors, fieldErrors } from "./pages/SettingsParts.ts"
import { labels, setupPage } from "./pages/SetupPage.ts"
import { sessionCookie } from "./SessionCookie.ts"
import { Sessions } from "./Sessions.ts"
import { Setup } from "./Setup.ts"
import { SignIns } from "./SignIns.ts"

const empty = { organization: "", name: "", email: "", faults: {} }
const tooLarge = { "": "The form held more than is read." }

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { appUrl } = yield* Config
    const { href } = yield* Assets
    const session = yield* sessionCookie
    const sessions = yield* Sessions
    const setup = yield* Setup
    const { passwords } = yield* SignIns
    const throttle = yield* Throttle
    const page = pages(href)

    yield* router.add(
      "GET",
      "/setup",
      Effect.map(setup.isOpen, (open) => (open ? page(setupPage({ ...empty, passwords })) : seeOther("/sign-in"))),
    )

    yield* router.add(
      "POST",
      "/setup",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (!(yield* setup.isOpen)) return seeOther("/sign-in")
        const form = yield* readPublicForm(request)
        const shown = {
          organization: typed(form, "organization"),
          name: typed(form, "name"),
          email: typed(form, "email"),
        }
        const code = Redacted.make(typed(form, "code"))
        const password = passwords ? Redacted.make(valueOf(form, "password") ?? "") : undefined
        const again = (status: number, faults: FieldErrors) =>
          page(setupPage({ ...shown, passwords, faults }), { status })
        return yield* setup.found({ ...shown, code, password }).pipe(
          Effect.flatMap(({ email }) => sessions.start({ email }, request.headers["user-agent"])),
          Effect.map(({ token }) => session.set(token)(seeOther("/submissions"))),
          Effect.catchTags({
            Conflict: () => Effect.succeed(seeOther("/sign-in")),
            // removed in the moment between: whoever it is may sign in
            SignInRefused: () => Effect.succeed(seeOther("/sign-in")),
            Invalid: ({ errors }) => Effect.succeed(again(422, fieldErrors(errors, labels))),
            Overloaded: (limit) => Effect.succeed(retryLater(again(503, overloadedErrors(limit)), limit.retryAfter)),
          }),
        )
      }).pipe(
        Effect.catchTag("FormTooLarge", () =>
          Effect.succeed(page(setupPage({ ...empty, faults: tooLarge, passwords }), { status: 413 })),
        ),
        onlyFromOwnPage(appUrl),
        throttle.publicForm,
      ),
    )
  }),
)
