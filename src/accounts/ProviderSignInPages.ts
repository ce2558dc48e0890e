/**
 * Signing in at a provider. GET /sign-in/continue sends the browser there, GET /sign-in/callback is where it comes back. Both
 * are links, not forms: `form-action 'self'` of the pages would stop a form that leads to another host.
 */
import { Effect, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Config } from "../config/Config.ts"
import { clientAddress } from "../platform/http/ClientAddress.ts"
import { seeOther } from "../platform/http/Pages.ts"
import { ProviderSignIns, patience } from "./ProviderSignIns.ts"
import { cookie, sessionCookie } from "./SessionCookie.ts"
import { Sessions } from "./Sessions.ts"
import { home, makeSignIn } from "./SignInPages.ts"
import { localPath, queryOf } from "./Workspace.ts"

/** More than a provider puts into its answer; what follows it is not read. */
const longestQuery = 8_192

export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { appUrl } = yield* Config
    const away = yield* cookie("sign_in", patience)
    const session = yield* sessionCookie
    const sessions = yield* Sessions
    const signIns = yield* ProviderSignIns
    const { told } = yield* makeSignIn
    const callback = `${appUrl}/sign-in/callback`

    yield* router.add("GET", "/sign-in/continue", (request) => {
      const next = localPath(queryOf(request).get("next") ?? undefined)
      if (signIns.provider === undefined) return Effect.succeed(seeOther("/sign-in"))
      return signIns.begin(callback, next).pipe(
        Effect.map(({ sealed, url }) => away.set(sealed)(seeOther(url))),
        told({ email: "", next, isAway: true }),
      )
    })

    yield* router.add(
      "GET",
      "/sign-in/callback",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (signIns.provider === undefined) return seeOther("/sign-in")
        const errand = yield* signIns.recall(away.read(request))
        const next = localPath(errand?.next)
        const isLong = request.url.length > longestQuery
        const fields = Redacted.make(new Map(isLong ? [] : queryOf(request)))
        const caller = { client: clientAddress(request), userAgent: request.headers["user-agent"] }
        const answer = yield* signIns.signIn(fields, errand, caller).pipe(
          // the session that this browser had is over
          Effect.tap(() => Effect.forEach(Option.toArray(Option.fromUndefinedOr(session.read(request))), sessions.end)),
          Effect.map(({ token }) => session.set(token)(seeOther(next ?? home))),
          told({ email: "", next, isAway: true }),
        )
        return away.clear(answer)
      }),
    )
  }),
)
