/** What is written to candidates and members, and where: letters, subjects, chosen emails, channels; in Chromium. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { EmailLinks } from "../../../src/emails/EmailLinks.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import * as Dossier from "../../support/Dossier.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"

const layerOfPages = stage.layerOf({ evaluate: Dossier.evaluate })

describe.skipIf(missing !== undefined)(["messages in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
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

    it.effect("subjects, emails to members and channels are chosen; the pages fit and are accessible", () =>
      Effect.gen(function* () {
        const { organization } = yield* Dossier.whole()
        const { email, id } = yield* Workspace.member(organization, "grace10@example.com")
        const page = yield* stage.signedIn(email, "/account")
        const unsubscribe = (yield* EmailLinks).notifications(id, "mentions")
        yield* Effect.promise(async () => {
          await page.getByLabel("A candidate submits an interview").selectOption("At once")
          await look(page, "m1-account")
          await page.locator("form[action='/account/notifications'] button").click()
          await page.getByText("Your choice of emails was saved.").waitFor()
          assert.strictEqual(await page.getByLabel("A candidate submits an interview").inputValue(), "now")
          await page.goto(unsubscribe)
          await look(page, "m2-unsubscribe")
          await page.getByRole("button", { name: "Get no more emails" }).click()
          await page.getByRole("heading", { name: "You get no more of these emails" }).waitFor()
          await look(page, "m3-unsubscribed")
          await page.goto("/settings/appearance")
          await page.getByRole("link", { name: "Subjects of invitations and reminders" }).click()
          await page.getByLabel("Subject of invitations").fill("Join us, {{firstname}}: {{interview}}")
          await page.getByText(/^Join us, .+: Senior Backend Engineer$/).waitFor()
          await look(page, "m4-subjects")
          await page.getByLabel("Subject of invitations").press("Enter")
          await page.getByText("The subjects were saved.").waitFor()
          await page.goto("/settings/webhooks")
          await look(page, "m5-webhooks")
          await page.getByRole("link", { name: "Add Slack or Teams" }).click()
          await look(page, "m6-channel")
          await page.getByLabel("Name", { exact: true }).fill("Hiring")
          await page.getByLabel("Webhook address").fill("hooks.slack.com")
          await page.getByRole("button", { name: "Add the channel" }).click()
          await page.getByText("The channel was not added.").waitFor()
          await look(page, "m7-channel-faults")
          await page.getByLabel("Webhook address").fill("https://hooks.slack.com/services/T0/B0/secret")
          await page.getByRole("button", { name: "Add the channel" }).click()
          await page.getByText("The channel was added.").waitFor()
          await look(page, "m8-channel-page")
          await page.getByRole("link", { name: "Edit", exact: true }).click()
          await look(page, "m9-channel-edit")
        })
      }),
    )
  })
})
