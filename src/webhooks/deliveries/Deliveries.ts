/** Lists deliveries and sends them again (docs/webhooks.md). */
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../../accounts/AuditLog.ts"
import type { Viewer } from "../../accounts/Viewer.ts"
import { Database } from "../../platform/database/Database.ts"
import { mayReadReplica } from "../../platform/database/Replica.ts"
import { definedOnly } from "../../values/definedOnly.ts"
import type { DeliveryId, EndpointId } from "../../values/Ids.ts"
import { Conflict, NotFound } from "../../values/Problem.ts"
import { Endpoints } from "../endpoints/Endpoints.ts"
import { type HourOfAttempts, hoursUntil, maxBatch } from "./Delivery.ts"
import { type DeliveryFilter, DeliveryRepository, type FailedFilter, type OffsetPace } from "./DeliveryRepository.ts"

/** Milliseconds between deliveries (50 a second), so that a recovered receiver is not overloaded. */
export const spacing = 20

const unknown = new NotFound({ record: "delivery" })

const paced = Effect.fnUntraced(function* <R>(step: (pace: OffsetPace) => Effect.Effect<number, never, R>) {
  let total = 0
  while (true) {
    const done = yield* step({ limit: maxBatch, spacing, offset: total * spacing })
    total += done
    if (done < maxBatch) return total
  }
})

export class Deliveries extends Context.Service<Deliveries>()("interview-invitations/webhooks/deliveries/Deliveries", {
  make: Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const { transaction } = yield* Database
    const repository = yield* DeliveryRepository
    const endpoints = yield* Endpoints

    const find = Effect.fn("Deliveries.find")(function* ({ organizationId }: Viewer, id: DeliveryId) {
      const row = yield* repository.find(organizationId, id)
      return row === undefined ? yield* unknown : row
    })

    const requireActive = Effect.fnUntraced(function* (viewer: Viewer, id: EndpointId) {
      const { status } = yield* endpoints.show(viewer, id)
      if (status !== "active") {
        return yield* new Conflict({
          reason: "the webhook endpoint is inactive: enable it first, over the API by setting its status to active",
        })
      }
    })

    const audited = <A, R, R2>(
      step: Effect.Effect<A, never, R>,
      note: (done: NonNullable<A>) => Effect.Effect<void, never, R2>,
    ) => transaction(Effect.tap(step, (done) => (done ? note(done) : Effect.void)))

    const list = Effect.fn("Deliveries.list")(function* (
      viewer: Viewer,
      endpoint: EndpointId,
      filter: DeliveryFilter,
      limit: number,
    ) {
      yield* endpoints.show(viewer, endpoint)
      return yield* repository.list(viewer.organizationId, endpoint, filter, limit)
    }, mayReadReplica)

    const searchedUntil = ({ organizationId }: Viewer, endpoint: EndpointId, filter: DeliveryFilter) =>
      repository.searchedUntil(organizationId, endpoint, filter).pipe(mayReadReplica)

    /**
     * Sends a finished delivery again as a new one. NotFound when it belongs to another endpoint than `endpoint`. Conflict when
     * resent_at is not `seen`, so a form submitted twice sends once.
     */
    const resend = Effect.fn("Deliveries.resend")(function* (
      viewer: Viewer,
      id: DeliveryId,
      { endpoint, seen }: { readonly endpoint?: EndpointId; readonly seen?: Date | null } = {},
    ) {
      const { endpoint_id, resent_at, state } = yield* find(viewer, id)
      if (endpoint !== undefined && (yield* endpoints.show(viewer, endpoint)).id !== endpoint_id) {
        return yield* unknown
      }
      yield* Effect.catchTag(requireActive(viewer, endpoint_id), "NotFound", () =>
        Effect.fail(new Conflict({ reason: "the delivery's webhook endpoint was deleted" })),
      )
      if (state === "queued" || state === "parked") {
        return yield* new Conflict({
          reason: `the delivery is ${state}: it is not finished yet, so wait for its result`,
        })
      }
      const known = seen === undefined ? resent_at : seen
      const resent = yield* audited(repository.resend(viewer.organizationId, id, known), (newDelivery) =>
        auditLog.note(viewer, "webhook_delivery", "resend", id, { as: newDelivery, webhook_endpoint_id: endpoint_id }),
      )
      if (resent !== undefined) return resent
      const isAgain = (yield* find(viewer, id)).resent_at?.getTime() !== known?.getTime()
      const old = "its event was deleted because of its age, so it can no longer be sent"
      const again = "the delivery was sent again meanwhile"
      return yield* new Conflict({ reason: isAgain ? again : old })
    })

    /**
     * Sends a waiting or parked delivery now, also to an inactive endpoint: then it gets one attempt. Conflict when it does not
     * wait, or when the number of its attempts is not `seen`, so a form submitted twice sends once.
     */
    const sendNow = Effect.fn("Deliveries.sendNow")(function* (
      viewer: Viewer,
      id: DeliveryId,
      { seen }: { readonly seen?: number } = {},
    ) {
      const { attempts, endpoint_id, state } = yield* find(viewer, id)
      if (state === "delivered" || state === "failed") {
        return yield* new Conflict({ reason: `the delivery is already ${state}: use “Send again”` })
      }
      if (yield* repository.isClaimed(viewer.organizationId, id)) {
        return yield* new Conflict({ reason: "an attempt is running: wait for its result" })
      }
      if (seen !== undefined && seen !== attempts) {
        return yield* new Conflict({ reason: "another attempt was made meanwhile: see its result" })
      }
      const sent = yield* audited(repository.sendNow(viewer.organizationId, id), () =>
        auditLog.note(viewer, "webhook_delivery", "send_now", id, { webhook_endpoint_id: endpoint_id }),
      )
      if (sent === undefined) return yield* new Conflict({ reason: "the delivery is already due" })
    })

    const countFailed = Effect.fn("Deliveries.countFailed")(function* (
      viewer: Viewer,
      endpoint: EndpointId,
      filter: FailedFilter,
    ) {
      yield* endpoints.show(viewer, endpoint)
      return yield* repository.countFailed(viewer.organizationId, endpoint, filter)
    }, mayReadReplica)

    const resendBatch = (viewer: Viewer, endpoint: EndpointId, filter: FailedFilter) => {
      const { event_types, since, until } = filter
      const detail = definedOnly({ since: since.toISOString(), until: until?.toISOString(), event_types })
      return audited(
        repository.resendFailed(viewer.organizationId, endpoint, filter, { limit: maxBatch, spacing }),
        (queued) => auditLog.note(viewer, "webhook_endpoint", "resend_failed", endpoint, { ...detail, queued }),
      )
    }

    /** Sends all of them again and returns their number. */
    const resendFailed = Effect.fn("Deliveries.resendFailed")(function* (
      viewer: Viewer,
      endpoint: EndpointId,
      filter: FailedFilter,
    ) {
      yield* requireActive(viewer, endpoint)
      return yield* paced(() => resendBatch(viewer, endpoint, filter))
    })

    /** Sends the oldest `maxBatch` of them again. `has_more`: others remain, so call again. */
    const resendOldestFailed = Effect.fn("Deliveries.resendOldestFailed")(function* (
      viewer: Viewer,
      endpoint: EndpointId,
      filter: FailedFilter,
    ) {
      yield* requireActive(viewer, endpoint)
      const queued = yield* resendBatch(viewer, endpoint, filter)
      return { queued, has_more: yield* repository.hasFailed(viewer.organizationId, endpoint, filter) }
    })

    /** Deliveries keep their remaining attempts. */
    const sendParked = Effect.fn("Deliveries.sendParked")(function* (viewer: Viewer, endpoint: EndpointId) {
      yield* requireActive(viewer, endpoint)
      return yield* paced((pace) =>
        audited(repository.sendParked(viewer.organizationId, endpoint, pace), (queued) =>
          auditLog.note(viewer, "webhook_endpoint", "send_parked", endpoint, { queued }),
        ),
      )
    })

    /** Attempts of the last 24 hours, by endpoint. */
    const activity = Effect.fn("Deliveries.activity")(function* (
      viewer: Viewer,
      ids: ReadonlyArray<EndpointId>,
      now: Date,
    ) {
      const hours = hoursUntil(now)
      const since = hours[0] ?? now
      const counts = ids.length === 0 ? [] : yield* repository.activity(viewer.organizationId, ids, since)
      const byEndpoint = Map.groupBy(counts, ({ endpoint_id }) => endpoint_id)
      return (endpoint: EndpointId): ReadonlyArray<HourOfAttempts> => {
        const own = new Map(byEndpoint.get(endpoint)?.map((count) => [count.hour.getTime(), count]))
        return hours.map((hour) => {
          const { delivered = 0, failed = 0 } = own.get(hour.getTime()) ?? {}
          return { hour, delivered, failed }
        })
      }
    }, mayReadReplica)

    return {
      list,
      searchedUntil,
      find,
      resend,
      sendNow,
      countFailed,
      resendFailed,
      resendOldestFailed,
      sendParked,
      activity,
    }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
