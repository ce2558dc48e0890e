/** A reviewer's workspace, and a submission that is shared by a link, in Chromium. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { EmailLinks } from "../../../src/emails/EmailLinks.ts"
import { Ids } from "../../../src/platform/NewIds.ts"
import { Assignments } from "../../../src/reviews/Assignments.ts"
import { GuestLinks } from "../../../src/reviews/GuestLinks.ts"
import { GuestLinkId } from "../../../src/values/Ids.ts"
import * as Dossier from "../../support/Dossier.ts"
import { viewer } from "../../support/Members.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing, visitor } from "./chromium.ts"
import { look, violations } from "./looks.ts"
import * as stage from "./stage.ts"

const layerOfPages = stage.layerOf({ evaluate: Dossier.evaluate })

/** The narrowest width of WCAG 2.2 (1.4.10). */
const lookNarrow = async (page: Page, name: string) => {
  await page.setViewportSize({ width: 320, height: 640 })
  const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
  assert.isAtMost(wide, 0, `${name} scrolls sideways`)
  assert.deepStrictEqual(await violations(page), [], name)
}

describe.skipIf(missing !== undefined)(["sharing in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(layerOfPages)((it) => {
    it.effect("leads a reviewer from the email's list to the review, and shows the score after it", () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const owner = yield* Workspace.member(organization, "asks@acme.example")
        const reviewer = yield* Workspace.member(organization, "reviews@acme.example", "reviewer")
        yield* (yield* Assignments).assign(viewer(organization, owner), [submission], [reviewer.id])
        const page = yield* stage.signedIn(reviewer.email, "/submissions/assigned")
        yield* Effect.promise(async () => {
          await page.goto("/home")
          await look(page, "sh1-assigned")
          await lookNarrow(page, "a reviewer's home")
          await page.getByRole("link", { name: /^Ada/ }).click()
          await page.getByRole("heading", { name: "Your review" }).waitFor()
          await look(page, "sh2-review")
          await lookNarrow(page, "a reviewer's candidate")
          await page.getByLabel("Note").fill("Clear answers.")
          await page.getByRole("button", { name: "Send review" }).click()
          await page.getByText("Your review was sent.").waitFor()
          await page.locator(".overall .figure").waitFor()
        })
      }),
    )

    it.effect("offers colleagues after an @ in a comment, by keyboard, and shows the comment", () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const owner = yield* Workspace.member(organization, "writes@acme.example")
        yield* Workspace.member(organization, "maya@acme.example", "admin")
        const page = yield* stage.signedIn(owner.email, `/submissions/${submission}`)
        yield* Effect.promise(async () => {
          const text = page.getByLabel("Comment", { exact: true })
          await text.click()
          await page.keyboard.type("Please look, @ma")
          await page.getByRole("listbox", { name: "Colleagues" }).getByRole("option").waitFor()
          await lookNarrow(page, "names below a comment")
          await page.keyboard.press("Enter")
          assert.strictEqual(await text.inputValue(), "Please look, @maya@acme.example ")
          // sends the comment, not the review
          await page.keyboard.press("Control+Enter")
          await page.getByText("The comment was saved.").waitFor()
          await look(page, "sh5-comment")
        })
      }),
    )

    it.effect("opens a shared candidate without an account, under a watermark that is printed", () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const owner = yield* Workspace.member(organization, "shares@acme.example")
        const id = yield* (yield* Ids).make(GuestLinkId)
        const options = { days: 7, may_review: true, shows_scores: true } as const
        yield* (yield* GuestLinks).create(viewer(organization, owner), submission, id, options)
        const path = new URL((yield* EmailLinks).shared(id)).pathname
        const visit = yield* visitor()
        const page = yield* Effect.promise(() => visit.newPage())
        yield* Effect.promise(async () => {
          await page.goto(path)
          await look(page, "sh3-who")
          await lookNarrow(page, "the form of a share link")
          await page.getByLabel("Your name").fill("Mary Manager")
          await page.getByLabel("Your email address").fill("mary@partner.example")
          await page.getByRole("button", { name: "Open" }).click()
          await page.getByRole("heading", { name: "Ada", level: 1 }).waitFor()
          await look(page, "sh4-shared")
          await lookNarrow(page, "a shared candidate")
          await page.emulateMedia({ media: "print" })
          assert.isTrue(await page.locator(".watermark span").first().isVisible())
          assert.isTrue(await page.locator(".shared-with").isVisible())
          await page.emulateMedia({ media: "screen" })
          await page.getByLabel("Note").fill("Clear answers.")
          await page.getByRole("button", { name: "Send review" }).click()
          await page.getByText("Your review was sent. Thank you.").waitFor()
          await page.locator(".overall .figure").waitFor()
        })
      }),
    )
  })
})
