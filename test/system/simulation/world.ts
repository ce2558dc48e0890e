/** The world of a simulation: tables, the repositories on them, and queries for the checks. */
import { Context, Effect, Layer } from "effect"
import type { Notifications } from "../../../src/accounts/members/Notifications.ts"
import type { Database } from "../../../src/platform/database/Database.ts"
import type { QueueRepository } from "../../../src/platform/queue/QueueRepository.ts"
import { EndpointId, OrganizationId } from "../../../src/values/Ids.ts"
import type { DeliveryClaimRepository } from "../../../src/webhooks/deliveries/DeliveryClaimRepository.ts"
import type { DeliveryRepository } from "../../../src/webhooks/deliveries/DeliveryRepository.ts"
import type { DeliverySettlementRepository } from "../../../src/webhooks/deliveries/DeliverySettlementRepository.ts"
import { EndpointRepository } from "../../../src/webhooks/endpoints/EndpointRepository.ts"
import { EndpointSecrets } from "../../../src/webhooks/endpoints/EndpointSecrets.ts"
import type { EventRepository } from "../../../src/webhooks/events/EventRepository.ts"
import * as MemoryDeliveries from "../../support/MemoryDeliveries.ts"
import { urlOf } from "./network.ts"
import type { Plan } from "./plan.ts"
import type { Tables } from "./tables.ts"

export class World extends Context.Service<
  World,
  {
    readonly organization: OrganizationId
    /** One for each receiver of the plan, in the same order. */
    readonly endpoints: ReadonlyArray<EndpointId>
    readonly tables: Effect.Effect<Tables>
    /** The earliest due time, in milliseconds since 1970. */
    readonly nextDue: Effect.Effect<number | undefined>
    /** Number of recipients of a deactivation email. */
    readonly admins: number
    /** True when statements take real time. */
    readonly isRemote: boolean
  }
>()("interview-invitations/test/World") {}

/** Services that processes and actions use. */
export type Services =
  | World
  | Database
  | DeliveryClaimRepository
  | DeliveryRepository
  | DeliverySettlementRepository
  | QueueRepository
  | Notifications
  | EndpointRepository
  | EndpointSecrets
  | EventRepository

const organization = OrganizationId.make(1)

const idOf = (receiver: number) => EndpointId.make(`00000000-0000-7000-8000-00000000000${receiver}`)

const secrets = Layer.mock(EndpointSecrets)({ open: () => Effect.succeed(`whsec_${"07".repeat(32)}`) })

/** A world in memory; its statements take no time. */
export const memory = (plan: Plan) =>
  Layer.effect(
    World,
    Effect.gen(function* () {
      const rows = yield* EndpointRepository
      const tables = yield* MemoryDeliveries.MemoryTables
      const endpoints = plan.receivers.map((_, receiver) => idOf(receiver))
      for (const [receiver, id] of endpoints.entries()) {
        const url = urlOf(receiver)
        const events = ["interview.status.update"]
        const secret = new Uint8Array(1)
        yield* rows.insert(
          { id, organization_id: organization, name: url, url, description: null, events, secret },
          100,
        )
      }
      return {
        organization,
        endpoints,
        tables: Effect.sync(tables.tables),
        nextDue: Effect.sync(tables.nextDue),
        admins: 1,
        isRemote: false,
      }
    }),
  ).pipe(Layer.provideMerge(MemoryDeliveries.layer), Layer.merge(secrets))
