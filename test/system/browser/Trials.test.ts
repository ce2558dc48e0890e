/** "What would change?" in Chromium: from the set's form to a copy with other requirements. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Trials } from "../../../src/trial-evaluations/Trials.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { byTitle, evaluateAll, requirements } from "../../trial-evaluations/evaluated.ts"
import { missing } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"

const answers = [
  "I ran PostgreSQL on Kubernetes.",
  "I ran PostgreSQL for years, and wrote its runbooks.",
  "I wrote runbooks and baked bread.",
  "I answered the phone.",
]

describe.skipIf(missing !== undefined)(["trials in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(stage.layerOf({ evaluate: byTitle }))((it) => {
    it.effect("a member tries other requirements by keyboard, and adopts them in a copy", () =>
      Effect.gen(function* () {
        const organization = yield* Scenario.organization({ iai_requirements: requirements })
        for (const [i, answer] of answers.entries()) {
          yield* Scenario.completed(yield* Scenario.invited(organization, `ada${i}@example.com`), answer)
        }
        yield* evaluateAll
        const { email } = yield* Workspace.member(organization.id, "trials@acme.example", "admin")
        const page = yield* stage.signedIn(email, `/interview-sets/${organization.set.id}/edit`)
        yield* Effect.promise(async () => {
          await look(page, "tr1-set")
          await page.setViewportSize({ width: 1280, height: 800 })
          await stage.tabTo(page, /^What would change\?$/)
          await page.keyboard.press("Enter")
          await page.getByRole("heading", { name: "Requirement 1" }).waitFor()
          await look(page, "tr2-form")
          await page.getByText("Requirement 1", { exact: true }).click()
          await page.getByLabel("Requirement", { exact: true }).first().fill("runbooks")
          await look(page, "tr3-changed")
          await page.getByRole("button", { name: "What would change?" }).last().click()
          await page.getByText("Evaluated 0 of 4 candidates.").waitFor()
          await look(page, "tr4-running")
        })
        yield* (yield* Trials).step
        yield* Effect.promise(async () => {
          // the page follows by itself
          await page.getByRole("heading", { name: "By requirement" }).waitFor()
          await look(page, "tr5-ended")
          await page.locator("summary", { hasText: "Why" }).first().click()
          await page.getByText("No longer counted:").first().waitFor()
          await look(page, "tr6-why")
          await page.getByRole("link", { name: /Down$/ }).click()
          assert.match(page.url(), /direction=down/)
          await page.getByRole("button", { name: "Adopt in a copy of the set" }).click()
          await page.getByText("This is a saved copy of the set").waitFor()
          await page.goBack()
        })
      }),
    )
  })
})
