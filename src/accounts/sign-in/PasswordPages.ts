/** Lost passwords and password links. */
import { Effect, Redacted } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Config } from "../../config/Config.ts"
import { clientAddress } from "../../platform/http/ClientAddress.ts"
import { type FieldErrors, fieldErrors } from "../../platform/http/FormControls.ts"
import { overloadedErrors, readPublicForm, retryLater, typed, valueOf } from "../../platform/http/Forms.ts"
import { onlyFromOwnPage, seeOther } from "../../platform/http/Pages.ts"
import { Throttle } from "../../platform/http/Throttle.ts"
import { linkToken } from "../../platform/http/UnknownLink.ts"
import { NotFound } from "../../values/Problem.ts"
import { firstPlace } from "../pages/WorkspacePage.ts"
import { codeCookie, codeHref, makeEndSession, queryOf, renderer, sessionCookie } from "../Workspace.ts"
import { PasswordLinks } from "./PasswordLinks.ts"
import { ProviderSignIns } from "./ProviderSignIns.ts"
import { deadLinkPage, forgotPasswordPage, linkSentPage, passwordLabels, passwordPage } from "./pages/SignInPage.ts"
import { SecondFactors } from "./SecondFactors.ts"
import { SignInAttempts } from "./SignInAttempts.ts"

type Request = HttpServerRequest.HttpServerRequest

const token = linkToken(() => new NotFound({ record: "link" }))

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const page = yield* renderer
    const { appUrl } = yield* Config
    const code = yield* codeCookie
    const session = yield* sessionCookie
    const endSession = yield* makeEndSession
    const throttle = yield* Throttle
    const passwordLinks = yield* PasswordLinks
    const { provider } = yield* ProviderSignIns
    const secondFactors = yield* SecondFactors
    const { passwords } = yield* SignInAttempts

    const tooLarge = Effect.succeed(
      page(forgotPasswordPage({ email: "", errors: { email: "The form is too large." } }), { status: 413 }),
    )

    const showRequest = Effect.fnUntraced(function* (request: Request) {
      if (!passwords) return seeOther("/sign-in")
      return page(
        queryOf(request).get("done") === "sent" ? linkSentPage : forgotPasswordPage({ email: "", errors: {} }),
      )
    })

    const requestLink = Effect.fnUntraced(
      function* (request: Request) {
        if (!passwords) return seeOther("/sign-in")
        const email = typed(yield* readPublicForm(request), "email")
        return yield* passwordLinks.request(email, clientAddress(request)).pipe(
          Effect.as(seeOther("/forgot-password?done=sent")),
          Effect.catchTags({
            Invalid: (invalid) => {
              const errors = fieldErrors(invalid.errors, passwordLabels)
              return Effect.succeed(page(forgotPasswordPage({ email, errors }), { status: 422 }))
            },
            TooManyAttempts: ({ seconds }) =>
              Effect.succeed(
                retryLater(page(forgotPasswordPage({ email, errors: {}, seconds }), { status: 429 }), seconds),
              ),
          }),
        )
      },
      Effect.catchTag("FormTooLarge", () => tooLarge),
    )

    const showDeadLink = Effect.fnUntraced(function* (request: Request) {
      yield* throttle.count("unknownLink", request)
      return page(deadLinkPage, { status: 404 })
    })

    const showPassword = Effect.fnUntraced(function* (link: string) {
      const owner = yield* passwordLinks.open(link)
      return page(passwordPage({ ...owner, errors: {}, passwords, provider }))
    })

    const setPassword = Effect.fnUntraced(
      function* (request: Request, link: string) {
        if (!passwords) return seeOther("/sign-in")
        const owner = yield* passwordLinks.open(link)
        const form = yield* readPublicForm(request)
        const name = typed(form, "name")
        const password = Redacted.make(valueOf(form, "password") ?? "")
        const refuse = (status: number, errors: FieldErrors) =>
          page(passwordPage({ ...owner, name, errors, passwords, provider }), { status })
        return yield* passwordLinks.use(link, { password, name }).pipe(
          Effect.flatMap((email) => secondFactors.admit(email, request.headers["user-agent"], undefined)),
          Effect.tap(() => endSession(request)),
          Effect.map(({ started, state }) =>
            started === undefined
              ? code.set(state)(seeOther(codeHref))
              : session.set(started.token)(seeOther(firstPlace)),
          ),
          Effect.catchTags({
            SignInRefused: () => Effect.succeed(seeOther("/sign-in")),
            Invalid: ({ errors }) => Effect.succeed(refuse(422, fieldErrors(errors, passwordLabels))),
            Overloaded: (limit) => Effect.succeed(retryLater(refuse(503, overloadedErrors(limit)), limit.retryAfter)),
          }),
        )
      },
      Effect.catchTag("FormTooLarge", () => tooLarge),
    )

    const httpRequest = HttpServerRequest.HttpServerRequest
    const deadLink = Effect.flatMap(httpRequest, showDeadLink)
    yield* router.add("GET", "/forgot-password", showRequest)
    yield* router.add(
      "POST",
      "/forgot-password",
      Effect.flatMap(httpRequest, requestLink).pipe(onlyFromOwnPage(appUrl), throttle.publicForm),
    )
    yield* router.add(
      "GET",
      "/password/:token",
      Effect.flatMap(token, showPassword).pipe(
        Effect.catchTag("NotFound", () => deadLink),
        throttle.link,
      ),
    )
    yield* router.add(
      "POST",
      "/password/:token",
      Effect.flatMap(Effect.all([httpRequest, token]), ([request, link]) => setPassword(request, link)).pipe(
        Effect.catchTag("NotFound", () => deadLink),
        onlyFromOwnPage(appUrl),
        throttle.link,
        throttle.publicForm,
      ),
    )
  }),
)
