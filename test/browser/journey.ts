import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Emails } from "../../src/service/Emails.ts"
import { runOnce } from "../../src/service/WorkQueue.ts"
import { visitor } from "./chromium.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

const built = "For four years I ran a service on PostgreSQL that sends mails for 300 shops."

/** The whole way of a candidate, from the mail to the receipt. */
export const suite = (it: stage.It) => {
  it.effect.each([true, false])("from the mail to the receipt (scripts: %s)", (javaScriptEnabled) =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      assert.strictEqual(yield* runOnce((yield* Emails).queue), 1)
      const visit = yield* visitor({ javaScriptEnabled })
      const page = yield* Effect.promise(() => visit.newPage())
      yield* Effect.promise(async () => {
        await page.goto("/mailbox")
        await page
          .getByRole("link", { name: /Backend Engineer/ })
          .first()
          .click()
        await page
          .frameLocator("iframe")
          .getByRole("link", { name: /interview/i })
          .click()
        await steps.seen(page, "Backend Engineer")
        await steps.start(page)
        await steps.choice(page, /European Union/).check()
        await steps.choice(page, "PostgreSQL").check()
        await steps.choice(page, "Kafka").check()
        await (await steps.reach(page, "A service you built")).fill(built)
        await steps.submit(page)
        await steps.seen(page, steps.receipt)
      })
      const { answers, status, statuses } = yield* stage.stored(candidate)
      assert.strictEqual(status, "completed")
      assert.deepStrictEqual(statuses, ["initiated", "started", "completed"])
      assert.sameDeepMembers(
        answers.filter(({ content, option_ids }) => content !== null || option_ids.length > 0),
        [
          { content: null, option_ids: ["1"] },
          { content: null, option_ids: ["1", "3"] },
          { content: built, option_ids: [] },
        ],
      )
    }),
  )
}
