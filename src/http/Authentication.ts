/** Checks X-API-Key, and how often it is used, before anything of the request is read. */
import { Context, Effect, Layer, Redacted } from "effect"
import { Authentication, CurrentPrincipal, RequiredScope } from "../api/Authentication.ts"
import { Forbidden, TooManyRequests } from "../api/Problems.ts"
import { Config } from "../Config.ts"
import { allows } from "../domain/ApiKey.ts"
import type { ApiKeyId } from "../domain/Ids.ts"
import { ApiKeys } from "../service/ApiKeys.ts"
import * as RateLimit from "./RateLimit.ts"
import { unauthorized, withHeaders } from "./Requests.ts"

export const layer = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const { rateLimit } = yield* Config
    const ask = RateLimit.make(rateLimit)

    const limit = Effect.fnUntraced(function* (key: ApiKeyId) {
      const { isAllowed, remaining, resetAfter } = yield* ask(key)
      yield* withHeaders({
        "ratelimit-policy": `"minute";q=${rateLimit};w=60`,
        ratelimit: `"minute";r=${remaining};t=${resetAfter}`,
        ...(isAllowed ? {} : { "retry-after": String(resetAfter) }),
      })
      if (isAllowed) return
      return yield* new TooManyRequests({
        detail: `more than ${rateLimit} requests in a minute: wait ${resetAfter} seconds`,
      })
    })

    // RFC 9110, 11.6.1: a 401 names a way to authenticate
    const refuse = (reason: string) =>
      Effect.andThen(withHeaders({ "www-authenticate": "ApiKey" }), unauthorized(reason))

    return Authentication.of({
      apiKey: Effect.fnUntraced(function* (handler, { credential, endpoint }) {
        const principal = yield* Redacted.value(credential) === ""
          ? refuse("send the API key in the X-API-Key header")
          : Effect.catchTag(keys.authenticate(credential), "KeyRefused", ({ reason }) => refuse(reason))
        if (rateLimit > 0) yield* limit(principal.apiKeyId)
        const scope = Context.get(endpoint.annotations, RequiredScope)
        if (!allows(principal, scope)) return yield* new Forbidden({ detail: `the API key lacks the scope ${scope}` })
        return yield* Effect.provideService(handler, CurrentPrincipal, principal)
      }),
    })
  }),
)
