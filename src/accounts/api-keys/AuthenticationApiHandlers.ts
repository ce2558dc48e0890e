/** Authenticates API requests; limits wrong keys per address, and requests per key. */
import { hash } from "node:crypto"
import { Effect, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { Config } from "../../config/Config.ts"
import { unauthorized, withHeaders } from "../../platform/http/ApiRequests.ts"
import { RequestFields } from "../../platform/http/Middleware.ts"
import { Forbidden, TooManyRequests } from "../../platform/http/ProblemApi.ts"
import * as RateLimit from "../../platform/http/RateLimit.ts"
import { Throttle } from "../../platform/http/Throttle.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { Authentication, CurrentPrincipal } from "./AuthenticationApi.ts"
import { allows, requiredScopes } from "./Scopes.ts"

const maxAccepted = 10_000

/** SHA-256 of keys accepted before; they still work from an address that has sent too many wrong keys. */
class AcceptedKeys {
  readonly #digests = new Set<string>()

  has(digest: string): boolean {
    return this.#digests.has(digest)
  }

  add(digest: string): void {
    this.#digests.delete(digest)
    this.#digests.add(digest)
    if (this.#digests.size > maxAccepted) for (const oldest of this.#digests) return void this.#digests.delete(oldest)
  }

  delete(digest: string): void {
    this.#digests.delete(digest)
  }
}

/** WWW-Authenticate: RFC 9110, 11.6.1. */
const refuse = Effect.fnUntraced(function* (reason: string) {
  const throttle = yield* Throttle
  yield* throttle.count("unauthorized", yield* HttpServerRequest.HttpServerRequest)
  yield* withHeaders({ "www-authenticate": "ApiKey" })
  return yield* unauthorized(reason)
})

/** Each wrong key costs a query. */
const limitWrongKeys = Effect.gen(function* () {
  const throttle = yield* Throttle
  const wait = yield* throttle.wait("unauthorized", yield* HttpServerRequest.HttpServerRequest)
  if (wait === undefined) return
  yield* withHeaders({ "retry-after": String(wait) })
  return yield* new TooManyRequests({
    detail: `too many requests from your address with a missing or wrong API key: wait ${wait} seconds`,
  })
})

const authenticate = Effect.fnUntraced(function* (credential: Redacted.Redacted, accepted: AcceptedKeys) {
  const apiKeys = yield* ApiKeys
  const digest = hash("sha256", Redacted.value(credential), "base64")
  if (!accepted.has(digest)) yield* limitWrongKeys
  if (Redacted.value(credential) === "") return yield* refuse("send the API key in the X-API-Key header")
  const principal = yield* Effect.catchTag(apiKeys.authenticate(credential), "KeyRefused", ({ reason }) => {
    accepted.delete(digest)
    return refuse(reason)
  })
  accepted.add(digest)
  return principal
})

const limitRate = Effect.fnUntraced(function* (max: number, allowance: RateLimit.Allowance) {
  const { isAllowed, remaining, resetAfter } = allowance
  yield* withHeaders({
    "ratelimit-policy": `"minute";q=${max};w=60`,
    ratelimit: `"minute";r=${remaining};t=${resetAfter}`,
    ...(isAllowed ? {} : { "retry-after": String(resetAfter) }),
  })
  if (isAllowed) return
  return yield* new TooManyRequests({ detail: `more than ${max} requests in a minute: wait ${resetAfter} seconds` })
})

export const layer = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const apiKeys = yield* ApiKeys
    const { rateLimit } = yield* Config
    const throttle = yield* Throttle
    const accepted = new AcceptedKeys()
    const allowanceOf = RateLimit.make(rateLimit)

    return Authentication.of({
      apiKey: Effect.fnUntraced(function* (handler, { credential, endpoint, group }) {
        const principal = yield* authenticate(credential, accepted).pipe(
          Effect.provideService(ApiKeys, apiKeys),
          Effect.provideService(Throttle, throttle),
        )
        const fields = yield* RequestFields
        if (fields !== undefined) {
          fields["organization"] = principal.organizationId
          fields["api_key"] = principal.apiKeyId
        }
        if (rateLimit > 0) yield* limitRate(rateLimit, yield* allowanceOf(principal.apiKeyId))
        const operation = `${group.identifier}.${endpoint.identifier}`
        const scope = requiredScopes[operation] ?? (yield* Effect.die(`no scope for the operation ${operation}`))
        if (!allows(principal, scope)) return yield* new Forbidden({ detail: `the API key lacks the scope ${scope}` })
        return yield* Effect.provideService(handler, CurrentPrincipal, principal)
      }),
    })
  }),
)
