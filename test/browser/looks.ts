import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { type AxeResults, source as axe } from "axe-core"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Page } from "playwright-core"
import { visitor } from "./chromium.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

/** SCREENSHOTS=<directory> keeps a picture of every page as it is looked at. */
const pictures = process.env["SCREENSHOTS"]

const widths = [360, 1280]
const schemes = ["light", "dark"] as const

/** What axe finds, as "rule: element". */
const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })")
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary, target }) => `${id}: ${target} ${failureSummary}`),
  )
}

/** The page as it stands, on a phone and on a desk, by day and by night. */
const look = async (page: Page, name: string) => {
  for (const width of widths) {
    for (const colorScheme of schemes) {
      await page.setViewportSize({ width, height: width < 600 ? 740 : 800 })
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      const where = `${name}-${width}-${colorScheme}`
      if (pictures !== undefined) {
        mkdirSync(pictures, { recursive: true })
        await page.screenshot({ path: join(pictures, `${where}.png`), fullPage: true })
      }
      const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
      assert.isAtMost(wide, 0, `${where} scrolls sideways`)
      assert.deepStrictEqual(await violations(page), [], where)
    }
  }
}

export const suite = (it: stage.It) => {
  it.effect("every page is accessible and fits, on a phone and on a desk, by day and by night", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      const page = yield* Effect.promise(() => visit.newPage())
      yield* Effect.promise(async () => {
        await page.goto(candidate.link)
        await look(page, "1-invited")
        await steps.start(page)
        await look(page, "2-question")
        await (await steps.reach(page, "A service you built")).fill("I ran it. ".repeat(40))
        await steps.saved(page)
        await look(page, "3-answered")
        await page.getByRole("button", { name: /^Submit/ }).click()
        await look(page, "4-sure")
        await page.getByRole("dialog").getByRole("button", { name: "Submit" }).click()
        await steps.seen(page, steps.receipt)
        await page.getByText("Read what you submitted").click()
        await look(page, "5-receipt")
      })
      const cancelled = yield* stage.candidate()
      yield* stage.cancel(cancelled)
      const expired = yield* stage.candidate()
      yield* TestClock.adjust("31 days")
      yield* Effect.promise(async () => {
        for (const [name, link] of [
          ["6-unknown", "/i/nothing"],
          ["7-cancelled", cancelled.link],
          ["8-expired", expired.link],
        ] as const) {
          await page.goto(link)
          await look(page, name)
        }
      })
    }),
  )
}
