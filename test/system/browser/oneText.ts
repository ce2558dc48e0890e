/** An interview of one text, and what happens to it on its way to the service. */
import { Effect } from "effect"
import type { BrowserContext, Page, Route } from "playwright-core"
import { Server } from "../../support/Api.ts"
import { origin } from "./chromium.ts"
import * as stage from "./stage.ts"
import * as steps from "./steps.ts"

export const title = "A service you built"
export const candidate = stage.candidate({
  iai_questions: [{ title, question_mode: "interview", question_type: "text" }],
})

/** Starts, and gives the field of the only question. */
export const begin = async (visit: BrowserContext, candidate: stage.Candidate) => {
  const page = await steps.begin(visit, candidate)
  return { page, built: page.getByRole("textbox", { name: title }) }
}

/** From now on the page can send nothing, not even on its way out. */
const cutOff = (page: Page) => page.evaluate("window.fetch = () => Promise.reject(new TypeError())")

/** Closes a page that can send nothing any more. */
export const kill = async (page: Page) => {
  await cutOff(page)
  await page.close()
}

/** Types what a page can not send any more, and closes it. */
export const typeInVain = async (visit: BrowserContext, page: Page, text: string) => {
  await cutOff(page)
  await page.getByRole("textbox", { name: title }).fill(text)
  await visit.clock.fastForward(1_000)
  await steps.unsaved(page)
  await page.close()
}

/** The link again, which leads to the review by now; `prepare` is done to the page before. */
export const review = async (
  visit: BrowserContext,
  { link }: stage.Candidate,
  prepare: (page: Page) => Promise<unknown> = async () => {},
) => {
  const page = await visit.newPage()
  await prepare(page)
  await page.goto(link)
  await page.getByRole("heading", { name: "Your answers", level: 2 }).waitFor()
  return page
}

export const submit = (page: Page) => page.getByRole("button", { name: "Submit answers" }).click()

/** What the service answers to a request that a test holds in its hands. */
export const arrive = Effect.map(
  Server,
  ({ url }) =>
    (route: Route) =>
      route.fetch({ url: route.request().url().replace(origin, url) }),
)
