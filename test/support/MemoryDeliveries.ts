/**
 * The repositories of webhook deliveries on tables in memory, for simulations. test/system/simulation/MemoryDeliveries.test.ts
 * compares them with Postgres.
 */
import { Clock, Context, Duration, Effect, Layer, Scheduler } from "effect"
import { Notifications } from "../../src/accounts/members/Notifications.ts"
import { Database, Now } from "../../src/platform/database/Database.ts"
import { QueueNotifier } from "../../src/platform/queue/QueueNotifier.ts"
import { QueueRepository } from "../../src/platform/queue/QueueRepository.ts"
import { DeliveryClaimRepository } from "../../src/webhooks/deliveries/DeliveryClaimRepository.ts"
import { DeliveryRepository } from "../../src/webhooks/deliveries/DeliveryRepository.ts"
import { DeliverySettlementRepository } from "../../src/webhooks/deliveries/DeliverySettlementRepository.ts"
import { EndpointRepository } from "../../src/webhooks/endpoints/EndpointRepository.ts"
import { EventRepository } from "../../src/webhooks/events/EventRepository.ts"
import * as Tables from "../system/simulation/tables.ts"

export class MemoryTables extends Context.Service<MemoryTables, ReturnType<typeof Tables.make>>()(
  "interview-invitations/test/MemoryTables",
) {}

const now = Effect.flatMap(Effect.flatten(Now), (at) =>
  at === undefined ? Clock.currentTimeMillis : Effect.succeed(at.getTime()),
)

/** Functions that no simulation uses are missing and die when called. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { wake } = yield* QueueNotifier
    const tables = Tables.make()
    const statement = <A>(run: (at: number) => A) => Effect.map(now, run)
    const queueing = <A>(run: (at: number) => A) => Effect.tap(statement(run), wake("webhook_delivery"))

    return Layer.mergeAll(
      Layer.succeed(MemoryTables, tables),
      Layer.succeed(QueueRepository, {
        release: (_, claims, after, as) =>
          (Duration.isZero(after) ? queueing : statement)((at) => tables.release(at, claims, after, as)),
        startAlone: (_, claim, lease) => statement((at) => tables.startAlone(at, claim, lease)),
      }),
      Layer.mock(DeliveryClaimRepository)({ claim: (claim) => statement((at) => tables.claim(at, claim)) }),
      Layer.mock(DeliverySettlementRepository)({
        settleAttempts: (settlements, deactivateAfter) =>
          statement((at) =>
            tables
              .settle(at, settlements, deactivateAfter)
              .map((endpoint) => ({ ...endpoint, inactive_reason: "failures" as const })),
          ),
        settleDelivered: (settlements) => statement((at) => tables.settleDelivered(at, settlements)),
        park: (claims) => statement((at) => tables.park(at, claims)),
        parkWaiting: (endpoints) => statement((at) => tables.parkWaiting(at, endpoints)),
        countAttempts: () => Effect.void,
      }),
      Layer.mock(DeliveryRepository)({
        resend: (organization, id, seen) => queueing((at) => tables.resend(at, organization, id, seen)),
        resendFailed: (_, endpoint, filter, pace) => queueing((at) => tables.resendFailed(at, endpoint, filter, pace)),
        sendParked: (_, endpoint, pace) => queueing((at) => tables.sendParked(at, endpoint, pace)),
      }),
      Layer.mock(EventRepository)({
        publish: (events) => queueing((at) => tables.publish(at, events)),
      }),
      Layer.mock(EndpointRepository)({
        insert: (endpoint) =>
          Effect.as(
            statement(() => tables.insertEndpoint(endpoint)),
            "made" as const,
          ),
        enable: (_, id) => statement(() => tables.setStatus(id, "active")),
        disable: (_, id) => statement(() => tables.setStatus(id, "inactive")),
      }),
      Layer.mock(Notifications)({
        notifyAdmins: (_, __, ___, render) =>
          statement(() => tables.insertMail(render("https://link.invalid").subject)),
      }),
      Layer.mock(Database)({
        applicationName: "interview-invitations",
        nameInSchema: (name) => name,
        // steps neither wait nor yield, so transactions do not interleave
        transaction: (effect) =>
          Effect.suspend(() => {
            const undo = tables.savepoint()
            return Effect.tapCause(effect, () => Effect.sync(undo))
          }).pipe(Effect.provideService(Scheduler.PreventSchedulerYield, true)),
      }),
    )
  }),
)
