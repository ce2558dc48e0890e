import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { Database } from "../../../src/platform/database/Database.ts"
import { visitor } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

const pdf = (name: string, size = 3_000) => ({
  name,
  mimeType: "application/pdf",
  buffer: Buffer.from(`%PDF-1.7\n${"x".repeat(size - 9)}`),
})

const field = (page: Page) => page.getByLabel("Your portfolio")

const uploaded = (page: Page, name: string) => page.getByText("Uploaded:").getByRole("link", { name }).waitFor()

const warns = (page: Page, text: RegExp) => page.getByRole("alert").filter({ hasText: text }).waitFor()

/** The stored name and size of the candidate's file. */
const storedFile = Effect.fnUntraced(function* ({ subject }: stage.Candidate) {
  const { sql } = yield* Database
  return yield* sql`
    select a.file_name, f.size from answer a join blob f on f.id = a.blob_id
    where a.submission_id = ${subject.submission_id}::uuid`
}, Effect.orDie)

const candidate = stage.candidate({
  iai_questions: [
    { title: "Your portfolio", question_mode: "interview", question_type: "file" },
    { title: "A service you built", question_mode: "interview", question_type: "text" },
  ],
})

/** Uploads: replaced, rejected, interrupted, removed. */
export const suite = (it: stage.It) => {
  it.effect("a file is uploaded when chosen, replaced by the next one, and removed", () =>
    Effect.gen(function* () {
      const ada = yield* candidate
      const visit = yield* visitor()
      const page = yield* Effect.promise(() => visit.newPage())
      yield* Effect.promise(async () => {
        await page.goto(ada.link)
        await steps.start(page)
        await field(page).setInputFiles(pdf("first.pdf"))
        await uploaded(page, "first.pdf")
        await page.getByText("1 of 2 answered").waitFor()
        await field(page).setInputFiles(pdf("second.pdf", 4_000))
        await uploaded(page, "second.pdf")
      })
      assert.deepStrictEqual(yield* storedFile(ada), [{ file_name: "second.pdf", size: 4_000 }])
      yield* Effect.promise(async () => {
        await page.getByRole("button", { name: "Remove the file" }).click()
        await page.getByText("0 of 2 answered").waitFor()
        await steps.next(page)
        await steps.at(page, 2)
      })
      assert.deepStrictEqual(yield* storedFile(ada), [])
    }),
  )

  it.effect("a stored file is shown with Replace, which opens the file chooser", () =>
    Effect.gen(function* () {
      const ada = yield* candidate
      const { page } = yield* stage.begun(ada, { viewport: { width: 360, height: 740 } })
      yield* Effect.promise(async () => {
        assert.isTrue(await field(page).isVisible())
        await field(page).setInputFiles(pdf("first.pdf"))
        await uploaded(page, "first.pdf")
        assert.isFalse(await field(page).isVisible(), "it would say that no file is chosen")
        const [chooser] = await Promise.all([
          page.waitForEvent("filechooser"),
          page.locator("summary", { hasText: "Replace the file" }).press("Enter"),
        ])
        await chooser.setFiles(pdf("second.pdf"))
        await uploaded(page, "second.pdf")
        await look(page, "3-replace")
        const [again] = await Promise.all([
          page.waitForEvent("filechooser"),
          page.getByText("Replace the file").click(),
        ])
        await again.setFiles({ ...pdf("virus.pdf"), buffer: Buffer.from("MZ") })
        await warns(page, /does not match its name/)
        await uploaded(page, "second.pdf")
      })
      assert.deepStrictEqual(yield* storedFile(ada), [{ file_name: "second.pdf", size: 3_000 }])
    }),
  )

  it.effect("a rejected file shows an error and keeps the earlier file", () =>
    Effect.gen(function* () {
      const ada = yield* candidate
      const { page } = yield* stage.begun(ada)
      yield* Effect.promise(async () => {
        await field(page).setInputFiles(pdf("work.pdf"))
        await uploaded(page, "work.pdf")
        await field(page).setInputFiles({ ...pdf("virus.pdf"), buffer: Buffer.from("MZ") })
        await warns(page, /does not match its name/)
        await field(page).setInputFiles(pdf("large.pdf", 10 * 1024 * 1024 + 1))
        await warns(page, /larger than 10 MB/)
        await page.reload()
        await uploaded(page, "work.pdf")
      })
      assert.deepStrictEqual(yield* storedFile(ada), [{ file_name: "work.pdf", size: 3_000 }])
    }),
  )

  it.effect("an upload without a network shows an error; choosing the file again uploads it", () =>
    Effect.gen(function* () {
      const ada = yield* candidate
      const { page, visit } = yield* stage.begun(ada)
      yield* Effect.promise(async () => {
        await visit.setOffline(true)
        await field(page).setInputFiles(pdf("work.pdf"))
        await warns(page, /cut off. Please choose the file again/)
        await steps.at(page, 1)
        await visit.setOffline(false)
        await field(page).setInputFiles(pdf("work.pdf"))
        await uploaded(page, "work.pdf")
      })
      assert.deepStrictEqual(yield* storedFile(ada), [{ file_name: "work.pdf", size: 3_000 }])
    }),
  )

  it.effect("Next waits for the upload", () =>
    Effect.gen(function* () {
      const ada = yield* candidate
      const { page } = yield* stage.begun(ada)
      yield* Effect.promise(async () => {
        const arrived = Promise.withResolvers<void>()
        await page.route("**/answers", async (route) => {
          await arrived.promise
          await route.continue()
        })
        await field(page).setInputFiles(pdf("work.pdf"))
        await page.getByRole("progressbar", { name: "Upload" }).waitFor()
        await steps.next(page)
        arrived.resolve()
        await steps.at(page, 2)
      })
      assert.deepStrictEqual(yield* storedFile(ada), [{ file_name: "work.pdf", size: 3_000 }])
    }),
  )

  it.effect("a form uploads the file without scripts", () =>
    Effect.gen(function* () {
      const ada = yield* candidate
      const { page } = yield* stage.begun(ada, { javaScriptEnabled: false })
      yield* Effect.promise(async () => {
        await page.getByRole("button", { name: "Upload", exact: true }).click()
        await page.getByRole("alert").filter({ hasText: "Please choose a file first." }).waitFor()
        await field(page).setInputFiles(pdf("work.pdf"))
        await page.getByRole("button", { name: "Upload", exact: true }).click()
        await uploaded(page, "work.pdf")
        assert.isFalse(await field(page).isVisible())
        await page.getByText("Replace the file").click()
        await field(page).setInputFiles(pdf("better.pdf"))
        await page.getByRole("button", { name: "Upload", exact: true }).click()
        await uploaded(page, "better.pdf")
        await steps.next(page)
        await steps.at(page, 2)
        await steps.submit(page)
        await steps.seen(page, steps.receipt)
        await page.getByText("Read what you submitted").click()
        await page.getByRole("link", { name: "better.pdf" }).waitFor()
      })
      assert.deepStrictEqual(yield* storedFile(ada), [{ file_name: "better.pdf", size: 3_000 }])
    }),
  )
}
