/** A world on Postgres, with the service's repositories. */
import { Context, Effect, Layer } from "effect"
import { Notifications } from "../../../src/accounts/members/Notifications.ts"
import { Database } from "../../../src/platform/database/Database.ts"
import { QueueRepository } from "../../../src/platform/queue/QueueRepository.ts"
import { EndpointId, type OrganizationId } from "../../../src/values/Ids.ts"
import { DeliveryClaimRepository } from "../../../src/webhooks/deliveries/DeliveryClaimRepository.ts"
import { DeliveryRepository } from "../../../src/webhooks/deliveries/DeliveryRepository.ts"
import { DeliverySettlementRepository } from "../../../src/webhooks/deliveries/DeliverySettlementRepository.ts"
import { EndpointRepository } from "../../../src/webhooks/endpoints/EndpointRepository.ts"
import { EndpointSecrets } from "../../../src/webhooks/endpoints/EndpointSecrets.ts"
import { EventRepository } from "../../../src/webhooks/events/EventRepository.ts"
import * as Scenario from "../../support/Scenario.ts"
import { urlOf } from "./network.ts"
import type { Plan } from "./plan.ts"
import type { StoredDelivery, StoredEndpoint } from "./tables.ts"
import { World } from "./world.ts"

export const tables = Effect.gen(function* () {
  const { sql } = yield* Database
  const millis = (column: string) => sql.literal(`(extract(epoch from ${column}) * 1000)::float8 as ${column}`)
  const common = sql`id, organization_id, endpoint_id, event_id, state, attempts, attempt_log, ${millis("created_at")}`
  const deliveries = yield* sql<StoredDelivery>`
    select ${common}, null::float8 as finished_at, unended_attempts, alone, claim_id, ${millis("leased_until")},
      ${millis("due_at")}, null::float8 as resent_at from webhook_delivery
    union all select ${common}, ${millis("finished_at")}, 0, null, null, null, null, ${millis("resent_at")}
      from webhook_delivery_history order by id`
  const endpoints = yield* sql<StoredEndpoint>`
    select id, url, status, consecutive_failures, last_error, ${millis("last_success_at")}, ${millis("last_failure_at")},
      ${millis("deactivated_at")} from webhook_endpoint`
  const mails = yield* sql<{ subject: string }>`select subject from email where kind = 'endpoint_deactivated'`
  return {
    deliveries: deliveries.map((row) => ({ ...row, id: String(row.id) })),
    endpoints,
    mails: mails.map(({ subject }) => subject),
  }
}).pipe(Effect.orDie)

/** Deletes all deliveries, events, endpoints and emails. */
export const clear = Effect.gen(function* () {
  const { sql } = yield* Database
  for (const table of ["webhook_delivery", "webhook_delivery_history", "webhook_event", "webhook_endpoint", "email"]) {
    yield* sql`delete from ${sql(table)}`
  }
}).pipe(Effect.orDie)

/** A world of one organization with `admins` recipients of deactivation emails. Clears the tables first. */
export const postgres = (organization: OrganizationId, admins: number) => (plan: Plan) => {
  const world = Layer.effect(
    World,
    Effect.gen(function* () {
      yield* clear
      const { sql } = yield* Database
      const context = yield* Effect.context<Database>()
      const events = ["interview.status.update"]
      const endpoints = yield* Effect.forEach(plan.receivers, (_, receiver) =>
        Scenario.endpoint(organization, { events, url: urlOf(receiver) }),
      )
      const nextDue = sql<{ due: number | null }>`
        select (extract(epoch from min(case when claim_id is null then due_at else greatest(due_at, leased_until) end)) * 1000)::float8 as due
        from webhook_delivery where due_at is not null`
      return {
        organization,
        endpoints: endpoints.map(({ id }) => EndpointId.make(id)),
        tables: Effect.provide(tables, context),
        nextDue: nextDue.pipe(
          Effect.map(([row]) => row?.due ?? undefined),
          Effect.orDie,
        ),
        admins,
        isRemote: true,
      }
    }),
  )
  // built anew, so that they wake the simulation's workers
  const repositories = Layer.mergeAll(
    DeliveryClaimRepository.layer,
    DeliveryRepository.layer,
    DeliverySettlementRepository.layer,
    EventRepository.layer,
    QueueRepository.layer,
  )
  const others = Layer.effectContext(
    Effect.map(
      Effect.context<Database | Notifications | EndpointRepository | EndpointSecrets>(),
      Context.pick(Database, Notifications, EndpointRepository, EndpointSecrets),
    ),
  )
  return Layer.mergeAll(world, repositories, others)
}
