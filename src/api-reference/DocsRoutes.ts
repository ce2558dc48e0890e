/** The API's documentation: for programs as OpenAPI, for people as a page. Both are made once, at start. */
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { Config, type Settings } from "../config/Config.ts"
import { Assets } from "../platform/http/Assets.ts"
import { pages } from "../platform/http/Pages.ts"
import { filledIn, numbers } from "./DocsNumbers.ts"
import { docsPage } from "./pages/DocsPage.ts"

/** The document with the address of the API and the numbers of this service. */
const openApi = Effect.fnUntraced(function* <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  config: Settings,
) {
  const { info, openapi, ...rest } = OpenApi.fromApi(api)
  const json = JSON.stringify({ openapi, info, servers: [{ url: config.apiUrl }], ...rest })
  return filledIn(json, yield* numbers(config))
})

const opaque = (tag: string): string => tag.trim().replace(/^W\//, "")

/** GET /openapi.json and GET /docs. A browser keeps them and asks whether they have changed (RFC 9110, 13.1.2). */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { href } = yield* Assets
      const { digest } = yield* Digest.Digest

      const add = Effect.fnUntraced(function* (path: `/${string}`, response: HttpServerResponse.HttpServerResponse) {
        const bytes = response.body._tag === "Uint8Array" ? response.body.body : new Uint8Array()
        const hash = Buffer.from(yield* Effect.orDie(digest(Digest.sha256, bytes))).toString("base64url")
        const headers = { etag: `"${hash.slice(0, 22)}"`, "cache-control": "no-cache" }
        const whole = HttpServerResponse.setHeaders(response, headers)
        const unchanged = HttpServerResponse.empty({ status: 304, headers })
        yield* router.add("GET", path, ({ headers: asked }: HttpServerRequest.HttpServerRequest) => {
          const known = asked["if-none-match"]?.split(",").map(opaque) ?? []
          return Effect.succeed(known.includes(headers.etag) ? unchanged : whole)
        })
      })

      const json = yield* openApi(api, yield* Config)
      yield* add("/openapi.json", HttpServerResponse.text(json, { contentType: "application/json" }))
      yield* add("/docs", pages(href)(docsPage(JSON.parse(json))))
    }),
  )
