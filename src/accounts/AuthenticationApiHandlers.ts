/** Checks X-API-Key, and how often it is used, before anything of the request is read. */
import { hash } from "node:crypto"
import { Effect, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { Config } from "../config/Config.ts"
import { unauthorized, withHeaders } from "../platform/http/ApiRequests.ts"
import { Forbidden, TooManyRequests } from "../platform/http/ProblemApi.ts"
import * as RateLimit from "../platform/http/RateLimit.ts"
import { Throttle } from "../platform/http/Throttle.ts"
import type { ApiKeyId } from "../values/Ids.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { Authentication, CurrentPrincipal } from "./AuthenticationApi.ts"
import { allows, requiredScopes } from "./Scopes.ts"

/** The maximum number of accepted keys that are remembered. */
const maxAccepted = 10_000

export const layer = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const { rateLimit } = yield* Config
    const ask = RateLimit.make(rateLimit)
    const throttle = yield* Throttle
    // digests of accepted keys: they still work from an address that is refused for wrong keys
    const accepted = new Set<string>()
    const accept = (digest: string) => {
      accepted.delete(digest)
      accepted.add(digest)
      if (accepted.size > maxAccepted) for (const oldest of accepted) return void accepted.delete(oldest)
    }

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
    const refuse = Effect.fnUntraced(function* (reason: string) {
      yield* throttle.count("unauthorized", yield* HttpServerRequest.HttpServerRequest)
      yield* withHeaders({ "www-authenticate": "ApiKey" })
      return yield* unauthorized(reason)
    })

    /** Refuses an unknown key when its address has sent too many wrong keys: each wrong key costs a query. */
    const admit = Effect.fnUntraced(function* (digest: string) {
      if (accepted.has(digest)) return
      const wait = yield* throttle.wait("unauthorized", yield* HttpServerRequest.HttpServerRequest)
      if (wait === undefined) return
      yield* withHeaders({ "retry-after": String(wait) })
      return yield* new TooManyRequests({
        detail: `too many requests from your address with a missing or wrong API key: wait ${wait} seconds`,
      })
    })

    const authenticate = Effect.fnUntraced(function* (credential: Redacted.Redacted) {
      const digest = hash("sha256", Redacted.value(credential), "base64")
      yield* admit(digest)
      if (Redacted.value(credential) === "") return yield* refuse("send the API key in the X-API-Key header")
      const principal = yield* Effect.catchTag(keys.authenticate(credential), "KeyRefused", ({ reason }) => {
        accepted.delete(digest)
        return refuse(reason)
      })
      accept(digest)
      return principal
    })

    return Authentication.of({
      apiKey: Effect.fnUntraced(function* (handler, { credential, endpoint, group }) {
        const principal = yield* authenticate(credential)
        if (rateLimit > 0) yield* limit(principal.apiKeyId)
        const operation = `${group.identifier}.${endpoint.identifier}`
        const scope = requiredScopes[operation] ?? (yield* Effect.die(`no scope for the operation ${operation}`))
        if (!allows(principal, scope)) return yield* new Forbidden({ detail: `the API key lacks the scope ${scope}` })
        return yield* Effect.provideService(handler, CurrentPrincipal, principal)
      }),
    })
  }),
)
