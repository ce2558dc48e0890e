/**
 * Sign-in and sign-out. `form-action 'self'` forbids a form that leads to the provider, so /sign-in/continue is a GET.
 */
import { Duration, Effect, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Config } from "../../config/Config.ts"
import { clientAddress } from "../../platform/http/ClientAddress.ts"
import { type FieldErrors, fieldErrors } from "../../platform/http/FormControls.ts"
import { readPublicForm, retryLater, typed, valueOf } from "../../platform/http/Forms.ts"
import { onlyFromOwnPage, seeOther } from "../../platform/http/Pages.ts"
import { Throttle } from "../../platform/http/Throttle.ts"
import type { Overloaded } from "../../values/Problem.ts"
import { firstPlace } from "../pages/WorkspacePage.ts"
import {
  codeCookie,
  codeHref,
  localPath,
  makeCookie,
  makeEndSession,
  passkeyCookie,
  queryOf,
  renderer,
  sessionCookie,
} from "../Workspace.ts"
import { Passkeys } from "./Passkeys.ts"
import { passwordLength } from "./Passwords.ts"
import { maxSignInTime, ProviderSignIns } from "./ProviderSignIns.ts"
import { passkeyOptionsHref, passkeySignInHref } from "./pages/PasskeySection.ts"
import { codeLabels, codePage, tooManyCodes } from "./pages/SecondFactorPage.ts"
import { type SignInForm, signInPage } from "./pages/SignInPage.ts"
import { Sessions } from "./Sessions.ts"
import { Setup } from "./Setup.ts"
import type { SignInRefused, SignInUnavailable } from "./SignIn.ts"
import { type Caller, SignInAttempts } from "./SignInAttempts.ts"
import type { TooManyAttempts } from "./TooManyAttempts.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** UTF-16 units, two per code point. */
const maxField = 2 * passwordLength.max

const whenEmpty = { email: "Enter the address that you sign in with.", password: "Enter your password." }

/** Characters of the provider's redirect; the query of a longer one is ignored. */
const maxQuery = 8_192

const deviceCookie = makeCookie("device", Duration.days(365))
const stateCookie = makeCookie("sign_in", maxSignInTime)

const nextOf = (request: Request) => localPath(queryOf(request).get("next") ?? undefined)

type SignInError = SignInRefused | SignInUnavailable | Overloaded | TooManyAttempts

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const page = yield* renderer
    const { appUrl } = yield* Config
    const code = yield* codeCookie
    const device = yield* deviceCookie
    const passkey = yield* passkeyCookie
    const session = yield* sessionCookie
    const state = yield* stateCookie
    const endSession = yield* makeEndSession
    const throttle = yield* Throttle
    const passkeys = yield* Passkeys
    const providerSignIns = yield* ProviderSignIns
    const { provider } = providerSignIns
    const sessions = yield* Sessions
    const setup = yield* Setup
    const signInAttempts = yield* SignInAttempts
    const { passwords } = signInAttempts

    const signOut = Effect.fnUntraced(function* (request: Request) {
      yield* endSession(request)
      return session.clear(seeOther("/sign-in"))
    })

    const render = Effect.fnUntraced(function* (form: Omit<SignInForm, "passwords" | "provider">, status = 200) {
      return page(signInPage({ ...form, passwords, provider }), { status })
    })

    const renderErrors =
      (form: Pick<SignInForm, "email" | "next" | "isAtProvider">) =>
      <R>(attempt: Effect.Effect<Response, SignInError, R>) =>
        Effect.catchTags(attempt, {
          SignInRefused: ({ why }) => render({ ...form, error: why }, 422),
          TooManyAttempts: ({ seconds }) =>
            Effect.map(render({ ...form, error: "too_often", seconds }, 429), (response) =>
              retryLater(response, seconds),
            ),
          Overloaded: ({ retryAfter: seconds }) =>
            Effect.map(render({ ...form, error: "overloaded", seconds }, 503), (response) =>
              retryLater(response, seconds),
            ),
          SignInUnavailable: ({ reason }) =>
            Effect.andThen(
              Effect.logWarning("signing in is not possible", reason),
              render({ ...form, error: "unavailable" }, 503),
            ),
        })

    const show = Effect.fnUntraced(function* (request: Request) {
      const next = nextOf(request)
      const token = session.read(request)
      if (token !== undefined && (yield* sessions.find(token)) !== undefined) return seeOther(next ?? firstPlace)
      return (yield* setup.isOpen) ? seeOther("/setup") : yield* render({ email: "", next })
    })

    const signedIn = (
      started: { readonly token: Redacted.Redacted; readonly device: Redacted.Redacted },
      next?: string,
    ) => device.set(started.device)(session.set(started.token)(seeOther(next ?? firstPlace)))

    const callerOf = (request: Request): Caller => ({
      client: clientAddress(request),
      userAgent: request.headers["user-agent"],
      device: device.read(request),
    })

    const signIn = Effect.fnUntraced(
      function* (request: Request) {
        const form = yield* readPublicForm(request)
        const fields = new Map(Object.keys(whenEmpty).map((name) => [name, valueOf(form, name) ?? ""]))
        const next = localPath(valueOf(form, "next"))
        if ([...fields.values()].some(({ length }) => length > maxField)) {
          return yield* render({ email: "", next, error: "unknown" }, 422)
        }
        const email = fields.get("email") ?? ""
        const empty = Object.entries(whenEmpty).filter(([name]) => fields.get(name) === "")
        if (empty.length > 0) return yield* render({ email, next, errors: Object.fromEntries(empty) }, 422)
        const caller = callerOf(request)
        return yield* signInAttempts.signIn(Redacted.make(fields), caller, next).pipe(
          Effect.tap(() => endSession(request)),
          Effect.map((step) =>
            "state" in step ? code.set(step.state)(seeOther(codeHref)) : signedIn(step.signedIn, next),
          ),
          renderErrors({ email, next }),
        )
      },
      Effect.catchTag("FormTooLarge", () => render({ email: "", next: undefined, error: "unknown" }, 413)),
    )

    const showCode = Effect.fnUntraced(function* (request: Request) {
      return (yield* signInAttempts.isWaiting(code.read(request)))
        ? page(codePage({ errors: {} }))
        : seeOther("/sign-in")
    })

    const enterCode = Effect.fnUntraced(
      function* (request: Request) {
        const form = yield* readPublicForm(request)
        const refuse = (errors: FieldErrors, status: number) => page(codePage({ errors }), { status })
        return yield* signInAttempts.enterCode(code.read(request), typed(form, "code"), callerOf(request)).pipe(
          Effect.tap(() => endSession(request)),
          Effect.map((started) => code.clear(signedIn(started, localPath(started.next)))),
          Effect.catchTags({
            Invalid: ({ errors }) => Effect.succeed(refuse(fieldErrors(errors, codeLabels), 422)),
            TooManyAttempts: ({ seconds }) =>
              Effect.succeed(retryLater(refuse({ code: tooManyCodes(seconds) }, 429), seconds)),
            SignInRefused: () =>
              Effect.map(render({ email: "", next: undefined, error: "stale" }, 422), (response) =>
                code.clear(response),
              ),
          }),
        )
      },
      Effect.catchTag("FormTooLarge", () => render({ email: "", next: undefined, error: "unknown" }, 413)),
    )

    const askPasskey = Effect.fnUntraced(function* () {
      const { options, state: asked } = yield* passkeys.beginSignIn()
      return passkey.set(asked)(HttpServerResponse.jsonUnsafe(options))
    })

    const usePasskey = Effect.fnUntraced(
      function* (request: Request) {
        const form = yield* readPublicForm(request)
        const next = localPath(valueOf(form, "next"))
        const answer = valueOf(form, "passkey_answer") ?? ""
        return yield* passkeys.signIn(passkey.read(request), answer, request.headers["user-agent"]).pipe(
          Effect.tap(() => endSession(request)),
          Effect.map(({ token }) => session.set(token)(seeOther(next ?? firstPlace))),
          renderErrors({ email: "", next }),
          Effect.map(passkey.clear),
        )
      },
      Effect.catchTag("FormTooLarge", () => render({ email: "", next: undefined, error: "passkey" }, 413)),
    )

    const goToProvider = Effect.fnUntraced(function* (request: Request) {
      const next = nextOf(request)
      if (providerSignIns.provider === undefined) return seeOther("/sign-in")
      return yield* providerSignIns.begin(`${appUrl}/sign-in/callback`, next).pipe(
        Effect.map((started) => state.set(started.state)(seeOther(started.url))),
        renderErrors({ email: "", next, isAtProvider: true }),
      )
    })

    const returnFromProvider = Effect.fnUntraced(function* (request: Request) {
      if (providerSignIns.provider === undefined) return seeOther("/sign-in")
      const started = yield* providerSignIns.recall(state.read(request))
      const next = localPath(started?.next)
      const fields = Redacted.make(new Map(request.url.length > maxQuery ? [] : queryOf(request)))
      const caller = { client: clientAddress(request), userAgent: request.headers["user-agent"] }
      const response = yield* providerSignIns.signIn(fields, started, caller).pipe(
        Effect.tap(() => endSession(request)),
        Effect.map(({ token }) => session.set(token)(seeOther(next ?? firstPlace))),
        renderErrors({ email: "", next, isAtProvider: true }),
      )
      return state.clear(response)
    })

    const httpRequest = HttpServerRequest.HttpServerRequest
    yield* router.add("GET", "/sign-in", show)
    yield* router.add(
      "POST",
      "/sign-in",
      Effect.flatMap(httpRequest, signIn).pipe(onlyFromOwnPage(appUrl), throttle.publicForm),
    )
    yield* router.add("GET", codeHref, (request) => showCode(request))
    yield* router.add(
      "POST",
      codeHref,
      Effect.flatMap(httpRequest, enterCode).pipe(onlyFromOwnPage(appUrl), throttle.publicForm),
    )
    if (passwords) {
      const fromOwnPage = <E, R>(handler: Effect.Effect<Response, E, R>) =>
        handler.pipe(onlyFromOwnPage(appUrl), throttle.publicForm)
      yield* router.add("POST", passkeyOptionsHref, fromOwnPage(askPasskey()))
      yield* router.add("POST", passkeySignInHref, fromOwnPage(Effect.flatMap(httpRequest, usePasskey)))
      // redirects GET requests for the form address
      yield* router.add("GET", passkeySignInHref, Effect.succeed(seeOther("/sign-in")))
    }
    yield* router.add("GET", "/sign-in/continue", goToProvider)
    yield* router.add("GET", "/sign-in/callback", returnFromProvider)
    yield* router.add("POST", "/sign-out", Effect.flatMap(httpRequest, signOut).pipe(onlyFromOwnPage(appUrl)))
    // redirects GET requests for the form address
    yield* router.add("GET", "/sign-out", Effect.succeed(seeOther("/sign-in")))
  }),
)
