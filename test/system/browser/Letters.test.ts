/** Emails to candidates about a decision, in Chromium. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/database/Database.ts"
import * as Dossier from "../../support/Dossier.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"

const layerOfPages = stage.layerOf({ evaluate: Dossier.evaluate })

describe.skipIf(missing !== undefined)(["letters in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(layerOfPages)((it) => {
    it.effect("a suggested email is changed, previewed, sent and undone; the page fits and is accessible", () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const { email } = yield* Workspace.member(organization, "grace9@example.com")
        const page = yield* stage.signedIn(email, `/submissions/${submission}`)
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Reject", exact: true }).first().click()
          await page.getByRole("link", { name: "Write to the candidate" }).click()
          await page.getByRole("heading", { level: 1, name: /^Write to/ }).waitFor()
          await look(page, "l1-suggestion")
          await page.getByLabel("Subject").fill("Your interview: {{interview}} {{vorname}}")
          await page.getByRole("button", { name: "Preview" }).click()
          await page.getByText("must have no words in double braces other than").first().waitFor()
          await look(page, "l2-faults")
          await page.getByLabel("Subject").fill("About your interview: {{interview}}")
          await page.getByRole("button", { name: "Preview" }).click()
          await page.getByText("About your interview: Backend Engineer").waitFor()
          await page.getByRole("button", { name: "Send", exact: true }).click()
          await page.getByText("About your interview: Backend Engineer").first().waitFor()
          await page.getByRole("button", { name: "Undo the email" }).click()
          await page.getByRole("link", { name: "Write to the candidate" }).waitFor()
        })
        const { sql } = yield* Database
        const letters = yield* sql<{ state: string; subject: string }>`
          select state, subject from email where kind = 'decision_reject'`
        assert.deepStrictEqual(letters, [{ state: "cancelled", subject: "About your interview: Backend Engineer" }])
      }),
    )
  })
})
