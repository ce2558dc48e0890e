/** Rehearsals, the log of API requests and the set-up of hiring systems in Chromium: fit, accessibility, keyboard. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { Page } from "playwright-core"
import { ApiKeys } from "../../../src/accounts/api-keys/ApiKeys.ts"
import { RequestLog } from "../../../src/accounts/requests/RequestLog.ts"
import { operator } from "../../../src/accounts/Viewer.ts"
import { HiringSystem } from "../../../src/ats/HiringSystem.ts"
import { Endpoints } from "../../../src/webhooks/endpoints/Endpoints.ts"
import { Rehearsals } from "../../../src/webhooks/rehearsals/Rehearsals.ts"
import * as Api from "../../support/Api.ts"
import * as Pod from "../../support/Pod.ts"
import { passingTime } from "../../support/passingTime.ts"
import * as Scenario from "../../support/Scenario.ts"
import * as Settings from "../../support/Settings.ts"
import * as Workspace from "../../support/Workspace.ts"
import { missing } from "./chromium.ts"
import { focusFault, look, smallTargets } from "./looks.ts"
import * as stage from "./stage.ts"

const name = `Applicant tracking system of Nordlicht, staging ${Settings.hostile}`
const url = `https://receiver.example/${"a-long-path/".repeat(8)}${"x".repeat(120)}`

const layerOfPages = stage.layerOf({ receive: () => Effect.succeed(Pod.answered(200, Settings.hostile.repeat(20))) })

let owners = 0
const begin = Effect.fnUntraced(function* () {
  const organization = yield* Scenario.organization({}, "Nordlicht")
  const { email } = yield* Workspace.member(organization.id, `owner${++owners}@integrations.example`, "owner")
  const page = yield* stage.signedIn(email, "/settings", { reducedMotion: "reduce" })
  return { organization, page }
})

/** Phones of 320 px do not scroll sideways, and each target has 24 px. Then Tab goes through the whole page. */
const check = async (page: Page, at: string) => {
  await page.goto(at)
  await page.setViewportSize({ width: 320, height: 740 })
  assert.isAtMost(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth"), 0, at)
  assert.deepStrictEqual(await page.evaluate(smallTargets), [], at)
  await page.setViewportSize({ width: 1280, height: 800 })
  const last = await page.evaluate<number>(
    "document.querySelectorAll('main :is(a[href], button, input, select, summary)').length",
  )
  await page.evaluate("document.querySelector('main').focus()")
  for (let i = 0; i < Math.min(last, 60); i++) {
    await page.keyboard.press("Tab")
    assert.isNull(await page.evaluate(focusFault), at)
  }
}

describe.skipIf(missing !== undefined)(["integrations in Chromium", ...(missing ? [missing] : [])].join(": "), () => {
  layer(layerOfPages)((it) => {
    it.effect("pages of rehearsals fit, are accessible and are reached by keyboard", () =>
      Effect.gen(function* () {
        const { organization, page } = yield* begin()
        const { id } = yield* (yield* Endpoints).create(operator(organization.id), { name, url })
        const rehearsals = yield* Rehearsals
        const list = `/settings/webhooks/${id}/rehearsals`
        yield* Effect.promise(async () => {
          await page.goto(`/settings/webhooks/${id}`)
          await page.getByRole("link", { name: "Rehearse", exact: true }).click()
          await page.getByText("What is tried").click()
          await look(page, "r1-none")
          await page.getByRole("button", { name: "Start the rehearsal" }).click()
          await page.getByText("0 of 13 steps have a result.").waitFor()
          await look(page, "r2-running")
        })
        const report = new URL(page.url()).pathname
        yield* Effect.repeat(rehearsals.step, { while: (done) => done > 0 })
        yield* Effect.promise(async () => {
          await page.goto(report)
          await page.getByRole("heading", { level: 1, name: "Not ready: 4 steps failed" }).waitFor()
          await look(page, "r3-failed")
          await page.getByRole("link", { name: /^What was sent.*many events at once$/ }).click()
          await page.getByText("One of 30 requests.").waitFor()
          await look(page, "r4-step")
          await page.goto(list)
          await page.getByText("4 steps failed").waitFor()
          await look(page, "r5-list")
          for (const at of [list, report]) await check(page, at)
        })
      }).pipe(Effect.orDie),
    )

    it.effect("pages of the request log fit, are accessible and are reached by keyboard", () =>
      Effect.gen(function* () {
        const { organization, page } = yield* begin()
        const log = "/settings/integrations/requests"
        yield* Effect.promise(async () => {
          await page.goto(log)
          await look(page, "q1-none")
        })
        const created = yield* passingTime((yield* ApiKeys).create(operator(organization.id), { name }))
        const key = Redacted.value(created.value)
        const prefix = "/company/integration"
        const id = "01980000-0000-7000-8000-000000000001"
        yield* Api.call("GET", `${prefix}/events/v1?event_type=wrong&limt=3`, { key })
        yield* Api.call("GET", `${prefix}/hiring/submissions/${id}/detail/v1`, { key })
        yield* Api.call("GET", `${prefix}/me/v1`, { key })
        yield* Api.call("POST", `${prefix}/interview/set/v1`, { key, json: { title: "", iai_questions: [{}] } })
        yield* Effect.repeat((yield* RequestLog).write, { while: (written) => written > 0 })
        yield* Effect.promise(async () => {
          await page.goto(log)
          await look(page, "q2-list")
          await page.goto(`${log}?status=5xx`)
          await page.getByText("No requests match").waitFor()
          await look(page, "q3-no-match")
          await page.goto(`${log}?problem=not_found`)
          await look(page, "q4-of-a-problem")
          const pages = [log]
          for (const one of [/detail/, /events/, /interview\/set/, /me\/v1/]) {
            await page.goto(log)
            await page.locator(".log-days").getByRole("link", { name: one }).click()
            await page.getByRole("link", { name: "All API requests" }).waitFor()
            await look(page, `q5-${one.source}`)
            pages.push(new URL(page.url()).pathname)
          }
          for (const at of pages) await check(page, at)
        })
      }).pipe(Effect.orDie),
    )

    it.effect("the set-up of each hiring system fits, is accessible and is reached by keyboard", () =>
      Effect.gen(function* () {
        const { page } = yield* begin()
        const systems = "/settings/integrations/hiring-systems"
        yield* Effect.promise(async () => {
          await page.goto(systems)
          await look(page, "s1-none")
          for (const system of HiringSystem.literals) {
            await page.goto(`${systems}/new?system=${system}`)
            await page.getByRole("textbox", { name: /^Name/ }).fill("")
            await page.getByRole("button", { name: "Connect" }).click()
            await page.getByRole("alert").waitFor()
            await look(page, `s2-${system}-refused`)
            await page
              .getByRole("textbox", { name: /^Name/ })
              .fill(`${system} of the Nordlicht Krankenhausgesellschaft mbH`)
            await page.getByRole("button", { name: "Connect" }).click()
            await page.getByRole("link", { name: /^(I have saved it|Open the connection)$/ }).click()
            await page.getByRole("heading", { name: "Newest calls and reports" }).waitFor()
            await look(page, `s3-${system}`)
            await check(page, new URL(page.url()).pathname)
          }
          await page.goto(`${systems}/access?error=access_denied`)
          await page.getByRole("alert").filter({ hasText: "The access was not granted" }).waitFor()
          await look(page, "s4-not-granted")
          for (const at of [systems, `${systems}/new`]) await check(page, at)
        })
      }).pipe(Effect.orDie),
    )
  })
})
