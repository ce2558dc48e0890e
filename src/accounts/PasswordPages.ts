/** A lost password, and the links that set one. GET and POST /forgot-password, GET and POST /password/:token. */
import { Effect, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Config } from "../config/Config.ts"
import { Assets } from "../platform/http/Assets.ts"
import { clientAddress } from "../platform/http/ClientAddress.ts"
import { overloadedErrors, readPublicForm, retryLater, typed, valueOf } from "../platform/http/Forms.ts"
import { onlyFromOwnPage, pages, seeOther } from "../platform/http/Pages.ts"
import { Throttle } from "../platform/http/Throttle.ts"
import { linkToken } from "../platform/http/UnknownLink.ts"
import { NotFound } from "../values/Problem.ts"
import { PasswordLinks } from "./PasswordLinks.ts"
import { ProviderSignIns } from "./ProviderSignIns.ts"
import { askedPage, deadLinkPage, forgotPage, labels, passwordPage } from "./pages/PasswordPage.ts"
import { type FieldErrors, fieldErrors } from "./pages/SettingsParts.ts"
import { sessionCookie } from "./SessionCookie.ts"
import { Sessions } from "./Sessions.ts"
import { SignIns } from "./SignIns.ts"
import { queryOf } from "./Workspace.ts"

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { appUrl } = yield* Config
    const { href } = yield* Assets
    const links = yield* PasswordLinks
    const { provider } = yield* ProviderSignIns
    const { passwords } = yield* SignIns
    const session = yield* sessionCookie
    const sessions = yield* Sessions
    const throttle = yield* Throttle
    const page = pages(href)
    const deadPage = page(deadLinkPage, { status: 404 })
    const dead = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      Effect.as(throttle.count("unknownLink", request), deadPage),
    )
    const tooLarge = page(forgotPage({ email: "", faults: { email: "That was too much." } }), { status: 413 })
    const token = linkToken(() => new NotFound({ record: "link" }))

    yield* router.add("GET", "/forgot-password", (request) =>
      Effect.succeed(
        passwords
          ? page(queryOf(request).get("done") === "sent" ? askedPage : forgotPage({ email: "", faults: {} }))
          : seeOther("/sign-in"),
      ),
    )

    yield* router.add(
      "POST",
      "/forgot-password",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (!passwords) return seeOther("/sign-in")
        const email = typed(yield* readPublicForm(request), "email")
        return yield* links.request(email, clientAddress(request)).pipe(
          Effect.as(seeOther("/forgot-password?done=sent")),
          Effect.catchTags({
            Invalid: ({ errors }) =>
              Effect.succeed(page(forgotPage({ email, faults: fieldErrors(errors, labels) }), { status: 422 })),
            TooManyAttempts: ({ seconds }) =>
              Effect.succeed(retryLater(page(forgotPage({ email, faults: {}, seconds }), { status: 429 }), seconds)),
          }),
        )
      }).pipe(
        Effect.catchTag("FormTooLarge", () => Effect.succeed(tooLarge)),
        onlyFromOwnPage(appUrl),
        throttle.publicForm,
      ),
    )

    yield* router.add(
      "GET",
      "/password/:token",
      Effect.gen(function* () {
        const owner = yield* links.open(yield* token)
        return page(passwordPage({ ...owner, faults: {}, passwords, provider }))
      }).pipe(
        Effect.catchTag("NotFound", () => dead),
        throttle.link,
      ),
    )

    yield* router.add(
      "POST",
      "/password/:token",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const link = yield* token
        if (!passwords) return seeOther("/sign-in")
        const owner = yield* links.open(link)
        const form = yield* readPublicForm(request)
        const name = typed(form, "name")
        const password = Redacted.make(valueOf(form, "password") ?? "")
        const again = (status: number, faults: FieldErrors) =>
          page(passwordPage({ ...owner, name, faults, passwords, provider }), { status })
        return yield* links.use(link, { password, name }).pipe(
          Effect.flatMap((email) => sessions.start({ email }, request.headers["user-agent"])),
          Effect.tap(() => Effect.forEach(Option.toArray(Option.fromUndefinedOr(session.read(request))), sessions.end)),
          Effect.map(({ token }) => session.set(token)(seeOther("/submissions"))),
          Effect.catchTags({
            SignInRefused: () => Effect.succeed(seeOther("/sign-in")),
            Invalid: ({ errors }) => Effect.succeed(again(422, fieldErrors(errors, labels))),
            Overloaded: (limit) => Effect.succeed(retryLater(again(503, overloadedErrors(limit)), limit.retryAfter)),
          }),
        )
      }).pipe(
        Effect.catchTags({
          FormTooLarge: () => Effect.succeed(tooLarge),
          NotFound: () => dead,
        }),
        onlyFromOwnPage(appUrl),
        throttle.link,
        throttle.publicForm,
      ),
    )
  }),
)
