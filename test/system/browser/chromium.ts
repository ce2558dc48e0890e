/** Installed Chromium, driven by playwright-core. Tests share one browser; each visitor has an own context. */
import { existsSync } from "node:fs"
import { assert } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { type BrowserContextOptions, chromium, type Page, type Browser as PlaywrightBrowser } from "playwright-core"
import { Server } from "../../support/Api.ts"

/** The headless shell needs two thirds of the CPU time of Chromium in these tests. */
const programs = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
const path = programs.map((name) => `/usr/bin/${name}`).find(existsSync)

/** Why browser tests are skipped; undefined when Chromium is installed. */
export const missing =
  path === undefined ? "Chromium is not installed; on Debian: apt-get install chromium-headless-shell" : undefined

if (missing !== undefined && (process.env["CI"] || process.env["REQUIRE_CHROMIUM"])) throw new Error(missing)

/** The service's APP_URL. */
export const origin = "http://localhost:8080"

export class Chromium extends Context.Service<Chromium, PlaywrightBrowser>()("interview-invitations/test/Chromium") {
  /** The browser maps APP_URL to the service's port. */
  static readonly layer = Layer.effect(
    Chromium,
    Effect.gen(function* () {
      const { host } = new URL((yield* Server).url)
      return yield* Effect.acquireRelease(
        Effect.promise(() =>
          chromium.launch({
            ...(path === undefined ? {} : { executablePath: path }),
            args: [
              "--no-sandbox",
              "--disable-gpu",
              "--disable-quic",
              "--no-first-run",
              "--disable-background-networking",
              "--use-fake-device-for-media-stream",
              // the headless shell has no dialog that asks: pages may use them
              "--use-fake-ui-for-media-stream",
              `--host-resolver-rules=MAP ${new URL(origin).host} ${host}`,
            ],
          }),
        ),
        (browser) => Effect.promise(() => browser.close()),
      )
    }),
  )
}

/** Errors that tests cause on purpose, and the script that sets the clock, which an email's frame blocks. */
const expected =
  /^Failed to load resource|^Blocked script execution in '(about:srcdoc|[^']*\/(email\/frame|invite\/preview|preview\/email))'/

/** Requests that do not leave the browser: what a page plays that it has recorded, data URLs, and the files of its PDF viewer. */
const isInternal = /^(blob|data|chrome|chrome-extension):/

/**
 * A browser context with the service's time. When its scope closes, it fails if a script failed, the console has an error
 * or a Content-Security-Policy violation, or a request went to a server other than the service and `others`.
 */
export const visitor = Effect.fnUntraced(function* (
  options: BrowserContextOptions = {},
  others: ReadonlyArray<string> = [],
) {
  const browser = yield* Chromium
  const time = yield* Clock.currentTimeMillis
  const context = yield* Effect.acquireRelease(
    Effect.promise(() =>
      browser.newContext({ baseURL: origin, locale: "en-GB", timezoneId: "Europe/Berlin", ...options }),
    ),
    (context) => Effect.promise(() => context.close()),
  )
  context.setDefaultTimeout(15_000)
  const violations: Array<string> = []
  context.on("weberror", (error) => violations.push(error.error().message))
  context.on("console", (message) => {
    if (message.type() === "error" && !expected.test(message.text())) violations.push(message.text())
  })
  context.on("request", (request) => {
    const isAllowed = [origin, ...others].some((one) => request.url().startsWith(`${one}/`))
    if (!isAllowed && !isInternal.test(request.url())) violations.push(request.url())
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => assert.deepStrictEqual(violations, [])))
  yield* Effect.promise(() => context.clock.install({ time }))
  return context
})

/**
 * Polls an expression until it is true. `waitForFunction` would poll inside the page with eval, which the page's
 * Content-Security-Policy forbids after the first time.
 */
export const untilTrue = async (page: Page, expression: string): Promise<void> => {
  while ((await page.evaluate(expression)) !== true) await page.waitForTimeout(20)
}
