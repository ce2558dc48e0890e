/** Fixtures and queries of tests of webhook deliveries. */
import { assert } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Organizations } from "../../src/accounts/Organizations.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { runOnce } from "../../src/platform/queue/WorkQueue.ts"
import type { EndpointId, OrganizationId } from "../../src/values/Ids.ts"
import type { Attempt } from "../../src/webhooks/deliveries/Delivery.ts"
import { DeliveryQueue } from "../../src/webhooks/deliveries/DeliveryQueue.ts"
import { Retention } from "../../src/webhooks/deliveries/Retention.ts"
import { type OutboundResult, SentWebhooks } from "../../src/webhooks/deliveries/WebhookTransport.ts"
import { answered } from "./Pod.ts"
import * as Scenario from "./Scenario.ts"

export const start = Date.UTC(2026, 0, 1)

/** Returns the results in order, and repeats the last one. */
export const script = (...results: ReadonlyArray<OutboundResult>) => {
  let next = 0
  return () => Effect.sync(() => results[Math.min(next++, results.length - 1)] ?? answered(200))
}
export const times = (count: number, result: OutboundResult) => Array.from({ length: count }, () => result)
export const down = answered(503)

export const round = Effect.flatMap(DeliveryQueue, ({ queue }) => runOnce(queue))
/** Until no delivery is due. */
export const rounds = Effect.repeat(round, { while: (tried) => tried > 0 })
export const requests = Effect.flatten(SentWebhooks)

/** An organization with one endpoint and this number of due deliveries. */
export const begin = Effect.fnUntraced(function* (deliveries: number) {
  yield* TestClock.setTime(start)
  const organization = yield* Scenario.organization()
  const { id, secret } = yield* Scenario.endpoint(organization.id)
  const candidate = yield* Scenario.invited(organization)
  const events = yield* Scenario.publish(candidate, deliveries)
  return { organization, candidate, events, endpoint: id, secret: Redacted.value(secret) }
})

/** `at` is the domain of their addresses. */
export const addMembers = Effect.fnUntraced(function* (organization: OrganizationId, at: string) {
  const organizations = yield* Organizations
  for (const role of ["owner", "admin", "recruiter"] as const) {
    const password = Redacted.make("correct horse battery")
    yield* organizations.addMember(organization, { email: `${role}@${at}`, password, role })
  }
})

interface Row {
  readonly state: string
  readonly attempts: number
  readonly due_at: Date | null
  readonly leased_until: Date | null
  readonly attempt_log: ReadonlyArray<Attempt>
}
export const rows = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql<Row>`
    select id, state, attempts, due_at, leased_until, attempt_log from webhook_delivery
    union all select id, state, attempts, null, null, attempt_log from webhook_delivery_history order by id`
})
/** Numbers of deliveries by `state attempts`. */
export const states = Effect.map(rows, (all) =>
  Object.fromEntries(
    [...Map.groupBy(all, ({ attempts, state }) => `${state} ${attempts}`)].map(([key, { length }]) => [key, length]),
  ),
)
export const endpointOf = Effect.fnUntraced(function* (id: EndpointId) {
  const { sql } = yield* Database
  return yield* sql<{ status: string; failures: number; last_success_at: Date | null; deactivated_at: Date | null }>`
    select status, consecutive_failures as failures, last_success_at, deactivated_at from webhook_endpoint
    where id = ${id}::uuid`
})
export const expectEndpoint = Effect.fnUntraced(function* (id: EndpointId, status: string, failures: number) {
  const [endpoint] = yield* endpointOf(id)
  assert.deepInclude({ ...endpoint }, { status, failures })
})
export const forget = Effect.flatMap(Retention, ({ step }) => Effect.repeat(step, { while: (done) => done > 0 }))
export const deactivationMails = Effect.gen(function* () {
  const { sql } = yield* Database
  const mails = yield* sql<{ recipient: string }>`
    select recipient from email where kind = 'endpoint_deactivated' order by recipient`
  return mails.map(({ recipient }) => recipient)
})
