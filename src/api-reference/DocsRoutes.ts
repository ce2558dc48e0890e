/**
 * GET /openapi.json: the API as OpenAPI 3.1. GET /docs: that document and the guide as one page per subject, with a search.
 */
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Config } from "../config/Config.ts"
import { Assets } from "../platform/http/Assets.ts"
import { pages } from "../platform/http/Pages.ts"
import { ApiDocument } from "./ApiDocument.ts"
import { makeSearch, maxQuery } from "./DocsSearch.ts"
import { withETag } from "./ETag.ts"
import { overviewPage, searchPage, subjectPage, unknownDocsPage } from "./pages/DocsPage.ts"
import * as Scalar from "./ScalarRoutes.ts"

const queryOf = (url: string, name: string): string =>
  (new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "").get(name) ?? "").trim().toWellFormed()

/** Builds the pages at start. */
const routes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const config = yield* Config
    const { href } = yield* Assets
    const { json, reference } = yield* ApiDocument
    const openApi = yield* withETag(HttpServerResponse.text(json, { contentType: "application/json" }))
    yield* router.add("GET", "/openapi.json", (request) => Effect.succeed(openApi(request)))

    const context = { reference, apiUrl: config.apiUrl, canTest: Scalar.canTest(config) }
    const page = pages(href)
    const all = [
      { path: "/docs", content: overviewPage(context) },
      ...reference.subjects.map((subject) => ({
        path: `/docs/${subject.slug}` as const,
        content: subjectPage(subject, context),
      })),
    ] as const
    for (const { content, path } of all) {
      const answer = yield* withETag(page(content))
      yield* router.add("GET", path, (request) => Effect.succeed(answer(request)))
    }
    const search = makeSearch(reference)
    yield* router.add("GET", "/docs/search", ({ url }) =>
      Effect.sync(() => {
        const query = queryOf(url, "q").slice(0, maxQuery).toWellFormed()
        return page(searchPage(query, search(query), context))
      }),
    )
    yield* router.add("GET", "/docs/:page", page(unknownDocsPage(context), { status: 404 }))
  }),
)

export const layer = Layer.merge(routes, Scalar.layer)
