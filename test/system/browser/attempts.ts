import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { visitor } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

/** Retakes, and declining. */
export const suite = (it: stage.It) => {
  it.effect.each([true, false])(
    "a retake starts with the submitted answers, until they are final (scripts: %s)",
    (scripts) =>
      Effect.gen(function* () {
        const candidate = yield* stage.candidate({ number_of_retakes: 2 })
        const visit = yield* visitor({ javaScriptEnabled: scripts })
        yield* Effect.promise(async () => {
          const page = await visit.newPage()
          await page.goto(candidate.link)
          await page.getByText("you can improve your answers 2 times").waitFor()
          await steps.start(page)
          await (await steps.reach(page, "A service you built")).fill("First.")
          await (scripts ? steps.saved(page) : steps.save(page))
          await steps.submit(page)
          await steps.seen(page, steps.receipt)
          await page.getByRole("button", { name: "Open my answers again" }).click()
          const built = await steps.reach(page, "A service you built")
          assert.strictEqual(await built.inputValue(), "First.")
          await built.fill("Second.")
          await (scripts ? steps.saved(page) : steps.save(page))
          await steps.review(page)
          await page.getByRole("status").filter({ hasText: "Your earlier submission counts" }).waitFor()
          if (scripts) await look(page, "3-again")
          await steps.submit(page)
          await steps.seen(page, steps.receipt)
          await page.getByText("I do not want to make any more changes").click()
          await page.getByRole("button", { name: "My answers are final" }).click()
          await page.getByText("There is nothing more to do").waitFor()
          await page.getByRole("button", { name: "Open my answers again" }).waitFor({ state: "detached" })
        })
        const { answers, attempt, statuses } = yield* stage.stored(candidate)
        assert.strictEqual(attempt, 2)
        assert.deepStrictEqual(statuses, ["initiated", "started", "completed", "started", "completed"])
        assert.sameMembers(
          answers.flatMap(({ content }) => content ?? []),
          ["First.", "Second."],
        )
      }),
  )

  it.effect.each([true, false])("declining needs a confirmation and closes the link (scripts: %s)", (scripts) =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor({ javaScriptEnabled: scripts })
      const page = yield* Effect.promise(() => visit.newPage())
      yield* Effect.promise(async () => {
        await page.goto(candidate.link)
        await page.getByRole("link", { name: "Decline this interview" }).click()
        await steps.seen(page, "Decline this interview?")
        await page.getByRole("link", { name: "Go back" }).click()
        await steps.start(page)
        await page.getByRole("link", { name: "Decline this interview" }).click()
      })
      assert.strictEqual((yield* stage.stored(candidate)).status, "started", "the confirmation page changes nothing")
      yield* Effect.promise(async () => {
        await page.getByRole("button", { name: "Yes, decline" }).click()
        await steps.seen(page, "You have declined this interview")
        await page.goto(candidate.link)
        await steps.seen(page, "You have declined this interview")
      })
      assert.strictEqual((yield* stage.stored(candidate)).status, "withdrawn")
    }),
  )
}
