import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Interviews } from "../../src/service/Interviews.ts"
import { visitor } from "./chromium.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

const texts = (of: Parameters<typeof stage.stored>[0]) =>
  Effect.map(stage.stored(of), ({ answers }) => answers.flatMap(({ content }) => content ?? []))

/** What happens to people in the middle of an interview; nothing that they wrote may be lost. */
export const suite = (it: stage.It) => {
  it.effect("half a minute without a network loses nothing that was typed", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      yield* Effect.promise(async () => {
        const page = await visit.newPage()
        await page.goto(candidate.link)
        await steps.start(page)
        const built = await steps.reach(page, "A service you built")
        await built.fill("Before the tunnel.")
        await steps.saved(page)
        await visit.setOffline(true)
        await built.pressSequentially(" In the tunnel.")
        await visit.clock.fastForward(15_000)
        await page
          .getByRole("status")
          .filter({ hasText: /not saved/i })
          .waitFor()
        await visit.clock.fastForward(15_000)
        await visit.setOffline(false)
        await visit.clock.fastForward(60_000)
        await steps.saved(page)
      })
      assert.deepStrictEqual(yield* texts(candidate), ["Before the tunnel. In the tunnel."])
    }),
  )

  it.effect("what another tab saved is not overwritten by a tab that did not touch it", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      yield* Effect.promise(async () => {
        const [one, two] = [await visit.newPage(), await visit.newPage()]
        await one.goto(candidate.link)
        await steps.start(one)
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
      assert.sameMembers([...(yield* texts(candidate))], ["From the first tab.", "From the second tab."])
    }),
  )

  it.effect("a tab left open after the other one submitted leads to the receipt, not to a loss", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      yield* Effect.promise(async () => {
        const [one, two] = [await visit.newPage(), await visit.newPage()]
        await one.goto(candidate.link)
        await steps.start(one)
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
      assert.deepStrictEqual(yield* texts(candidate), ["In time."])
    }),
  )

  it.effect("the back button leads to where the candidate stands, whatever page it shows", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      yield* Effect.promise(async () => {
        const page = await visit.newPage()
        await page.goto(candidate.link)
        await steps.start(page)
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

  it.effect.each([true, false])("pressing twice is pressing once (scripts: %s)", (javaScriptEnabled) =>
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

  it.effect("when the time is over, what was typed is submitted, and the page says so", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      const page = yield* Effect.promise(async () => {
        const page = await visit.newPage()
        await page.goto(candidate.link)
        await steps.start(page)
        await page
          .getByRole("timer")
          .filter({ hasText: /^(30:00|29:5\d)$/ })
          .waitFor()
        return page
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
      })
      assert.deepStrictEqual(yield* texts(candidate), ["Up to the last minute."])
      assert.strictEqual((yield* stage.stored(candidate)).status, "completed")
    }),
  )

  it.effect.each([true, false])(
    "what was saved is submitted when the time is over, whoever is there (scripts: %s)",
    (scripts) =>
      Effect.gen(function* () {
        const candidate = yield* stage.candidate()
        const visit = yield* visitor({ javaScriptEnabled: scripts })
        const page = yield* Effect.promise(async () => {
          const page = await visit.newPage()
          await page.goto(candidate.link)
          await steps.start(page)
          await (await steps.reach(page, "A service you built")).fill("Saved by hand.")
          await (scripts ? steps.saved(page) : steps.save(page))
          return page
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
        })
        assert.deepStrictEqual(yield* texts(candidate), ["Saved by hand."])
      }),
  )

  it.effect("loading any page again changes nothing and keeps what was typed", () =>
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

  it.effect("another device goes on where the first one stopped", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const [laptop, phone] = [yield* visitor(), yield* visitor({ viewport: { width: 360, height: 740 } })]
      yield* Effect.promise(async () => {
        const page = await laptop.newPage()
        await page.goto(candidate.link)
        await steps.start(page)
        await (await steps.reach(page, "A service you built")).fill("On the laptop.")
        await steps.saved(page)
        const onPhone = await phone.newPage()
        await onPhone.goto(candidate.link)
        const built = await steps.reach(onPhone, "A service you built")
        assert.strictEqual(await built.inputValue(), "On the laptop.")
      })
    }),
  )

  it.effect("a link that leads nowhere, or no longer, says so", () =>
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
