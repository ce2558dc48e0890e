/** The pages of /docs in Chromium. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as App from "../../../src/App.ts"
import { subjects } from "../../../src/api-reference/Guide.ts"
import { Server } from "../../support/Api.ts"
import * as Pod from "../../support/Pod.ts"
import { Chromium, missing, origin, untilTrue, visitor } from "./chromium.ts"
import { look } from "./looks.ts"

const served = Server.layer.pipe(
  Layer.provide(App.serve(Layer.mergeAll(App.api, App.pages))),
  Layer.provideMerge(Pod.layer({ settings: { PORT: "0", APP_URL: origin, API_URL: origin } })),
)

const pages = ["", ...subjects.map(({ slug }) => `/${slug}`), "/search?q=invitation", "/nothing"].map(
  (path) => `/docs${path}`,
)

const addressOf = "location.pathname + location.hash"

describe.skipIf(missing !== undefined)(`/docs${missing === undefined ? "" : `: ${missing}`}`, () => {
  layer(Chromium.layer.pipe(Layer.provideMerge(served)), { excludeTestServices: true })((it) => {
    it.effect(
      "fits and is accessible on both widths and themes",
      () =>
        Effect.gen(function* () {
          const visit = yield* visitor()
          const page = yield* Effect.promise(() => visit.newPage())
          yield* Effect.promise(async () => {
            for (const path of pages) {
              await page.goto(path)
              await look(page, `docs${path.replaceAll(/\W+/g, "-")}`)
            }
          })
        }).pipe(Effect.scoped),
      180_000,
    )
  })
})
void assert
void untilTrue
void addressOf
