/** An organization's appearance in Chromium: the form, its preview and the candidate's pages, on both widths and themes. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { png } from "../../support/images.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing, visitor } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

const href = "/settings/appearance"

describe.skipIf(missing !== undefined)(["appearance in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(stage.layer)((it) => {
    it.effect("is set, previewed without losing the form, and shown to candidates, accessible on both themes", () =>
      Effect.gen(function* () {
        const organization = yield* Scenario.organization({}, "Nordlicht Kliniken")
        const { email } = yield* Workspace.member(organization.id, "owner@nordlicht.example")
        const page = yield* stage.signedIn(email, href)
        yield* Effect.promise(async () => {
          await look(page, "a1-empty")
          await page.getByLabel("Colour").fill("#ff9900")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByRole("alert").getByText("too light").waitFor()
          await look(page, "a2-refused")
          await page.getByLabel("Colour").fill("#8a1c4a")
          await page.getByLabel("Welcome").fill("We are glad that you are here.\n\nTake your time.")
          await page.getByLabel(/logo/i).setInputFiles({
            name: "logo.png",
            mimeType: "image/png",
            buffer: png(320, 80, [138, 28, 74, 255]),
          })
          const preview = page.frameLocator("iframe:not([hidden])")
          await preview.getByRole("img", { name: "Nordlicht Kliniken" }).waitFor()
          await page.getByRole("button", { name: "Preview first page" }).click()
          await preview.getByText("Take your time.").waitFor()
          await page.getByLabel("Welcome").fill("Welcome to our hospitals.")
          await preview.getByText("Welcome to our hospitals.").waitFor()
          // a colour that cannot be saved leaves the preview as it is, and says why
          await page.getByLabel("Colour").fill("#ffff00")
          await page.getByRole("status").getByText("too light").waitFor()
          assert.isTrue(await preview.getByText("Welcome to our hospitals.").isVisible())
          await page.getByLabel("Colour").fill("#8a1c4a")
          await page.getByRole("status").getByText("too light").waitFor({ state: "hidden" })
          await look(page, "a3-preview")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText("Your changes were saved.").waitFor()
          await look(page, "a4-saved")
        })
        const { token } = yield* Scenario.invited(organization)
        const visit = yield* visitor()
        const candidate = yield* Effect.promise(() => visit.newPage())
        yield* Effect.promise(async () => {
          await candidate.goto(`/i/${token}`)
          await candidate.getByRole("img", { name: "Nordlicht Kliniken" }).waitFor()
          assert.strictEqual(await candidate.evaluate("document.querySelector('.logo').naturalWidth"), 320)
          await look(candidate, "a5-invited")
          await steps.start(candidate)
          await look(candidate, "a6-question")
          const colour = () =>
            candidate.evaluate("getComputedStyle(document.querySelector('button.primary')).backgroundColor")
          await candidate.emulateMedia({ colorScheme: "light" })
          assert.strictEqual(await colour(), "rgb(138, 28, 74)")
          await candidate.emulateMedia({ colorScheme: "dark" })
          assert.notStrictEqual(await colour(), "rgb(138, 28, 74)")
        })
      }),
    )
  })
})
