/**
 * Guards pages that need no sign-in because only this machine reaches them: a foreign web site can make a browser here
 * ask for them under a name that resolves to this machine (DNS rebinding). The name gives it away.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Config } from "../config/Config.ts"

const names = ["localhost", "127.0.0.1", "[::1]"]

/** Refuses requests whose Host is neither this machine's nor that of APP_URL or API_URL. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { apiUrl, appUrl } = yield* Config
    const known = new Set([...names, new URL(apiUrl).hostname, new URL(appUrl).hostname])
    return HttpRouter.middleware(
      (handler) =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
          const host = headers["host"]?.replace(/:\d+$/, "") ?? ""
          return known.has(host)
            ? handler
            : Effect.succeed(HttpServerResponse.text("This server answers to this machine alone.\n", { status: 421 }))
        }),
      { global: true },
    )
  }),
)
