/** An interview with one text question, and ways to lose its saves. */
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

/** A started interview; `built` is the text field. */
export const begun = Effect.gen(function* () {
  const ada = yield* candidate
  const { page, visit } = yield* stage.begun(ada)
  return { ada, visit, page, built: page.getByRole("textbox", { name: title }) }
})

/** Makes all later requests of the page fail, also those sent while it closes. */
const cutOff = (page: Page) => page.evaluate("window.fetch = () => Promise.reject(new TypeError())")

/** Closes a page without letting it send anything. */
export const closeUnsent = async (page: Page) => {
  await cutOff(page)
  await page.close()
}

/** Types a text that the page cannot send, and closes the page. */
export const typeUnsent = async (visit: BrowserContext, page: Page, text: string) => {
  await cutOff(page)
  await page.getByRole("textbox", { name: title }).fill(text)
  await visit.clock.fastForward(1_000)
  await steps.unsaved(page)
  await page.close()
}

/** Opens the link in a new page, which shows the review. `prepare` runs before. */
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

/** Forwards an intercepted request to the service and returns its response. */
export const forwarding = Effect.map(
  Server,
  ({ url }) =>
    (route: Route) =>
      route.fetch({ url: route.request().url().replace(origin, url) }),
)
