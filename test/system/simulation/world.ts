/** Where a simulation takes place: tables, the repositories on them, and how to look at them from outside. */
import { Context, Effect, Layer } from "effect"
import type { EmailRepository } from "../../../src/emails/EmailRepository.ts"
import type { Database } from "../../../src/platform/database/Database.ts"
import { EndpointId, OrganizationId } from "../../../src/values/Ids.ts"
import type { DeliveryRepository } from "../../../src/webhooks/DeliveryRepository.ts"
import { EndpointRepository } from "../../../src/webhooks/EndpointRepository.ts"
import { Endpoints } from "../../../src/webhooks/Endpoints.ts"
import type { EventRepository } from "../../../src/webhooks/EventRepository.ts"
import * as MemoryDeliveries from "../../support/MemoryDeliveries.ts"
import { urlOf } from "./network.ts"
import type { Plan } from "./plan.ts"
import type { Tables } from "./tables.ts"

export class World extends Context.Service<
  World,
  {
    readonly organization: OrganizationId
    /** Those of the plan's receivers, in their order. */
    readonly endpoints: ReadonlyArray<EndpointId>
    readonly tables: Effect.Effect<Tables>
    /** When a delivery is due next; milliseconds since 1970. */
    readonly nextDue: Effect.Effect<number | undefined>
    /** Who gets a mail of a deactivation. */
    readonly admins: number
    /** True where statements take a time that is not the simulation's. */
    readonly isRemote: boolean
  }
>()("interview-invitations/test/World") {}

/** What processes and people need of a world. */
export type Services =
  | World
  | Database
  | DeliveryRepository
  | EmailRepository
  | EndpointRepository
  | Endpoints
  | EventRepository

const organization = OrganizationId.make(1)

const idOf = (receiver: number) => EndpointId.make(`00000000-0000-7000-8000-00000000000${receiver}`)

const secrets = Layer.mock(Endpoints)({ openSecret: () => Effect.succeed(`whsec_${"07".repeat(32)}`) })

/** A world in memory, where nothing takes time. */
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
