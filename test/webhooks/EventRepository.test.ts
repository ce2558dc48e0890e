import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { OpenApi } from "effect/http-api"
import { TestClock } from "effect/testing"
import { Api } from "../../src/Api.ts"
import type { Document } from "../../src/api-reference/OpenApiDocument.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { Events } from "../../src/webhooks/events/Events.ts"
import { catalogue, defaultEventTypes } from "../../src/webhooks/events/WebhookEvent.ts"
import { sampleFor, sampleNames } from "../../src/webhooks/events/WebhookSample.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"

const provide = Pod.provide()

const counts = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql<{ events: number; deliveries: number }>`
    select (select count(*)::int from webhook_event) as events, (select count(*)::int from webhook_delivery) as deliveries`
})

describe("publishing", () => {
  it.effect("is part of its transaction: a rollback leaves neither event nor delivery", () =>
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const organization = yield* Scenario.organization()
      yield* Scenario.endpoint(organization.id)
      const candidate = yield* Scenario.invited(organization)
      const seen = yield* Effect.exit(
        transaction(
          Effect.gen(function* () {
            yield* Scenario.publish(candidate, 2)
            return yield* Effect.fail(yield* counts)
          }),
        ),
      )
      assert.deepStrictEqual(seen, Exit.fail([{ events: 2, deliveries: 2 }]))
      assert.deepStrictEqual(yield* counts, [{ events: 0, deliveries: 0 }])
      yield* transaction(Scenario.publish(candidate, 2))
      assert.deepStrictEqual(yield* counts, [{ events: 2, deliveries: 2 }])
    }).pipe(provide),
  )

  it.effect("queues one delivery to each subscribed endpoint of the organization, active or inactive", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      const { sql } = yield* Database
      const acme = yield* Scenario.organization()
      const other = yield* Scenario.organization({}, "Other")
      const parent = "interview.status.update"
      const subscribed = {
        everything: defaultEventTypes,
        parent: [parent],
        sub: [`${parent}.started`],
        both: [`${parent}.started`, parent],
        "two subs": [`${parent}.completed`, `${parent}.started`],
        "another sub": [`${parent}.completed`],
        "another event": ["invitation.status.update", "interview.evaluation.update"],
      }
      for (const [name, events] of Object.entries(subscribed)) {
        yield* Scenario.endpoint(acme.id, { events, url: `https://${name.replace(" ", "-")}.example` })
      }
      const { id } = yield* Scenario.endpoint(acme.id, { url: "https://inactive.example" })
      yield* sql`update webhook_endpoint set status = 'inactive' where id = ${id}::uuid`
      yield* Scenario.endpoint(other.id, { url: "https://other-organization.example" })

      const [event] = yield* Scenario.publish(yield* Scenario.invited(acme))
      const deliveries = yield* sql`
        select e.name, d.organization_id, d.event_id, d.state, d.attempts, d.due_at
        from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id order by e.name`
      assert.deepStrictEqual(
        deliveries,
        ["both", "everything", "inactive", "parent", "sub", "two-subs"].map((name) => ({
          name: `https://${name}.example`,
          organization_id: acme.id,
          event_id: event,
          state: "queued",
          due_at: new Date("2026-01-01T00:00:00Z"),
          attempts: 0,
        })),
      )
    }).pipe(provide),
  )

  it.effect(
    "numbers an endpoint's deliveries in the order of their events, also with a plan that hashes the events",
    () =>
      Effect.gen(function* () {
        const { sql, transaction } = yield* Database
        const organization = yield* Scenario.organization()
        const { id } = yield* Scenario.endpoint(organization.id)
        const candidate = yield* Scenario.invited(organization)
        // more endpoints than Postgres expects events
        yield* sql`
        insert into webhook_endpoint (id, organization_id, name, url, events, secret)
        select gen_random_uuid(), organization_id, 'Other ' || n, url || n, '{invitation.status.update}', secret
        from webhook_endpoint, generate_series(1, 300) n where id = ${id}::uuid`
        const events = yield* transaction(
          Effect.gen(function* () {
            yield* sql`analyze webhook_endpoint`
            yield* sql`set local enable_nestloop = off`
            yield* sql`set local enable_mergejoin = off`
            return yield* Scenario.publish(candidate, 20)
          }),
        )
        const deliveries = yield* sql<{ event_id: string }>`select event_id from webhook_delivery order by id`
        assert.deepStrictEqual(
          deliveries.map(({ event_id }) => event_id),
          events,
        )
      }).pipe(provide),
  )

  it.effect.each([[1], [2]])(
    "%i at once, reads no other submission's events, also with a plan of an empty table",
    ([count]) =>
      Effect.gen(function* () {
        const { sql, transaction } = yield* Database
        const organization = yield* Scenario.organization()
        const candidate = yield* Scenario.invited(organization)
        const other = yield* Scenario.invited(organization, "b@example.com")
        const rowsRead = Effect.map(
          sql<{ rows: number }>`
          select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'webhook_event'`,
          ([row]) => row?.rows ?? 0,
        )
        const read = transaction(
          Effect.gen(function* () {
            yield* sql`analyze webhook_event`
            // after five executions, Postgres keeps a plan
            yield* Effect.replicateEffect(Scenario.publish(candidate, count), 6)
            yield* Scenario.publish(other, 300)
            const before = yield* rowsRead
            yield* Scenario.publish(candidate, count)
            return (yield* rowsRead) - before
          }),
        )
        assert.isBelow(yield* read, 30)
      }).pipe(provide),
  )

  it.effect("stores an event without subscribed endpoints", () =>
    Effect.gen(function* () {
      const organization = yield* Scenario.organization()
      yield* Scenario.publish(yield* Scenario.invited(organization))
      assert.deepStrictEqual(yield* counts, [{ events: 1, deliveries: 0 }])
    }).pipe(provide),
  )
})

describe("the body", () => {
  const document: Document = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))
  const failure = {
    event_type: "invitation.status.update",
    status: "invitation_email_failed",
    reason: "unsubscribed",
    interview_name: "Zoë’s “Interview”",
  } as const

  const cases = [
    ...sampleNames.map((name) => [name, sampleFor([name], "https://app.example"), {}] as const),
    ["a failure that the service raised", failure, {}] as const,
    ["an event about a candidate without an address", failure, { candidate_email: null, invitation_id: null }] as const,
  ]

  it.effect.each(cases)("of %s is compact JSON with the keys in the documented order", ([, event, missing]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1, 12, 30, 15, 7))
      const { sql } = yield* Database
      const organization = yield* Scenario.organization()
      const candidate = yield* Scenario.invited(organization)
      const subject = { ...candidate.subject, ...missing }
      // a row has more columns than the subject
      const row = { ...subject, interview_name: "of the row", warnings: [], timestamp: 0 }
      const [id] = yield* (yield* Events).publish(organization.id, [{ subject: row, event }])
      const stored = yield* sql`select id, event_type, body, submission_id from webhook_event`
      const body = String(stored[0]?.["body"])
      const { event_type, ...own } = event
      assert.deepStrictEqual(stored, [{ id, event_type, body, submission_id: subject.submission_id }])
      assert.strictEqual(body, JSON.stringify(JSON.parse(body)))
      const { data, ...envelope } = JSON.parse(body)
      assert.deepStrictEqual(envelope, {
        schema_version: "1.0.0",
        event_type,
        event_id: id,
        timestamp: "2026-01-01T12:30:15.007Z",
        organization_id: organization.id,
      })
      assert.deepStrictEqual(data, { ...own, ...subject, candidate_email: subject.candidate_email ?? "" })
      const { properties } = document.components.schemas[catalogue[event_type].identifier] ?? {}
      const documented = [properties, properties?.["data"]?.properties].map((fields) => Object.keys(fields ?? {}))
      for (const [i, object] of [JSON.parse(body), data].entries()) {
        assert.deepStrictEqual(
          Object.keys(object),
          documented[i]?.filter((name) => Object.hasOwn(object, name)),
        )
      }
    }).pipe(provide),
  )
})
