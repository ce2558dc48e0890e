import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Interviews } from "../../../src/interviews/Interviews.ts"
import { catalogues } from "../../../src/texts/Texts.ts"
import { untilTrue, visitor } from "./chromium.ts"
import { look } from "./looks.ts"
import { forwarding } from "./oneText.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

/** The end of the time: saved answers are submitted, and late text is shown to the candidate. */
export const suite = (it: stage.It) => {
  it.effect("submits what was typed when the time is over, and reports it", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const { page, visit } = yield* stage.begun(candidate)
      yield* Effect.promise(async () => {
        await page
          .getByRole("timer")
          .filter({ hasText: /^(30:00|29:5\d)$/ })
          .waitFor()
      })
      yield* TestClock.adjust("26 minutes")
      yield* Effect.promise(async () => {
        await visit.clock.fastForward("26:00")
        await page.getByRole("alert").filter({ hasText: "5 minutes left" }).waitFor()
        const built = await steps.reach(page, "A service you built")
        await built.fill("Up to the last minute.")
      })
      yield* TestClock.adjust("4 minutes")
      yield* Effect.promise(async () => {
        await visit.clock.fastForward("04:00")
        await steps.seen(page, steps.receipt)
        await page.getByText(catalogues.en.notice.ranOut).waitFor()
        await look(page, "5-ran-out")
      })
      assert.deepStrictEqual(yield* stage.texts(candidate), ["Up to the last minute."])
      assert.strictEqual((yield* stage.stored(candidate)).status, "completed")
    }),
  )

  it.effect.each([true, false])("submits saved answers when the time is over (scripts: %s)", (scripts) =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const { page, visit } = yield* stage.begun(candidate, { javaScriptEnabled: scripts })
      yield* Effect.promise(async () => {
        await (await steps.reach(page, "A service you built")).fill("Saved by hand.")
        await (scripts ? steps.saved(page) : steps.save(page))
      })
      yield* TestClock.adjust("31 minutes")
      yield* Effect.promise(async () => {
        await page.reload()
        await steps.seen(page, "Your time is over")
      })
      yield* (yield* Interviews).finishOverdue
      yield* Effect.promise(async () => {
        if (scripts) await visit.clock.fastForward(3_000)
        else await page.getByRole("link", { name: "Show the receipt" }).click()
        await steps.seen(page, steps.receipt)
        await page.getByText(catalogues.en.notice.ranOut).waitFor()
      })
      assert.deepStrictEqual(yield* stage.texts(candidate), ["Saved by hand."])
    }),
  )

  it.effect("shows text that was not sent in time", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const { page, visit } = yield* stage.begun(candidate)
      yield* Effect.promise(async () => {
        const built = await steps.reach(page, "A service you built")
        await built.fill("In time.")
        await steps.saved(page)
        await visit.setOffline(true)
        await built.fill("In time. Too late.")
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
        assert.strictEqual(await page.evaluate("localStorage.length"), 0, "no text stays on the device")
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
      assert.deepStrictEqual(yield* stage.texts(candidate), ["In time."])
    }),
  )

  it.effect("does not call a text late whose save succeeded without a response", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const fetched = yield* forwarding
      const visit = yield* visitor()
      const page = yield* Effect.promise(async () => {
        const page = await steps.begin(visit, candidate)
        const built = await steps.reach(page, "A service you built")
        const stored = Promise.withResolvers<void>()
        await visit.route("**/answers", async (route) => {
          await fetched(route)
          stored.resolve()
          await route.abort()
        })
        await built.fill("It was in time.")
        await visit.clock.fastForward(1_000)
        await stored.promise
        await steps.unsaved(page)
        await page.close()
        return visit.newPage()
      })
      yield* TestClock.adjust("31 minutes")
      yield* (yield* Interviews).finishOverdue
      yield* Effect.promise(async () => {
        const stateChecked = page.waitForResponse(/state$/)
        await page.goto(candidate.link)
        await steps.seen(page, steps.receipt)
        await stateChecked
        await untilTrue(page, "localStorage.length === 0 && sessionStorage.length === 0")
        await page.getByText("not sent in time").waitFor({ state: "hidden" })
      })
      assert.deepStrictEqual(yield* stage.texts(candidate), ["It was in time."])
    }),
  )
}
