/** Authenticates API requests, which are logged from then on; limits wrong keys per address, and requests per key. */
import { hash } from "node:crypto"
import { Clock, Effect, Layer, Redacted } from "effect"
import { HttpEffect, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Config } from "../../config/Config.ts"
import { unauthorized, withHeaders } from "../../platform/http/ApiRequests.ts"
import { CurrentRequest, type RequestEnd } from "../../platform/http/Middleware.ts"
import { Forbidden, TooManyRequests } from "../../platform/http/ProblemApi.ts"
import * as RateLimit from "../../platform/http/RateLimit.ts"
import { Throttle } from "../../platform/http/Throttle.ts"
import { millisOf } from "../../platform/Monotonic.ts"
import { allows, requiredScopes, scopesText } from "../Permissions.ts"
import {
  clientGone,
  clientOf,
  type EndedRequest,
  factsOf,
  type OperationFacts,
  pathOf,
  problemOf,
  queryOf,
  warningsOf,
} from "../requests/LoggedRequest.ts"
import { RequestLog } from "../requests/RequestLog.ts"
import { AcceptedKeys } from "./AcceptedKeys.ts"
import type { Principal } from "./ApiKey.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { Authentication, CurrentPrincipal } from "./AuthenticationApi.ts"
import { ModeHints } from "./ModeHints.ts"

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

type LogRequest = (key: Pick<Principal, "organizationId" | "apiKeyId">) => void

const text = new TextDecoder()

const bodyOf = ({ body }: HttpServerResponse.HttpServerResponse): string =>
  body._tag === "Uint8Array" ? text.decode(body.body) : ""

const endedRequest = (
  { apiKeyId, organizationId }: Parameters<LogRequest>[0],
  facts: OperationFacts,
  { durationMs, id, request: { headers, method, url }, response }: RequestEnd,
  endedAt: number,
): EndedRequest => ({
  organization_id: organizationId,
  api_key_id: apiKeyId,
  request_id: id,
  method,
  operation: facts.operation,
  path: pathOf(facts.path, url),
  query: queryOf(facts, url),
  status: response?.status ?? clientGone,
  ...(response === undefined || response.status < 400
    ? { problem: null, errors: null }
    : problemOf(facts, bodyOf(response))),
  // of GET, the query says what was ignored
  warnings:
    method === "GET" || response?.body._tag !== "Uint8Array" || response.status >= 400
      ? null
      : warningsOf(facts, response.body.body),
  requests: 1,
  durationMs,
  endedAt,
  has_idempotency_key: headers["idempotency-key"] !== undefined,
  is_replayed: response?.headers["idempotency-replayed"] === "true",
  client: clientOf(headers["user-agent"]),
})

const authenticate = Effect.fnUntraced(function* (
  credential: Redacted.Redacted,
  digest: string,
  accepted: AcceptedKeys,
  log: LogRequest,
) {
  const apiKeys = yield* ApiKeys
  if (!accepted.has(digest)) yield* limitWrongKeys
  if (Redacted.value(credential) === "") return yield* refuse("send the API key in the X-API-Key header")
  const since = accepted.now()
  const found = yield* Effect.catchTag(apiKeys.authenticate(credential), "KeyRefused", ({ key, reason }) => {
    accepted.delete(digest)
    if (key !== undefined) log(key)
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
    const modeHints = yield* ModeHints
    const { rateLimit } = yield* Config
    const throttle = yield* Throttle
    const requestLog = yield* RequestLog
    const clock = yield* Clock.Clock
    const accepted = new AcceptedKeys(clock)
    const allowanceOf = RateLimit.make(rateLimit)
    const known = new Map<unknown, OperationFacts>()
    const factsOnce = (endpoint: Parameters<typeof factsOf>[0]): OperationFacts => {
      const facts = known.get(endpoint) ?? factsOf(endpoint)
      known.set(endpoint, facts)
      return facts
    }

    return Authentication.of({
      apiKey: Effect.fnUntraced(function* (handler, { credential, endpoint, group }) {
        const digest = hash("sha256", Redacted.value(credential), "base64")
        const request = yield* CurrentRequest
        const log: LogRequest = (key) => {
          if (request === undefined) return
          request.fields["organization"] = key.organizationId
          request.fields["api_key"] = key.apiKeyId
          request.log = (end) => requestLog.add(endedRequest(key, factsOnce(endpoint), end, millisOf(clock)))
        }
        const principal =
          accepted.trusted(digest) ??
          (yield* authenticate(credential, digest, accepted, log).pipe(
            Effect.provideService(ApiKeys, apiKeys),
            Effect.provideService(Throttle, throttle),
          ))
        log(principal)
        if (rateLimit > 0) yield* limitRate(rateLimit, yield* allowanceOf(principal.apiKeyId))
        const operation = `${group.identifier}.${endpoint.identifier}`
        const scopes = requiredScopes[operation] ?? (yield* Effect.die(`no scope for the operation ${operation}`))
        if (!allows(principal, scopes)) {
          return yield* new Forbidden({ detail: `the API key lacks the scope ${scopesText(scopes)}` })
        }
        const hinted = (
          { url }: Pick<HttpServerRequest.HttpServerRequest, "url">,
          answer: HttpServerResponse.HttpServerResponse,
        ) => modeHints.withHint(principal.organizationId, { template: endpoint.path, url }, answer)
        const response = yield* handler.pipe(
          Effect.provideService(CurrentPrincipal, principal),
          Effect.tapError(() => HttpEffect.appendPreResponseHandler(hinted)),
        )
        // a stored problem is a response
        return response.status < 400 ? response : yield* hinted(yield* HttpServerRequest.HttpServerRequest, response)
      }),
    })
  }),
)
