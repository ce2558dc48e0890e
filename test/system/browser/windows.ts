import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { untilTrue, visitor } from "./chromium.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

/** Several windows on one answer. */
export const suite = (it: stage.It) => {
  it.effect("a window shows at once what another one saved, with a notice", () =>
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

  it.effect("a text that was not sent is stored on the device, and the next page sends it", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const { page, visit } = yield* stage.begun(candidate)
      yield* Effect.promise(async () => {
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
        await untilTrue(again, "document.querySelector('textarea').value === 'In the tunnel, then closed.'")
      })
      // either page may have sent it: the closed one may have had a request in flight
      const saved = yield* Effect.repeat(stage.texts(candidate), { until: ({ length }) => length > 0 })
      assert.deepStrictEqual(saved, ["In the tunnel, then closed."])
    }),
  )

  it.effect("a tab does not overwrite an answer that it did not change", () =>
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

  it.effect("a tab left open after submitting in another leads to the receipt", () =>
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
