import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Locator, Page } from "playwright-core"
import { EmailQueue } from "../../../src/emails/EmailQueue.ts"
import { runOnce } from "../../../src/platform/queue/WorkQueue.ts"
import { visitor } from "./chromium.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

const built = "For four years I ran a service on PostgreSQL that sends mails for 300 shops."

/** Whether another element covers the visible middle of the focused element. */
const covered = `(() => {
  const element = document.activeElement
  const { bottom, left, right, top } = element.getBoundingClientRect()
  const middle = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
  const on = document.elementFromPoint((left + right) / 2, middle)
  return on === null || !(element.contains(on) || on.contains(element))
})()`

/** Presses Tab until the element has the focus; checks that no focused element is covered. */
const tabTo = async (page: Page, target: Locator) => {
  await target.waitFor()
  for (let presses = 0; presses < 40; presses++) {
    const focused: string = await page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
    if (focused !== "<body>") assert.isFalse(await page.evaluate(covered), `covered: ${focused}`)
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press("Tab")
  }
  assert.fail(`Tab did not reach ${target}`)
}

/** A candidate's way from the email to the receipt. */
export const suite = (it: stage.It) => {
  it.effect.each([true, false])("leads from the email to the receipt (scripts: %s)", (javaScriptEnabled) =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      // the journey before queued a receipt
      assert.isAtLeast(yield* runOnce((yield* EmailQueue).queue), 1)
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
        await steps.next(page)
        await steps.choice(page, "PostgreSQL").check()
        await steps.choice(page, "Kafka").check()
        await steps.next(page)
        await page.getByRole("textbox", { name: "A service you built" }).fill(built)
        await steps.next(page)
        await steps.at(page, 4)
        await steps.next(page)
        await page.getByText("1 question is not answered yet.").waitFor()
        await page.getByRole("button", { name: "Submit answers" }).click()
        await page.getByRole("link", { name: "Go back" }).click()
        await page.getByRole("button", { name: "Submit answers" }).waitFor()
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

  it.effect.each([360, 1280])("works with the keyboard alone, and no focused element is covered (%s px)", (width) =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor({ viewport: { width, height: 640 }, reducedMotion: "reduce" })
      yield* Effect.promise(async () => {
        const page = await visit.newPage()
        await page.goto(candidate.link)
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        assert.strictEqual(
          await page.evaluate("document.activeElement.id"),
          "main",
          "the first Tab stop is the link to the content",
        )
        await tabTo(page, page.getByRole("button", { name: /^Start/ }))
        await page.keyboard.press("Enter")
        await steps.at(page, 1)
        await tabTo(page, steps.choice(page, /European Union/))
        await page.keyboard.press("Space")
        await page.keyboard.press("Enter")
        await steps.at(page, 2)
        await tabTo(page, steps.choice(page, "Kubernetes"))
        await page.keyboard.press("Space")
        await tabTo(page, page.getByRole("button", { name: "Next" }))
        await page.keyboard.press("Enter")
        await steps.at(page, 3)
        await tabTo(page, page.getByRole("textbox", { name: "A service you built" }))
        await page.keyboard.type(built)
        await tabTo(page, page.getByRole("link", { name: "Review and submit" }))
        await page.keyboard.press("Enter")
        await tabTo(page, page.getByRole("button", { name: "Submit answers" }))
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { name: "Submit anyway?" }).waitFor()
        await tabTo(page, page.getByRole("button", { name: "Submit anyway" }))
        await page.keyboard.press("Enter")
        await steps.seen(page, steps.receipt)
      })
      const { answers } = yield* stage.stored(candidate)
      assert.includeDeepMembers(
        [...answers],
        [
          { content: null, option_ids: ["1"] },
          { content: null, option_ids: ["2"] },
          { content: built, option_ids: [] },
        ],
      )
    }),
  )

  it.effect.each([true, false])("returns to the review after a change of an answer (scripts: %s)", (scripts) =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate({ iai_questions: [...stage.interview.iai_questions, stage.portfolio] })
      const { page } = yield* stage.begun(candidate, { javaScriptEnabled: scripts })
      yield* Effect.promise(async () => {
        await steps.review(page)
        await page.getByRole("link", { name: /^Answer.*Where are you based/ }).click()
        await steps.at(page, 1)
        await steps.choice(page, "Elsewhere").check()
        if (!scripts) await steps.save(page)
        await steps.next(page)
        await page.getByText("4 questions are not answered yet.").waitFor()
        await page.getByRole("link", { name: /^Change/ }).waitFor()
        await page.getByRole("link", { name: /^Answer.*Your portfolio/ }).click()
        await page.getByLabel("Your portfolio").setInputFiles({
          name: "x.pdf",
          mimeType: "application/pdf",
          buffer: Buffer.from(scripts ? "%PDF-1.7" : "MZ"),
        })
        if (!scripts) {
          await page.getByRole("button", { name: "Upload", exact: true }).click()
          await page.getByRole("alert").filter({ hasText: "not saved" }).waitFor()
        } else await page.getByText("Uploaded:").waitFor()
        await steps.next(page)
        await page.getByText(scripts ? "3 questions are" : "4 questions are").waitFor()
      })
    }),
  )

  it.effect.each([true, false])("changes the language by its button (scripts: %s)", (javaScriptEnabled) =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate({ cfg_lingual_ids: [1, 2] })
      const visit = yield* visitor({ javaScriptEnabled })
      yield* Effect.promise(async () => {
        const page = await visit.newPage()
        await page.goto(candidate.link)
        for (const [name, language] of [
          ["Deutsch", "de"],
          ["English", "en"],
        ] as const) {
          await page.getByRole("button", { name }).click()
          await page.locator(`html[lang="${language}"]`).waitFor({ state: "attached" })
        }
      })
    }),
  )

  it.effect("a page load is no visit; the first click or key press is reported, once", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      const page = yield* Effect.promise(() => visit.newPage())
      const statuses = Effect.map(stage.stored(candidate), (row) => row.statuses)
      yield* Effect.promise(async () => {
        await page.goto(candidate.link, { waitUntil: "networkidle" })
        await page.getByText("2 Dec 2026, 10:42").waitFor()
      })
      assert.deepStrictEqual(yield* statuses, [])
      yield* Effect.promise(async () => {
        const reported = page.waitForResponse((response) => response.request().method() === "POST")
        await page.getByRole("heading", { level: 1 }).click()
        await reported
        await page.getByRole("heading", { level: 1 }).click()
        await page.keyboard.press("Tab")
        await page.reload({ waitUntil: "networkidle" })
      })
      assert.deepStrictEqual(yield* statuses, ["initiated"])
    }),
  )
}
