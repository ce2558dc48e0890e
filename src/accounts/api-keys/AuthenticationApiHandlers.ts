/** Authenticates API requests; limits wrong keys per address, and requests per key. */
import { hash } from "node:crypto"
import { Clock, Effect, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { Config } from "../../config/Config.ts"
import { unauthorized, withHeaders } from "../../platform/http/ApiRequests.ts"
import { CurrentRequest } from "../../platform/http/Middleware.ts"
import { Forbidden, TooManyRequests } from "../../platform/http/ProblemApi.ts"
import * as RateLimit from "../../platform/http/RateLimit.ts"
import { Throttle } from "../../platform/http/Throttle.ts"
import { allows, requiredScopes } from "../Permissions.ts"
import { AcceptedKeys } from "./AcceptedKeys.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { Authentication, CurrentPrincipal } from "./AuthenticationApi.ts"

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

const authenticate = Effect.fnUntraced(function* (
  credential: Redacted.Redacted,
  digest: string,
  accepted: AcceptedKeys,
) {
  const apiKeys = yield* ApiKeys
  if (!accepted.has(digest)) yield* limitWrongKeys
  if (Redacted.value(credential) === "") return yield* refuse("send the API key in the X-API-Key header")
  const since = accepted.now()
  const found = yield* Effect.catchTag(apiKeys.authenticate(credential), "KeyRefused", ({ reason }) => {
    accepted.delete(digest)
    return refuse(reason)
  })
  accepted.add(digest, { ...found, since })
  return found.principal
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
    const accepted = new AcceptedKeys(yield* Clock.Clock)
    const allowanceOf = RateLimit.make(rateLimit)

    return Authentication.of({
      apiKey: Effect.fnUntraced(function* (handler, { credential, endpoint, group }) {
        const digest = hash("sha256", Redacted.value(credential), "base64")
        const principal =
          accepted.trusted(digest) ??
          (yield* authenticate(credential, digest, accepted).pipe(
            Effect.provideService(ApiKeys, apiKeys),
            Effect.provideService(Throttle, throttle),
          ))
        const request = yield* CurrentRequest
        if (request !== undefined) {
          request.fields["organization"] = principal.organizationId
          request.fields["api_key"] = principal.apiKeyId
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
