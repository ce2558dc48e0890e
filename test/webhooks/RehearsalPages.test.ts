/** Settings → Webhooks → Rehearse over real HTTP, without scripts. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { EndpointId } from "../../src/values/Ids.ts"
import type { OutboundResult } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import { definitionOf, stepNames } from "../../src/webhooks/rehearsals/RehearsalSteps.ts"
import { Rehearsals } from "../../src/webhooks/rehearsals/Rehearsals.ts"
import { answered } from "../support/Pod.ts"
import { passingTime } from "../support/passingTime.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Settings from "../support/Settings.ts"
import { requests } from "../support/Webhooks.ts"

const steps = Effect.flatMap(Rehearsals, ({ step }) => Effect.repeat(step, { while: (done) => done > 0 }))

const plainOf = (page: string) => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")

let answer: OutboundResult = answered(200)

const begin = Effect.fnUntraced(function* (fields: Parameters<typeof Scenario.endpoint>[1] = {}) {
  answer = answered(200)
  const world = yield* Settings.begin
  const { id } = yield* Scenario.endpoint(world.organization.id, fields)
  return { ...world, id, browser: Settings.as(world.owner), path: `/settings/webhooks/${id}/rehearsals` }
})

layer(Settings.layer({ receive: () => Effect.sync(() => answer) }))("the pages of rehearsals", (it) => {
  it.effect("begin one from the endpoint's page, show its progress, and what to change", () =>
    Effect.gen(function* () {
      const { browser, id, path } = yield* begin()
      assert.include((yield* browser.get(`/settings/webhooks/${id}`)).text, `href="${path}"`)
      const empty = yield* browser.get(path)
      assert.include(empty.text, "None yet.")
      for (const name of stepNames) assert.include(empty.text, definitionOf(name).title)
      const begun = yield* browser.post(path)
      assert.strictEqual(begun.status, 303)
      const report = begun.headers.get("location") ?? ""
      assert.match(report, new RegExp(`^${path}/[0-9a-f-]{36}$`))
      // a form that is sent twice
      assert.strictEqual((yield* browser.post(path)).headers.get("location"), report)
      const running = yield* browser.get(report)
      assert.include(running.text, "data-refresh")
      assert.include(plainOf(running.text), "0 of 13 steps have a result.")
      assert.include(running.text, "<noscript>")
      assert.include((yield* browser.get(path)).text, "See the one that is running")
      yield* steps
      const ended = yield* browser.get(report)
      assert.notInclude(ended.text, "data-refresh")
      const shown = plainOf(ended.text)
      assert.include(shown, "Not ready: 4 steps failed")
      assert.include(shown, "4 failed, 8 passed, 1 skipped.")
      assert.include(shown, "The receiver accepted an event without a signature: it answered 200.")
      assert.include(shown, "What to change: Answer 401")
      assert.include(ended.text, 'href="/docs/webhooks#verifying-webhooks"')
      // the steps with something to change are first
      assert.isBelow(ended.text.indexOf('id="step-missing_signature"'), ended.text.indexOf('id="step-valid"'))
      // what was sent and answered: of the first that failed, and of a chosen one
      assert.include(ended.text, 'id="wrong_signature-0-body"')
      const chosen = yield* browser.get(`${report}?step=late`)
      assert.include(chosen.text, 'id="late-0-body"')
      assert.notInclude(chosen.text, 'id="wrong_signature-0-body"')
      assert.strictEqual((yield* browser.get(`${report}?step=%00<`)).status, 200)
      assert.include(plainOf((yield* browser.get(path)).text), "4 steps failed")
    }),
  )

  it.effect("escape what the receiver answers, and name the address as it was", () =>
    Effect.gen(function* () {
      const { browser, path } = yield* begin()
      answer = answered(500, Settings.hostile.repeat(50))
      const report = (yield* browser.post(path)).headers.get("location") ?? ""
      yield* steps
      const { text } = yield* browser.get(report)
      assert.include(plainOf(text), "Not ready: 2 steps failed")
      assert.include(plainOf(text), "mend the first step, then rehearse again")
      const location = `https://ats.example/${Settings.hostile}`
      answer = { _tag: "Answered", status: 301, body: "", truncated: false, location, durationMs: 7 }
      const redirected = (yield* browser.post(path)).headers.get("location") ?? ""
      yield* steps
      assert.include(plainOf((yield* browser.get(redirected)).text), "a redirect to https://ats.example/")
    }),
  )

  it.effect("cancel one that is running, which then sends nothing", () =>
    Effect.gen(function* () {
      const { browser, path } = yield* begin()
      const before = (yield* requests).length
      const report = (yield* browser.post(path)).headers.get("location") ?? ""
      const cancelled = yield* browser.post(`${report}/cancel`)
      assert.strictEqual(cancelled.headers.get("location"), report)
      yield* steps
      assert.include((yield* browser.get(report)).text, "The rehearsal was cancelled")
      assert.strictEqual((yield* requests).length, before)
      // it stays cancelled, and another one may begin
      yield* browser.post(`${report}/cancel`)
      assert.notStrictEqual((yield* browser.post(path)).headers.get("location"), report)
    }),
  )

  it.effect("are for owners and admins of the organization, and not of channels", () =>
    Effect.gen(function* () {
      const { admin, browser, foreigner, organization, path, recruiter } = yield* begin()
      const report = (yield* Settings.as(admin).post(path)).headers.get("location") ?? ""
      for (const place of [path, report]) {
        assert.strictEqual((yield* Settings.as(recruiter).get(place)).status, 403)
        assert.strictEqual((yield* Settings.as(foreigner).get(place)).status, 404)
      }
      assert.strictEqual((yield* Settings.as(foreigner).post(path)).status, 404)
      assert.strictEqual((yield* Settings.as(foreigner).post(`${report}/cancel`)).status, 404)
      assert.strictEqual((yield* browser.get(`${path}/0190b5a2-7c1e-7def-8abc-0123456789ab`)).status, 404)
      const other = yield* Scenario.endpoint(organization.id)
      assert.strictEqual(
        (yield* browser.get(report.replace(path, `/settings/webhooks/${other.id}/rehearsals`))).status,
        404,
      )
      const channel = EndpointId.make("0190b5a2-7c1e-7def-8abc-0123456789ab")
      yield* browser.post("/settings/webhooks/channels", [
        ["id", channel],
        ["name", "Chat"],
        ["format", "slack"],
        ["url", "https://hooks.slack.com/services/T0/B0/x"],
        ["events", "submission.decision.update"],
      ])
      const ofChannel = `/settings/webhooks/${channel}`
      const page = yield* browser.get(ofChannel)
      assert.strictEqual(page.status, 200)
      assert.notInclude(page.text, `${ofChannel}/rehearsals`)
      assert.strictEqual((yield* browser.get(`${ofChannel}/rehearsals`)).headers.get("location"), ofChannel)
      assert.strictEqual((yield* browser.post(`${ofChannel}/rehearsals`)).headers.get("location"), ofChannel)
    }),
  )

  it.effect("wait for the endpoint's rate, and send no burst where the rate allows none", () =>
    Effect.gen(function* () {
      const url = "https://limited.example/hook"
      const { browser, path } = yield* begin({ url, max_per_minute: 2 })
      const report = (yield* browser.post(path)).headers.get("location") ?? ""
      const sent = Effect.map(requests, (all) => all.filter((one) => one.url === url).length)
      yield* steps
      assert.strictEqual(yield* sent, 1)
      yield* TestClock.adjust("30 seconds")
      yield* steps
      assert.strictEqual(yield* sent, 1)
      yield* TestClock.adjust("1 second")
      yield* steps
      assert.strictEqual(yield* sent, 2)
      for (let minute = 0; minute < 12; minute++)
        yield* passingTime(Effect.andThen(steps, TestClock.adjust("31 seconds")))
      const shown = plainOf((yield* browser.get(report)).text)
      assert.include(shown, "The webhook’s limit of 2 attempts per minute keeps events from arriving at once.")
      assert.strictEqual(yield* sent, 12)
    }),
  )

  it.effect("send as many at once as the rate allows", () =>
    Effect.gen(function* () {
      const { browser, path } = yield* begin({ max_per_minute: 600 })
      const report = (yield* browser.post(path)).headers.get("location") ?? ""
      for (let second = 0; second < 10; second++) {
        yield* steps
        yield* TestClock.adjust("1 second")
      }
      assert.include(plainOf((yield* browser.get(report)).text), "All 11 events were accepted")
    }),
  )

  it.effect("stop one whose endpoint leaves it no time", () =>
    Effect.gen(function* () {
      const { browser, path } = yield* begin({ max_per_minute: 1 })
      const report = (yield* browser.post(path)).headers.get("location") ?? ""
      yield* steps
      yield* TestClock.adjust("61 minutes")
      yield* steps
      const shown = plainOf((yield* browser.get(report)).text)
      assert.include(shown, "The rehearsal was stopped")
      assert.include(shown, "It took longer than an hour")
    }),
  )
})
