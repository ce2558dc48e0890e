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
  const isInline = getComputedStyle(one).display === "inline" && one.closest("p, li") !== null
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
          const [matrix, answers] = [
            await page.locator(".matrix").boundingBox(),
            await page.locator(".sources").boundingBox(),
          ]
          assert.isAbove(
            answers?.x ?? 0,
            (matrix?.x ?? 0) + (matrix?.width ?? 0),
            "answers are beside the requirements",
          )
          // the quote is in the middle of a text
          await page.locator("#requirement-2").getByRole("link", { name: "CV" }).first().click()
          const target = page.locator("mark:target")
          assert.match(await target.innerText(), /^Query plans and indexes of a 2 TB PostgreSQL database\./)
          const place = await target.boundingBox()
          assert.isTrue((place?.y ?? -1) >= 0 && (place?.y ?? 0) < 800, "the quote is in view")
          await target.getByRole("link").click()
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
            await stage.tabTo(page, /^A service you built$/)
            await keyboard.press("Enter")
            assert.match(page.url(), /#quote-1-1$/)
            await stage.tabTo(page, /TypeScript services in production Not rated$/)
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
            await stage.tabTo(page, /^Save draft$/)
            await keyboard.press("Enter")
            await page.getByText("Your draft was saved. Only you can see it.").waitFor()
            await stage.tabTo(page, /^Send review$/)
            await keyboard.press("Enter")
            await page.getByText("Your review was sent.").waitFor()
            await page.getByText("You: Yes").waitFor()
            await stage.tabTo(page, /^Reason$/)
            await keyboard.press("Enter")
            await stage.tabTo(page, /^Reason for the decision/)
            await keyboard.type("Invite to a talk.")
            await look(page, "v2-decision")
            await stage.tabTo(page, /^Advance$/)
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

    it.effect("warns before an unsaved review is lost, and shows a failed CV and a waiting candidate", () =>
      Effect.gen(function* () {
        const { organization, submission } = yield* Dossier.whole()
        const { email } = yield* Workspace.member(organization, "grace3@example.com")
        const { id, set } = yield* Scenario.organization(Dossier.set, "Südlicht")
        const waiting = yield* Scenario.invited({ id, set })
        yield* Dossier.addCv(id, waiting.subject.submission_id, {
          text: null,
          error: "The file is protected by a password. Ask the candidate for one without.",
        })
        const other = yield* Workspace.member(id, "mira3@example.com")
        const page = yield* stage.signedIn(email, `/submissions/${submission}`)
        yield* Effect.promise(async () => {
          const asked: Array<string> = []
          page.on("dialog", (dialog) => {
            asked.push(dialog.type())
            void dialog.accept()
          })
          await page.reload()
          assert.deepStrictEqual(asked, [])
          await page.getByLabel("Note").fill("Not saved.")
          await page.reload()
          assert.deepStrictEqual(asked, ["beforeunload"])
          await page.getByLabel("Note").fill("Saved.")
          await page.getByRole("button", { name: "Save draft" }).click()
          await page.getByText("Your draft was saved.").waitFor()
          assert.lengthOf(asked, 1)
          await page.getByRole("button", { name: "Sign out" }).click()
          await page.goto(`/submissions/${waiting.subject.submission_id}`)
          await stage.signIn(page, other.email)
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
