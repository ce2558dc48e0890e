/** GET / of `npm start`, and its forms, which sign in without a password: only this machine reaches them. */
import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { firstPlace } from "../accounts/pages/WorkspacePage.ts"
import { Sessions } from "../accounts/sign-in/Sessions.ts"
import { makeEndSession, sessionCookie } from "../accounts/Workspace.ts"
import { Config, dataDir } from "../config/Config.ts"
import { Assets } from "../platform/http/Assets.ts"
import { onlyFromOwnPage, pages, seeOther } from "../platform/http/Pages.ts"
import { Samples } from "../sample/Samples.ts"
import { homePage, memberEmail, ownHref, removeSampleHref, sampleHref } from "./pages/HomePage.ts"

/** Of a page about a sample that is being filled, in seconds; no script is needed. */
const refreshInterval = 3

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { href } = yield* Assets
    const { appUrl } = yield* Config
    const directory = yield* dataDir
    const endSession = yield* makeEndSession
    const samples = yield* Samples
    const session = yield* sessionCookie
    const sessions = yield* Sessions
    const page = pages(href)

    const show = Effect.gen(function* () {
      const sample = yield* samples.find
      const response = page(homePage(sample, directory))
      return sample?.state === "filling"
        ? HttpServerResponse.setHeader(response, "refresh", String(refreshInterval))
        : response
    })

    const signIn = Effect.fnUntraced(function* (
      request: HttpServerRequest.HttpServerRequest,
      email: string | null | undefined,
    ) {
      if (email == null) return seeOther("/")
      yield* endSession(request)
      return yield* sessions.start({ email }, request.headers["user-agent"]).pipe(
        Effect.map(({ token }) => session.set(token)(seeOther(firstPlace))),
        Effect.catchTag("SignInRefused", () => Effect.succeed(seeOther("/"))),
      )
    })

    const remove = Effect.gen(function* () {
      const sample = yield* samples.find
      if (sample !== undefined) yield* Effect.ignore(samples.remove(sample.id))
      return seeOther("/")
    })

    yield* router.add("GET", "/", show)
    yield* router.add("POST", ownHref, (request) => onlyFromOwnPage(appUrl)(signIn(request, memberEmail)))
    yield* router.add("POST", sampleHref, (request) =>
      onlyFromOwnPage(appUrl)(Effect.flatMap(samples.find, (sample) => signIn(request, sample?.owner))),
    )
    yield* router.add("POST", removeSampleHref, onlyFromOwnPage(appUrl)(remove))
  }),
)
