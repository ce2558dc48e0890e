import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import type { UnreadableSecret } from "../../src/platform/crypto/SecretBox.ts"
import { Database } from "../../src/platform/database/Database.ts"
import type { Conflict, Invalid, NotFound } from "../../src/values/Problem.ts"
import { Deliveries } from "../../src/webhooks/deliveries/Deliveries.ts"
import { findWebhookFault } from "../../src/webhooks/deliveries/WebhookVerification.ts"
import { EndpointSecrets } from "../../src/webhooks/endpoints/EndpointSecrets.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import { defaultEventTypes, subscriptions } from "../../src/webhooks/events/WebhookEvent.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import * as Webhooks from "../support/Webhooks.ts"

const { begin, down, requests, round, script, states, times } = Webhooks
const { answered } = Pod

const url = "https://receiver.example/hook"

type Refusal = Conflict | Invalid | NotFound | UnreadableSecret

describe("an endpoint", () => {
  it.effect("is listed, changed field by field, and deleted", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const other = yield* Scenario.organization({}, "Other")
      const endpoints = yield* Endpoints
      const endpointSecrets = yield* EndpointSecrets
      const { id } = yield* endpoints.create(operator(organization), { name: "ATS", url })
      const second = yield* endpoints.create(operator(organization), { name: "CRM", url, description: "sales" })
      assert.deepStrictEqual(
        (yield* endpoints.list(operator(organization))).map(({ name }) => name),
        ["ATS", "CRM"],
      )
      assert.deepStrictEqual(yield* endpoints.list(operator(other.id)), [])
      assert.deepStrictEqual((yield* endpoints.show(operator(organization), id)).events, [...defaultEventTypes])

      const events = ["interview.status.update.completed"]
      const changed = yield* endpoints.update(operator(organization), id, { url: "https://elsewhere.example/", events })
      assert.deepInclude({ ...changed }, { name: "ATS", url: "https://elsewhere.example/", description: null, events })
      yield* endpoints.update(operator(organization), second.id, { name: "CRM 2" })
      const named = yield* endpoints.show(operator(organization), second.id)
      assert.deepInclude({ ...named }, { name: "CRM 2", url, description: "sales" })
      assert.isNull((yield* endpoints.update(operator(organization), second.id, { description: " " })).description)

      for (const step of [
        Effect.asVoid(endpoints.show(operator(other.id), id)),
        Effect.asVoid(endpoints.update(operator(other.id), id, { name: "theirs" })),
        endpoints.enable(operator(other.id), id),
        endpoints.disable(operator(other.id), id),
        Effect.asVoid(endpointSecrets.regenerate(operator(other.id), id)),
        Effect.asVoid(endpointSecrets.removePrevious(operator(other.id), id)),
        Effect.asVoid(endpointSecrets.read(operator(other.id), id)),
        endpoints.remove(operator(other.id), id),
      ]) {
        assert.strictEqual((yield* Effect.flip<void, Refusal, never>(step))._tag, "NotFound")
      }
      yield* endpoints.remove(operator(organization), id)
      assert.strictEqual((yield* Effect.flip(endpoints.show(operator(organization), id)))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(endpoints.remove(operator(organization), id)))._tag, "NotFound")
      assert.strictEqual((yield* endpoints.list(operator(organization))).length, 1)
    }).pipe(Pod.provide()),
  )

  it.effect("gets all validation errors at once", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const endpoints = yield* Endpoints
      const wrong = {
        name: " ",
        url: "http://10.0.0.1/",
        description: "x".repeat(2001),
        events: ["interview", ...subscriptions],
      }
      const { id } = yield* endpoints.create(operator(organization), { name: "ATS", url })
      const steps = [
        Effect.asVoid(endpoints.create(operator(organization), wrong)),
        Effect.asVoid(endpoints.update(operator(organization), id, wrong)),
      ]
      for (const step of steps) {
        const refused = yield* Effect.flip<void, Refusal, never>(step)
        assert.deepStrictEqual(
          refused._tag === "Invalid" ? refused.errors.map(({ code, pointer }) => `${pointer} ${code}`) : refused,
          ["#/name required", "#/description too_long", "#/url refused_url", "#/events unknown_event"],
        )
      }
      assert.deepInclude({ ...(yield* endpoints.show(operator(organization), id)) }, { name: "ATS", url })
    }).pipe(Pod.provide()),
  )

  it.effect("normalizes its URL and rejects control characters", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const endpoints = yield* Endpoints
      const { id } = yield* endpoints.create(operator(organization), {
        name: "ATS",
        url: "  HTTPS://Receiver.Example:443/a b?c#secret ",
      })
      assert.strictEqual((yield* endpoints.show(operator(organization), id)).url, "https://receiver.example/a%20b?c")
      const changed = yield* endpoints.update(operator(organization), id, { url: "https://Receiver.Example#top" })
      assert.strictEqual(changed.url, "https://receiver.example/")

      const wrong = { name: "AT\u0000S", url: "https://receiver.example/\u0009hook", description: "\u001B[2J" }
      const refused = yield* Effect.flip(endpoints.update(operator(organization), id, wrong))
      assert.deepStrictEqual(
        refused._tag === "Invalid" ? refused.errors.map(({ code, pointer }) => `${pointer} ${code}`) : refused,
        ["#/name unstorable_text", "#/description unstorable_text", "#/url refused_url"],
      )
      const halved = yield* Effect.flip(endpoints.update(operator(organization), id, { name: "\uD800" }))
      assert.strictEqual(halved._tag, "Invalid")
    }).pipe(Pod.provide()),
  )

  it.effect("has at most one old secret: it must be removed or expire before the next one", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Webhooks.start)
      const { id: organization } = yield* Scenario.organization()
      const endpoints = yield* Endpoints
      const endpointSecrets = yield* EndpointSecrets
      const { id } = yield* endpoints.create(operator(organization), { name: "ATS", url })
      assert.isFalse(yield* endpointSecrets.removePrevious(operator(organization), id))
      yield* endpointSecrets.regenerate(operator(organization), id)
      const refused = yield* Effect.flip(endpointSecrets.regenerate(operator(organization), id))
      assert.strictEqual(
        refused._tag === "Conflict" ? refused.reason : refused._tag,
        'the secret before this one signs until 2026-01-02T00:00:00.000Z: replace the secret after that, or first remove the old secret under Settings → Webhooks, over the API with "end_old_secret": true or with the command webhook remove-old-secret',
      )
      assert.isTrue(yield* endpointSecrets.removePrevious(operator(organization), id))
      yield* endpointSecrets.regenerate(operator(organization), id)
      yield* TestClock.adjust("24 hours")
      assert.isFalse(yield* endpointSecrets.removePrevious(operator(organization), id))
      yield* endpointSecrets.regenerate(operator(organization), id)
    }).pipe(Pod.provide()),
  )

  it.effect("gets one new secret when several requests run at the same time", () =>
    Effect.gen(function* () {
      const { endpoint, organization, secret } = yield* begin(1)
      const endpointSecrets = yield* EndpointSecrets
      const regenerate = Effect.option(endpointSecrets.regenerate(operator(organization.id), endpoint))
      const results = yield* Effect.all(
        times(6, down).map(() => regenerate),
        { concurrency: "unbounded" },
      )
      const [fresh, ...others] = results.flatMap(Option.toArray).map(Redacted.value)
      assert.deepStrictEqual(others, [])
      yield* round
      const [request] = yield* requests
      const header = request?.headers["x-webhook-signature"] ?? ""
      const body = request?.body ?? new Uint8Array()
      for (const one of [secret, fresh ?? ""]) {
        assert.isUndefined(findWebhookFault({ secrets: [one], header, body, now: Webhooks.start / 1000 }))
      }
    }).pipe(Pod.provide()),
  )

  it.effect("is rejected beyond a hundred, also when created at the same time", () =>
    Effect.gen(function* () {
      const { id: organization } = yield* Scenario.organization()
      const endpoints = yield* Endpoints
      const create = endpoints.create(operator(organization), { name: "ATS", url })
      const outcomes = yield* Effect.all(
        Array.from({ length: 103 }, () => Effect.result(create)),
        // as many as there are connections
        { concurrency: 5 },
      )
      const created = outcomes.flatMap((outcome) => (Result.isSuccess(outcome) ? [outcome.success] : []))
      assert.lengthOf(created, 100)
      const refused = yield* Effect.flip(create)
      assert.deepStrictEqual(refused._tag === "Invalid" ? refused.errors.map(({ code }) => code) : refused, [
        "too_many",
      ])
      yield* Effect.forEach(created.slice(0, 1), ({ id }) => endpoints.remove(operator(organization), id))
      yield* create
    }).pipe(Pod.provide()),
  )

  it.effect("signs with both secrets after a replacement, until the old one expires or is removed", () =>
    Effect.gen(function* () {
      const { candidate, endpoint, organization, secret } = yield* begin(1)
      const endpointSecrets = yield* EndpointSecrets
      const second = Redacted.value(yield* endpointSecrets.regenerate(operator(organization.id), endpoint))
      assert.notStrictEqual(second, secret)
      assert.strictEqual(Redacted.value(yield* endpointSecrets.read(operator(organization.id), endpoint)), second)
      yield* round
      yield* TestClock.adjust("24 hours")
      yield* Scenario.publish(candidate)
      yield* round
      const third = Redacted.value(yield* endpointSecrets.regenerate(operator(organization.id), endpoint))
      yield* endpointSecrets.removePrevious(operator(organization.id), endpoint)
      yield* Scenario.publish(candidate)
      yield* round
      const accepted = (yield* requests).map(({ body, headers }) => {
        const header = headers["x-webhook-signature"] ?? ""
        const now = Number(headers["webhook-timestamp"])
        return [secret, second, third].map(
          (each) => findWebhookFault({ secrets: [each], header, body, now }) === undefined,
        )
      })
      assert.deepStrictEqual(accepted, [
        [true, true, false],
        [false, true, false],
        [false, false, true],
      ])
    }).pipe(Pod.provide()),
  )

  it.effect("that is disabled parks waiting and new deliveries, and sends them paced on request", () =>
    Effect.gen(function* () {
      const { candidate, endpoint, organization } = yield* begin(3)
      const endpoints = yield* Endpoints
      const log = yield* Deliveries
      yield* endpoints.disable(operator(organization.id), endpoint)
      assert.deepStrictEqual(yield* states, { "parked 0": 3 })
      yield* Scenario.publish(candidate, 2)
      assert.strictEqual(yield* round, 0)
      assert.deepStrictEqual(yield* states, { "parked 0": 5 })
      assert.strictEqual(yield* endpoints.parked(operator(organization.id), endpoint), 5)
      const refused = yield* Effect.flip(log.sendParked(operator(organization.id), endpoint))
      assert.strictEqual(refused._tag, "Conflict")

      yield* endpoints.enable(operator(organization.id), endpoint)
      assert.strictEqual(yield* round, 0)
      assert.strictEqual(yield* log.sendParked(operator(organization.id), endpoint), 5)
      assert.strictEqual(yield* round, 1)
      yield* TestClock.adjust("40 millis")
      assert.strictEqual(yield* round, 2)
      yield* TestClock.adjust("40 millis")
      assert.strictEqual(yield* round, 2)
      assert.deepStrictEqual(yield* states, { "delivered 1": 5 })
      const sent = (yield* requests).map(({ headers }) => headers["webhook-id"])
      assert.strictEqual(new Set(sent).size, 5)
    }).pipe(Pod.provide()),
  )

  it.effect("keeps the attempts of parked deliveries: six in all", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* begin(1)
      const endpoints = yield* Endpoints
      yield* round
      assert.deepStrictEqual(yield* states, { "parked 1": 1 })
      yield* endpoints.enable(operator(organization.id), endpoint)
      yield* (yield* Deliveries).sendParked(operator(organization.id), endpoint)
      yield* round
      assert.deepStrictEqual(yield* states, { "delivered 2": 1 })
    }).pipe(Pod.provide({ receive: script(down, answered(200)), settings: { WEBHOOK_DEACTIVATE_AFTER: "1" } })),
  )

  it.effect("shows its last failure and error, also after a success", () =>
    Effect.gen(function* () {
      const { candidate, endpoint, organization } = yield* begin(1)
      const endpoints = yield* Endpoints
      yield* round
      const failed = yield* endpoints.show(operator(organization.id), endpoint)
      assert.deepInclude(
        { ...failed },
        { last_error: "The receiver answered 503", last_failure_at: new Date(Webhooks.start), last_success_at: null },
      )
      yield* TestClock.adjust("1 minute")
      yield* Scenario.publish(candidate)
      yield* round
      const healthy = yield* endpoints.show(operator(organization.id), endpoint)
      assert.deepInclude(
        { ...healthy },
        {
          consecutive_failures: 0,
          last_error: "The receiver answered 503",
          last_failure_at: new Date(Webhooks.start),
          last_success_at: new Date(Webhooks.start + 60_000),
        },
      )
    }).pipe(Pod.provide({ receive: script(down, ...times(1, answered(204))) })),
  )

  it.effect("that was deleted with a delivery in flight sends nothing more; its rows are deleted", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { candidate, endpoint, organization } = yield* begin(2)
      yield* (yield* Endpoints).remove(operator(organization.id), endpoint)
      yield* Scenario.publish(candidate)
      assert.strictEqual(yield* round, 0)
      assert.deepStrictEqual(yield* states, { "parked 0": 2 })
      assert.deepStrictEqual(yield* requests, [])
      yield* Webhooks.forget
      assert.deepStrictEqual(yield* states, {})
      // an event that was being published during the deletion may still queue a delivery
      assert.lengthOf(yield* sql`select id from webhook_endpoint`, 1)
      yield* TestClock.adjust("61 minutes")
      yield* Webhooks.forget
      assert.deepStrictEqual(yield* sql`select id from webhook_endpoint`, [])
    }).pipe(Pod.provide()),
  )
})
