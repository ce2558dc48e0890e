/** Steps of a candidate on the pages; elements are found by role and name. */
import type { BrowserContext, Locator, Page } from "playwright-core"
import type * as stage from "./stage.ts"

export const receipt = "Your answers are submitted"

export const seen = (page: Page, heading: string | RegExp) =>
  page.getByRole("heading", { name: heading, level: 1, exact: true }).waitFor()

export const start = async (page: Page) => {
  await page.getByRole("button", { name: /^Start/ }).click()
  await at(page, 1)
}

export const begin = async (visit: BrowserContext, { link }: stage.Candidate): Promise<Page> => {
  const page = await visit.newPage()
  await page.goto(link)
  await start(page)
  return page
}

export const at = (page: Page, number: number) =>
  page.getByRole("heading", { name: new RegExp(`Question ${number} of `), level: 2 }).waitFor()

export const next = (page: Page) => page.getByRole("button", { name: /^(Next|Review answers)$/ }).click()

export const choice = (page: Page, name: string | RegExp) =>
  page.getByRole("radio", { name }).or(page.getByRole("checkbox", { name }))

/** Opens a question from the list; returns its text field. */
export const reach = async (page: Page, title: string): Promise<Locator> => {
  await page.getByRole("navigation", { name: "Questions" }).getByRole("link", { name: title }).click()
  const field = page.getByRole("textbox", { name: title })
  await field.waitFor()
  return field
}

/** Waits until the page reports that it saved by itself. */
export const saved = async (page: Page) => {
  await page.context().clock.fastForward(1_000)
  await page
    .getByRole("status")
    .filter({ hasText: /^Saved/ })
    .waitFor()
}

export const unsaved = (page: Page) =>
  page
    .getByRole("status")
    .filter({ hasText: /not saved/i })
    .waitFor()

/** Presses Save, the button without scripts. */
export const save = async (page: Page) => {
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByRole("status").filter({ hasText: /saved/ }).waitFor()
}

export const review = async (page: Page) => {
  await page.getByRole("link", { name: "Review and submit" }).click()
  await page.getByRole("heading", { name: "Your answers", level: 2 }).waitFor()
}

export const submit = async (page: Page, options: { readonly twice?: boolean } = {}) => {
  const button = page.getByRole("button", { name: "Submit answers" })
  // on the review page, its link to itself would load the page again while the button is clicked
  if (!(await button.isVisible())) await review(page)
  const clicks = { clickCount: options.twice ? 2 : 1 }
  if (!(await page.getByText(/not answered yet/).isVisible())) return button.click(clicks)
  await button.click()
  await page.getByRole("button", { name: "Submit anyway" }).click(clicks)
}
