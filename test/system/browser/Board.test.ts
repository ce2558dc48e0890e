/** The board of an interview set in Chromium: moves by dragging, by keyboard and without scripts, and two members at once. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { Database } from "../../../src/platform/database/Database.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing } from "./chromium.ts"
import { violations } from "./looks.ts"
import * as stage from "./stage.ts"

/** In the addresses of members, which no two organizations share. */
let organizations = 0

/** Ada and Grace were invited to the set of an organization with the stages "Phone call", "On site" and "Offer". */
const begun = Effect.gen(function* () {
  const { id, set } = yield* Scenario.organization()
  const ada = yield* Scenario.invited({ id, set }, "ada@board.example")
  const grace = yield* Scenario.invited({ id, set }, "grace@board.example")
  const { sql } = yield* Database
  yield* sql`update candidate set name = 'Grace' where id = ${grace.subject.candidate_id}::uuid`
  organizations++
  const { email } = yield* Workspace.member(id, `moves${organizations}@board.example`)
  const other = yield* Workspace.member(id, `also${organizations}@board.example`, "admin")
  const stored = Effect.map(
    sql<{ stage: string | null; decision: string | null; reason: string | null }>`
      select h.name as stage, b.decision, b.decision_reason as reason from submission b left join hiring_stage h on h.id = b.stage_id
      where b.id = ${ada.subject.submission_id}::uuid`,
    ([row]) => row,
  )
  return { board: `/interview-sets/${set.id}/board`, email, other: other.email, stored }
})

const column = (page: Page, name: string) =>
  page.locator("#board section").filter({ has: page.getByRole("heading", { name: new RegExp(`^${name} \\d`) }) })

const card = (page: Page, name: string) =>
  page.locator("#board li").filter({ has: page.getByRole("link", { name, exact: true }) })

const isIn = (page: Page, name: string, place: string) =>
  column(page, place).getByRole("link", { name, exact: true }).waitFor()

/** Shows all columns. */
const wide = { width: 1920, height: 900 }

const isAccessible = async (page: Page, name: string) => {
  for (const width of [1280, 390, 320])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: width === 1280 ? 900 : 844 })
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      const where = `${name} at ${width} px, ${colorScheme}`
      const hidden = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
      assert.isAtMost(hidden, 0, `${where} scrolls sideways`)
      assert.deepStrictEqual(await violations(page), [], where)
    }
  await page.setViewportSize(wide)
}

describe.skipIf(missing !== undefined)(["the board in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(stage.layer)((it) => {
    it.effect("moves a card that is dragged, undoes it, and is accessible on phones and desktops, light and dark", () =>
      Effect.gen(function* () {
        const { board, email, stored } = yield* begun
        const page = yield* stage.signedIn(email, board, { viewport: wide })
        yield* Effect.promise(async () => {
          await isIn(page, "Ada", "Invited")
          await isAccessible(page, "the board")
          await card(page, "Ada").dragTo(column(page, "Phone call"))
          await page.getByText("Ada: moved to Phone call.").first().waitFor()
          await isIn(page, "Ada", "Phone call")
          await isAccessible(page, "the board after a move")
        })
        assert.strictEqual((yield* stored)?.stage, "Phone call")
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Undo" }).click()
          await page.getByText("The move was undone.").first().waitFor()
          await isIn(page, "Ada", "Invited")
          // a drag that ends where it began moves nothing
          await card(page, "Ada").dragTo(column(page, "Invited"))
          await isIn(page, "Ada", "Invited")
        })
        assert.isNull((yield* stored)?.stage)
      }),
    )

    it.effect("moves a card by keyboard in a dialog, which Escape closes, and the focus returns to the card", () =>
      Effect.gen(function* () {
        const { board, email, stored } = yield* begun
        const page = yield* stage.signedIn(email, board, { viewport: wide })
        const { keyboard } = page
        const focused = () =>
          page.evaluate<string>(
            "document.activeElement.textContent + '|' + document.activeElement.closest('section')?.dataset.place",
          )
        yield* Effect.promise(async () => {
          await stage.tabTo(page, /^Move Ada$/)
          await keyboard.press("Enter")
          const dialog = page.getByRole("dialog", { name: "Move Ada" })
          await dialog.waitFor()
          await isAccessible(page, "the dialog")
          await keyboard.press("Escape")
          await dialog.waitFor({ state: "detached" })
          assert.strictEqual(await focused(), "Move Ada|invited")
          await keyboard.press("Enter")
          await dialog.waitFor()
          await dialog.getByLabel("Phone call").focus()
          await keyboard.press("Space")
          await keyboard.press("ArrowDown")
          assert.isTrue(await dialog.getByLabel("On site").isChecked())
          await keyboard.press("Enter")
          await page.getByText("Ada: moved to On site.").first().waitFor()
          await isIn(page, "Ada", "On site")
          assert.match(await focused(), /^Move Ada\|/)
        })
        assert.strictEqual((yield* stored)?.stage, "On site")
      }),
    )

    it.effect(
      "refuses a drag when another member has moved the candidate, shows where they are, and keeps a typed reason",
      () =>
        Effect.gen(function* () {
          const { board, email, other, stored } = yield* begun
          const page = yield* stage.signedIn(email, board, { viewport: wide })
          const second = yield* stage.signedIn(other, board, { viewport: wide })
          yield* Effect.promise(async () => {
            // no update between the two moves
            await page.clock.pauseAt("2026-11-02T10:00:00Z")
            await second.clock.pauseAt("2026-11-02T10:00:00Z")
            await card(page, "Ada").waitFor()
            await card(second, "Ada").dragTo(column(second, "Offer"))
            await second.getByText("Ada: moved to Offer.").first().waitFor()
            await card(page, "Ada").dragTo(column(page, "Phone call"))
            await page
              .getByRole("alert")
              .getByText("Ada was not moved: another member has moved the candidate")
              .waitFor()
            await isIn(page, "Ada", "Offer")
            await page.clock.resume()
            await isAccessible(page, "the refused move")
            await page.clock.pauseAt("2026-11-02T10:30:00Z")
          })
          assert.strictEqual((yield* stored)?.stage, "Offer")
          yield* Effect.promise(async () => {
            await card(second, "Ada").dragTo(column(second, "Phone call"))
            await second.getByText("Ada: moved to Phone call.").first().waitFor()
            await card(page, "Ada").getByRole("link", { name: "Move Ada" }).click()
            const dialog = page.getByRole("dialog")
            await dialog.getByLabel("Ended").check()
            await dialog.getByLabel("Reason for a rejection").fill("No experience with payments.")
            await card(second, "Ada").dragTo(column(second, "On site"))
            await second.getByText("Ada: moved to On site.").first().waitFor()
            await dialog.getByRole("button", { name: "Move" }).click()
            await dialog.getByText("Ada was not moved: another member has moved the candidate").waitFor()
            assert.strictEqual(
              await dialog.getByLabel("Reason for a rejection").inputValue(),
              "No experience with payments.",
            )
            assert.isTrue(await dialog.getByLabel("Ended").isChecked())
            await dialog.getByRole("button", { name: "Move" }).click()
            await page.getByText("Decision: Rejected.").first().waitFor()
          })
          assert.deepStrictEqual(yield* stored, {
            stage: "On site",
            decision: "reject",
            reason: "No experience with payments.",
          })
        }),
    )

    it.effect("works without scripts, by the form of each card", () =>
      Effect.gen(function* () {
        const { board, email, stored } = yield* begun
        const page = yield* stage.signedIn(email, board, { javaScriptEnabled: false })
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: "Move Ada" }).click()
          await page.getByRole("heading", { level: 1, name: "Move Ada" }).waitFor()
          await page.getByLabel("Offer").check()
          await page.getByRole("button", { name: "Move" }).click()
          await page.getByText("Ada: moved to Offer.").waitFor()
          await isIn(page, "Ada", "Offer")
          await page.getByRole("button", { name: "Undo" }).click()
          await page.getByText("The move was undone.").waitFor()
        })
        assert.isNull((yield* stored)?.stage)
      }),
    )

    it.effect("says that nothing was moved when the service cannot be reached, and puts the card back", () =>
      Effect.gen(function* () {
        const { board, email, stored } = yield* begun
        const page = yield* stage.signedIn(email, board, { viewport: wide })
        yield* Effect.promise(async () => {
          await page.context().setOffline(true)
          await card(page, "Ada").dragTo(column(page, "Offer"))
          await page
            .getByRole("alert")
            .getByText("Nothing was moved: the service could not be reached. Try again.")
            .waitFor()
          await isIn(page, "Ada", "Invited")
          await page.context().setOffline(false)
          await card(page, "Ada").dragTo(column(page, "Offer"))
          await page.getByText("Ada: moved to Offer.").first().waitFor()
        })
        assert.strictEqual((yield* stored)?.stage, "Offer")
      }),
    )
  })
})
