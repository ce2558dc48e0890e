/**
 * GET /openapi.json: the API as OpenAPI 3.1. GET /docs: that document and the guide as one page per subject, with a search.
 */
import { Effect, Layer } from "effect"
import { Digest } from "effect/crypto"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Config } from "../config/Config.ts"
import { Assets } from "../platform/http/Assets.ts"
import { pages } from "../platform/http/Pages.ts"
import { keptSuccess } from "../platform/keptSuccess.ts"
import { ApiDocument } from "./ApiDocument.ts"
import { makeSearch, maxQuery } from "./DocsSearch.ts"
import { withETag } from "./ETag.ts"
import { overviewPage, searchPage, subjectPage, unknownDocsPage } from "./pages/DocsPage.ts"
import * as Scalar from "./ScalarRoutes.ts"

const queryOf = (url: string, name: string): string =>
  (new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "").get(name) ?? "").trim().toWellFormed()

/** The pages are built at the first request, and kept. */
const routes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const config = yield* Config
    const { href } = yield* Assets
    const { read } = yield* ApiDocument
    const digest = yield* Digest.Digest
    const page = pages(href)
    const make = Effect.gen(function* () {
      const { json, reference } = yield* read
      const context = { reference, apiUrl: config.apiUrl, canTest: Scalar.canTest(config) }
      const subjects = yield* Effect.forEach(
        reference.subjects,
        Effect.fnUntraced(function* (subject) {
          return [subject.slug, yield* withETag(page(subjectPage(subject, context)))] as const
        }),
      )
      const search = makeSearch(reference)
      return {
        openApi: yield* withETag(HttpServerResponse.text(json, { contentType: "application/json" })),
        overview: yield* withETag(page(overviewPage(context))),
        subjects: new Map(subjects),
        unknown: page(unknownDocsPage(context), { status: 404 }),
        search: (query: string) => page(searchPage(query, search(query), context)),
      }
    })
    const docs = yield* keptSuccess(Effect.provideService(make, Digest.Digest, digest))

    yield* router.add("GET", "/openapi.json", (request) => Effect.map(docs, ({ openApi }) => openApi(request)))
    yield* router.add("GET", "/docs", (request) => Effect.map(docs, ({ overview }) => overview(request)))
    yield* router.add("GET", "/docs/search", ({ url }) =>
      Effect.map(docs, ({ search }) => search(queryOf(url, "q").slice(0, maxQuery).toWellFormed())),
    )
    yield* router.add(
      "GET",
      "/docs/:page",
      Effect.fnUntraced(function* (request) {
        const { subjects, unknown } = yield* docs
        const { page: slug = "" } = yield* HttpRouter.params
        return subjects.get(slug)?.(request) ?? unknown
      }),
    )
  }),
)

export const layer = Layer.merge(routes, Scalar.layer)
