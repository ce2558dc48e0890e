/** Protects pages without sign-in against DNS rebinding: a foreign site's name that resolves to this machine. */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Config } from "../config/Config.ts"

const names = ["localhost", "127.0.0.1", "[::1]"]

/** 421 unless Host is this machine, or the host of APP_URL or API_URL. */
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
            : Effect.succeed(
                HttpServerResponse.text("This server only accepts requests from this machine.\n", { status: 421 }),
              )
        }),
      { global: true },
    )
  }),
)
