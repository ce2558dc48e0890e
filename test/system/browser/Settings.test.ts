/** Pages of API keys and webhooks in Chromium, with and without scripts, on both widths and themes. */

import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Page } from "playwright-core"
import { ApiKeys } from "../../../src/accounts/api-keys/ApiKeys.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { Endpoints } from "../../../src/webhooks/endpoints/Endpoints.ts"
import { kombo } from "../../ats/systems.ts"
import * as Api from "../../support/Api.ts"
import * as Pod from "../../support/Pod.ts"
import { passingTime } from "../../support/passingTime.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Settings from "../../support/Settings.ts"
import { rounds } from "../../support/Webhooks.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing, untilTrue, type visitor } from "./chromium.ts"
import { look } from "./looks.ts"
import * as stage from "./stage.ts"

/** The current response of receivers. */
let [status, body] = [200, ""]
const answer = (next: number, text = "") => {
  status = next
  body = text
}

const layerOfPages = stage.layerOf({ receive: () => Effect.sync(() => Pod.answered(status, body)) })

const keys = "/settings/integrations/api-keys"
const webhooks = "/settings/webhooks"

let admins = 0
/** An organization, and a page on which its admin is signed in. */
const begin = Effect.fnUntraced(function* (
  options: Parameters<typeof visitor>[0] & { readonly permissions?: Array<string> } = {},
  at: string = keys,
) {
  answer(200)
  const organization = yield* Scenario.organization({}, "Nordlicht")
  const { email } = yield* Workspace.member(organization.id, `admin${++admins}@example.com`, "admin")
  const page = yield* stage.signedIn(email, at, options)
  yield* Effect.promise(() => page.getByRole("navigation", { name: "Settings" }).waitFor())
  return { organization, page, visit: page.context() }
})

const statusShown = (page: Page, text: string | RegExp) => page.getByRole("status").filter({ hasText: text }).waitFor()
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click()
const follow = (page: Page, name: string | RegExp) => page.getByRole("link", { name }).first().click()
const headed = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()

/** Shows the single events of a group of the webhook's form. */
const openGroup = (page: Page, name: string) =>
  page.getByRole("group", { name, exact: true }).locator("summary").click()
const up = (page: Page) => page.getByRole("navigation", { name: "Up" }).getByRole("link").click()

const addWebhook = async (page: Page, name: string) => {
  await page.goto(webhooks)
  await follow(page, "Add a webhook")
  await page.getByLabel("Address").fill("https://ats.example/hooks")
  await page.getByRole("textbox", { name: /^Name/ }).fill(name)
  await press(page, "Add the webhook")
  await headed(page, `Secret of ${name}`)
}

describe.skipIf(missing !== undefined)(["settings in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(layerOfPages)((it) => {
    it.effect("every page of API keys fits and is accessible on both widths and themes", () =>
      Effect.gen(function* () {
        const { organization, page } = yield* begin()
        const service = yield* ApiKeys
        yield* Effect.promise(async () => {
          await headed(page, "API keys")
          await look(page, "k1-empty")
          await follow(page, "Create a key")
          await page.getByRole("textbox", { name: /^Name/ }).fill("Recruiting system")
          await page.getByLabel("Create interview sets").uncheck()
          await page.evaluate(`document.querySelector("[name=scopes]:checked").value = "everything"`)
          await press(page, "Create the key")
          await page.getByRole("alert").waitFor()
          await look(page, "k2-fault")
          await page.getByLabel("Invite candidates").check()
          await press(page, "Create the key")
          await headed(page, "Save the key now")
          await look(page, "k3-once")
          await follow(page, "I have saved it")
          await statusShown(page, "The key was created")
        })
        const old = yield* service.create(operator(organization.id), {
          name: "Careers page",
          expires_at: "2026-10-01",
          scopes: ["read"],
        })
        const other = yield* service.create(operator(organization.id), {
          name: `Reporting ${"of the whole group ".repeat(4)}`,
        })
        yield* passingTime(service.update(operator(organization.id), other.id, { status: "inactive" }))
        yield* service.authenticate(old.value).pipe(Effect.ignore)
        yield* Effect.promise(async () => {
          await page.reload()
          await look(page, "k4-list")
          await follow(page, /^Recruiting system/)
          await headed(page, "Recruiting system")
          await look(page, "k5-key")
          await follow(page, "Delete…")
          await look(page, "k6-delete")
        })
      }),
    )

    it.effect("every page of webhooks fits and is accessible on both widths and themes", () =>
      Effect.gen(function* () {
        const { organization, page } = yield* begin({}, webhooks)
        yield* Effect.promise(async () => {
          await look(page, "h1-empty")
          await follow(page, "Add a webhook")
          await page.getByLabel("Address").fill("http://10.0.0.1/hooks")
          await openGroup(page, "Evaluations")
          await page.getByRole("checkbox", { name: /^Cannot be evaluated/ }).uncheck()
          await press(page, "Add the webhook")
          await page.getByRole("alert").waitFor()
          await look(page, "h2-faults")
        })
        const endpoints = yield* Endpoints
        const { id } = yield* Scenario.endpoint(organization.id, { url: "https://ats.example/hooks/interviews" })
        yield* endpoints.update(operator(organization.id), id, {
          name: "Recruiting system",
          description: "Run by the people team",
        })
        const off = yield* Scenario.endpoint(organization.id, {
          url: "https://crm.example/",
          events: ["interview.status.update.completed"],
        })
        yield* endpoints.disable(operator(organization.id), off.id)
        const candidate = yield* Scenario.invited(organization)
        yield* Scenario.publish(candidate, 3)
        yield* rounds
        yield* TestClock.adjust("1 hour")
        answer(503, '{"error":"the database is away","trace":"0af7651916cd43dd8448eb211c80319c"}')
        yield* Scenario.publish(candidate, 2)
        yield* rounds
        yield* endpoints.update(operator(organization.id), id, {
          headers: [{ name: "Authorization", value: "Bearer 1" }],
          max_per_minute: 600,
          interview_set_ids: [organization.set.id],
        })
        // attempts by hour are written after five seconds
        const { sql } = yield* Database
        yield* TestClock.adjust("5 seconds")
        yield* rounds
        yield* Effect.repeat(sql`select 1 from webhook_endpoint_hour where endpoint_id = ${id}::uuid`, {
          until: (hours) => hours.length === 2,
        })
        const path = `${webhooks}/${id}`
        yield* Effect.promise(async () => {
          await page.goto(webhooks)
          await look(page, "h3-list")
          await page.goto(path)
          await page.getByText("Attempts by hour").click()
          await look(page, "h4-failing")
          await follow(page, /^Interviews: Started Failing/)
          await page.getByText("Headers sent").first().click()
          await page.locator("summary", { hasText: "Exact body" }).click()
          await look(page, "h5-delivery")
          await page.goto(`${path}/secret`)
          await look(page, "h6-secret")
          await press(page, "Create a new secret")
          await statusShown(page, "The new secret was created")
          await look(page, "h6-overlap")
          await page.goto(`${path}/test`)
          await press(page, "Send the test")
          await page.getByRole("heading", { name: /^Not delivered/ }).waitFor()
          await look(page, "h7-test")
          await page.goto(`${webhooks}/check?endpoint=${id}`)
          await page.getByLabel("X-Webhook-Signature").fill("t=1793612520,v1=00")
          await page.getByLabel("Body").fill('{"a": 1}')
          await press(page, "Check")
          await page.getByText("The signature is not valid").waitFor()
          await look(page, "h8-check")
          await page.goto(`${path}/resend`)
          await look(page, "h9-resend")
          await page.goto(`${webhooks}/${off.id}`)
          await look(page, "h9-off")
          await follow(page, "Activate…")
          await look(page, "h9-on")
          await page.goto(`${path}/delete`)
          await look(page, "h9-delete")
          await page.goto(`${path}/edit`)
          await look(page, "h9-edit")
          await page.getByLabel("Header 2", { exact: true }).fill("Host")
          await page.getByLabel("Find by title").fill("engineer")
          await press(page, "Find")
          await page.getByLabel("Attempts per minute").fill("none")
          await page.getByLabel("Find by title").fill("engineer")
          await press(page, "Save")
          await page.getByRole("alert").waitFor()
          await look(page, "h9-options")
        })
      }),
    )

    it.effect("the page of a hiring system fits and is accessible with a log of orders", () =>
      Effect.gen(function* () {
        const systems = "/settings/integrations/hiring-systems"
        const { organization, page } = yield* begin({}, systems)
        yield* Effect.promise(async () => {
          await page.goto(`${systems}/new?system=kombo`)
          await page.getByRole("textbox", { name: /^Name/ }).fill("Workday")
          await page.getByLabel("Region").selectOption({ index: 1 })
          await page.getByLabel("Kombo API key").fill("key")
          await page.getByLabel("Integration id").fill("workday:1")
          await page.getByLabel("Webhook secret").fill("secret")
          await press(page, "Connect")
          await follow(page, "Open the connection")
          await headed(page, "Workday")
        })
        const path = new URL(page.url()).pathname
        for (const integration_id of ["workday:1", "workday:2"]) {
          const candidate = { email: "ada@example.com", first_name: "Ada", last_name: "Lovelace" }
          const raw = JSON.stringify({
            data: { id: integration_id, package_id: organization.set.id, integration_id, candidate },
          })
          const headers = { "content-type": "application/json", ...kombo.authenticate("secret", raw) }
          yield* Api.call("POST", `/hiring-systems/kombo/${path.slice(-36)}/order-received`, { headers, raw })
        }
        yield* Effect.promise(async () => {
          await page.reload()
          await page.getByRole("link", { name: "Ada Lovelace" }).waitFor()
          await look(page, "a1-connection")
        })
      }),
    )

    it.effect("a key is created and copied; neither Back nor a reload shows its value again", () =>
      Effect.gen(function* () {
        const { organization, page } = yield* begin({ permissions: ["clipboard-read", "clipboard-write"] })
        const value = yield* Effect.promise(async () => {
          await follow(page, "Create one")
          await page.getByRole("textbox", { name: /^Name/ }).fill("ATS")
          await page.getByRole("button", { name: "Create the key" }).dblclick()
          await headed(page, "Save the key now")
          const value = await page.getByLabel("The key").inputValue()
          assert.match(value, /^iv_live_\w{8}\.[\w-]{43}$/)
          await page.getByRole("button", { name: "Copy", exact: true }).click()
          await statusShown(page, "Copied")
          assert.strictEqual(await page.evaluate("navigator.clipboard.readText()"), value)
          await press(page, "Copy Try it")
          await untilTrue(page, "navigator.clipboard.readText().then((text) => text.startsWith('curl'))")
          assert.include(await page.evaluate("navigator.clipboard.readText()"), value)
          assert.notInclude(page.url(), value)
          return value
        })
        yield* Effect.promise(async () => {
          // the back/forward cache keeps the page without the value
          await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
          await page.getByText("The value was shown once").waitFor()
          assert.notInclude(await page.locator("html").innerHTML(), value)
          await follow(page, "I have saved it")
          await statusShown(page, "The key was created")
          assert.notInclude(await page.locator("html").innerHTML(), value)
          // the browser shows the page without the value or asks to send the form again
          await page.goBack().catch(() => null)
          assert.notInclude(await page.locator("html").innerHTML(), value)
        })
        const all = yield* (yield* ApiKeys).list(operator(organization.id))
        assert.lengthOf(all, 1)
      }),
    )

    it.effect("a webhook is added and tested, its deliveries are listed, and failed ones are sent again", () =>
      Effect.gen(function* () {
        const { organization, page, visit } = yield* begin({ permissions: ["clipboard-read", "clipboard-write"] })
        yield* Effect.promise(async () => {
          await page.goto(webhooks)
          await follow(page, "Add a webhook")
          await openGroup(page, "Interviews")
          const group = page.getByRole("checkbox", { name: /^Interviews/ })
          const completed = page.getByRole("checkbox", { name: /^Completed/ })
          assert.isTrue(await completed.isChecked(), "the group is all of it")
          await completed.uncheck()
          assert.isFalse(await group.isChecked())
          assert.strictEqual(await page.locator("input:indeterminate").count(), 1)
          await completed.check()
          assert.isTrue(await group.isChecked())
          await group.uncheck()
          assert.isFalse(await page.getByRole("checkbox", { name: /^Started/ }).isChecked())
          await page.getByRole("checkbox", { name: /^Started/ }).check()
          await page.getByLabel("Address").fill("https://ats.example/hooks")
          await page.getByRole("textbox", { name: /^Name/ }).fill("ATS")
          await page.getByRole("button", { name: "Add the webhook" }).dblclick()
          await statusShown(page, "The webhook was added")
          const secret = await page.getByLabel("The secret", { exact: true }).inputValue()
          await press(page, "Copy")
          await statusShown(page, "Copied")
          assert.strictEqual(await page.evaluate("navigator.clipboard.readText()"), secret)
          await follow(page, "ATS")
          await follow(page, "Send a test")
          await press(page, "Send the test")
          await page.getByRole("heading", { name: /^Delivered/ }).waitFor()
          await follow(page, "ATS")
          await page.getByText("No deliveries yet").waitFor()
        })
        const [endpoint, ...more] = yield* (yield* Endpoints).list(operator(organization.id))
        assert.deepStrictEqual(more, [])
        assert.deepStrictEqual(endpoint?.events, [
          "invitation.status.update",
          "interview.status.update.started",
          "interview.evaluation.update",
        ])
        const candidate = yield* Scenario.invited(organization)
        answer(503, "<h1>away</h1>")
        yield* Scenario.publish(candidate)
        yield* Effect.promise(async () => {
          await visit.clock.fastForward(5_000)
          await page.getByText("no attempts yet").waitFor()
        })
        yield* rounds
        yield* Effect.promise(async () => {
          await page.getByRole("link", { name: /^Interviews: Started/ }).focus()
          await visit.clock.fastForward(5_000)
          await page.getByText("1 attempt · The receiver answered 503").waitFor()
          await page.getByText("1 failure in a row, deactivated at 15").waitFor()
          assert.match(String(await page.evaluate("document.activeElement.id")), /^delivery-\d+$/)
          await page.keyboard.press("Enter")
          await headed(page, "Interviews: Started")
          await page.getByText("<h1>away</h1>").waitFor()
          await page.getByText("Headers sent").click()
          await page.getByText("webhook-signature:").first().waitFor()
        })
        for (let attempt = 2; attempt <= 6; attempt++) {
          yield* TestClock.adjust("3 hours")
          yield* rounds
        }
        yield* Effect.promise(async () => {
          await visit.clock.fastForward(5_000)
          await page.getByText("6 attempts").waitFor()
          assert.strictEqual(await page.locator("#headers-1[open]").count(), 1, "what was open stays so")
          await page.getByRole("button", { name: "Send again" }).dblclick()
          await statusShown(page, "The event was sent again, as this new delivery")
          answer(200, "ok")
        })
        yield* rounds
        yield* Effect.promise(async () => {
          await visit.clock.fastForward(5_000)
          await page.getByText("Delivered", { exact: true }).waitFor()
          await follow(page, "ATS")
          await page.getByLabel("State").selectOption("Failed")
          // in the organization's time zone, not in the browser's
          assert.include(await page.locator("label[for=from]").innerText(), "UTC")
          await page.getByLabel("From").fill("2026-11-02T09:42")
          await press(page, "Filter")
          await page.getByRole("link", { name: /^Interviews: Started Failed/ }).waitFor()
          const { searchParams } = new URL(page.url())
          assert.deepStrictEqual(
            [...searchParams],
            [
              ["state", "failed"],
              ["from", "2026-11-02T09:42"],
            ],
          )
          assert.strictEqual(await page.getByLabel("From").inputValue(), "2026-11-02T09:42")
        })
      }),
    )

    it.effect("all of it works without scripts, and responses are shown as text", () =>
      Effect.gen(function* () {
        const { organization, page } = yield* begin({ javaScriptEnabled: false })
        answer(500, Settings.hostile)
        yield* Effect.promise(async () => {
          await follow(page, "Create one")
          await page.getByRole("textbox", { name: /^Name/ }).fill(Settings.hostile)
          await press(page, "Create the key")
          await headed(page, "Save the key now")
          assert.match(await page.getByLabel("The key").inputValue(), /^iv_live_/)
          assert.strictEqual(await page.getByRole("button", { name: "Copy" }).count(), 0)
          await follow(page, "I have saved it")
          await page.getByText("</pre></textarea><script>").first().click()
        })
        const change = Effect.promise(async () => {
          await press(page, "Deactivate")
          await statusShown(page, "The key was deactivated")
          await follow(page, "Delete…")
          await press(page, "Delete the key")
          await statusShown(page, "The key was deleted")
        })
        yield* passingTime(change)
        yield* Effect.promise(async () => {
          await addWebhook(page, Settings.hostile)
          await up(page)
          await follow(page, "Send a test")
          await press(page, "Send the test")
          await page.getByRole("heading", { name: /^Not delivered/ }).waitFor()
          await page.getByText("<img src=x onerror=alert(1)>").first().waitFor()
        })
        yield* Scenario.publish(yield* Scenario.invited(organization))
        yield* rounds
        yield* Effect.promise(async () => {
          await up(page)
          await page.getByLabel("State").selectOption("Waiting")
          await press(page, "Filter")
          await follow(page, /^Interviews: Started/)
          await page.getByText("Response", { exact: true }).waitFor()
          await page.getByText("Headers sent").click()
          await page.getByText("x-webhook-signature:").first().waitFor()
          await up(page)
          await page.locator("summary", { hasText: "More actions" }).click()
          await press(page, "Deactivate")
          await page.getByText("1 delivery is paused, not lost").waitFor()
          await follow(page, "Activate…")
          await press(page, "Activate")
          await statusShown(page, "Sending 1 delivery that had been paused")
          await follow(page, "Edit")
          await page.getByRole("checkbox", { name: /^Interviews/ }).uncheck()
          await openGroup(page, "Interviews")
          await page.getByRole("checkbox", { name: /^Started/ }).check()
          await press(page, "Save")
          await statusShown(page, "Your changes were saved")
          await page.getByText("Invitation emails, Interviews: Started, and 1 more").waitFor()
        })
      }),
    )
  })
})
