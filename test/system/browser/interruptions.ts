import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { visitor } from "./chromium.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

/** Interruptions of an interview; no text is lost. */
export const suite = (it: stage.It) => {
  it.effect("keeps typed text during half a minute without a network", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const { page, visit } = yield* stage.begun(candidate)
      yield* Effect.promise(async () => {
        const built = await steps.reach(page, "A service you built")
        await built.fill("Before the tunnel.")
        await steps.saved(page)
        await visit.setOffline(true)
        await built.pressSequentially(" In the tunnel.")
        await visit.clock.fastForward(15_000)
        await steps.unsaved(page)
        await visit.clock.fastForward(15_000)
        await visit.setOffline(false)
        await visit.clock.fastForward(60_000)
        await steps.saved(page)
      })
      assert.deepStrictEqual(yield* stage.texts(candidate), ["Before the tunnel. In the tunnel."])
    }),
  )

  it.effect("the back button shows the receipt after submitting", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const { page } = yield* stage.begun(candidate)
      yield* Effect.promise(async () => {
        await (await steps.reach(page, "A service you built")).fill("Written once.")
        await steps.saved(page)
        await steps.submit(page)
        await steps.seen(page, steps.receipt)
        await page.goBack()
        await steps.seen(page, steps.receipt)
      })
      const { answers, statuses } = yield* stage.stored(candidate)
      assert.deepStrictEqual(
        answers.flatMap(({ content }) => content ?? []),
        ["Written once."],
      )
      assert.deepStrictEqual(statuses, ["initiated", "started", "completed"])
    }),
  )

  it.effect.each([true, false])("a double click acts once (scripts: %s)", (javaScriptEnabled) =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor({ javaScriptEnabled })
      yield* Effect.promise(async () => {
        const page = await visit.newPage()
        await page.goto(candidate.link)
        await page.getByRole("button", { name: /^Start/ }).dblclick()
        await steps.at(page, 1)
        await (await steps.reach(page, "A service you built")).fill("Written once.")
        await steps.next(page)
        await steps.at(page, 4)
        await steps.submit(page, { twice: true })
        await steps.seen(page, steps.receipt)
      })
      const { answers, statuses } = yield* stage.stored(candidate)
      assert.deepStrictEqual(statuses, ["initiated", "started", "completed"])
      assert.deepStrictEqual(
        answers.flatMap(({ content }) => content ?? []),
        ["Written once."],
      )
    }),
  )

  it.effect("a reload keeps what was typed and changes no status", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      yield* Effect.promise(async () => {
        const page = await visit.newPage()
        await page.goto(candidate.link)
        await page.reload()
        await steps.start(page)
        await page.reload()
        await (await steps.reach(page, "A service you built")).fill("Typed, then loaded again.")
        await steps.saved(page)
        await page.reload()
        const built = await steps.reach(page, "A service you built")
        assert.strictEqual(await built.inputValue(), "Typed, then loaded again.")
        await steps.submit(page)
        await steps.seen(page, steps.receipt)
        await page.reload()
        await steps.seen(page, steps.receipt)
      })
      assert.deepStrictEqual((yield* stage.stored(candidate)).statuses, ["initiated", "started", "completed"])
    }),
  )

  it.effect("unknown, cancelled and expired links show why they do not work", () =>
    Effect.gen(function* () {
      const visit = yield* visitor()
      const cancelled = yield* stage.candidate()
      yield* stage.cancel(cancelled)
      const expired = yield* stage.candidate()
      yield* TestClock.adjust("31 days")
      yield* Effect.promise(async () => {
        const page = await visit.newPage()
        for (const [link, heading] of [
          ["/i/nothing", "This link does not work"],
          [cancelled.link, "This invitation was cancelled"],
          [expired.link, "This interview is closed"],
        ] as const) {
          await page.goto(link)
          await steps.seen(page, heading)
        }
      })
    }),
  )
}
