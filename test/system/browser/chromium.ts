/** Debian's Chromium, driven by playwright-core. One browser serves all tests; each visit has a profile of its own. */
import { existsSync } from "node:fs"
import { assert } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { type BrowserContextOptions, chromium, type Browser as PlaywrightBrowser } from "playwright-core"
import { Server } from "../../support/Api.ts"

const path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync)

/** Why there are no tests in a browser on this machine; undefined: there are. */
export const missing = path === undefined ? "Chromium is not installed; on Debian: apt-get install chromium" : undefined

if (missing !== undefined && (process.env["CI"] || process.env["REQUIRE_CHROMIUM"])) throw new Error(missing)

/** Where the browser finds the service: what APP_URL says, and what mails link to. */
export const origin = "http://localhost:8080"

export class Chromium extends Context.Service<Chromium, PlaywrightBrowser>()("interview-invitations/test/Chromium") {
  /** The browser resolves APP_URL to the port that the service happens to have. */
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
              `--host-resolver-rules=MAP ${new URL(origin).host} ${host}`,
            ],
          }),
        ),
        (browser) => Effect.promise(() => browser.close()),
      )
    }),
  )
}

/** What the network or the service refused is for tests to judge; a mail's frame refuses the script that sets the clock. */
const expected = /^Failed to load resource|^Blocked script execution in 'about:srcdoc'/

/**
 * A visitor with a browser of their own, whose clock shows the service's time and goes on from there. When the visit
 * ends, no script may have failed, no policy may have been broken, and nothing may have been asked of another server than
 * `others`.
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
  const faults: Array<string> = []
  context.on("weberror", (error) => faults.push(error.error().message))
  context.on("console", (message) => {
    if (message.type() === "error" && !expected.test(message.text())) faults.push(message.text())
  })
  context.on("request", (request) => {
    const isMeant = [origin, ...others].some((one) => request.url().startsWith(`${one}/`))
    if (!isMeant && !request.url().startsWith("data:")) faults.push(request.url())
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => assert.deepStrictEqual(faults, [])))
  yield* Effect.promise(() => context.clock.install({ time }))
  return context
})
