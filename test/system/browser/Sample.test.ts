/** The first page of `npm start`, the sample organization and the templates of interview sets in Chromium. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { fillSample } from "../../../src/cli/sample/SampleFilling.ts"
import { memberEmail } from "../../../src/dev/pages/HomePage.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing, visitor } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"

/** Of a PDF by Chromium, which does not compress the objects of pages. */
const pagesOf = (pdf: Buffer): number => [...pdf.toString("latin1").matchAll(/\/Type\s*\/Page\b/g)].length

describe.skipIf(missing !== undefined)(["the sample in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(stage.layer)((it) => {
    it.effect(
      "is opened by one click, and removed after a question; its pages and those of templates fit and are accessible",
      () =>
        Effect.gen(function* () {
          const { id } = yield* Scenario.organization()
          yield* Workspace.member(id, memberEmail)
          yield* fillSample("https://hiring.example/webhooks")
          const visit = yield* visitor()
          yield* Effect.promise(async () => {
            const page = await visit.newPage()
            const heading = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor()
            await page.goto("/")
            await look(page, "n0-first-page")
            await page.getByRole("button", { name: "Open the sample" }).click()
            await heading("Home")
            await look(page, "n1-home")
            await page.goto("/submissions")
            await look(page, "n2-submissions")
            // the table needs 77 rem, narrower windows have cards
            for (const width of [1024, 1231, 1232]) {
              await page.setViewportSize({ width, height: 800 })
              const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
              assert.isAtMost(wide, 0, `${width} px`)
            }
            const names = page.getByRole("rowheader")
            assert.isAtLeast(await names.first().evaluate((cell) => cell.getBoundingClientRect().width), 200)
            for (const [i, name] of ["ليلى حداد", "Fatima Zahra El Idrissi", "Viktor Petrenko", "Sanna"].entries()) {
              await page.goto("/submissions")
              await page.getByRole("link", { name }).first().click()
              await heading(name)
              await look(page, `n3-submission-${i}`)
            }
            await page.goto("/submissions")
            const paths = await page.evaluate<ReadonlyArray<string>>(
              `[...document.querySelectorAll("tbody th a")].map((link) => link.getAttribute("href"))`,
            )
            assert.lengthOf(paths, 40)
            for (const path of paths) {
              const response = await page.goto(path)
              assert.isBelow((await response?.body())?.length ?? Number.NaN, 60_000, path)
              await page.emulateMedia({ media: "print" })
              const text = await page.evaluate<string>("document.body.innerText")
              for (const hidden of ["Sign out", "Send review", "Override score", "Keyboard shortcuts"])
                assert.notInclude(text, hidden)
              assert.strictEqual(
                await page.evaluate(
                  "[...document.querySelectorAll('button, input, textarea')].filter((one) => one.checkVisibility()).length",
                ),
                0,
                path,
              )
              assert.isAtMost(pagesOf(await page.pdf({ format: "A4" })), 2, path)
              await page.emulateMedia({ media: null })
            }
            await page.goto("/settings/webhooks")
            await look(page, "n4-webhooks")
            await page.goto("/interview-sets/templates")
            await look(page, "n5-templates")
            await page.getByRole("link", { name: /^Registered Nurse/ }).click()
            await page.getByText("Nothing is saved yet.").waitFor()
            await look(page, "n6-template")
            await page.goto("/")
            await page.getByRole("button", { name: "Open your workspace" }).click()
            await page.getByText("Create an interview set").waitFor()
            await page.goto("/")
            await page.getByText("Remove the sample…").click()
            await page.getByText("This cannot be undone.").waitFor()
            await look(page, "n7-remove-sample")
            await page.getByRole("button", { name: "Remove the sample" }).click()
            await page.getByText("There is no sample.").waitFor()
            await look(page, "n8-without-sample")
          })
        }),
      120_000,
    )
  })
})
