import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { BrowserContext, Page } from "playwright-core"
import { catalogues } from "../../../src/texts/Texts.ts"
import { visitor } from "./chromium.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

const noticeOf = (page: Page) => page.getByRole("alert").filter({ hasText: catalogues.en.device.offline })

interface Loss {
  readonly lose: (visit: BrowserContext) => Promise<unknown>
  readonly find: (visit: BrowserContext) => Promise<unknown>
}

/** Network loss that the device detects, and one that it does not. */
const losses: Record<string, Loss> = {
  detected: { lose: (visit) => visit.setOffline(true), find: (visit) => visit.setOffline(false) },
  "not detected": {
    lose: (visit) => visit.route("**/*", (route) => route.abort("connectionfailed")),
    find: (visit) => visit.unroute("**/*"),
  },
}

/** Without a network, buttons and links show a notice and stay on the page; they work once it is back. */
export const suite = (it: stage.It) => {
  it.effect.each(Object.keys(losses))("buttons and links keep the page without a network (loss: %s)", (how) =>
    Effect.gen(function* () {
      const { find, lose } = yield* Effect.fromNullishOr(losses[how])
      const candidate = yield* stage.candidate({
        number_of_retakes: 1,
        iai_questions: [...stage.interview.iai_questions, stage.portfolio],
      })
      const visit = yield* visitor()
      const page = yield* Effect.promise(() => visit.newPage())
      /** Acts without a network, then with it. */
      const twice = async (act: () => Promise<void>, isThere: () => Promise<void>) => {
        const before = page.url()
        await lose(visit)
        await act()
        await noticeOf(page).waitFor()
        assert.strictEqual(page.url(), before)
        await find(visit)
        await visit.clock.fastForward(6_000)
        await noticeOf(page).waitFor({ state: "detached" })
        await act()
        await isThere()
      }
      yield* Effect.promise(async () => {
        const press = (name: string | RegExp) => () => page.getByRole("button", { name }).click()
        const follow = (name: string | RegExp) => () => page.getByRole("link", { name }).click()
        await page.goto(candidate.link)
        await twice(follow("Decline this interview"), () => steps.seen(page, "Decline this interview?"))
        await twice(follow("Go back"), () => steps.seen(page, "Backend Engineer"))
        await twice(press(/^Start/), () => steps.at(page, 1))
        await twice(press("Next"), () => steps.at(page, 2))
        await twice(press("Back"), () => steps.at(page, 1))
        await twice(follow("A service you built"), () => steps.at(page, 3))
        await twice(follow("Your portfolio"), () => steps.at(page, 5))
        await page.getByLabel("Your portfolio").setInputFiles({
          name: "x.pdf",
          mimeType: "application/pdf",
          buffer: Buffer.from("%PDF-1.7"),
        })
        await page.getByText("Uploaded:").waitFor()
        await twice(press("Remove the file"), () => page.getByText("Uploaded:").waitFor({ state: "detached" }))
        await twice(press("Review answers"), () => page.getByText("5 questions are not answered yet.").waitFor())
        await twice(follow(/^Answer.*Where are you based/), () => steps.at(page, 1))
        await twice(follow("Review and submit"), () => page.getByText("5 questions are").waitFor())
        await twice(press("Submit answers"), () => page.getByText("Submit anyway?").waitFor())
        await twice(press("Submit anyway"), () => steps.seen(page, steps.receipt))
        await twice(press("Open my answers again"), () => steps.at(page, 1))
      })
      const { answers, statuses } = yield* stage.stored(candidate)
      assert.deepStrictEqual(statuses, ["initiated", "started", "completed", "started"])
      assert.deepStrictEqual(
        answers.flatMap(({ content }) => content ?? []),
        [],
      )
    }),
  )

  it.effect("Next keeps a text that cannot be sent on the page, and sends it later", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const { page, visit } = yield* stage.begun(candidate)
      yield* Effect.promise(async () => {
        const built = await steps.reach(page, "A service you built")
        await visit.setOffline(true)
        await built.fill("In the tunnel.")
        await steps.next(page)
        await noticeOf(page).waitFor()
        assert.strictEqual(await built.inputValue(), "In the tunnel.")
        // on a phone the notice covers no link at the end of the page
        await page.setViewportSize({ width: 360, height: 640 })
        await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        const last = await page.getByRole("link", { name: "Decline this interview" }).boundingBox()
        const notice = await noticeOf(page).boundingBox()
        assert.isBelow((last?.y ?? 0) + (last?.height ?? 0), notice?.y ?? 0)
        await visit.setOffline(false)
        await steps.next(page)
        await steps.at(page, 4)
      })
      assert.deepStrictEqual(
        (yield* stage.stored(candidate)).answers.flatMap(({ content }) => content ?? []),
        ["In the tunnel."],
      )
    }),
  )

  it.effect("a page restored from the back/forward cache offline works once the network is back", () =>
    Effect.gen(function* () {
      const candidate = yield* stage.candidate()
      const { page, visit } = yield* stage.begun(candidate)
      yield* Effect.promise(async () => {
        const built = await steps.reach(page, "A service you built")
        await built.fill("Before the tunnel.")
        await steps.saved(page)
        await visit.setOffline(true)
        await page.evaluate(
          `for (const name of ["pagehide", "pageshow"]) dispatchEvent(new PageTransitionEvent(name, { persisted: true }))`,
        )
        await noticeOf(page).waitFor()
        await built.fill("Before the tunnel, and in it.")
        const loaded = page.waitForEvent("load")
        await visit.setOffline(false)
        await visit.clock.fastForward(6_000)
        await loaded
        await steps.saved(page)
        assert.strictEqual(await built.inputValue(), "Before the tunnel, and in it.")
        await steps.next(page)
        await steps.at(page, 4)
      })
      assert.deepStrictEqual(yield* stage.texts(candidate), ["Before the tunnel, and in it."])
    }),
  )
}
