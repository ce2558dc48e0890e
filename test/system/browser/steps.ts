/** What a candidate does on the pages, by what they see and hear there. */
import type { BrowserContext, Locator, Page } from "playwright-core"
import type * as stage from "./stage.ts"

export const receipt = "Your answers are submitted"

export const seen = (page: Page, heading: string | RegExp) =>
  page.getByRole("heading", { name: heading, level: 1, exact: true }).waitFor()

/** Presses Start, and comes to the first question. */
export const start = async (page: Page) => {
  await page.getByRole("button", { name: /^Start/ }).click()
  await at(page, 1)
}

/** Opens the link, and starts. */
export const begin = async (visit: BrowserContext, { link }: stage.Candidate): Promise<Page> => {
  const page = await visit.newPage()
  await page.goto(link)
  await start(page)
  return page
}

/** The page asks this question. */
export const at = (page: Page, number: number) =>
  page.getByRole("heading", { name: new RegExp(`Question ${number} of `), level: 2 }).waitFor()

export const next = (page: Page) => page.getByRole("button", { name: /^(Next|Review answers)$/ }).click()

export const choice = (page: Page, name: string | RegExp) =>
  page.getByRole("radio", { name }).or(page.getByRole("checkbox", { name }))

/** Goes to a question by the list of all, and gives the field of its answer in writing. */
export const reach = async (page: Page, title: string): Promise<Locator> => {
  await page.getByRole("navigation", { name: "Questions" }).getByRole("link", { name: title }).click()
  const field = page.getByRole("textbox", { name: title })
  await field.waitFor()
  return field
}

/** The page says by itself that what was typed is saved. */
export const saved = async (page: Page) => {
  await page.context().clock.fastForward(1_000)
  await page
    .getByRole("status")
    .filter({ hasText: /^Saved/ })
    .waitFor()
}

/** The page says that what was typed is not saved. */
export const unsaved = (page: Page) =>
  page
    .getByRole("status")
    .filter({ hasText: /not saved/i })
    .waitFor()

/** The button of who has no script. */
export const save = async (page: Page) => {
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByRole("status").filter({ hasText: /saved/ }).waitFor()
}

export const review = async (page: Page) => {
  await page.getByRole("link", { name: "Review and submit" }).click()
  await page.getByRole("heading", { name: "Your answers", level: 2 }).waitFor()
}

export const submit = async (page: Page, options: { readonly twice?: boolean } = {}) => {
  await review(page)
  await page.getByRole("button", { name: "Submit answers" }).click({ clickCount: options.twice ? 2 : 1 })
}
