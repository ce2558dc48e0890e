/** Voluntary questions and reports of impact ratios in Chromium: without scripts, and as each view shows them. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/database/Database.ts"
import { people } from "../../impact/people.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing, visitor } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"

/** Saves the organization's questions. */
const asking = Effect.gen(function* () {
  const { sql } = yield* Database
  const organization = yield* Scenario.organization()
  yield* sql`
    insert into self_identification_form (organization_id, asks, text, own_question, own_categories)
    values (${organization.id}::int, '{sex,ethnicity,own}', 'Read more on our page.', 'Are you a veteran?', '{"Yes","No"}')`
  return organization
})

describe.skipIf(missing !== undefined)(["impact ratios in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(stage.layer)((it) => {
    it.effect("candidates answer and withdraw without scripts", () =>
      Effect.gen(function* () {
        const invited = yield* Scenario.invited(yield* asking)
        yield* Scenario.completed(invited)
        const visit = yield* visitor({ javaScriptEnabled: false })
        yield* Effect.promise(async () => {
          const page = await visit.newPage()
          await page.goto(`/i/${invited.token}`)
          await page.getByRole("link", { name: "Voluntary questions about equal treatment" }).click()
          await page.getByLabel("Female").check()
          await page.getByLabel("Asian (not Hispanic or Latino)").check()
          await page.getByRole("button", { name: "Save these answers" }).click()
          await page.getByText("These answers are saved.").waitFor()
          assert.isTrue(await page.getByLabel("Female").isChecked())
          await page.getByRole("button", { name: "Withdraw these answers" }).click()
          await page.getByText("These answers are deleted.").waitFor()
          assert.isFalse(await page.getByLabel("Female").isChecked())
        })
      }),
    )

    it.effect("the pages fit and are accessible, and a report is made by keyboard", () =>
      Effect.gen(function* () {
        const organization = yield* asking
        const invited = yield* Scenario.invited(organization)
        yield* Scenario.completed(invited)
        const add = (count: number, sex: string, decision: "advance" | "reject") =>
          people(organization.id, organization.set.id, { count, sex, ethnicity: "white", own: "Yes", decision })
        yield* add(40, "female", "advance")
        yield* add(60, "female", "reject")
        yield* add(60, "male", "advance")
        yield* add(40, "male", "reject")
        const { email } = yield* Workspace.member(organization.id, "impact@acme.example", "admin")
        const page = yield* stage.signedIn(email, "/settings/impact-ratios/questions")
        yield* Effect.promise(async () => {
          await look(page, "im1-questions")
          await page.goto(`/i/${invited.token}/voluntary-questions`)
          await look(page, "im2-asked")
          await page.goto("/settings/impact-ratios")
          await look(page, "im3-reports")
          await page.getByLabel("Outcome").selectOption("advanced")
          await stage.tabTo(page, /^Make report$/)
          await page.keyboard.press("Enter")
          await page.getByRole("heading", { name: "Method" }).waitFor()
          await page.setViewportSize({ width: 1280, height: 800 })
          await page.getByRole("row", { name: /^Female 100 40 40\.0 % 0\.667 Below four fifths/ }).waitFor()
          await look(page, "im4-report")
          await look(page, "im5-report")
        })
      }),
    )
  })
})
