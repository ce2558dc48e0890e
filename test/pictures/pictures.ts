/** The pictures of docs/workspace.md: which page of the workspace each shows, and how it is reached in the sample organization. */
import type { Page } from "playwright-core"

export interface Picture {
  /** Of the file, docs/pictures/<name>.webp. */
  readonly name: string
  /** The template of the page's path. */
  readonly route: string
  readonly reach: (page: Page) => Promise<unknown>
  readonly isDark?: true
  readonly isPhone?: true
}

const set = /^Backend Engineer/

const at = (path: string) => (page: Page) => page.goto(path)

/** Opens the page, then follows links of its content by the beginnings of their texts, one after the other. */
const through =
  (path: string, ...names: ReadonlyArray<RegExp>) =>
  async (page: Page) => {
    await page.goto(path)
    for (const name of names) {
      await page.locator("main").getByRole("link", { name }).first().click()
      await page.waitForLoadState()
    }
  }

const selected = (name: string) => async (page: Page) => {
  await through("/interview-sets", set, /^Submissions \d/)(page)
  await page.goto(`${page.url()}&status=evaluated`)
  for (const row of await page
    .locator("tbody [name=selected]")
    .all()
    .then((all) => all.slice(0, 3)))
    await row.check()
  await page.locator(".bulk").getByText("More", { exact: true }).click()
  await page.getByRole("button", { name }).click()
  await page.waitForLoadState()
}

const candidate = through("/submissions?status=evaluated", /^Sanna/)

const draft = async (page: Page) => {
  await through("/interview-sets", set, /^Invite/)(page)
  await page.locator("main textarea, main input[type=email]").first().waitFor()
}

const webhook = through("/settings/webhooks", /^Hiring system(?!s)/)

export const pictures: ReadonlyArray<Picture> = [
  { name: "home", route: "/home", reach: at("/home") },
  { name: "submissions", route: "/submissions", reach: at("/submissions") },
  { name: "submissions-dark", route: "/submissions", reach: at("/submissions"), isDark: true },
  { name: "submission", route: "/submissions/:id", reach: candidate },
  { name: "submission-dark", route: "/submissions/:id", reach: candidate, isDark: true },
  { name: "submission-phone", route: "/submissions/:id", reach: candidate, isPhone: true },
  { name: "compare", route: "/submissions/compare", reach: selected("Compare") },
  { name: "board", route: "/interview-sets/:id/board", reach: through("/interview-sets", set, /^Board$/) },
  { name: "interview-sets", route: "/interview-sets", reach: at("/interview-sets") },
  { name: "interview-set", route: "/interview-sets/:id", reach: through("/interview-sets", set) },
  { name: "set-templates", route: "/interview-sets/templates", reach: at("/interview-sets/templates") },
  {
    name: "set-editor",
    route: "/interview-sets/new",
    reach: through("/interview-sets/templates", /^Registered Nurse/),
  },
  { name: "preview", route: "/i/preview/:id", reach: through("/interview-sets", set, /^Preview/) },
  { name: "invite", route: "/interview-sets/:id/invite", reach: draft },
  { name: "projects", route: "/projects", reach: at("/projects") },
  { name: "message-templates", route: "/message-templates", reach: at("/message-templates") },
  { name: "account", route: "/account", reach: at("/account") },
  { name: "members", route: "/settings/members", reach: at("/settings/members") },
  { name: "api-keys", route: "/settings/integrations/api-keys", reach: at("/settings/integrations/api-keys") },
  {
    name: "hiring-systems",
    route: "/settings/integrations/hiring-systems",
    reach: at("/settings/integrations/hiring-systems"),
  },
  { name: "webhooks", route: "/settings/webhooks", reach: at("/settings/webhooks") },
  { name: "webhook", route: "/settings/webhooks/:id", reach: webhook },
  { name: "new-webhook", route: "/settings/webhooks/new", reach: at("/settings/webhooks/new") },
  { name: "organization", route: "/settings/organization", reach: at("/settings/organization") },
  { name: "appearance", route: "/settings/appearance", reach: at("/settings/appearance") },
  { name: "stages", route: "/settings/stages", reach: at("/settings/stages") },
  { name: "reasons", route: "/settings/reasons", reach: at("/settings/reasons") },
  { name: "people", route: "/settings/people", reach: at("/settings/people?q=a") },
  { name: "person", route: "/settings/people/:id", reach: through("/settings/people?q=sanna", /^Sanna/) },
  { name: "email-subjects", route: "/settings/email-subjects", reach: at("/settings/email-subjects") },
  { name: "new-member", route: "/settings/members/new", reach: at("/settings/members/new") },
  {
    name: "new-api-key",
    route: "/settings/integrations/api-keys/new",
    reach: at("/settings/integrations/api-keys/new"),
  },
  {
    name: "new-hiring-system",
    route: "/settings/integrations/hiring-systems/new",
    reach: at("/settings/integrations/hiring-systems/new"),
  },
  { name: "new-message-template", route: "/message-templates/new", reach: at("/message-templates/new") },
  { name: "second-factor", route: "/account/second-factor", reach: at("/account/second-factor") },
  { name: "accommodations", route: "/accommodations", reach: at("/accommodations") },
  { name: "assigned", route: "/submissions/assigned", reach: at("/submissions/assigned") },
  {
    name: "move",
    route: "/interview-sets/:id/board/:submission",
    reach: async (page) => {
      await through("/interview-sets", set, /^Board$/)(page)
      await page.goto((await page.locator("#board .move").first().getAttribute("href")) ?? "")
    },
  },
  { name: "audit", route: "/settings/audit", reach: at("/settings/audit") },
]
