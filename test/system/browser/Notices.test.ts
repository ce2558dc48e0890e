/** Candidates' notices in Chromium: published and read, as each view shows them. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Notices } from "../../../src/notices/Notices.ts"
import * as Members from "../../support/Members.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing, visitor } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"

const city = { country: "US", region: "NY", city: "New York" }

describe.skipIf(missing !== undefined)(["notices in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(stage.layer)((it) => {
    it.effect("are published by an admin, and read by candidates and on the public page", () =>
      Effect.gen(function* () {
        const organization = yield* Scenario.organization({ job_locations: [city] })
        const admin = yield* Workspace.member(organization.id, "notices@acme.example", "admin")
        const notice = yield* (yield* Notices).publish(Members.viewer(organization.id, admin), {
          set: "",
          ...city,
          words: "We publish the audit of the software on our page for jobs.",
          contact: "people@acme.example",
          alternative: "A conversation by phone with one of us.",
          days: "",
          meanwhile: "wait",
          posted_on: "",
        })
        const { subject, token } = yield* Scenario.invited(organization)
        const page = yield* stage.signedIn(admin.email, "/settings/notices")
        yield* Effect.promise(async () => {
          await look(page, "no1-list")
          await page.goto("/settings/notices/new")
          await look(page, "no2-new")
          await page.getByLabel("Country").selectOption({ label: "Germany" })
          await page.getByRole("button", { name: "Publish" }).click()
          await page.getByText("Nothing was saved.").waitFor()
          await look(page, "no3-refused")
          await page.getByLabel("Whom to ask").fill("people@acme.example")
          await page.getByRole("button", { name: "Publish" }).click()
          await page.getByText("The notice was published.").waitFor()
          await page.goto(`/settings/notices/${notice}`)
          await look(page, "no4-notice")
          await page.getByRole("link", { name: "Withdraw" }).click()
          await look(page, "no5-withdraw")
          await page.goto(`/submissions/${subject.submission_id}/record`)
          await page.getByText("What it says").click()
          await look(page, "no6-record")
          await page.goto(`/interview-sets/${organization.set.id}/edit`)
          assert.strictEqual(await page.getByLabel("Job locations").inputValue(), "New York, NY, US")
        })
        const visit = yield* visitor({ javaScriptEnabled: false })
        yield* Effect.promise(async () => {
          const candidate = await visit.newPage()
          await candidate.goto(`/i/${token}`)
          await candidate.getByRole("link", { name: "How software rates your interview" }).click()
          await candidate.getByText("A person decides about your application.").waitFor()
        })
        yield* Effect.promise(async () => {
          await page.goto(`/i/${token}`)
          await look(page, "no7-invited")
          await page.goto(`/i/${token}/notice`)
          await look(page, "no8-candidate")
          await page.goto(`/notices/${notice}?set=${organization.set.id}`)
          await look(page, "no9-public")
          await page.getByText("English", { exact: true }).first().click()
          await page.getByRole("button", { name: "العربية" }).click()
          await page.getByText("يتخذ إنسان القرار").waitFor()
          await look(page, "no10-arabic")
        })
      }),
    )
  })
})
