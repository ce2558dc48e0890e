/** Protects pages without sign-in against DNS rebinding, where another site's name resolves to this machine. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Config } from "../config/Config.ts"

const localNames = ["localhost", "127.0.0.1", "[::1]"]

/** Answers 421 unless Host names this machine, or is the host of APP_URL or API_URL. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { apiUrl, appUrl } = yield* Config
    const allowedHosts = new Set([...localNames, new URL(apiUrl).hostname, new URL(appUrl).hostname])
    return HttpRouter.middleware(
      (handler) =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
          const host = headers["host"]?.replace(/:\d+$/, "") ?? ""
          return allowedHosts.has(host)
            ? handler
            : Effect.succeed(
                HttpServerResponse.text("This server only accepts requests to localhost, APP_URL and API_URL.\n", {
                  status: 421,
                }),
              )
        }),
      { global: true },
    )
  }),
)
