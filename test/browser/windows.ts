import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { catalogues } from "../../src/domain/texts/Texts.ts"
import { Interviews } from "../../src/service/Interviews.ts"
import { Server } from "../support/Api.ts"
import { origin, visitor } from "./chromium.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

const texts = (of: stage.Candidate) =>
  Effect.map(stage.stored(of), ({ answers }) => answers.flatMap(({ content }) => content ?? []))

/** Several windows on one answer, and a network that stays away too long: who writes is told what becomes of it. */
export const suite = (it: stage.It) => {
  it.effect("a window shows at once what another one wrote; who then writes is told what it replaces", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      yield* Effect.promise(async () => {
        const [one, two] = [await visit.newPage(), await visit.newPage()]
        await one.goto(candidate.link)
        await steps.start(one)
        const first = await steps.reach(one, "A service you built")
        await two.goto(candidate.link)
        const second = await steps.reach(two, "A service you built")
        await one.bringToFront()
        await first.fill("From the first window.")
        await steps.saved(one)
        await two
          .getByRole("status")
          .filter({ hasText: /another window. It is shown here now/ })
          .waitFor()
        assert.strictEqual(await second.inputValue(), "From the first window.")
        await two.bringToFront()
        await second.fill("From the second window.")
        await steps.saved(two)
        await one
          .getByRole("status")
          .filter({ hasText: /another window/ })
          .waitFor()
        assert.strictEqual(await first.inputValue(), "From the second window.")
      })
      assert.deepStrictEqual(yield* texts(candidate), ["From the second window."])
    }),
  )

  it.effect("a text that never arrived waits on the device, and the next page brings it", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      yield* Effect.promise(async () => {
        const page = await visit.newPage()
        await page.goto(candidate.link)
        await steps.start(page)
        const built = await steps.reach(page, "A service you built")
        await visit.setOffline(true)
        await built.fill("In the tunnel, then closed.")
        await visit.clock.fastForward(1_000)
        await page
          .getByRole("status")
          .filter({ hasText: /not saved/i })
          .waitFor()
        await page.close()
        await visit.setOffline(false)
        const again = await visit.newPage()
        await again.goto(candidate.link)
        await steps.reach(again, "A service you built")
        await again.waitForFunction("document.querySelector('textarea').value === 'In the tunnel, then closed.'")
      })
      // whichever page it was that brought it: the one that was closed may still have had a request on its way
      const brought = yield* Effect.repeat(texts(candidate), { until: ({ length }) => length > 0 })
      assert.deepStrictEqual(brought, ["In the tunnel, then closed."])
    }),
  )

  it.effect("who comes back after the end of the time is told what did not count", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      const page = yield* Effect.promise(async () => {
        const page = await visit.newPage()
        await page.goto(candidate.link)
        await steps.start(page)
        const built = await steps.reach(page, "A service you built")
        await built.fill("In time.")
        await steps.saved(page)
        await visit.setOffline(true)
        await built.fill("In time. Too late.")
        return page
      })
      yield* TestClock.adjust("31 minutes")
      yield* (yield* Interviews).finishOverdue
      yield* Effect.promise(async () => {
        await visit.clock.fastForward("31:00")
        await page.getByRole("status").filter({ hasText: catalogues.en.script.overUnsent }).waitFor()
        assert.strictEqual(
          await page.getByRole("textbox", { name: "A service you built" }).inputValue(),
          "In time. Too late.",
          "the page stays while there is no network",
        )
        await visit.setOffline(false)
        await visit.clock.fastForward(60_000)
        await steps.seen(page, steps.receipt)
        await page.getByRole("alert").filter({ hasText: "Not everything arrived in time" }).waitFor()
        assert.strictEqual(await page.evaluate("localStorage.length"), 0, "nothing of it stays on the device")
        const unsent = page.getByRole("region", { name: "Written, but not sent in time" })
        await unsent.getByRole("heading", { name: "A service you built" }).waitFor()
        await unsent.getByText("In time. Too late.", { exact: true }).waitFor()
        await page.reload()
        await unsent.getByText("In time. Too late.", { exact: true }).waitFor()
        const other = await visit.newPage()
        await other.goto(candidate.link)
        await steps.seen(other, steps.receipt)
        await other.getByText("not sent in time").waitFor({ state: "hidden" })
      })
      assert.deepStrictEqual(yield* texts(candidate), ["In time."])
    }),
  )

  it.effect("a text whose arrival nobody heard of is not called late", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const { url } = yield* Server
      const visit = yield* visitor()
      const page = yield* Effect.promise(async () => {
        const page = await visit.newPage()
        await page.goto(candidate.link)
        await steps.start(page)
        const built = await steps.reach(page, "A service you built")
        const stored = Promise.withResolvers<void>()
        await visit.route("**/answers", async (route) => {
          await route.fetch({ url: route.request().url().replace(origin, url) })
          stored.resolve()
          await route.abort()
        })
        await built.fill("It was in time.")
        await visit.clock.fastForward(1_000)
        await stored.promise
        await page
          .getByRole("status")
          .filter({ hasText: /not saved/i })
          .waitFor()
        await page.close()
        return visit.newPage()
      })
      yield* TestClock.adjust("31 minutes")
      yield* (yield* Interviews).finishOverdue
      yield* Effect.promise(async () => {
        const asked = page.waitForResponse(/state$/)
        await page.goto(candidate.link)
        await steps.seen(page, steps.receipt)
        await asked
        await page.waitForFunction("localStorage.length === 0 && sessionStorage.length === 0")
        await page.getByText("not sent in time").waitFor({ state: "hidden" })
      })
      assert.deepStrictEqual(yield* texts(candidate), ["It was in time."])
    }),
  )

  it.effect.each([
    ["Use it", "From the tunnel."],
    ["Keep what is saved", "From the second device."],
  ] as const)(
    "what waited for the network does not replace what another device has saved since (%s)",
    ([name, result]) =>
      Effect.gen(function* () {
        const candidate = yield* stage.candidate()
        const [one, two] = [yield* visitor(), yield* visitor()]
        yield* Effect.promise(async () => {
          const page = await one.newPage()
          await page.goto(candidate.link)
          await steps.start(page)
          const built = await steps.reach(page, "A service you built")
          await one.setOffline(true)
          await built.fill("From the tunnel.")
          await one.clock.fastForward(1_000)
          await page
            .getByRole("status")
            .filter({ hasText: /not saved/i })
            .waitFor()
          const elsewhere = await two.newPage()
          await elsewhere.goto(candidate.link)
          await (await steps.reach(elsewhere, "A service you built")).fill("From the second device.")
          await steps.saved(elsewhere)
          await one.setOffline(false)
          await one.clock.fastForward(60_000)
          await page.getByText("This device has a version that was never sent.").waitFor()
          await page.getByText("From the tunnel.").waitFor()
          assert.strictEqual(await built.inputValue(), "From the second device.")
          await page.getByRole("button", { name }).click()
          await one.clock.fastForward(1_000)
          await steps.next(page)
          await steps.at(page, 4)
          assert.strictEqual(await page.evaluate("localStorage.length"), 0)
        })
        assert.deepStrictEqual(yield* texts(candidate), [result])
      }),
  )
}
