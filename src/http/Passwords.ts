/** A lost password, and the links that set one. GET and POST /forgot-password, GET and POST /password/:token. */
import { Effect, Option, Redacted } from "effect"
import { HttpMiddleware, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Config } from "../Config.ts"
import { PasswordLinks } from "../service/PasswordLinks.ts"
import { ProviderSignIns } from "../service/ProviderSignIns.ts"
import { Sessions } from "../service/Sessions.ts"
import { SignIns } from "../service/SignIns.ts"
import { Assets } from "./Assets.ts"
import { onlyFromOwnPage, pages, seeOther } from "./Html.ts"
import { readForm, valueOf } from "./InterviewForm.ts"
import { askedPage, deadLinkPage, forgotPage, labels, passwordPage } from "./pages/PasswordPages.ts"
import { fieldFaults } from "./pages/settings/Parts.ts"
import { sessionCookie } from "./SessionCookie.ts"
import { typed } from "./SettingsForm.ts"
import { clientOf } from "./SignIn.ts"
import { queryOf } from "./Workspace.ts"

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { appUrl, trustedProxies } = yield* Config
    const { href } = yield* Assets
    const links = yield* PasswordLinks
    const { provider } = yield* ProviderSignIns
    const { passwords } = yield* SignIns
    const session = yield* sessionCookie
    const sessions = yield* Sessions
    const page = pages(href)
    const behindProxies = HttpMiddleware.xForwardedHeaders({
      trustedProxies,
    })
    const dead = page(deadLinkPage, { status: 404 })
    const tooLarge = page(forgotPage({ email: "", faults: { email: "That was too much." } }), { status: 413 })
    const token = Effect.map(HttpRouter.params, (params) => params["token"] ?? "")

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
        const email = typed(yield* readForm(request), "email")
        return yield* links.request(email, clientOf(request)).pipe(
          Effect.as(seeOther("/forgot-password?done=sent")),
          Effect.catchTags({
            Invalid: ({ errors }) =>
              Effect.succeed(page(forgotPage({ email, faults: fieldFaults(errors, labels) }), { status: 422 })),
            TooManyAttempts: ({ seconds }) =>
              Effect.succeed(
                HttpServerResponse.setHeader(
                  page(forgotPage({ email, faults: {}, seconds }), { status: 429 }),
                  "retry-after",
                  String(seconds),
                ),
              ),
          }),
        )
      }).pipe(
        Effect.catchTag("FormTooLarge", () => Effect.succeed(tooLarge)),
        onlyFromOwnPage(appUrl),
        behindProxies,
      ),
    )

    yield* router.add(
      "GET",
      "/password/:token",
      Effect.gen(function* () {
        const owner = yield* links.open(yield* token)
        return page(passwordPage({ ...owner, faults: {}, passwords, provider }))
      }).pipe(Effect.catchTag("NotFound", () => Effect.succeed(dead))),
    )

    yield* router.add(
      "POST",
      "/password/:token",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const link = yield* token
        if (!passwords) return seeOther("/sign-in")
        const form = yield* readForm(request)
        const owner = yield* links.open(link)
        const name = typed(form, "name")
        const password = Redacted.make(valueOf(form, "password") ?? "")
        return yield* links.use(link, { password, name }).pipe(
          Effect.flatMap((email) => sessions.start({ email }, request.headers["user-agent"])),
          Effect.tap(() => Effect.forEach(Option.toArray(Option.fromUndefinedOr(session.read(request))), sessions.end)),
          Effect.map(({ token }) => session.set(token)(seeOther("/submissions"))),
          Effect.catchTags({
            SignInRefused: () => Effect.succeed(seeOther("/sign-in")),
            Invalid: ({ errors }) =>
              Effect.succeed(
                page(passwordPage({ ...owner, name, faults: fieldFaults(errors, labels), passwords, provider }), {
                  status: 422,
                }),
              ),
          }),
        )
      }).pipe(
        Effect.catchTags({
          FormTooLarge: () => Effect.succeed(tooLarge),
          NotFound: () => Effect.succeed(dead),
        }),
        onlyFromOwnPage(appUrl),
      ),
    )
  }),
)
