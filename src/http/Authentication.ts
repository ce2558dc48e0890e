/** Checks X-API-Key, and how often it is used, before anything of the request is read. */
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { RateLimiter } from "effect/persistence"
import { Authentication, CurrentPrincipal, RequiredScope } from "../api/Authentication.ts"
import { Forbidden, TooManyRequests } from "../api/Problems.ts"
import { Config } from "../Config.ts"
import { allows } from "../domain/ApiKey.ts"
import type { ApiKeyId } from "../domain/Ids.ts"
import { ApiKeys } from "../service/ApiKeys.ts"
import { unauthorized } from "./Requests.ts"

const window = Duration.minutes(1)

const withHeaders = (headers: Record<string, string>) =>
  HttpEffect.appendPreResponseHandler((_, response) => Effect.succeed(HttpServerResponse.setHeaders(response, headers)))

const seconds = (duration: Duration.Duration): number => Math.max(1, Math.ceil(Duration.toSeconds(duration)))

export const layer = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const { rateLimit } = yield* Config
    const limiter = yield* RateLimiter.RateLimiter

    // counted by each process for itself: it keeps one integration from taking all of it, and costs no statement
    const limit = Effect.fn("Authentication.limit")(function* (key: ApiKeyId) {
      const { delay, remaining, resetAfter } = yield* limiter
        .consume({ key, window, limit: rateLimit, algorithm: "fixed-window", onExceeded: "fail" })
        .pipe(
          Effect.catchTag("RateLimiterError", ({ reason }) =>
            reason._tag === "RateLimitExceeded"
              ? Effect.succeed({ delay: reason.retryAfter, remaining: -1, resetAfter: reason.retryAfter })
              : Effect.die(reason),
          ),
        )
      const policy = `"minute";q=${rateLimit};w=60`
      yield* withHeaders({
        "ratelimit-policy": policy,
        ratelimit: `"minute";r=${Math.max(0, remaining)};t=${seconds(resetAfter)}`,
      })
      if (remaining >= 0) return
      yield* withHeaders({ "retry-after": String(seconds(delay)) })
      return yield* new TooManyRequests({
        detail: `more than ${rateLimit} requests in a minute: wait ${seconds(delay)} seconds`,
      })
    })

    return Authentication.of({
      apiKey: Effect.fn("Authentication.apiKey")(function* (handler, { credential, endpoint }) {
        const principal = yield* (
          Redacted.value(credential) === ""
            ? unauthorized("send the API key in the X-API-Key header")
            : Effect.catchTag(keys.authenticate(credential), "KeyRefused", ({ reason }) => unauthorized(reason))
        ).pipe(
          // RFC 9110, 11.6.1: a 401 names a way to authenticate
          Effect.tapError(() => withHeaders({ "www-authenticate": "ApiKey" })),
        )
        if (rateLimit > 0) yield* limit(principal.apiKeyId)
        const scope = Context.get(endpoint.annotations, RequiredScope)
        if (!allows(principal, scope)) return yield* new Forbidden({ detail: `the API key lacks the scope ${scope}` })
        return yield* Effect.provideService(handler, CurrentPrincipal, principal)
      }),
    })
  }),
).pipe(Layer.provide(RateLimiter.layer), Layer.provide(RateLimiter.layerStoreMemory))
