import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { untilTrue } from "./chromium.ts"
import { begun, closeUnsent, forwarding, review, submit, title, typeUnsent } from "./oneText.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

/** Saves of texts: lost responses, late saves, and texts not sent before submitting. */
export const suite = (it: stage.It) => {
  it.effect("the next page sends text typed after a save whose response was lost", () =>
    Effect.gen(function* () {
      const { ada, built, page, visit } = yield* begun
      const fetched = yield* forwarding
      yield* Effect.promise(async () => {
        const stored = Promise.withResolvers<void>()
        let saves = 0
        await page.route("**/answers", async (route) => {
          if (saves++ === 0) await fetched(route)
          await route.abort()
          stored.resolve()
        })
        await built.fill("Half of it.")
        await visit.clock.fastForward(1_000)
        await stored.promise
        await steps.unsaved(page)
        await built.pressSequentially(" And the rest.")
        await visit.clock.fastForward(10_000)
        await closeUnsent(page)
        const again = await review(visit, ada)
        await submit(again)
        await steps.seen(again, steps.receipt)
      })
      assert.deepStrictEqual(yield* stage.texts(ada), ["Half of it. And the rest."])
    }),
  )

  it.effect("the next page sends text typed during a save", () =>
    Effect.gen(function* () {
      const { ada, built, page, visit } = yield* begun
      const fetched = yield* forwarding
      yield* Effect.promise(async () => {
        const typed = Promise.withResolvers<void>()
        let saves = 0
        await page.route("**/answers", async (route) => {
          if (saves++ > 0) return route.abort()
          const response = await fetched(route)
          await typed.promise
          await route.fulfill({ response })
        })
        await built.fill("Half of it.")
        await visit.clock.fastForward(1_000)
        await built.pressSequentially(" And the rest.")
        const answered = page.waitForResponse(/answers$/)
        typed.resolve()
        await answered
        await visit.clock.fastForward(1_000)
        await steps.unsaved(page)
        await closeUnsent(page)
        const again = await review(visit, ada)
        await submit(again)
        await steps.seen(again, steps.receipt)
      })
      assert.deepStrictEqual(yield* stage.texts(ada), ["Half of it. And the rest."])
    }),
  )

  it.effect("a save whose response was lost is retried and causes no conflict", () =>
    Effect.gen(function* () {
      const { ada, built, page, visit } = yield* begun
      const fetched = yield* forwarding
      yield* Effect.promise(async () => {
        let saves = 0
        await page.route("**/answers", async (route) => {
          const response = await fetched(route)
          await (saves++ === 0 ? route.abort() : route.fulfill({ response }))
        })
        await built.fill("Typed here.")
        await visit.clock.fastForward(1_000)
        await steps.unsaved(page)
        await visit.clock.fastForward(5_000)
        const savedStatus = page.getByRole("status").filter({ hasText: /^Saved/ })
        await savedStatus.waitFor()
        assert.match(await savedStatus.innerText(), /^Saved \d/)
      })
      assert.deepStrictEqual(yield* stage.texts(ada), ["Typed here."])
    }),
  )

  it.effect("a late save does not replace a newer text", () =>
    Effect.gen(function* () {
      const ada = yield* stage.candidate()
      const fetched = yield* forwarding
      const { page, visit } = yield* stage.begun(ada)
      yield* Effect.promise(async () => {
        const built = await steps.reach(page, title)
        const [held, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()]
        let saves = 0
        await visit.route("**/answers", async (route) => {
          if (saves++ > 0) return route.continue()
          await held.promise
          arrived.resolve((await fetched(route)).status())
          // the page that sent it has been left
          await route.abort().catch(() => {})
        })
        await built.fill("abc")
        await steps.reach(page, "A database problem")
        // the next page sends it, or the browser does when it leaves the page
        await untilTrue(page, "localStorage.length === 0")
        const back = await steps.reach(page, title)
        await back.fill("abc, and a lot more")
        await steps.saved(page)
        held.resolve()
        assert.strictEqual(await arrived.promise, 412)
      })
      assert.deepStrictEqual(yield* stage.texts(ada), ["abc, and a lot more"])
    }),
  )

  it.effect("text typed before the script runs is saved, and an older text not yet sent is offered", () =>
    Effect.gen(function* () {
      const { ada, built, page: first, visit } = yield* begun
      const page = yield* Effect.promise(async () => {
        await built.fill("First version.")
        await steps.saved(first)
        await typeUnsent(visit, first, "Second version.")
        const again = await visit.newPage()
        const typed = Promise.withResolvers<void>()
        await again.route(/\/interview\.js$/, async (route) => {
          await typed.promise
          await route.continue()
        })
        await again.goto(`${ada.link}/questions/1`, { waitUntil: "commit" })
        await again.getByRole("textbox", { name: title }).fill("Third version.")
        const loaded = again.waitForLoadState()
        typed.resolve()
        await loaded
        await steps.saved(again)
        return again
      })
      assert.deepStrictEqual(yield* stage.texts(ada), ["Third version."])
      yield* Effect.promise(async () => {
        await page.getByText("Second version.").waitFor()
        const answered = page.waitForResponse(/answers$/)
        await page.getByRole("button", { name: "Use it" }).click()
        await visit.clock.fastForward(1_000)
        await answered
      })
      assert.deepStrictEqual(yield* stage.texts(ada), ["Second version."])
    }),
  )

  it.effect("submitting waits until pending text is sent", () =>
    Effect.gen(function* () {
      const { ada, built, page, visit } = yield* begun
      yield* Effect.promise(async () => {
        await built.fill("First version.")
        await steps.saved(page)
        await typeUnsent(visit, page, "Second version.")
        const pressed = Promise.withResolvers<void>()
        const again = await review(visit, ada, (page) =>
          page.route("**/state", async (route) => {
            await pressed.promise
            await route.continue()
          }),
        )
        await submit(again)
        pressed.resolve()
        await steps.seen(again, steps.receipt)
        assert.strictEqual(await again.evaluate("localStorage.length"), 0)
      })
      assert.deepStrictEqual(yield* stage.texts(ada), ["Second version."])
    }),
  )

  it.effect("submitting fails while a text cannot be sent", () =>
    Effect.gen(function* () {
      const { ada, built, page: first, visit } = yield* begun
      const page = yield* Effect.promise(async () => {
        await built.fill("First version.")
        await steps.saved(first)
        await typeUnsent(visit, first, "Second version.")
        const again = await review(visit, ada, (page) => page.route("**/answers", (route) => route.abort()))
        await again.getByText("was never sent. A service you built").waitFor()
        await submit(again)
        await again.locator("[data-unsent] a:focus").waitFor()
        return again
      })
      assert.strictEqual((yield* stage.stored(ada)).status, "started")
      yield* Effect.promise(async () => {
        await page.unroute("**/answers")
        await submit(page)
        await steps.seen(page, steps.receipt)
      })
      assert.deepStrictEqual(yield* stage.texts(ada), ["Second version."])
    }),
  )
}
