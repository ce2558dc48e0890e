/** The page of a submission in Chromium: reading, reviewing and deciding by keyboard, on both widths. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../src/platform/database/Database.ts"
import * as Dossier from "../../support/Dossier.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing, visitor } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"

const layerOfPages = stage.layerOf({ evaluate: Dossier.evaluate })

/** Baselines of a file's name, size and "Download": an empty inline block ends at the baseline of its line. */
const baselines = `[...document.querySelectorAll(".files .file > :nth-child(-n+3)")].map((one) => {
  const end = document.createElement("span")
  end.style.display = "inline-block"
  one.append(end)
  const { bottom } = end.getBoundingClientRect()
  end.remove()
  return bottom
})`

/** Links and controls that are smaller than 24 × 24 CSS pixels (WCAG 2.2, 2.5.8), except those in a sentence. */
const small = `[...document.querySelectorAll("main :is(a, button, summary, input, select, textarea)")].flatMap((one) => {
  const { height, width } = one.getBoundingClientRect()
  if (width === 0 || one.type === "hidden" || one.closest(".unseen")) return []
  const target = one.closest("label")?.getBoundingClientRect() ?? { height, width }
  const isInline = getComputedStyle(one).display === "inline" && one.closest("p, li, .written") !== null
  return isInline || (target.height >= 24 && target.width >= 24) ? [] : [one.outerHTML.slice(0, 120) + " " + width + "x" + height]
})`

describe.skipIf(missing !== undefined)(["a review in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(layerOfPages)((it) => {
    it.effect("the first answer is within two screens, links are large enough, and quotes link to their source", () =>
      Effect.gen(function* () {
        const requirements = Array.from({ length: 4 }, (_, i) => ({ title: `Another requirement of this role, ${i}` }))
        const { organization, submission } = yield* Dossier.whole({
          iai_requirements: [...Dossier.set.iai_requirements, ...requirements],
        })
        const { email } = yield* Workspace.member(organization, "grace1@example.com")
        const page = yield* stage.signedIn(email, `/submissions/${submission}`, { reducedMotion: "reduce" })
        yield* Effect.promise(async () => {
          for (const [width, height] of [
            [1280, 800],
            [360, 740],
          ] as const) {
            await page.setViewportSize({ width, height })
            const text = await page.locator(".answer .source").first().boundingBox()
            assert.isBelow(text?.y ?? Number.NaN, 2 * height, `${width} px`)
            assert.deepStrictEqual(await page.evaluate(small), [], `${width} px`)
          }
          await page.setViewportSize({ width: 1280, height: 800 })
          const [panel, answers] = [
            await page.locator(".review-panel").boundingBox(),
            await page.locator(".sources").boundingBox(),
          ]
          assert.isAbove(panel?.x ?? 0, (answers?.x ?? 0) + (answers?.width ?? 0), "the panel is beside the answers")
          // the quote is in the middle of a text
          await page.locator("#requirement-2 > details").first().locator("summary").click()
          await page.locator("#requirement-2").getByRole("link", { name: "CV", exact: true }).first().click()
          const target = page.locator("mark:target")
          assert.match(await target.innerText(), /^Query plans and indexes of a 2 TB PostgreSQL database\./)
          const place = await target.boundingBox()
          assert.isTrue((place?.y ?? -1) >= 0 && (place?.y ?? 0) < 800, "the quote is in view")
          await target.getByRole("link").first().click()
          assert.match(page.url(), /#requirement-2$/)
        })
      }),
    )

    it.effect(
      "a submission can be read, reviewed and decided by keyboard alone, and fits and is accessible at each step",
      () =>
        Effect.gen(function* () {
          const { organization, submission } = yield* Dossier.whole()
          const { email } = yield* Workspace.member(organization, "grace2@example.com")
          yield* Workspace.member(organization, "mira2@example.com", "admin")
          const page = yield* stage.signedIn(email, `/submissions/${submission}`)
          const { keyboard } = page
          yield* Effect.promise(async () => {
            await stage.tabTo(page, /^\d quotes? for requirement 1$/)
            await keyboard.press("Enter")
            await stage.tabTo(page, /^A service you built$/)
            await keyboard.press("Enter")
            assert.match(page.url(), /#quote-1-1$/)
            await stage.tabTo(page, /TypeScript services in production –Not rated$/)
            await keyboard.press("ArrowLeft")
            await keyboard.press("ArrowLeft")
            assert.isTrue(await page.getByLabel("Yes", { exact: true }).first().isChecked())
            await stage.tabTo(page, /^Note$/)
            await keyboard.type("Knows what it costs to run a service.")
            await stage.tabTo(page, /^Mention colleagues$/)
            await keyboard.press("Enter")
            await stage.tabTo(page, /mira2@example\.com$/)
            await keyboard.press("Space")
            await look(page, "v1-review")
            await stage.tabTo(page, /^Send review$/)
            await keyboard.press("Enter")
            await page.getByText("Your review was sent.").waitFor()
            assert.isTrue(await page.getByLabel("Yes", { exact: true }).first().isChecked())
            await stage.tabTo(page, /^Add a reason$/)
            await keyboard.press("Enter")
            await stage.tabTo(page, /^Reason for the decision/)
            await keyboard.type("Invite to a talk.")
            await look(page, "v2-decision")
            await page.getByRole("button", { name: "Advance" }).focus()
            await keyboard.press("Enter")
            await page.getByText("The decision was saved. The candidate was not notified.").waitFor()
            await look(page, "v3-decided")
            await stage.tabTo(page, /^Undo$/)
            await keyboard.press("Enter")
            await page.getByText("The last decision was undone.").waitFor()
            await page.getByText("Timeline").click()
            await page.getByText("Evaluation details").click()
            await look(page, "v4-timeline")
          })
          const { sql } = yield* Database
          const [stored] = yield* sql<{ note: string; ratings: object; decision: string | null; changes: number }>`
          select v.note, v.ratings, b.decision, b.decision_changes as changes from review v join submission b on b.id = v.submission_id
          where b.id = ${submission}::uuid`
          assert.deepInclude(stored, { note: "Knows what it costs to run a service.", decision: null, changes: 2 })
          assert.deepStrictEqual(Object.values(stored?.ratings ?? {}), [3])
        }),
    )

    it.effect("keeps a draft over a reload and a failed network, and shows both texts of two windows", () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const { email } = yield* Workspace.member(organization, "grace3@example.com")
        const page = yield* stage.signedIn(email, `/submissions/${submission}`)
        yield* Effect.promise(async () => {
          const asked: Array<string> = []
          page.on("dialog", (dialog) => {
            asked.push(dialog.type())
            void dialog.accept()
          })
          const note = page.getByLabel("Note", { exact: true })
          const savedDraft = page.getByText("Draft saved. Only you can see it until you send it.")
          await note.fill("Saved as typed.")
          await page.clock.runFor(1000)
          await savedDraft.waitFor()
          await page.reload()
          assert.strictEqual(await note.inputValue(), "Saved as typed.")
          assert.deepStrictEqual(asked, [], "nothing is lost")
          await page.context().setOffline(true)
          await note.fill("Typed without a network.")
          await page.clock.runFor(1000)
          await page.getByText("Not saved yet: the service cannot be reached.").waitFor()
          await page.context().setOffline(false)
          await page.clock.runFor(40_000)
          await savedDraft.waitFor()
          const other = await page.context().newPage()
          await other.goto(page.url())
          await other.getByLabel("Note", { exact: true }).fill("Typed in the other window.")
          await other.clock.runFor(1000)
          await other.getByText("Draft saved.").waitFor()
          await note.fill("Typed in this window.")
          await page.clock.runFor(1000)
          await page.getByText("Not saved: you changed this review in another window or on another device.").waitFor()
          assert.strictEqual(await note.inputValue(), "Typed in this window.")
          await page.getByText("Typed in the other window.").waitFor()
          await look(page, "v7-two-windows")
          await page.getByRole("button", { name: "Keep what is on this page" }).click()
          await page.clock.runFor(1000)
          await savedDraft.waitFor()
          await other.close()
          await page.reload()
          assert.strictEqual(await note.inputValue(), "Typed in this window.")
          // a save that still runs is awaited, so that the review is not outdated
          await note.fill("Sent.")
          await page.keyboard.press("Control+Enter")
          await page.getByText("Your review was sent.").waitFor()
          await note.fill("Changed after sending.")
          await page.reload()
          assert.deepStrictEqual(asked, ["beforeunload"], "a sent review changes only by its button")
        })
        const { sql } = yield* Database
        const rows =
          yield* sql`select note, sent_at is not null as is_sent from review where submission_id = ${submission}::uuid`
        assert.deepStrictEqual(rows, [{ note: "Sent.", is_sent: true }])
      }),
    )

    it.effect("is reviewed and decided by single keys, which can be turned off", () =>
      Effect.gen(function* () {
        const { organization, set, submission } = yield* Dossier.whole()
        yield* Scenario.invited({ id: organization, set }, "next@example.com")
        const { email } = yield* Workspace.member(organization, "grace5@example.com")
        const page = yield* stage.signedIn(email, `/submissions/${submission}?list=order%3Doldest`)
        const { keyboard } = page
        yield* Effect.promise(async () => {
          const rated = () =>
            page.evaluate<ReadonlyArray<string>>(
              `[...document.querySelectorAll(".rate :checked")].map(({ value }) => value)`,
            )
          for (const key of ["5", "2", "Control+1", "3"]) await keyboard.press(key)
          assert.deepStrictEqual(await rated(), ["4", "1", "2", ""])
          await keyboard.press("n")
          await keyboard.type("as 15 jars?")
          assert.deepStrictEqual(await rated(), ["4", "1", "2", ""], "text fields get their keys")
          assert.strictEqual(await page.getByLabel("Note", { exact: true }).inputValue(), "as 15 jars?")
          await page.locator("#panel").focus()
          await keyboard.press("?")
          await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor()
          await look(page, "v8-shortcuts")
          await page.getByLabel("Use shortcuts of one key in this browser").uncheck()
          await keyboard.press("Escape")
          await page.locator("#panel").focus()
          for (const key of ["1", "r", "s", "?"]) await keyboard.press(key)
          assert.deepStrictEqual(await rated(), ["4", "1", "2", ""], "they are off")
          await page.getByRole("button", { name: "Keyboard shortcuts" }).click()
          await page.getByLabel("Use shortcuts of one key in this browser").check()
          await keyboard.press("Escape")
          await page.locator("#panel").focus()
          await keyboard.press("s")
          await page.getByText("Your review was sent.").waitFor()
          assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Next candidate")
          await keyboard.press("h")
          await keyboard.type("Later.")
          await keyboard.press("Escape")
          await keyboard.press("a")
          await keyboard.press("Control+Enter")
          await page.getByText("The decision was saved.").waitFor()
          await keyboard.press("j")
          await page.getByText("next@example.com").first().waitFor()
          await keyboard.press("k")
          await page.getByText("Advanced by").first().waitFor()
        })
        const { sql } = yield* Database
        const rows = yield* sql`
          select b.decision, b.decision_reason, v.note, v.sent_at is not null as is_sent
          from submission b join review v on v.submission_id = b.id where b.id = ${submission}::uuid`
        assert.deepStrictEqual(rows, [
          { decision: "advance", decision_reason: "Later.", note: "as 15 jars?", is_sent: true },
        ])
      }),
    )

    it.effect("keeps the panel in view, and marks the places of one requirement under the pointer or focus", () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const { email } = yield* Workspace.member(organization, "grace6@example.com")
        const page = yield* stage.signedIn(email, `/submissions/${submission}`, { reducedMotion: "reduce" })
        yield* Effect.promise(async () => {
          const marked = () =>
            page.evaluate<ReadonlyArray<string>>(
              `[...document.querySelectorAll("mark.on")].map((one) => one.dataset.of)`,
            )
          for (const [width, height] of [
            [1280, 900],
            [1920, 1080],
            [1100, 500],
          ] as const) {
            await page.setViewportSize({ width, height })
            await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            const box = await page.locator("#panel").boundingBox()
            assert.isTrue(box !== null && box.y >= 0 && box.y + box.height <= height, `the panel at ${width} px`)
            await page.getByRole("button", { name: "Reject" }).scrollIntoViewIfNeeded()
            const reject = await page.getByRole("button", { name: "Reject" }).boundingBox()
            assert.isTrue(reject !== null && reject.y + reject.height <= height, `the decision at ${width} px`)
          }
          await page.setViewportSize({ width: 1280, height: 900 })
          assert.deepStrictEqual(await marked(), [])
          await page.locator("#requirement-2 h3").hover()
          const ofSecond = await marked()
          assert.isNotEmpty(ofSecond)
          assert.isTrue(ofSecond.every((numbers) => numbers.split(" ").includes("2")))
          await page.locator("#requirement-1 .rate input").last().focus()
          assert.isTrue((await marked()).every((numbers) => numbers.split(" ").includes("1")))
          await page.setViewportSize({ width: 390, height: 844 })
          // the panel lies over the link where it is in view
          await page.evaluate("scrollTo(0, 0)")
          await page.getByRole("link", { name: "Go to review and decision" }).click()
          const top = (await page.locator("#panel").boundingBox())?.y ?? -1
          assert.isTrue(top >= 0 && top < 200, `the link goes to the panel: ${top}`)
        })
      }),
    )

    it.effect("works without scripts: the draft's button, the link of a requirement, the decision", () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const { email } = yield* Workspace.member(organization, "grace7@example.com")
        const page = yield* stage.signedIn(email, `/submissions/${submission}`, { javaScriptEnabled: false })
        yield* Effect.promise(async () => {
          await page.locator("#requirement-2 summary").click()
          await page.locator("#requirement-2 .places-of").click()
          assert.isAbove(await page.locator("mark.on").count(), 0)
          await page.getByLabel("Note", { exact: true }).fill("By hand.")
          await page.getByRole("button", { name: "Save draft" }).click()
          await page.getByText("Your draft was saved. Only you can see it.").waitFor()
          assert.strictEqual(await page.getByLabel("Note", { exact: true }).inputValue(), "By hand.")
          await page.getByRole("button", { name: "Hold" }).click()
          await page.getByText("The decision was saved.").waitFor()
          assert.isFalse(await page.getByRole("button", { name: "Keyboard shortcuts" }).isVisible())
        })
      }),
    )

    it.effect("shows a failed CV and a waiting candidate", () =>
      Effect.gen(function* () {
        const { id, set } = yield* Scenario.organization(Dossier.set, "Südlicht")
        const waiting = yield* Scenario.invited({ id, set })
        yield* Dossier.addCv(id, waiting.subject.submission_id, {
          text: null,
          error: "The file is protected by a password. Ask the candidate for one without.",
        })
        const other = yield* Workspace.member(id, "mira3@example.com")
        const page = yield* stage.signedIn(other.email, `/submissions/${waiting.subject.submission_id}`)
        yield* Effect.promise(async () => {
          await page.getByText("Correct the link").click()
          await look(page, "v5-failed-cv")
        })
      }),
    )

    it.effect("shows a PDF within the page once its preview opens", () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const { email } = yield* Workspace.member(organization, "grace4@example.com")
        const visit = yield* visitor()
        const page = yield* Effect.promise(() => visit.newPage())
        yield* Effect.promise(async () => {
          const requests: Array<string> = []
          page.on("request", (request) => requests.push(request.url()))
          await page.goto(`/submissions/${submission}`)
          await stage.signIn(page, email)
          assert.isFalse(
            requests.some((url) => url.includes("show=1")),
            "nothing is loaded before",
          )
          const preview = page.getByText("Preview ada.pdf")
          const [answer] = await Promise.all([page.waitForResponse(/\/cv\?show=1$/), preview.click()])
          assert.strictEqual(answer.status(), 200)
          assert.notStrictEqual(answer.frame(), page.mainFrame())
          for (const width of [360, 1280]) {
            await page.setViewportSize({ width, height: 800 })
            const [first, ...others] = await page.evaluate<ReadonlyArray<number>>(baselines)
            assert.lengthOf(others, 2)
            for (const other of others) assert.closeTo(other, first ?? -9, 0.5, `the file's row at ${width} px`)
          }
          await look(page, "v6-pdf")
        })
      }),
    )
  })
})
