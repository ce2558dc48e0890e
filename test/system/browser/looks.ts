import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert } from "@effect/vitest"
import { type AxeResults, source as axe } from "axe-core"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Page } from "playwright-core"
import { EmailLinks } from "../../../src/emails/EmailLinks.ts"
import { catalogues } from "../../../src/texts/Texts.ts"
import { isThorough } from "../../support/thorough.ts"
import { visitor } from "./chromium.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

/** SCREENSHOTS=<directory> writes a screenshot of every checked page. */
const screenshots = process.env["SCREENSHOTS"]

const views = [
  [360, "light"],
  [1280, "dark"],
  [360, "dark"],
  [1280, "light"],
] as const
let looks = 0

/** Violations that axe finds, as "rule: element". */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  if (await page.evaluate("typeof window.axe === 'undefined'")) await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })")
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ failureSummary, target }) => `${id}: ${target} ${failureSummary}`),
  )
}

/**
 * Checks that the page fits phones and desktops, and is accessible. Pages take turns with the four views; `npm run test:all`
 * and screenshots have all four of each page.
 */
export const look = async (page: Page, name: string) => {
  await page.waitForLoadState()
  const turn = looks++
  const isWhole = isThorough || screenshots !== undefined
  const seen = isWhole ? views : views.slice(2 * (turn % 2), 2 * (turn % 2) + 2)
  for (const [at, [width, colorScheme]] of seen.entries()) {
    await page.setViewportSize({ width, height: width < 600 ? 740 : 800 })
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    const where = `${name}-${width}-${colorScheme}`
    if (screenshots !== undefined) {
      mkdirSync(screenshots, { recursive: true })
      await page.screenshot({ path: join(screenshots, `${where}.png`), fullPage: true })
    }
    const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
    assert.isAtMost(wide, 0, `${where} scrolls sideways`)
    // takes longer than all else that is done here
    if (isWhole || at === (turn >> 1) % 2) assert.deepStrictEqual(await violations(page), [], where)
  }
}

/**
 * What is wrong with the focus: it has no outline, or it is out of view or under another element. A radio button or checkbox may
 * show it on its label, a link on its row. Null: nothing.
 */
export const focusFault = `(() => {
  const one = document.activeElement
  if (one === null || one === document.body) return null
  const shown = [one, one.closest("label")].filter((each) => each !== null)
  const told = one.outerHTML.slice(0, 160)
  const isOutlined = shown.some((each) => {
    const styles = [getComputedStyle(each), getComputedStyle(each, "::after")]
    return styles.some(({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && parseFloat(outlineWidth) >= 1)
  })
  if (!isOutlined) return "no outline: " + told
  const box = shown.at(-1).getBoundingClientRect()
  const [left, right] = [Math.max(0, box.left), Math.min(innerWidth, box.right)]
  const [top, bottom] = [Math.max(0, box.top), Math.min(innerHeight, box.bottom)]
  if (right - left < Math.min(box.width, 8) || bottom - top < Math.min(box.height, 8)) return "out of view: " + told
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  const isOnTop = hit !== null && shown.some((each) => each.contains(hit) || hit.contains(each))
  return isOnTop ? null : "covered by " + hit?.outerHTML.slice(0, 160) + ": " + told
})()`

/** Links and controls outside of sentences that are lower or narrower than 24 px (WCAG 2.5.8). */
export const smallTargets = `[...document.querySelectorAll("a[href], button, summary, select, textarea, input:not([type=hidden])")]
  .filter((one) => one.checkVisibility() && !one.closest(".skip, label.pick, label.choice"))
  .filter((one) => one.tagName !== "A" || ![...one.parentNode.childNodes].some((near) => near.nodeType === 3 && near.textContent.trim().length > 3))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, { height, width }]) => width > 1 && Math.min(height, width) < 23.9)
  .map(([one, { height, width }]) => one.tagName + " " + one.textContent.trim() + " " + width + " × " + height)`

/** Stores a text on the device that is older than the saved one. */
const leaveUnsent = `(submission) => {
  const id = document.querySelector("[data-question], [data-answer]:nth-child(3)")
  const draft = { revision: 0, value: { content: "I built it. ".repeat(20), option_ids: [] }, sent: [] }
  localStorage.setItem("interview." + submission + ".1." + (id.dataset.question ?? id.dataset.answer), JSON.stringify(draft))
}`

/** Counts elements with an animation, transition or smooth scrolling. */
const moving = `[...document.querySelectorAll("*")].filter((element) => {
  const { animationName, scrollBehavior, transitionDuration } = getComputedStyle(element)
  return animationName !== "none" || scrollBehavior === "smooth" || /[1-9]/.test(transitionDuration)
}).length`

/** In the order of their ids. */
const languages = Object.keys(catalogues) as ReadonlyArray<keyof typeof catalogues>

/** The two with the longest words and the most accents; the others in `npm run test:all`. */
const isTried = (language: string): boolean => isThorough || language === "de" || language === "vi"

export const suite = (it: stage.It) => {
  it.effect("every page fits and is accessible on both widths and themes", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate({
        number_of_retakes: 1,
        iai_questions: [...stage.interview.iai_questions, stage.portfolio],
      })
      const visit = yield* visitor()
      const page = yield* Effect.promise(() => visit.newPage())
      yield* Effect.promise(async () => {
        await page.goto(candidate.link)
        await look(page, "1-invited")
        await steps.start(page)
        await look(page, "2-choice")
        await steps.next(page)
        await steps.at(page, 2)
        await look(page, "2-choices")
        const built = await steps.reach(page, "A service you built")
        await built.fill("I ran it. ".repeat(40))
        await steps.saved(page)
        await look(page, "3-text")
        await page.getByRole("link", { name: "Your portfolio" }).click()
        await steps.at(page, 5)
        await page.getByLabel("Your portfolio").setInputFiles({
          name: "Portfolio of the last four years, with drawings.pdf",
          mimeType: "application/pdf",
          buffer: Buffer.from("%PDF-1.7"),
        })
        await page.getByText("Uploaded:").waitFor()
        await page
          .getByLabel("Your portfolio")
          .setInputFiles({ name: "x.exe", mimeType: "", buffer: Buffer.from("MZ") })
        await page.getByRole("alert").filter({ hasText: "not saved" }).waitFor()
        await look(page, "3-file")
        await steps.review(page)
        await look(page, "4-review")
        await page.getByRole("button", { name: "Submit answers" }).click()
        await page.getByRole("heading", { name: "Submit anyway?" }).waitFor()
        await look(page, "4-confirm")
        await page.getByRole("button", { name: "Submit anyway" }).click()
        await steps.seen(page, steps.receipt)
        await page.emulateMedia({ media: "print" })
        await page.getByText("I ran it.").waitFor()
        await page.emulateMedia({ media: "screen" })
        await page.getByText("I ran it.").waitFor({ state: "hidden" })
        await page.getByText("Read what you submitted").click()
        await page.getByText("I do not want to make any more changes").click()
        await look(page, "5-receipt")
        await page.getByRole("button", { name: "Open my answers again" }).click()
        await steps.reach(page, "A service you built")
      })
      yield* TestClock.adjust("31 minutes")
      yield* Effect.promise(async () => {
        await page.reload()
        await steps.seen(page, "Your time is over")
        await look(page, "5-time-over")
      })
    }),
  )

  it.effect("notices of a failing network fit and are accessible", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      const unsent = `(${leaveUnsent})("${candidate.subject.submission_id}")`
      yield* Effect.promise(async () => {
        const page = await steps.begin(visit, candidate)
        await steps.choice(page, /European Union/).check()
        await visit.setOffline(true)
        await steps.next(page)
        await page.getByRole("alert").filter({ hasText: "no connection" }).waitFor()
        await look(page, "2-offline")
        await visit.setOffline(false)
        const built = await steps.reach(page, "A service you built")
        await built.fill("I ran it.")
        await steps.saved(page)
        await page.evaluate(unsent)
        await page.reload()
        await page.getByText("was never sent").waitFor()
        await look(page, "3-unsent")
        await page.getByRole("button", { name: "Keep what is saved" }).click()
        await steps.submit(page)
        await steps.seen(page, steps.receipt)
        await page.evaluate(unsent)
        await page.reload()
        await page.getByText("not sent in time").waitFor()
        await look(page, "5-late")
      })
    }),
  )

  it.effect("pages of ended interviews and of links fit and are accessible", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor()
      const page = yield* Effect.promise(() => visit.newPage())
      const links = yield* EmailLinks
      const invitation = yield* Effect.fromNullishOr(candidate.subject.invitation_id)
      const unsubscribe = links.mail("Unsubscribe", invitation)
      const declining = yield* stage.candidate()
      yield* Effect.promise(async () => {
        await page.goto(unsubscribe)
        await look(page, "9-unsubscribe")
        await page.getByRole("button").click()
        await look(page, "9-unsubscribed")
        await page.goto(declining.link)
        await page.getByRole("link", { name: "Decline this interview" }).click()
        await steps.seen(page, "Decline this interview?")
        await look(page, "6-decline")
        await page.getByRole("button", { name: "Yes, decline" }).click()
        await steps.seen(page, "You have declined this interview")
        await look(page, "6-declined")
      })
      const cancelled = yield* stage.candidate()
      yield* stage.cancel(cancelled)
      const expired = yield* stage.candidate()
      yield* TestClock.adjust("31 days")
      yield* Effect.promise(async () => {
        for (const [name, link] of [
          ["6-unknown", "/i/nothing"],
          ["7-cancelled", cancelled.link],
          ["8-expired", expired.link],
        ] as const) {
          await page.goto(link)
          await look(page, name)
        }
      })
    }),
  )

  it.effect("without scripts on a phone, Next has its own row and the other buttons share one", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const { page } = yield* stage.begun(candidate, {
        javaScriptEnabled: false,
        viewport: { width: 360, height: 740 },
      })
      yield* Effect.promise(async () => {
        await steps.next(page)
        await steps.at(page, 2)
        if (screenshots !== undefined)
          await page.screenshot({ path: join(screenshots, "2-unscripted.png"), fullPage: true })
        const [next, save, back] = await Promise.all(
          ["Next", "Save", "Back"].map((name) => page.getByRole("button", { name, exact: true }).boundingBox()),
        )
        assert.deepInclude(next, { x: 20, width: 320 })
        assert.isAbove(save?.y ?? 0, next?.y ?? 0)
        assert.strictEqual(save?.y, back?.y)
      })
    }),
  )

  it.effect.each(
    (
      [
        ["de", 2],
        ["fr", 3],
        ["es", 4],
        ["pt", 5],
        ["vi", 6],
        ["it", 7],
        ["nl", 8],
        ["pl", 9],
        ["ja", 10],
        ["ko", 11],
        ["zh", 12],
        ["ar", 13],
        ["hi", 14],
        ["tr", 15],
        ["uk", 16],
      ] as const
    ).filter(([language]) => isTried(language)),
  )("in %s the pages speak one language, script and all, and fit", ([language, id]) =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate({
        number_of_retakes: 2,
        cfg_lingual_ids: [id],
        iai_questions: [...stage.interview.iai_questions, stage.portfolio],
      })
      const { page: texts, notice, script } = catalogues[language]
      const visit = yield* visitor({ locale: language })
      yield* Effect.promise(async () => {
        const page = await visit.newPage()
        const status = (text: string) => page.getByRole("status").filter({ hasText: text }).waitFor()
        await page.goto(candidate.link)
        await look(page, `${language}-1`)
        await page.locator("form.start button").click()
        await page.getByText(script.left).waitFor()
        await status(script.typing)
        await page.getByRole("link", { name: "A service you built" }).click()
        await page.getByRole("textbox").fill("Text.")
        await visit.clock.fastForward(1_000)
        await status(script.saved.split(" ")[0] ?? "")
        await page.getByRole("link", { name: "Your portfolio" }).click()
        await status(script.choosing)
        await look(page, `${language}-2`)
        await page.getByRole("link", { name: texts.reviewAndSubmit }).click()
        await page.getByRole("heading", { name: texts.yourAnswers, level: 2 }).waitFor()
        await look(page, `${language}-3`)
        await page.getByRole("button", { name: texts.submit }).click()
        await page.getByRole("button", { name: texts.submitAnyway }).click()
        await page.getByRole("heading", { name: notice.completed, level: 1 }).waitFor()
        await look(page, `${language}-4`)
      })
    }),
  )

  it.effect.each(languages.filter(isTried))(
    "on a phone, in %s, Start is in view without scrolling and covers nothing at the end",
    (language) =>
      Effect.gen(function* () {
        const id = languages.indexOf(language) + 1
        const candidate = yield* stage.candidate({ cfg_lingual_ids: [id], number_of_retakes: 1 })
        const visit = yield* visitor({
          javaScriptEnabled: false,
          reducedMotion: "reduce",
          viewport: { width: 360, height: 740 },
        })
        yield* Effect.promise(async () => {
          const page = await visit.newPage()
          await page.goto(candidate.link)
          const start = page.locator("form.start")
          const box = async (selector: string) => {
            const { height = 0, y = 0 } = (await page.locator(selector).boundingBox()) ?? {}
            return { top: y, bottom: y + height }
          }
          assert.isAtMost((await box("form.start button")).bottom, 740)
          assert.isAtLeast((await box("form.start")).top, 740 * 0.6, "most of the view shows the text")
          await page.getByRole("link", { name: catalogues[language].page.decline }).scrollIntoViewIfNeeded()
          const privacy = await box("section[aria-labelledby=use]")
          const [form, decline] = [await box("form.start"), await box(".aside")]
          assert.isAtMost(privacy.bottom, form.top)
          assert.isAtMost(form.bottom, decline.top)
          // a link behind the bar is scrolled above it when it gets the focus
          await page.evaluate("scrollTo(0, 0)")
          await start.getByRole("link").click()
          const heading = await box("#use")
          assert.isAtMost(heading.bottom, (await box("form.start")).top)
          assert.isAtLeast(heading.top, 0)
        })
      }),
  )

  it.effect.each(languages.filter(isTried))(
    "on a phone, in %s, the question is near the top, and the status does not move it",
    (language) =>
      Effect.gen(function* () {
        const id = languages.indexOf(language) + 1
        const candidate = yield* stage.candidate({ cfg_lingual_ids: [id] })
        const visit = yield* visitor({ viewport: { width: 360, height: 740 } })
        yield* Effect.promise(async () => {
          const page = await visit.newPage()
          await page.goto(candidate.link)
          await page.locator("form.start button").click()
          await page.getByText(catalogues[language].script.left).waitFor()
          await page.getByRole("link", { name: "A service you built" }).click()
          await page.getByRole("textbox").waitFor()
          const top = () => page.evaluate<number>("document.querySelector('.question h3').getBoundingClientRect().top")
          const first = await top()
          assert.isAtMost(first, 250)
          const seen = new Set<string | null>()
          const status = async (text: string) => {
            await page
              .getByRole("status")
              .filter({ hasText: new RegExp(`^${text}`) })
              .waitFor()
            seen.add(await page.getByRole("status").textContent())
            assert.strictEqual(await top(), first, text)
          }
          const { again, saved, typing } = catalogues[language].script
          await status(typing)
          await page.getByRole("textbox").fill("Text.")
          await visit.clock.fastForward(1_000)
          await status(saved.split(" ")[0] ?? "")
          await visit.setOffline(true)
          await page.getByRole("textbox").fill("More text.")
          await visit.clock.fastForward(1_000)
          await status(again)
          await visit.setOffline(false)
          await visit.clock.fastForward(60_000)
          await status(saved.split(" ")[0] ?? "")
          assert.isAtLeast(seen.size, 3)
        })
      }),
  )

  it.effect("the first page is small, and prefers-reduced-motion turns animations off", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const visit = yield* visitor({ reducedMotion: "reduce" })
      yield* Effect.promise(async () => {
        const page = await visit.newPage()
        const loaded: Array<Promise<number>> = []
        page.on("requestfinished", (request) =>
          loaded.push(request.sizes().then((sizes) => sizes.responseBodySize + sizes.responseHeadersSize)),
        )
        await page.goto(candidate.link, { waitUntil: "networkidle" })
        const sizes = await Promise.all(loaded)
        assert.isAtMost(sizes.length, 4, "the page, its style sheet and its scripts")
        assert.isBelow(
          sizes.reduce((sum, size) => sum + size, 0),
          100_000,
        )
        assert.strictEqual(await page.evaluate(moving), 0)
        await steps.start(page)
        await steps.reach(page, "A service you built")
        assert.strictEqual(await page.evaluate(moving), 0)
        await page.emulateMedia({ reducedMotion: "no-preference" })
        assert.isAbove(await page.evaluate<number>(moving), 0, "the check sees what moves")
      })
    }),
  )
}
