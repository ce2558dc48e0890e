/** The editor of a set with 40 questions in Chromium: by keyboard alone, without scripts, on both widths. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { operator } from "../../../src/accounts/Viewer.ts"
import { InterviewSets } from "../../../src/interview-sets/InterviewSets.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing, untilTrue } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"

const longSet = {
  title: "Head nurse, intensive care",
  iai_questions: Array.from({ length: 40 }, (_, i) => ({
    title: `Question number ${i + 1}: how would you lead a team of twelve on a night with three absences?`,
    content: "Describe the situation, what you did first,\nand what came of it.",
    hint: i === 1 ? "Three to five sentences." : null,
    question_mode: "interview" as const,
    question_type: i === 2 ? ("radio" as const) : i === 3 ? ("file" as const) : ("text" as const),
    options: i === 2 ? [{ title: "Yes" }, { title: "No" }] : [],
    allowed_file_types: i === 3 ? (["pdf"] as const) : null,
  })),
  iai_requirements: Array.from({ length: 20 }, (_, i) => ({ title: `Requirement ${i + 1}: leads a team on a ward` })),
}

describe.skipIf(missing !== undefined)(["the editor of a long set", ...(missing ? [missing] : [])].join(": "), () => {
  layer(stage.layerOf())((it) => {
    it.effect("edits, moves and adds questions by keyboard alone, and changes nothing else", () =>
      Effect.gen(function* () {
        const one = yield* Scenario.organization(longSet, "Nordlicht")
        const { email } = yield* Workspace.member(one.id, "grace@example.com")
        const path = `/interview-sets/${one.set.id}/edit`
        const page = yield* stage.signedIn(email, path)
        const { keyboard } = page
        const said = (text: string) =>
          page.locator("[data-said]").filter({ hasText: text }).waitFor({ state: "attached" })
        yield* Effect.promise(async () => {
          await page.goto(path)
          assert.strictEqual(await page.locator(".card").count(), 60)
          await page.getByText("Alt with ↑ or ↓ moves one").waitFor()
          assert.strictEqual(await page.getByRole("status").filter({ hasText: "Unsaved changes" }).count(), 0)
          await look(page, "w0-long")
          await page.setViewportSize({ width: 320, height: 740 })
          assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"), 0)
          await page.setViewportSize({ width: 1280, height: 800 })
          await stage.tabTo(page, /^Questions Question 1 /)
          await keyboard.press("ArrowDown")
          await keyboard.press("Enter")
          await untilTrue(page, "document.querySelector('#q1 details').open")
          assert.strictEqual(await page.getByRole("status").filter({ hasText: "Unsaved changes" }).count(), 0)
          assert.strictEqual(await page.locator("#q1").getByLabel("Hint").inputValue(), "Three to five sentences.")
          await keyboard.press("Tab")
          await keyboard.press("ControlOrMeta+a")
          await keyboard.type("Changed by keys")
          await page.getByText("Unsaved changes").waitFor()
          await keyboard.press("Shift+Tab")
          await keyboard.press("Enter")
          await keyboard.press("Alt+ArrowUp")
          await said("Moved: now question 1 of 40.")
          await keyboard.press("ArrowDown")
          await keyboard.press("ArrowDown")
          await keyboard.press("Enter")
          const choice = page.locator("#q2")
          assert.strictEqual(await choice.getByLabel("One per line").inputValue(), "Yes\nNo")
          assert.strictEqual(await choice.getByLabel("Answer type").inputValue(), "radio")
          await keyboard.press("ArrowDown")
          await keyboard.press("Enter")
          const file = page.locator("#q3")
          assert.isTrue(await file.getByLabel("PDF").isChecked())
          assert.isFalse(await file.getByLabel("Excel").isChecked())
          await look(page, "w1-open")
          await page.setViewportSize({ width: 1280, height: 800 })
          await keyboard.press("End")
          await stage.tabTo(page, /Add a question$/)
          await keyboard.press("Enter")
          await said("Added question 41.")
          await keyboard.type("Added by keys")
          await stage.tabTo(page, /^Save changes$/)
          await keyboard.press("Enter")
          await page.getByText("Your changes were saved.").waitFor()
        })
        const { iai_questions, iai_requirements } = yield* (yield* InterviewSets).find(operator(one.id), one.set.id)
        const [first, second, ...others] = one.set.iai_questions
        assert.deepStrictEqual(iai_questions.slice(0, 40), [
          { ...second, title: "Changed by keys" },
          first,
          ...others,
        ] as typeof iai_questions)
        assert.strictEqual(iai_questions[40]?.title, "Added by keys")
        assert.deepStrictEqual(iai_requirements, one.set.iai_requirements)
      }),
    )

    it.effect("keeps a draft while typing, and asks when another window has saved it", () =>
      Effect.gen(function* () {
        const { id } = yield* Scenario.organization(longSet, "Nordlicht")
        const { email } = yield* Workspace.member(id, "grace3@example.com")
        const page = yield* stage.signedIn(email, "/interview-sets/new")
        yield* Effect.promise(async () => {
          await page.goto("/interview-sets/new")
          await page.getByLabel("Title", { exact: true }).fill("Night nurse")
          await page.getByText("Unsaved changes, kept as your draft").waitFor()
          const other = await page.context().newPage()
          await other.goto("/interview-sets")
          await look(other, "w2-drafts")
          await other.getByRole("link", { name: "Night nurse" }).click()
          await other.getByText("This is your draft, saved").waitFor()
          const saved = other.waitForResponse(/drafts$/)
          await other.getByLabel("Role that you hire for").fill("Typed there")
          assert.strictEqual((await saved).status(), 200)
          await page.getByLabel("Description").fill("Typed here")
          const conflict = page.getByRole("alert").filter({ hasText: "You changed this draft in another window" })
          await conflict.waitFor()
          assert.include(await conflict.textContent(), "There: Typed there")
          await look(page, "w3-conflict")
          await page.getByRole("button", { name: "Keep what is here" }).click()
          await page.getByText("Unsaved changes, kept as your draft").waitFor()
          await page.getByRole("button", { name: "Create set" }).click()
          await page.getByText("The set was created.").waitFor()
          // its late saves are refused in plain words
          await other.getByLabel("Description").fill("Too late")
          await other.getByText("Draft not saved: this set was created in another window.").waitFor()
          await other.getByRole("button", { name: "Create set" }).click()
          await other.getByText("the set was saved while you were editing it").waitFor()
          assert.strictEqual(await other.getByLabel("Description").inputValue(), "Too late")
          await other.close({ runBeforeUnload: false })
          await page.goto("/interview-sets")
          assert.strictEqual(await page.getByText("Continue your draft").count(), 0)
        })
      }),
    )

    it.effect("keeps what was typed when the page is left at once", () =>
      Effect.gen(function* () {
        const { id } = yield* Scenario.organization()
        const { email } = yield* Workspace.member(id, "hedy5@example.com")
        const page = yield* stage.signedIn(email, "/interview-sets/new")
        yield* Effect.promise(async () => {
          await page.goto("/interview-sets/new")
          await page.getByLabel("Title", { exact: true }).fill("Left at once")
          await page.goto("/interview-sets")
          const draft = page.getByRole("link", { name: "Left at once" })
          // the draft may be stored after the list was read
          for (let i = 0; i < 20 && (await draft.count()) === 0; i++) await page.reload()
          await draft.click()
          await page.getByText("This is your draft, saved").waitFor()
          assert.strictEqual(await page.getByLabel("Title", { exact: true }).inputValue(), "Left at once")
        })
      }),
    )

    it.effect("marks knock-out answers among the options as they are typed", () =>
      Effect.gen(function* () {
        const one = yield* Scenario.organization(longSet, "Nordlicht")
        const { email } = yield* Workspace.member(one.id, "grace4@example.com")
        const path = `/interview-sets/${one.set.id}/edit`
        const page = yield* stage.signedIn(email, path)
        yield* Effect.promise(async () => {
          await page.goto(path)
          const card = page.locator("#q2")
          await card.locator("summary").first().click()
          await card.getByRole("checkbox", { name: "No", exact: true }).check()
          await card.getByLabel("One per line").fill("Yes\nNever")
          assert.isTrue(await card.getByRole("checkbox", { name: "Never" }).isChecked())
          await card.getByLabel("Candidates must answer").check()
          await card.getByLabel("Suggested minutes").fill("3")
          await look(page, "w4-knock-out")
          await page.getByRole("button", { name: "Save changes" }).click()
          await page.getByText("Your changes were saved.").waitFor()
        })
        const { iai_questions } = yield* (yield* InterviewSets).find(operator(one.id), one.set.id)
        assert.deepStrictEqual(iai_questions[2]?.attributes, { required: true, knock_out: ["2"], suggested_minutes: 3 })
      }),
    )

    it.effect("opens one question at a time without scripts", () =>
      Effect.gen(function* () {
        const one = yield* Scenario.organization(longSet, "Nordlicht")
        const { email } = yield* Workspace.member(one.id, "grace2@example.com")
        const path = `/interview-sets/${one.set.id}/edit`
        const page = yield* stage.signedIn(email, path, { javaScriptEnabled: false })
        yield* Effect.promise(async () => {
          await page.goto(path)
          await page.getByRole("button", { name: "Edit question 3", exact: true }).click()
          await page.locator("#q2").getByLabel("One per line").fill("Yes\nNo\nSoon")
          await page.getByRole("button", { name: "Edit question 7", exact: true }).click()
          await page.locator("#q6").getByLabel("Question", { exact: true }).fill("Changed without scripts")
          await page.getByRole("button", { name: "Save changes" }).click()
          await page.getByText("Your changes were saved.").waitFor()
        })
        const { iai_questions } = yield* (yield* InterviewSets).find(operator(one.id), one.set.id)
        assert.strictEqual(iai_questions[6]?.title, "Changed without scripts")
        assert.deepStrictEqual(
          iai_questions[2]?.options.map(({ title }) => title),
          ["Yes", "No", "Soon"],
        )
      }),
    )
  })
})
