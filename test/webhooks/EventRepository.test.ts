import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { Database } from "../../src/platform/database/Database.ts"
import { Events } from "../../src/webhooks/Events.ts"
import type { EventData } from "../../src/webhooks/WebhookEvent.ts"
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
        everything: [],
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

  it.effect("stores an event without subscribed endpoints", () =>
    Effect.gen(function* () {
      const organization = yield* Scenario.organization()
      yield* Scenario.publish(yield* Scenario.invited(organization))
      assert.deepStrictEqual(yield* counts, [{ events: 1, deliveries: 0 }])
    }).pipe(provide),
  )
})

describe("the body", () => {
  type Ids = { readonly [K in "set" | "candidate" | "invitation" | "submission"]: string | null }
  const interview_name = "Zoë’s “Interview”"
  const name = `"interview_name":"${interview_name}"`
  const who = ({ candidate }: Ids) => `"candidate_id":"${candidate}","candidate_email":"ada@example.com"`
  const more = ({ invitation }: Ids) =>
    `"invitation_id":"${invitation}","ats_candidate_id":null,"external_id":null,"metadata":{}`

  /** Each event with its `data`, in the documented order. */
  const cases: ReadonlyArray<readonly [string, EventData, (ids: Ids) => string]> = [
    [
      "of a provider's report",
      { event_type: "invitation.status.update", status: "invitation_email_opened", reason: "opened" },
      (ids) =>
        `{"interview_set_id":"${ids.set}",${who(ids)},"status":"invitation_email_opened","reason":"opened",` +
        `${more(ids)},"submission_id":"${ids.submission}"}`,
    ],
    [
      "of a failure that the service raised",
      {
        event_type: "invitation.status.update",
        status: "invitation_email_failed",
        reason: "unsubscribed",
        interview_name,
      },
      (ids) =>
        `{"interview_set_id":"${ids.set}",${who(ids)},"status":"invitation_email_failed","reason":"unsubscribed",` +
        `${name},${more(ids)},"submission_id":"${ids.submission}"}`,
    ],
    [
      "of an interview's step",
      { event_type: "interview.status.update", status: "completed", interview_name },
      (ids) =>
        `{"interview_set_id":"${ids.set}",${name},${who(ids)},"status":"completed",` +
        `${more(ids)},"submission_id":"${ids.submission}"}`,
    ],
    [
      "of an evaluation",
      {
        event_type: "interview.evaluation.update",
        interview_name,
        evaluation_type: "interview",
        evaluation_score: 7.5,
        score_status: "scored",
        submission_url: "https://app.example/submissions/1",
      },
      (ids) =>
        `{"interview_set_id":"${ids.set}",${name},${who(ids)},"evaluation_type":"interview","evaluation_score":7.5,` +
        `"score_status":"scored","submission_id":"${ids.submission}",` +
        `"submission_url":"https://app.example/submissions/1",${more(ids)}}`,
    ],
    [
      "of an evaluation without a number",
      {
        event_type: "interview.evaluation.update",
        interview_name,
        evaluation_type: "cv",
        evaluation_score: null,
        score_status: "cannot_evaluate",
        submission_url: "https://app.example/submissions/1",
      },
      (ids) =>
        `{"interview_set_id":"${ids.set}",${name},${who(ids)},"evaluation_type":"cv","evaluation_score":null,` +
        `"score_status":"cannot_evaluate","submission_id":"${ids.submission}",` +
        `"submission_url":"https://app.example/submissions/1",${more(ids)}}`,
    ],
  ]

  it.effect.each(cases)("%s is compact JSON with the keys in the documented order", ([, event, data]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1, 12, 30, 15, 7))
      const { sql } = yield* Database
      const organization = yield* Scenario.organization()
      const { subject } = yield* Scenario.invited(organization)
      const [id] = yield* (yield* Events).publish(organization.id, [{ subject, event }])
      const stored = yield* sql`select id, event_type, body, submission_id from webhook_event`
      const ids = {
        set: subject.interview_set_id,
        candidate: subject.candidate_id,
        invitation: subject.invitation_id,
        submission: subject.submission_id,
      }
      assert.deepStrictEqual(stored, [
        {
          id,
          event_type: event.event_type,
          submission_id: subject.submission_id,
          body:
            `{"schema_version":"1.0.0","event_type":"${event.event_type}","event_id":"${id}",` +
            `"timestamp":"2026-01-01T12:30:15.007Z","organization_id":${organization.id},"data":${data(ids)}}`,
        },
      ])
    }).pipe(provide),
  )
})
