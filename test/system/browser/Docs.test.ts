/** The pages of /docs in Chromium: size, accessibility, tabs of languages, copy buttons, without scripts; and Scalar. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import * as App from "../../../src/App.ts"
import { guidePages } from "../../../src/api-reference/Guide.ts"
import type { Document } from "../../../src/api-reference/OpenApiDocument.ts"
import { call, Server } from "../../support/Api.ts"
import * as Pod from "../../support/Pod.ts"
import { isThorough } from "../../support/thorough.ts"
import { Chromium, missing, origin, visitor } from "./chromium.ts"
import { look, violations } from "./looks.ts"

const served = Server.layer.pipe(
  Layer.provide(App.serve(Layer.mergeAll(App.api, App.pages))),
  Layer.provideMerge(Pod.layer({ settings: { PORT: "0", APP_URL: origin, API_URL: origin } })),
)

const paths = ["", ...guidePages.map(({ slug }) => `/${slug}`), "/search?q=invitation", "/nothing"].map(
  (path) => `/docs${path}`,
)

/** The language that each block of examples shows. */
const shown = (page: Page) =>
  page.evaluate<ReadonlyArray<string>>(
    `[...document.querySelectorAll(".samples [role=tabpanel]:not([hidden])")].map((panel) => panel.id.split("-").at(-1))`,
  )

const expectLanguage = async (page: Page, language: string) => {
  const all = await shown(page)
  assert.isNotEmpty(all)
  for (const each of all) assert.strictEqual(each, language)
}

/** A new page of a visitor. */
const pageOf = (...options: Parameters<typeof visitor>) =>
  Effect.flatMap(visitor(...options), (visit) => Effect.promise(() => visit.newPage()))

const wide = { viewport: { width: 1440, height: 1000 } }

describe.skipIf(missing !== undefined)(`/docs in Chromium${missing === undefined ? "" : `: ${missing}`}`, () => {
  layer(Chromium.layer.pipe(Layer.provideMerge(served)), { excludeTestServices: true })((it) => {
    it.effect(
      "every page fits and is accessible on both widths and themes",
      () =>
        Effect.gen(function* () {
          const page = yield* pageOf()
          yield* Effect.promise(async () => {
            for (const path of paths) {
              await page.goto(path)
              await look(page, path.slice(1).replaceAll(/\W+/g, "-"))
            }
          })
        }).pipe(Effect.scoped),
      600_000,
    )

    it.effect("the chosen language shows in every block, on every page, and after a reload", () =>
      Effect.gen(function* () {
        const page = yield* pageOf()
        yield* Effect.promise(async () => {
          await page.goto("/docs/quickstart")
          await expectLanguage(page, "curl")
          const third = page.getByRole("tablist").nth(2)
          await third.scrollIntoViewIfNeeded()
          const before = await third.boundingBox()
          await third.getByRole("tab", { name: "Python" }).click()
          assert.closeTo((await third.boundingBox())?.y ?? 0, before?.y ?? -9, 1, "the tabs stay where they are")
          await expectLanguage(page, "Python")
          await page.getByText("import requests").first().waitFor()
          await page.reload()
          await expectLanguage(page, "Python")
          await page.goto("/docs/invitations")
          await expectLanguage(page, "Python")
        })
      }).pipe(Effect.scoped),
    )

    it.effect("the arrow keys, Home and End choose a language, and one Tab leaves the tabs", () =>
      Effect.gen(function* () {
        const page = yield* pageOf()
        yield* Effect.promise(async () => {
          await page.goto("/docs/quickstart")
          const tab = (name: string) => page.getByRole("tablist").first().getByRole("tab", { name, selected: true })
          await tab("curl").focus()
          for (const [key, language] of [
            ["ArrowRight", "Python"],
            ["End", "TypeScript"],
            ["ArrowRight", "curl"],
            ["ArrowLeft", "TypeScript"],
            ["Home", "curl"],
          ] as const) {
            await page.keyboard.press(key)
            await tab(language).and(page.locator(":focus")).waitFor()
            await expectLanguage(page, language)
          }
          await page.keyboard.press("Tab")
          await page.getByRole("button", { name: "Copy" }).and(page.locator(":focus")).waitFor()
        })
      }).pipe(Effect.scoped),
    )

    it.effect("without storage, tabs still work", () =>
      Effect.gen(function* () {
        const page = yield* pageOf()
        yield* Effect.promise(async () => {
          await page.addInitScript(
            "Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('denied', 'SecurityError') } })",
          )
          await page.goto("/docs/quickstart")
          await page.getByRole("tab", { name: "TypeScript" }).first().click()
          await expectLanguage(page, "TypeScript")
        })
      }).pipe(Effect.scoped),
    )

    it.effect("every block of code has a button that copies it", () =>
      Effect.gen(function* () {
        const page = yield* pageOf({ permissions: ["clipboard-read", "clipboard-write"] })
        yield* Effect.promise(async () => {
          for (const path of ["/docs/quickstart", "/docs/webhooks", "/docs/errors"]) {
            await page.goto(path)
            const counts = await page.evaluate<ReadonlyArray<number>>(
              `["pre", ".code > button"].map((selector) => document.querySelectorAll(selector).length)`,
            )
            assert.isAbove(counts[0] ?? 0, 0)
            assert.strictEqual(counts[0], counts[1])
          }
          await page.goto("/docs/webhooks")
          await page
            .locator("summary")
            .filter({ hasText: /^Node$/ })
            .click()
          const code = page.locator(".code").filter({ hasText: "timingSafeEqual" })
          await code.getByRole("button", { name: "Copy" }).click()
          await page.getByRole("status").filter({ hasText: "Copied" }).waitFor({ state: "attached" })
          assert.strictEqual(
            await page.evaluate<string>("navigator.clipboard.readText()"),
            await code.locator("pre").innerText(),
          )
        })
      }).pipe(Effect.scoped),
    )

    it.effect("without scripts, all pages can be read and searched", () =>
      Effect.gen(function* () {
        const page = yield* pageOf({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
        yield* Effect.promise(async () => {
          await page.goto("/docs/quickstart")
          await page.getByText("curl -sS").first().waitFor()
          const python = page.getByText("import requests").first()
          assert.isFalse(await python.isVisible())
          await page.getByText("Python", { exact: true }).first().click()
          await python.waitFor()
          assert.strictEqual(await page.getByRole("button", { name: "Copy" }).count(), 0)
          await page.getByText("Subjects").click()
          await page.getByRole("link", { name: "Webhook endpoints" }).click()
          await page.getByRole("heading", { level: 1, name: "Webhook endpoints" }).waitFor()
          await page.getByRole("searchbox").fill("time_factor")
          await page.keyboard.press("Enter")
          await page.getByRole("link", { name: "Extend an invitation" }).click()
          await page.waitForURL("**/docs/invitations#extendInvitation")
        })
      }).pipe(Effect.scoped),
    )

    it.effect("a printed page has the text and the examples, and no navigation or buttons", () =>
      Effect.gen(function* () {
        const page = yield* pageOf()
        yield* Effect.promise(async () => {
          await page.goto("/docs/submissions")
          await page.emulateMedia({ media: "print" })
          await page.getByText('"score_status": "scored"').first().waitFor()
          await page.getByText("curl -sS").first().waitFor()
          for (const name of ["Subjects", "Pages"]) {
            assert.strictEqual(await page.getByRole("navigation", { name }).count(), 0)
          }
          assert.strictEqual(await page.getByRole("button").count(), 0)
          assert.strictEqual(await page.getByRole("searchbox").count(), 0)
        })
      }).pipe(Effect.scoped),
    )

    it.effect(
      "Scalar shows operations and webhooks, asks no other host, and fits a phone",
      () =>
        Effect.gen(function* () {
          const document = (yield* call("GET", "/openapi.json")).body as Document
          const page = yield* pageOf(wide)
          yield* Effect.promise(async () => {
            await page.goto("/docs/reference")
            await page.getByRole("heading", { level: 1, name: document.info.title }).waitFor()
            const closed = page.getByRole("button", { name: "Open Group" })
            do await closed.first().click()
            while (isThorough && (await closed.count()) > 0)
            const text = (await page.locator("body").innerText()).replaceAll("\u200b", "")
            const names = [...Object.values(document.paths), ...Object.values(document.webhooks)]
              .flatMap((item) => Object.values(item).map(({ summary }) => summary))
              .concat(Object.keys(document.components.schemas))
            const absent = names.filter((name) => !text.includes(name))
            if (isThorough) assert.isEmpty(absent)
            else assert.isBelow(absent.length, names.length)
            assert.notInclude((await violations(page)).join("\n"), "empty-table-header")
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
      "Scalar sends a test request and shows the response",
      () =>
        Effect.gen(function* () {
          const page = yield* pageOf(wide)
          yield* Effect.promise(async () => {
            await page.goto("/docs")
            const link = page.getByRole("link", { name: "Test requests" }).first()
            assert.strictEqual(await link.getAttribute("href"), "/docs/reference")
            await page.goto("/docs/reference#tag/account")
            await page.getByRole("button", { name: /^Test Request.*me\/v1/ }).click()
            await page.getByRole("button", { name: /^Send get request/ }).click()
            const response = page.getByRole("dialog").filter({ hasText: "send the API key in the X-API-Key header" })
            await response.filter({ hasText: "401 Unauthorized" }).waitFor()
          })
        }).pipe(Effect.scoped),
      120_000,
    )
  })
})
