import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { Database, Now } from "../../src/platform/database/Database.ts"
import { findWebhookFault } from "../../src/webhooks/deliveries/WebhookVerification.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import { TestDeliveries } from "../../src/webhooks/endpoints/TestDeliveries.ts"
import { catalogue, type EventType } from "../../src/webhooks/events/WebhookEvent.ts"
import { sampleNames } from "../../src/webhooks/events/WebhookSample.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import { down, requests, script, start } from "../support/Webhooks.ts"

const begin = Effect.gen(function* () {
  yield* TestClock.setTime(start)
  const { id: organization } = yield* Scenario.organization()
  const { id, secret } = yield* Scenario.endpoint(organization)
  return { organization, endpoint: id, secret: Redacted.value(secret) }
})

/** Every sub-event but the reserved one. */
const names = Object.entries(catalogue).flatMap(([parent, { statuses }]) =>
  statuses.filter(({ name }) => name !== "invitation_email_accepted").map(({ name }) => `${parent}.${name}`),
)

describe("a test delivery", () => {
  it.effect("is signed with the database's time", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* begin
      yield* (yield* TestDeliveries)
        .send(operator(organization), endpoint)
        .pipe(Effect.provideService(Now, Effect.succeed(new Date(start + 300_000))))
      const [request] = yield* requests
      assert.strictEqual(Number(request?.headers["webhook-timestamp"]) * 1000, start + 300_000)
    }).pipe(Pod.provide()),
  )

  it.effect("has a sample of every event and status that is sent", () =>
    Effect.sync(() => assert.deepStrictEqual([...sampleNames], names)),
  )

  it.effect.each(names)("of %s is signed, has is_test, and is sent once", (name) =>
    Effect.gen(function* () {
      const { endpoint, organization, secret } = yield* begin
      const sent = yield* (yield* TestDeliveries).send(operator(organization), endpoint, name)
      const [request, ...more] = yield* requests
      assert.deepStrictEqual(more, [])
      const body = new TextDecoder().decode(request?.body)
      assert.strictEqual(body, sent.body)
      const header = request?.headers["x-webhook-signature"] ?? ""
      assert.isUndefined(
        findWebhookFault({ secrets: [secret], header, body: request?.body ?? new Uint8Array(), now: start / 1000 }),
      )
      const { data, ...envelope } = JSON.parse(body)
      const schema = catalogue[envelope.event_type as EventType].schema
      Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })(JSON.parse(body))
      const [type, status] = [name.slice(0, name.lastIndexOf(".")), name.slice(name.lastIndexOf(".") + 1)]
      const timestamp = new Date(start).toISOString()
      assert.deepStrictEqual(envelope, {
        schema_version: "1.0.0",
        event_type: type,
        event_id: sent.event_id,
        timestamp,
        organization_id: organization,
        is_test: true,
      })
      assert.strictEqual(data.timestamp, timestamp)
      assert.strictEqual(data.decision ?? data.change ?? data.score_status ?? data.status, status)
      assert.deepInclude(sent.attempt, { status: 200, error: null })
      assert.strictEqual(sent.event, name)
    }).pipe(Pod.provide()),
  )

  it.effect("has the first subscribed event by default", () =>
    Effect.gen(function* () {
      const { organization } = yield* begin
      const tests = yield* TestDeliveries
      const sentTo = Effect.fnUntraced(function* (...events: ReadonlyArray<string>) {
        const { id } = yield* Scenario.endpoint(organization, events.length === 0 ? {} : { events })
        return (yield* tests.send(operator(organization), id)).event
      })
      const reserved = "invitation.status.update.invitation_email_accepted"
      assert.strictEqual(yield* sentTo(), "invitation.status.update.invitation_email_delivered")
      assert.strictEqual(yield* sentTo("interview.evaluation.update"), "interview.evaluation.update.scored")
      assert.strictEqual(
        yield* sentTo(reserved, "interview.status.update.completed"),
        "interview.status.update.completed",
      )
      assert.strictEqual(yield* sentTo(reserved), "interview.status.update.initiated")
    }).pipe(Pod.provide()),
  )

  it.effect("is sent to an inactive endpoint too, not retried and not counted", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const { endpoint, organization } = yield* begin
      const endpoints = yield* Endpoints
      yield* endpoints.disable(operator(organization), endpoint)
      const { attempt } = yield* (yield* TestDeliveries).send(
        operator(organization),
        endpoint,
        "interview.status.update",
      )
      assert.deepInclude(attempt, { status: 503, error: "The receiver answered 503" })
      const { consecutive_failures, last_failure_at } = yield* endpoints.show(operator(organization), endpoint)
      assert.deepStrictEqual([consecutive_failures, last_failure_at], [0, null])
      const rows = yield* sql`select id::text from webhook_delivery union all select id::text from webhook_event`
      assert.deepStrictEqual(rows, [])
    }).pipe(Pod.provide({ receive: script(down) })),
  )

  it.effect("fails for an unknown event and for another organization's endpoint", () =>
    Effect.gen(function* () {
      const { endpoint, organization } = yield* begin
      const other = yield* Scenario.organization({}, "Other")
      const tests = yield* TestDeliveries
      const reserved = "invitation.status.update.invitation_email_accepted"
      for (const name of ["", "interview", reserved]) {
        assert.strictEqual((yield* Effect.flip(tests.send(operator(organization), endpoint, name)))._tag, "Invalid")
      }
      const foreign = tests.send(operator(other.id), endpoint, "interview.status.update")
      assert.strictEqual((yield* Effect.flip(foreign))._tag, "NotFound")
      assert.deepStrictEqual(yield* requests, [])
    }).pipe(Pod.provide()),
  )
})
