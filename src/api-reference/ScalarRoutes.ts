/**
 * GET /docs/reference: the operations of /openapi.json, rendered by Scalar in the browser, which can fill in and send
 * requests. Everything else is on the pages of DocsRoutes.ts, which need no JavaScript.
 */
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiScalar } from "effect/http-api"
import { Config, type Settings } from "../config/Config.ts"
import { html } from "../platform/http/Html.ts"
import { keptSuccess } from "../platform/keptSuccess.ts"
import { withETag } from "./ETag.ts"

const scriptPath = "/docs/scalar.js"

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

const scalarPage = HttpServerResponse.text(
  `<!doctype html>\n${html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Test requests · Interview Invitations API</title>
<link rel="icon" href="data:,">
<script type="module" src="${scriptPath}"></script>
</head>
<body>
<noscript>Test requests need JavaScript. The documentation does not: <a href="/docs">/docs</a>.</noscript>
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

/** The API sends no CORS headers, so test requests work from its own origin only. */
export const canTest = ({ apiUrl, appUrl }: Settings): boolean => new URL(apiUrl).origin === new URL(appUrl).origin

/** Turns off everything that contacts other hosts: fonts, telemetry, AI agent, hosted API client. */
const scalarOptions = (config: Settings) => ({
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  documentDownloadType: "direct",
  // on a phone: breaks long paths, prevents sideways scrolling; the placeholder of the key's field looks like a key
  customCss:
    ".endpoint-path { white-space: normal; overflow-wrap: anywhere } .references-rendered { overflow-x: clip } .scalar-password-input::placeholder { color: transparent !important }",
  hideTestRequestButton: !canTest(config),
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

const scalarScript = Effect.fnUntraced(function* (config: Settings) {
  const options = JSON.stringify(scalarOptions(config))
  const script = `${yield* scalarCode}\nScalar.createApiReference("#docs", ${options})\n`
  const bytes = yield* Effect.promise(() => promisify(gzip)(script))
  return HttpServerResponse.uint8Array(bytes, {
    contentType: "text/javascript; charset=utf-8",
    headers: { "content-encoding": "gzip" },
  })
})

/** Builds the script at its first request. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const config = yield* Config
    const page = yield* withETag(scalarPage)
    const script = yield* keptSuccess(Effect.flatMap(scalarScript(config), withETag))
    const digest = yield* Digest.Digest
    yield* router.add("GET", "/docs/reference", (request) => Effect.succeed(page(request)))
    yield* router.add("GET", scriptPath, (request) =>
      script.pipe(
        Effect.map((answer) => answer(request)),
        Effect.provideService(Digest.Digest, digest),
      ),
    )
  }),
)
