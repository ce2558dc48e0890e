/** GET /openapi.json: the API as OpenAPI 3.1. GET /docs: that document and the guide, rendered by Scalar in the browser. */
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiGroup, HttpApiScalar, OpenApi } from "effect/http-api"
import { Config, type Settings } from "../config/Config.ts"
import { html } from "../platform/http/Html.ts"
import { guide } from "./Guide.ts"
import { fillPlaceholders, placeholders } from "./Placeholders.ts"

const scriptPath = "/docs/scalar.js"

const openApiJson = Effect.fnUntraced(function* <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  config: Settings,
) {
  const { info, openapi, ...rest } = OpenApi.fromApi(api)
  const json = JSON.stringify({ openapi, info, servers: [{ url: config.apiUrl }], ...rest })
  return fillPlaceholders(json, yield* placeholders(config))
})

/** Scalar injects inline styles. connect-src is for /openapi.json and test requests. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "script-src 'self'",
  "img-src data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

const docsPage = HttpServerResponse.text(
  `<!doctype html>\n${html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Interview Invitations API</title>
<link rel="icon" href="data:,">
<script type="module" src="${scriptPath}"></script>
</head>
<body>
<noscript>This page needs JavaScript. The reference without the guide is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<main id="docs"></main>
</body>
</html>
`}`,
  {
    contentType: "text/html; charset=utf-8",
    headers: {
      "content-security-policy": contentSecurityPolicy,
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "same-origin",
      "x-robots-tag": "noindex",
    },
  },
)

/** Turns off everything that contacts other hosts: fonts, telemetry, AI agent, hosted API client. */
const scalarOptions = ({ apiUrl, appUrl }: Settings) => ({
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  documentDownloadType: "direct",
  // on a phone: breaks long paths, prevents sideways scrolling
  customCss:
    ".endpoint-path { white-space: normal; overflow-wrap: anywhere } .references-rendered { overflow-x: clip }",
  // the API sends no CORS headers, so test requests work from the same origin only
  hideTestRequestButton: new URL(apiUrl).origin !== new URL(appUrl).origin,
  authentication: { preferredSecurityScheme: "apiKey" },
})

/** Scalar's code (3.1 MB). effect exports it only as the first script of the page that HttpApiScalar renders. */
const scalarCode = Effect.gen(function* () {
  const app = yield* HttpRouter.toHttpEffect(HttpApiScalar.layer(HttpApi.make("empty")))
  const request = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
  const { body } = yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, request)
  const page = body._tag === "Uint8Array" ? Buffer.from(body.body).toString() : ""
  const [, code] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? []
  return code ?? (yield* Effect.die("HttpApiScalar renders no inline script"))
}).pipe(Effect.scoped, Effect.orDie)

/** Puts the guide into the document's description, which Scalar renders. /openapi.json lacks it: programs do not need it. */
const startScript = (options: string, description: string) => `
const fetchDocument = async (...request) => {
  const response = await fetch(...request)
  if (!response.ok) return response
  const document = await response.json()
  document.info.description = ${description}
  return Response.json(document)
}
Scalar.createApiReference("#docs", { ...${options}, fetch: fetchDocument })
`

const scalarScript = Effect.fnUntraced(function* (config: Settings) {
  const options = JSON.stringify(scalarOptions(config))
  const description = fillPlaceholders(JSON.stringify(guide), yield* placeholders(config))
  const script = `${yield* scalarCode}${startScript(options, description)}`
  const bytes = yield* Effect.promise(() => promisify(gzip)(script))
  return HttpServerResponse.uint8Array(bytes, {
    contentType: "text/javascript; charset=utf-8",
    headers: { "content-encoding": "gzip" },
  })
})

const opaqueTag = (tag: string): string => tag.trim().replace(/^W\//, "")

/** Responds with 304 when the browser has the content (RFC 9110, 13.1.2). */
const withETag = Effect.fnUntraced(function* (response: HttpServerResponse.HttpServerResponse) {
  const { digest } = yield* Digest.Digest
  const bytes = response.body._tag === "Uint8Array" ? response.body.body : new Uint8Array()
  const hash = Buffer.from(yield* Effect.orDie(digest(Digest.sha256, bytes))).toString("base64url")
  const headers = { etag: `"${hash.slice(0, 22)}"`, "cache-control": "no-cache" }
  const modified = HttpServerResponse.setHeaders(response, headers)
  const notModified = HttpServerResponse.empty({ status: 304, headers })
  return (request: HttpServerRequest.HttpServerRequest) => {
    const known = request.headers["if-none-match"]?.split(",").map(opaqueTag) ?? []
    return known.includes(headers.etag) ? notModified : modified
  }
})

/** Builds document and page at start, Scalar's script at its first request. */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const config = yield* Config
      const json = yield* openApiJson(api, config)
      const openApi = yield* withETag(HttpServerResponse.text(json, { contentType: "application/json" }))
      const page = yield* withETag(docsPage)
      const script = yield* Effect.cached(Effect.flatMap(scalarScript(config), withETag))
      const digest = yield* Digest.Digest
      yield* router.add("GET", "/openapi.json", (request) => Effect.succeed(openApi(request)))
      yield* router.add("GET", "/docs", (request) => Effect.succeed(page(request)))
      yield* router.add("GET", scriptPath, (request) =>
        script.pipe(
          Effect.map((answer) => answer(request)),
          Effect.provideService(Digest.Digest, digest),
        ),
      )
    }),
  )
