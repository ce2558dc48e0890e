/** Headers that every answer has, also those that http/Server.ts writes by itself. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Config } from "../Config.ts"

const always = { "x-content-type-options": "nosniff", "cache-control": "no-store" }

/**
 * Where APP_URL is https, browsers are told to use nothing else for this host for a year (RFC 6797). They ignore the header
 * on plain http, so probes within the cluster may have it, and it says nothing of other hosts, such as that of API_URL.
 */
export const securityHeaders = (appUrl: string): Readonly<Record<string, string>> =>
  appUrl.startsWith("https:") ? { ...always, "strict-transport-security": "max-age=31536000" } : always

/** Adds them where an answer has none of that name: assets and documentation say themselves how long they may be kept. */
export const layer = Layer.unwrap(
  Effect.map(Config, ({ appUrl }) => {
    const defaults = securityHeaders(appUrl)
    return HttpRouter.middleware(
      Effect.map((response: HttpServerResponse.HttpServerResponse) =>
        HttpServerResponse.setHeaders(response, { ...defaults, ...response.headers }),
      ),
      { global: true },
    )
  }),
)
