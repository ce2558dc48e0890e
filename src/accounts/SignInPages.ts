/** Signing in by password, and out. GET /sign-in, POST /sign-in, POST /sign-out. */
import { Duration, Effect, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Config } from "../config/Config.ts"
import { Assets } from "../platform/http/Assets.ts"
import { clientAddress } from "../platform/http/ClientAddress.ts"
import { readPublicForm, retryLater, valueOf } from "../platform/http/Forms.ts"
import { onlyFromOwnPage, pages, seeOther } from "../platform/http/Pages.ts"
import { Throttle } from "../platform/http/Throttle.ts"
import type { Overloaded } from "../values/Problem.ts"
import { passwordLength } from "./Passwords.ts"
import { ProviderSignIns } from "./ProviderSignIns.ts"
import { type SignInForm, signInPage } from "./pages/SignInPage.ts"
import { cookie, sessionCookie } from "./SessionCookie.ts"
import { Sessions } from "./Sessions.ts"
import { Setup } from "./Setup.ts"
import type { SignInRefused, SignInUnavailable } from "./SignIn.ts"
import { type Caller, SignIns, type TooManyAttempts } from "./SignIns.ts"
import { localPath, queryOf } from "./Workspace.ts"

/** Where somebody goes who signed in and asked for nothing in particular. */
export const home = "/submissions"

/** Longer fields are no address and no password that somebody has: a code point is at most two of UTF-16. */
const longestField = 2 * passwordLength.most

type Response = HttpServerResponse.HttpServerResponse

/** What both ways to sign in share: the page, and what it says of an attempt that failed. */
export const makeSignIn = Effect.gen(function* () {
  const { href } = yield* Assets
  const { provider } = yield* ProviderSignIns
  const { passwords } = yield* SignIns
  const page = pages(href)

  const show = (form: Omit<SignInForm, "passwords" | "provider">, status = 200): Response =>
    page(signInPage({ ...form, passwords, provider }), { status })

  /** `isAway`: the attempt was one at the provider. */
  const told =
    (form: Pick<SignInForm, "email" | "next" | "isAway">) =>
    <R>(attempt: Effect.Effect<Response, SignInRefused | SignInUnavailable | Overloaded | TooManyAttempts, R>) =>
      Effect.catchTags(attempt, {
        SignInRefused: ({ why }) => Effect.succeed(show({ ...form, fault: why }, 422)),
        TooManyAttempts: ({ seconds }) =>
          Effect.succeed(retryLater(show({ ...form, fault: "too_often", seconds }, 429), seconds)),
        Overloaded: ({ retryAfter: seconds }) =>
          Effect.succeed(retryLater(show({ ...form, fault: "overloaded", seconds }, 503), seconds)),
        SignInUnavailable: ({ reason }) =>
          Effect.as(
            Effect.logWarning("signing in is not possible", reason),
            show({ ...form, fault: "unavailable" }, 503),
          ),
      })

  return { show, told }
})

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { appUrl } = yield* Config
    const device = yield* cookie("device", Duration.days(365))
    const session = yield* sessionCookie
    const sessions = yield* Sessions
    const setup = yield* Setup
    const signIns = yield* SignIns
    const { show, told } = yield* makeSignIn
    const throttle = yield* Throttle

    yield* router.add("GET", "/sign-in", (request) =>
      Effect.gen(function* () {
        const next = localPath(queryOf(request).get("next") ?? undefined)
        const token = session.read(request)
        if (token !== undefined && (yield* sessions.find(token)) !== undefined) return seeOther(next ?? home)
        if (yield* setup.isOpen) return seeOther("/setup")
        return show({ email: "", next })
      }),
    )

    yield* router.add(
      "POST",
      "/sign-in",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const form = yield* readPublicForm(request)
        const fields = new Map(["email", "password"].map((name) => [name, valueOf(form, name) ?? ""]))
        const isLong = [...fields.values()].some(({ length }) => length > longestField)
        const next = localPath(valueOf(form, "next"))
        if (isLong) return show({ email: "", next, fault: "unknown" }, 422)
        const caller: Caller = {
          client: clientAddress(request),
          userAgent: request.headers["user-agent"],
          device: device.read(request),
        }
        return yield* signIns.signIn(Redacted.make(fields), caller).pipe(
          // the session that this browser had is over
          Effect.tap(() => Effect.forEach(Option.toArray(Option.fromUndefinedOr(session.read(request))), sessions.end)),
          Effect.map((started) => device.set(started.device)(session.set(started.token)(seeOther(next ?? home)))),
          told({ email: fields.get("email") ?? "", next }),
        )
      }).pipe(
        Effect.catchTag("FormTooLarge", () =>
          Effect.succeed(show({ email: "", next: undefined, fault: "unknown" }, 413)),
        ),
        onlyFromOwnPage(appUrl),
        throttle.publicForm,
      ),
    )

    yield* router.add(
      "POST",
      "/sign-out",
      Effect.gen(function* () {
        const token = session.read(yield* HttpServerRequest.HttpServerRequest)
        if (token !== undefined) yield* sessions.end(token)
        return session.clear(seeOther("/sign-in"))
      }).pipe(onlyFromOwnPage(appUrl)),
    )
    // the address of the step, should somebody load it
    yield* router.add("GET", "/sign-out", Effect.succeed(seeOther("/sign-in")))
  }),
)
