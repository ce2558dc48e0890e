/** Headers of every answer, including answers that platform/http/Server.ts writes itself. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Config } from "../../config/Config.ts"

const always = { "x-content-type-options": "nosniff", "cache-control": "no-store" }

/**
 * With an https APP_URL, includes Strict-Transport-Security for one year (RFC 6797). Browsers ignore the header on plain http,
 * so probes within the cluster may receive it. It does not apply to other hosts, such as that of API_URL.
 */
export const securityHeaders = (appUrl: string): Readonly<Record<string, string>> =>
  appUrl.startsWith("https:") ? { ...always, "strict-transport-security": "max-age=31536000" } : always

/** Adds the headers that an answer does not set itself. Assets and documentation set their own Cache-Control. */
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
