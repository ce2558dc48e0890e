import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { visitor } from "./chromium.ts"
import { look } from "./looks.ts"
import { candidate as oneText, review, submit, title, typeUnsent } from "./oneText.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

/** Two devices of one candidate: neither silently replaces what the other saved. */
export const suite = (it: stage.It) => {
  it.effect("another device shows what the first one saved", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const [laptop, phone] = [yield* visitor(), yield* visitor({ viewport: { width: 360, height: 740 } })]
      yield* Effect.promise(async () => {
        const page = await steps.begin(laptop, candidate)
        await (await steps.reach(page, "A service you built")).fill("On the laptop.")
        await steps.saved(page)
        const onPhone = await phone.newPage()
        await onPhone.goto(candidate.link)
        const built = await steps.reach(onPhone, "A service you built")
        assert.strictEqual(await built.inputValue(), "On the laptop.")
      })
    }),
  )

  it.effect.each([
    [true, "Use it", "From the second device."],
    [true, "Keep what is saved", "From the first device."],
    [false, "Use the version I just sent", "From the second device."],
    [false, "Keep what is saved", "From the first device."],
  ] as const)(
    "a save that conflicts with another offers both versions (scripts: %s, %s)",
    ([scripts, choice, result]) =>
      Effect.gen(function* () {
        const candidate = yield* stage.candidate()
        const [one, two] = [yield* visitor(), yield* visitor()]
        const [save, question] = [scripts ? steps.saved : steps.save, "A service you built"]
        yield* Effect.promise(async () => {
          if (!scripts)
            for (const visit of [one, two])
              await visit.route(/\/interview\.js$/, (route) =>
                route.fulfill({ contentType: "text/javascript", body: "" }),
              )
          const first = await steps.begin(one, candidate)
          const built = await steps.reach(first, question)
          const second = await two.newPage()
          await second.goto(candidate.link)
          const late = await steps.reach(second, question)
          await built.fill("From the first device.")
          await save(first)
          await late.fill("From the second device.")
          if (scripts) await two.clock.fastForward(1_000)
          else await steps.next(second)
          await second.getByText("From the second device.").waitFor()
          if (scripts) assert.strictEqual(await late.inputValue(), "From the first device.")
          else await second.getByText("From the first device.").waitFor()
          if (scripts) assert.isFalse(await late.isEditable(), "the field is read-only until a version is chosen")
          else await look(second, "2-versions")
          await second
            .getByRole("button", { name: choice })
            .or(second.getByRole("link", { name: choice }))
            .click()
          if (scripts) {
            await two.clock.fastForward(1_000)
            await steps.next(second)
          }
          await steps.at(second, 4)
          await second.goto(candidate.link)
          assert.strictEqual(await (await steps.reach(second, question)).inputValue(), result)
        })
        assert.deepStrictEqual(yield* stage.texts(candidate), [result])
      }),
  )

  it.effect.each([
    ["Use it", "From the tunnel."],
    ["Keep what is saved", "From the second device."],
  ] as const)("a text written offline does not replace what another device saved since (%s)", ([name, result]) =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const [one, two] = [yield* visitor(), yield* visitor()]
      yield* Effect.promise(async () => {
        const page = await steps.begin(one, candidate)
        const built = await steps.reach(page, "A service you built")
        await one.setOffline(true)
        await built.fill("From the tunnel.")
        await one.clock.fastForward(1_000)
        await steps.unsaved(page)
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
      assert.deepStrictEqual(yield* stage.texts(candidate), [result])
    }),
  )

  it.effect.each([
    ["Use it", "From the first device."],
    ["Keep what is saved", "From the second device."],
  ] as const)("the candidate chooses between the versions of two devices before submitting (%s)", ([choice, result]) =>
    Effect.gen(function* () {
      const ada = yield* oneText
      const [one, two] = [yield* visitor(), yield* visitor()]
      const page = yield* Effect.promise(async () => {
        const page = await steps.begin(one, ada)
        await typeUnsent(one, page, "From the first device.")
        const elsewhere = await two.newPage()
        await elsewhere.goto(ada.link)
        await elsewhere.getByRole("textbox", { name: title }).fill("From the second device.")
        await steps.saved(elsewhere)
        const again = await review(one, ada)
        await again
          .getByRole("status")
          .filter({ hasText: /before you submit/ })
          .waitFor()
        await submit(again)
        await again.locator("[data-unsent] a:focus").waitFor()
        return again
      })
      assert.strictEqual((yield* stage.stored(ada)).status, "started")
      yield* Effect.promise(async () => {
        await page.getByRole("link", { name: title, exact: true }).and(page.locator("[data-unsent] a")).click()
        await page.getByRole("button", { name: choice }).click()
        await steps.next(page)
        await page.getByText(result).waitFor()
        await submit(page)
        await steps.seen(page, steps.receipt)
      })
      assert.deepStrictEqual(yield* stage.texts(ada), [result])
    }),
  )
}
