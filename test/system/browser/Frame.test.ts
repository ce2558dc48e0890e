/** The workspace's frame in Chromium: the menu and the select of narrow screens, focus on errors, heights, targets. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import * as Scenario from "../../support/Scenario.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing, untilTrue, visitor } from "./chromium.ts"
import { look, smallTargets } from "./looks.ts"
import * as stage from "./stage.ts"

const layerOfPages = stage.layerOf()

const phone = { viewport: { width: 360, height: 740 } }

let members = 0
/** A page on which the owner of an organization with one invitation is signed in. */
const begin = Effect.fnUntraced(function* (options: Parameters<typeof visitor>[0] = {}) {
  const organization = yield* Scenario.organization({}, "Nordlicht Krankenhausgesellschaft")
  yield* Scenario.invited(organization)
  const email = `owner${++members}@${"long-name-".repeat(3)}example.com`
  yield* Workspace.member(organization.id, email, "owner")
  const page = yield* stage.signedIn(email, "/submissions", options)
  yield* Effect.promise(async () => {
    await page.getByRole("heading", { level: 1, name: "Submissions" }).waitFor()
  })
  return page
})

const menu = (page: Page) => page.locator("summary", { hasText: "Menu" })
const places = (page: Page) => page.getByRole("navigation", { name: "Workspace" })
const focused = (page: Page) => page.evaluate("document.activeElement.id || document.activeElement.textContent")
const path = (page: Page) => new URL(page.url()).pathname

/** Pairs of texts in the header that lie over each other. */
const overlaps = `(() => {
  const all = [...document.querySelectorAll(".masthead :is(bdi, a, summary, button)")].filter((one) => one.checkVisibility())
  const boxes = all.map((one) => [one.textContent, one.getBoundingClientRect()])
  return boxes.flatMap(([name, a], i) => boxes.slice(i + 1)
    .filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
    .map(([other]) => name + " / " + other))
})()`

/** Heights of the controls of each filter. */
const filterHeights = `[...document.querySelectorAll("form.filter, form.narrow")].map((form) =>
  [...form.querySelectorAll("input:not([type=hidden]), select, button, a.button")].map((one) => one.getBoundingClientRect().height))`

/** Whether two controls on one row end at different heights, or a placeholder is cut. */
const isUneven = `[...document.querySelectorAll("form.filter, form.narrow")].some((form) => {
  const all = [...form.querySelectorAll("input:not([type=hidden]), select, button, a.button")]
    .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())
  return all.some((a) => all.some((b) => a.bottom !== b.bottom && Math.abs(a.bottom - b.bottom) < 40))
}) || [...document.querySelectorAll("input[placeholder]")].some((input) => {
  const text = document.createElement("canvas").getContext("2d")
  const { fontFamily, fontSize } = getComputedStyle(input, "::placeholder")
  text.font = fontSize + " " + fontFamily
  return text.measureText(input.placeholder).width > input.clientWidth - 2 * parseFloat(getComputedStyle(input).paddingLeft)
})`

describe.skipIf(missing !== undefined)(["the frame in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(layerOfPages)((it) => {
    it.effect("on a phone, the menu opens by keyboard, and closes on Escape, a click beside it or losing focus", () =>
      Effect.gen(function* () {
        const page = yield* begin(phone)
        yield* Effect.promise(async () => {
          assert.isFalse(await places(page).isVisible())
          await menu(page).focus()
          await page.keyboard.press("Enter")
          await places(page).waitFor()
          await page.keyboard.press("Tab")
          await page.keyboard.press("Tab")
          await page.keyboard.press("Escape")
          await places(page).waitFor({ state: "hidden" })
          assert.strictEqual(await focused(page), "Menu")
          await page.keyboard.press("Space")
          await places(page).waitFor()
          await look(page, "f1-menu")
          await page.setViewportSize(phone.viewport)
          await page.mouse.click(180, 700)
          await places(page).waitFor({ state: "hidden" })
          await menu(page).click()
          await page.getByRole("button", { name: "Sign out" }).focus()
          await page.keyboard.press("Tab")
          await places(page).waitFor({ state: "hidden" })
          await menu(page).click()
          await places(page).getByRole("link", { name: "Projects" }).click()
          await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor()
          assert.isFalse(await places(page).isVisible(), "the next page begins closed")
        })
      }),
    )

    it.effect("without scripts, the menu, the select of settings and the focus on errors work", () =>
      Effect.gen(function* () {
        const page = yield* begin({ ...phone, javaScriptEnabled: false })
        yield* Effect.promise(async () => {
          await menu(page).click()
          await places(page).getByRole("link", { name: "Settings" }).click()
          const settings = page.getByRole("navigation", { name: "Settings" })
          assert.strictEqual(await settings.getByRole("link").count(), 0)
          await settings.getByRole("combobox").selectOption("Members")
          await settings.getByRole("button", { name: "Go" }).click()
          await page.getByRole("heading", { level: 1, name: "Members" }).waitFor()
          await page.goto("/settings/members/new")
          await page.getByRole("button", { name: "Send the invitation" }).click()
          await page.getByRole("alert").waitFor()
          assert.strictEqual(await focused(page), "error")
        })
      }),
    )

    it.effect("the select of settings opens the chosen section; arrow keys show a button first", () =>
      Effect.gen(function* () {
        const page = yield* begin(phone)
        yield* Effect.promise(async () => {
          await page.goto("/settings")
          const settings = page.getByRole("navigation", { name: "Settings" })
          const go = settings.getByRole("button", { name: "Go" })
          assert.isFalse(await go.isVisible())
          await settings.getByRole("combobox").selectOption("Audit log")
          await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor()
          assert.strictEqual(await settings.getByRole("combobox").inputValue(), "Audit log")
          await settings.getByRole("combobox").focus()
          await page.keyboard.press("ArrowUp")
          await page.keyboard.press("ArrowUp")
          await go.waitFor()
          assert.strictEqual(path(page), "/settings/audit")
          await page.keyboard.press("Tab")
          await page.keyboard.press("Enter")
          await page.getByRole("heading", { level: 1, name: "Personal data" }).waitFor()
          await page.goBack()
          await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor()
          await untilTrue(page, "document.querySelector('.section-choice select').value === 'Audit log'")
        })
      }),
    )

    it.effect("the header has one row without overlaps from 320 to 1920 px, and targets of 24 px", () =>
      Effect.gen(function* () {
        const page = yield* begin()
        yield* Effect.promise(async () => {
          await page.locator("#list tbody th a").first().click()
          await page.getByRole("heading", { level: 1, name: "Ada" }).waitFor()
          for (const at of ["/", "/mailbox", path(page), "/submissions", "/settings/members", "/account"]) {
            await page.goto(at)
            for (const width of [320, 360, 480, 700, 768, 959, 960, 1280, 1920]) {
              await page.setViewportSize({ width, height: 740 })
              assert.deepStrictEqual(await page.evaluate(overlaps), [], `${at} at ${width} px`)
              assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"), 0)
              if (at.length > 8) {
                const height = await page.evaluate<number>("document.querySelector('.masthead').offsetHeight")
                assert.isAtMost(height, 70, `${at} at ${width} px`)
              }
              assert.deepStrictEqual(await page.evaluate(smallTargets), [], `${at} at ${width} px`)
            }
          }
        })
      }),
    )

    it.effect("a refused form moves the focus to its errors, and each links to its field", () =>
      Effect.gen(function* () {
        const page = yield* begin(phone)
        const [first, second] = [
          "The address must be a valid email address: it has no @.",
          "The name must have at most",
        ]
        yield* Effect.promise(async () => {
          await page.goto("/settings/members/new#here")
          await page.getByLabel("Email address").fill("jörg")
          await page.getByLabel("Name").fill("x".repeat(300))
          await page.getByRole("button", { name: "Send the invitation" }).click()
          await page.getByRole("alert").waitFor()
          assert.strictEqual(await focused(page), "error")
          await page.keyboard.press("Tab")
          assert.strictEqual(await focused(page), first)
          await page.keyboard.press("Tab")
          assert.include(String(await focused(page)), second)
          await page.keyboard.press("Enter")
          assert.strictEqual(await focused(page), "name")
          assert.strictEqual(await page.getByLabel("Name").inputValue(), "x".repeat(300))
          await look(page, "f2-errors")
          await page.goto("/settings/integrations/api-keys/new")
          await page.evaluate(`document.querySelector("[name=scopes]:checked").value = "everything"`)
          await page.getByRole("button", { name: "Create the key" }).click()
          await page.getByRole("alert").getByRole("link").click()
          assert.strictEqual(await focused(page), "scopes")
          await page.keyboard.press("Tab")
          assert.strictEqual(await page.evaluate("document.activeElement.name"), "access")
        })
      }),
    )

    it.effect("the browser sends international and long addresses to the service", () =>
      Effect.gen(function* () {
        const page = yield* begin()
        yield* Effect.promise(async () => {
          const invite = async (email: string) => {
            await page.goto("/settings/members/new")
            await page.getByLabel("Email address").fill(email)
            await page.getByRole("button", { name: "Send the invitation" }).click()
          }
          await invite("mueller@bücher.example")
          await page.getByRole("link", { name: /^mueller@/ }).waitFor()
          for (const refused of [
            `${"x".repeat(400)}@example.com`,
            "müller@bücher.example",
            "two@a.example, b@a.example",
          ]) {
            await invite(refused)
            await page.getByRole("alert").waitFor()
            assert.strictEqual(await page.getByLabel("Email address").inputValue(), refused)
          }
          await page.goto("/settings/webhooks/new")
          await page.getByLabel("Address").fill("not an address")
          await page.getByRole("button", { name: "Add the webhook" }).click()
          await page.getByRole("alert").waitFor()
          assert.strictEqual(await page.getByLabel("Address").inputValue(), "not an address")
        })
      }),
    )

    it.effect("sign-in shows beside each empty field what to enter, and does not count as an attempt", () =>
      Effect.gen(function* () {
        const visit = yield* visitor(phone)
        const page = yield* Effect.promise(() => visit.newPage())
        yield* begin()
        yield* Effect.promise(async () => {
          await page.goto("/sign-in")
          for (let i = 0; i < 12; i++) {
            await page.getByRole("button", { name: "Sign in", exact: true }).click()
            await page.getByRole("alert").getByRole("link").nth(1).waitFor()
          }
          assert.strictEqual(await focused(page), "error")
          assert.strictEqual(await page.getByLabel("Password").getAttribute("aria-invalid"), "true")
          await look(page, "f3-sign-in")
        })
      }),
    )

    it.effect("fields and buttons of filters have the same height and are aligned in rows", () =>
      Effect.gen(function* () {
        const page = yield* begin()
        yield* Effect.promise(async () => {
          for (const at of [
            "/submissions",
            "/interview-sets",
            "/settings/audit",
            "/settings/integrations/requests?status=failed",
          ]) {
            await page.goto(at)
            for (const width of [360, 1280]) {
              await page.setViewportSize({ width, height: 740 })
              // on a phone, most filters are folded
              const filters = page.locator(".fold summary", { hasText: "Filters" })
              if (await filters.isVisible()) await filters.click()
              const heights = new Set((await page.evaluate<Array<Array<number>>>(filterHeights)).flat())
              assert.deepStrictEqual([...heights], [36], `${at} at ${width} px`)
              assert.isFalse(await page.evaluate(isUneven), `${at} at ${width} px`)
            }
          }
        })
      }),
    )
  })
})
