/** /openapi.json and /docs as they are served, and the page in Chromium. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { OpenApi } from "effect/http-api"
import { Api } from "../../src/Api.ts"
import * as App from "../../src/App.ts"
import { guide } from "../../src/api-reference/Guide.ts"
import type { Document } from "../../src/api-reference/OpenApiDocument.ts"
import { fillPlaceholders, placeholders } from "../../src/api-reference/Placeholders.ts"
import { Config } from "../../src/config/Config.ts"
import { call, Server } from "../support/Api.ts"
import * as Pod from "../support/Pod.ts"
import * as TestApp from "../support/TestApp.ts"
import { Chromium, missing, origin, visitor } from "../system/browser/chromium.ts"

const apiUrl = "https://api.nordlicht.example"

const served = (settings: Record<string, string>) =>
  Server.layer.pipe(
    Layer.provide(App.serve(Layer.mergeAll(App.api, App.pages))),
    Layer.provideMerge(Pod.layer({ settings: { PORT: "0", ...settings } })),
  )

const get = (path: string, headers: Record<string, string> = {}) => call("GET", path, { headers })

layer(served({ API_URL: apiUrl }), { excludeTestServices: true })("Documentation", (it) => {
  it.effect("/openapi.json contains API_URL and needs no API key", () =>
    Effect.gen(function* () {
      const { body, headers, status } = yield* get("/openapi.json")
      const document = body as Document
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "application/json")
      assert.strictEqual(document.openapi, "3.1.0")
      assert.deepStrictEqual(document.servers, [{ url: apiUrl }])
      assert.include(document.info.description, `(${apiUrl}/docs)`)
      assert.notMatch(JSON.stringify(document), /\{(?:api_url|webhook_|rate_limit|max_body|held_|invit)/)
    }),
  )

  it.effect("document, page and script are revalidated by ETag", () =>
    Effect.gen(function* () {
      for (const path of ["/openapi.json", "/docs", "/docs/scalar.js"]) {
        const first = yield* get(path)
        const etag = first.headers.get("etag") ?? ""
        assert.match(etag, /^"[\w-]{22}"$/)
        assert.strictEqual(first.headers.get("cache-control"), "no-cache")
        for (const known of [etag, `"other", W/${etag}`]) {
          const again = yield* get(path, { "if-none-match": known })
          assert.strictEqual(again.status, 304)
          assert.isUndefined(again.body)
          assert.strictEqual(again.headers.get("etag"), etag)
        }
        assert.strictEqual((yield* get(path, { "if-none-match": '"other"' })).status, 200)
        assert.strictEqual((yield* call("HEAD", path)).status, 200)
      }
    }),
  )

  it.effect("/docs allows only scripts and requests of its own origin", () =>
    Effect.gen(function* () {
      const { body, headers } = yield* get("/docs")
      const html = String(body)
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
      assert.strictEqual(
        headers.get("content-security-policy"),
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
      )
      assert.notMatch(html, /<script>|<img|<iframe|\sstyle=|<style|\son[a-z]+="/)
      for (const [, address = ""] of html.matchAll(/\s(?:src|href|action)="([^"]*)"/g)) {
        assert.match(address, /^(\/(?!\/)|data:,$)/)
      }
      const other = yield* get("/sign-in")
      assert.notInclude(other.headers.get("content-security-policy") ?? "", "unsafe-inline")
    }),
  )

  it.effect("/docs shows the guide with this service's settings", () =>
    Effect.gen(function* () {
      const script = String((yield* get("/docs/scalar.js")).body).slice(-100_000)
      assert.include(script, `${apiUrl}/company/integration/interview/set/v1`)
      assert.notMatch(script, /\{(?:api_url|webhook_|rate_limit|max_body|held_|invit)/)
    }),
  )

  it.effect("/docs offers no test requests to an API on another origin", () =>
    Effect.gen(function* () {
      const script = String((yield* get("/docs/scalar.js")).body)
      assert.include(script.slice(-1_000), '"hideTestRequestButton":true')
    }),
  )
})

describe.skipIf(missing !== undefined)(`Page in Chromium${missing === undefined ? "" : `: ${missing}`}`, () => {
  layer(Chromium.layer.pipe(Layer.provideMerge(served({ APP_URL: origin, API_URL: origin }))), {
    excludeTestServices: true,
  })((it) => {
    it.effect(
      "shows the guide and every operation and webhook, asks no other host, and fits a phone",
      () =>
        Effect.gen(function* () {
          const document = (yield* get("/openapi.json")).body as Document
          const visit = yield* visitor({ viewport: { width: 1440, height: 1000 } })
          const page = yield* Effect.promise(() => visit.newPage())
          yield* Effect.promise(async () => {
            await page.goto("/docs")
            await page.getByRole("heading", { level: 1, name: document.info.title }).waitFor()
            const closed = page.getByRole("button", { name: "Open Group" })
            while ((await closed.count()) > 0) await closed.first().click()
            const text = (await page.locator("body").innerText()).replaceAll("\u200b", "")
            for (const [, title = ""] of guide.matchAll(/^##+ (.+)$/gm)) assert.include(text, title)
            for (const item of [...Object.values(document.paths), ...Object.values(document.webhooks)]) {
              for (const { summary } of Object.values(item)) assert.include(text, summary)
            }
            for (const name of Object.keys(document.components.schemas)) assert.include(text, name)
            for (const [, anchor = ""] of guide.matchAll(/\]\(#([^)]+)\)/g)) {
              await page.goto(`/docs#${anchor}`)
              await page.locator(`[id$="/${anchor}"]`).waitFor()
            }
            for (const width of [360, 1280]) {
              for (const colorScheme of ["light", "dark"] as const) {
                await page.setViewportSize({ width, height: 800 })
                await page.emulateMedia({ colorScheme })
                assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"), 0)
              }
            }
          })
        }).pipe(Effect.scoped),
      120_000,
    )

    it.effect(
      "finds an operation by search, and copies an example request",
      () =>
        Effect.gen(function* () {
          const visit = yield* visitor({
            viewport: { width: 1440, height: 1000 },
            permissions: ["clipboard-read", "clipboard-write"],
          })
          const page = yield* Effect.promise(() => visit.newPage())
          yield* Effect.promise(async () => {
            await page.goto("/docs#tag/account")
            await page.getByRole("button", { name: /^Test Request.*me\/v1/ }).waitFor()
            await page.getByRole("button", { name: "Copy", exact: true }).first().click()
            assert.include(await page.evaluate<string>("navigator.clipboard.readText()"), "/me/v1")
            await page.getByRole("search").first().click()
            await page.getByRole("combobox", { name: "Enter search query" }).fill("Invite candidates")
            await page
              .getByRole("option", { name: /Invite candidates/ })
              .first()
              .waitFor()
          })
        }).pipe(Effect.scoped),
      120_000,
    )

    it.effect(
      "sends a test request and shows the response",
      () =>
        Effect.gen(function* () {
          const visit = yield* visitor({ viewport: { width: 1440, height: 1000 } })
          const page = yield* Effect.promise(() => visit.newPage())
          yield* Effect.promise(async () => {
            await page.goto("/docs#tag/account")
            await page.getByRole("button", { name: /^Test Request.*me\/v1/ }).click()
            await page.getByRole("button", { name: /^Send get request/ }).click()
            await page.getByText("missing_scope").or(page.getByText("unauthorized")).first().waitFor()
          })
        }).pipe(Effect.scoped),
      120_000,
    )
  })
})

describe("Placeholders", () => {
  it.effect("have the values of this service's settings", () =>
    Effect.gen(function* () {
      const config = yield* Config
      const own = yield* placeholders({ ...config, webhookTimeout: Duration.seconds(1), rateLimit: 0 })
      assert.deepInclude(own, { webhook_timeout: "1 second", rate_limit: "none", max_body: "2 MiB" })
      assert.strictEqual(
        own["webhook_retries"],
        "There are up to 6 attempts: retries follow 2, 4, 8, 16 and 32 minutes after the previous attempt (plus up to 10 %).",
      )
      const retry = (times: number) =>
        Effect.map(
          placeholders({ ...config, webhookRetry: { first: Duration.minutes(40), cap: Duration.hours(2), times } }),
          ({ webhook_retries }) => webhook_retries,
        )
      assert.strictEqual(yield* retry(0), "There are no retries.")
      assert.strictEqual(
        yield* retry(3),
        "There are up to 4 attempts: retries follow 40 minutes, 80 minutes and 2 hours after the previous attempt (plus up to 10 %).",
      )
      assert.include(yield* retry(1), "retries follow 40 minutes after")
      assert.include(yield* retry(20), "21 attempts")
      assert.include(yield* retry(20), "and so on, at most 2 hours apart")
      assert.strictEqual(fillPlaceholders('{"a":"{max_body} {id} {toString}"}', own), '{"a":"2 MiB {id} {toString}"}')
    }).pipe(Effect.provide(TestApp.config())),
  )

  it("fill in nothing else", () => {
    assert.strictEqual(fillPlaceholders("{unknown} {id}", {}), "{unknown} {id}")
  })
})

describe("Document", () => {
  it("does not mention the workspace", () => {
    assert.notMatch(JSON.stringify(OpenApi.fromApi(Api)), /workspace/i)
  })
})
