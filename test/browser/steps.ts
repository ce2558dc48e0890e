/** What a candidate does on the pages, by what they see and hear there. */
import type { Locator, Page } from "playwright-core"

export const receipt = "Your answers are submitted"

export const seen = (page: Page, heading: string | RegExp) =>
  page.getByRole("heading", { name: heading, level: 1, exact: true }).waitFor()

export const start = (page: Page) => page.getByRole("button", { name: /^Start/ }).click()

/** Goes to a question and gives the field of its answer in writing. */
export const reach = async (page: Page, title: string): Promise<Locator> => page.getByRole("textbox", { name: title })

export const choice = (page: Page, name: string | RegExp) =>
  page.getByRole("radio", { name }).or(page.getByRole("checkbox", { name }))

/** The page says by itself that what was typed is saved. */
export const saved = async (page: Page) => {
  await page.context().clock.fastForward(1_000)
  await page
    .getByRole("status")
    .filter({ hasText: /^Saved/ })
    .waitFor()
}

/** The button of who has no script. */
export const save = async (page: Page) => {
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByRole("status").filter({ hasText: /saved/ }).waitFor()
}

const scripted = (page: Page) => page.evaluate<boolean>(`"scripted" in document.documentElement.dataset`)

/** Without a script one press submits; with it, a question comes before. */
export const submit = async (page: Page, { twice = false } = {}) => {
  const last = async () => {
    const open = page.getByRole("button", { name: /^Submit/ })
    if (!(await scripted(page))) return open
    await open.click()
    return page.getByRole("dialog").getByRole("button", { name: "Submit" })
  }
  await (await last()).click({ clickCount: twice ? 2 : 1 })
}
