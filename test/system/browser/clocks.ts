import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../../src/accounts/Viewer.ts"
import { Invitations } from "../../../src/invitations/Invitations.ts"
import { visitor } from "./chromium.ts"
import { candidate, title } from "./oneText.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

/** The service's clock decides when time is over; a device's clock may be wrong or be changed. */
export const suite = (it: stage.It) => {
  it.effect("an interview goes on when the device's clock is changed", () =>
    Effect.gen(function* () {
      const ada = yield* candidate
      const { page, visit } = yield* stage.begun(ada)
      yield* Effect.promise(async () => {
        const stateChecked = page.waitForResponse(/state$/)
        await visit.clock.setSystemTime(new Date("2026-11-02T11:42:00Z"))
        await visit.clock.runFor(2_000)
        await stateChecked
        await page
          .getByRole("timer")
          .filter({ hasText: /^(30:00|29:5\d)$/ })
          .waitFor()
      })
      assert.strictEqual((yield* stage.stored(ada)).status, "started")
    }),
  )

  it.effect("a page whose time ends too early receives the remaining time", () =>
    Effect.gen(function* () {
      const ada = yield* candidate
      const { page, visit } = yield* stage.begun(ada)
      yield* Effect.promise(async () => {
        await visit.clock.fastForward("30:05")
        await page
          .getByRole("timer")
          .filter({ hasText: /^(30:00|29:5\d)$/ })
          .waitFor()
      })
      assert.strictEqual((yield* stage.stored(ada)).status, "started")
    }),
  )

  it.effect("more time that is given meanwhile reaches the open page, which announces it", () =>
    Effect.gen(function* () {
      const ada = yield* candidate
      const { page, visit } = yield* stage.begun(ada)
      yield* (yield* Invitations).extend(operator(ada.organization), ada.subject.invitation_id ?? "", {
        time_factor: 2,
      })
      yield* Effect.promise(async () => {
        const stateChecked = page.waitForResponse(/state$/)
        await visit.clock.runFor(21_000)
        await stateChecked
        await visit.clock.runFor(2_000)
        await page
          .getByRole("timer")
          .filter({ hasText: /^(1:00:00|59:\d\d)$/ })
          .waitFor()
        assert.match((await page.locator("[data-warning]").textContent()) ?? "", /^(59|60) minutes left\.$/)
      })
    }),
  )

  it.effect("the time to load the page counts", () =>
    Effect.gen(function* () {
      const ada = yield* candidate
      const visit = yield* visitor()
      yield* Effect.promise(async () => {
        const page = await visit.newPage()
        await page.addInitScript("performance.getEntriesByType = () => [{ requestStart: performance.now() - 20_000 }]")
        await page.goto(ada.link)
        await steps.start(page)
        await page
          .getByRole("timer")
          .filter({ hasText: /^29:(40|3\d)$/ })
          .waitFor()
      })
    }),
  )

  it.effect("the page stays while the service is unreachable at the end, and submits afterwards", () =>
    Effect.gen(function* () {
      const ada = yield* candidate
      const { page, visit } = yield* stage.begun(ada)
      yield* Effect.promise(async () => {
        // the device does not detect the loss of the network
        await page.route("**/*", (route) => route.abort("connectionfailed"))
        await page.getByRole("textbox", { name: title }).fill("Typed at the end.")
      })
      yield* TestClock.adjust("30 minutes")
      yield* Effect.promise(async () => {
        const stateChecked = page.waitForRequest(/state$/)
        await visit.clock.fastForward("30:05")
        await stateChecked
        const again = page.waitForRequest(/state$/)
        await visit.clock.fastForward(10_000)
        await again
        assert.strictEqual(await page.getByRole("textbox", { name: title }).inputValue(), "Typed at the end.")
        await page.unroute("**/*")
        await visit.clock.fastForward(60_000)
        await steps.seen(page, steps.receipt)
      })
      const { answers, status } = yield* stage.stored(ada)
      assert.strictEqual(status, "completed")
      assert.deepStrictEqual(
        answers.map(({ content }) => content),
        ["Typed at the end."],
      )
    }),
  )
}
