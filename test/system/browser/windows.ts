import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { visitor } from "./chromium.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

/** Several windows on one answer, and a network that stays away too long: who writes is told what becomes of it. */
export const suite = (it: stage.It) => {
  it.effect("a window shows at once what another one wrote; who then writes is told what it replaces", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      yield* Effect.promise(async () => {
        const one = await steps.begin(visit, candidate)
        const two = await visit.newPage()
        const first = await steps.reach(one, "A service you built")
        await two.goto(candidate.link)
        const second = await steps.reach(two, "A service you built")
        await one.bringToFront()
        await first.fill("From the first window.")
        await steps.saved(one)
        await two
          .getByRole("status")
          .filter({ hasText: /another window or on another device. It is shown here now/ })
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
      assert.deepStrictEqual(yield* stage.texts(candidate), ["From the second window."])
    }),
  )

  it.effect("a text that never arrived waits on the device, and the next page brings it", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      yield* Effect.promise(async () => {
        const page = await steps.begin(visit, candidate)
        const built = await steps.reach(page, "A service you built")
        await visit.setOffline(true)
        await built.fill("In the tunnel, then closed.")
        await visit.clock.fastForward(1_000)
        await steps.unsaved(page)
        await page.close()
        await visit.setOffline(false)
        const again = await visit.newPage()
        await again.goto(candidate.link)
        await steps.reach(again, "A service you built")
        await again.waitForFunction("document.querySelector('textarea').value === 'In the tunnel, then closed.'")
      })
      // whichever page it was that brought it: the one that was closed may still have had a request on its way
      const brought = yield* Effect.repeat(stage.texts(candidate), { until: ({ length }) => length > 0 })
      assert.deepStrictEqual(brought, ["In the tunnel, then closed."])
    }),
  )

  it.effect("what another tab saved is not overwritten by a tab that did not touch it", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      yield* Effect.promise(async () => {
        const one = await steps.begin(visit, candidate)
        const two = await visit.newPage()
        await two.goto(candidate.link)
        await (await steps.reach(one, "A service you built")).fill("From the first tab.")
        await steps.saved(one)
        await (await steps.reach(two, "A database problem")).fill("From the second tab.")
        await steps.saved(two)
        await one.bringToFront()
        await steps.submit(one)
        await steps.seen(one, steps.receipt)
        await two.reload()
        await steps.seen(two, steps.receipt)
      })
      assert.sameMembers([...(yield* stage.texts(candidate))], ["From the first tab.", "From the second tab."])
    }),
  )

  it.effect("a tab left open after the other one submitted leads to the receipt, not to a loss", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      yield* Effect.promise(async () => {
        const one = await steps.begin(visit, candidate)
        const two = await visit.newPage()
        const built = await steps.reach(one, "A service you built")
        await two.goto(candidate.link)
        const late = await steps.reach(two, "A service you built")
        await one.bringToFront()
        await built.fill("In time.")
        await steps.saved(one)
        await steps.submit(one)
        await steps.seen(one, steps.receipt)
        await late.fill("Too late.")
        await visit.clock.fastForward(1_000)
        await steps.seen(two, steps.receipt)
      })
      assert.deepStrictEqual(yield* stage.texts(candidate), ["In time."])
    }),
  )
}
