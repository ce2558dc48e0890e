/** Lists deliveries and sends them again (docs/webhooks.md). */
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../../accounts/AuditLog.ts"
import type { Actor } from "../../accounts/Viewer.ts"
import { Database } from "../../platform/database/Database.ts"
import { mayReadReplica } from "../../platform/database/Replica.ts"
import type { DeliveryId, EndpointId, OrganizationId } from "../../values/Ids.ts"
import { Conflict, NotFound } from "../../values/Problem.ts"
import { Endpoints } from "../endpoints/Endpoints.ts"
import { type HourOfAttempts, hoursUntil } from "./Delivery.ts"
import { type DeliveryFilter, DeliveryRepository, type Pace } from "./DeliveryRepository.ts"

/** Milliseconds between deliveries (50 a second), so that a recovered receiver is not overloaded. */
export const spacing = 20
export const maxBatch = 5000

const unknown = new NotFound({ record: "delivery" })

const paced = Effect.fnUntraced(function* <R>(step: (pace: Pace) => Effect.Effect<number, never, R>) {
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

    const noteDelivery = auditLog.noteAs("webhook_delivery")
    const noteEndpoint = auditLog.noteAs("webhook_endpoint")

    const find = Effect.fn("Deliveries.find")(function* (organization: OrganizationId, id: DeliveryId) {
      const row = yield* repository.find(organization, id)
      return row === undefined ? yield* unknown : row
    })

    const requireActive = Effect.fnUntraced(function* (organization: OrganizationId, id: EndpointId) {
      const { status } = yield* endpoints.show(organization, id)
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
      organization: OrganizationId,
      endpoint: EndpointId,
      filter: DeliveryFilter,
      limit: number,
    ) {
      yield* endpoints.show(organization, endpoint)
      return yield* repository.list(organization, endpoint, filter, limit)
    }, mayReadReplica)

    const searchedUntil = (organization: OrganizationId, endpoint: EndpointId, filter: DeliveryFilter) =>
      repository.searchedUntil(organization, endpoint, filter).pipe(mayReadReplica)

    /**
     * Sends a finished delivery again as a new one. NotFound when it belongs to another endpoint than `endpoint`. Conflict when
     * resent_at is not `seen`, so a form submitted twice sends once.
     */
    const resend = Effect.fn("Deliveries.resend")(function* (
      organization: OrganizationId,
      id: DeliveryId,
      { by, endpoint, seen }: { readonly by?: Actor; readonly endpoint?: EndpointId; readonly seen?: Date | null } = {},
    ) {
      const { endpoint_id, resent_at, state } = yield* find(organization, id)
      if (endpoint !== undefined && (yield* endpoints.show(organization, endpoint)).id !== endpoint_id) {
        return yield* unknown
      }
      yield* Effect.catchTag(requireActive(organization, endpoint_id), "NotFound", () =>
        Effect.fail(new Conflict({ reason: "the delivery's webhook endpoint was deleted" })),
      )
      if (state === "queued" || state === "parked") {
        return yield* new Conflict({ reason: `the delivery is ${state}: it is not finished yet` })
      }
      const known = seen === undefined ? resent_at : seen
      const resent = yield* audited(repository.resend(organization, id, known), (newDelivery) =>
        noteDelivery(organization, by, "resend", id, { as: newDelivery, webhook_endpoint_id: endpoint_id }),
      )
      if (resent !== undefined) return resent
      const isAgain = (yield* find(organization, id)).resent_at?.getTime() !== known?.getTime()
      const old = "its event was deleted because of its age"
      const again = "the delivery was sent again meanwhile"
      return yield* new Conflict({ reason: isAgain ? again : old })
    })

    /**
     * Sends a waiting or parked delivery now, also to an inactive endpoint: then it gets one attempt. Conflict when it does not
     * wait, or when the number of its attempts is not `seen`, so a form submitted twice sends once.
     */
    const sendNow = Effect.fn("Deliveries.sendNow")(function* (
      organization: OrganizationId,
      id: DeliveryId,
      { by, seen }: { readonly by?: Actor; readonly seen?: number } = {},
    ) {
      const { attempts, endpoint_id, state } = yield* find(organization, id)
      if (state === "delivered" || state === "failed") {
        return yield* new Conflict({ reason: `the delivery is already ${state}: use “Send again”` })
      }
      if (yield* repository.isClaimed(organization, id)) {
        return yield* new Conflict({ reason: "an attempt is running: wait for its result" })
      }
      if (seen !== undefined && seen !== attempts) {
        return yield* new Conflict({ reason: "another attempt was made meanwhile: see its result" })
      }
      const sent = yield* audited(repository.sendNow(organization, id), () =>
        noteDelivery(organization, by, "send_now", id, { webhook_endpoint_id: endpoint_id }),
      )
      if (sent === undefined) return yield* new Conflict({ reason: "the delivery is already due" })
    })

    const failedSince = Effect.fn("Deliveries.failedSince")(function* (
      organization: OrganizationId,
      endpoint: EndpointId,
      since: Date,
    ) {
      yield* endpoints.show(organization, endpoint)
      return yield* repository.failedSince(organization, endpoint, since)
    }, mayReadReplica)

    const resendFailed = Effect.fn("Deliveries.resendFailed")(function* (
      organization: OrganizationId,
      endpoint: EndpointId,
      since: Date,
      by?: Actor,
    ) {
      yield* requireActive(organization, endpoint)
      const detail = { since: since.toISOString() }
      return yield* paced((pace) =>
        audited(repository.resendFailed(organization, endpoint, since, pace), (queued) =>
          noteEndpoint(organization, by, "resend_failed", endpoint, { ...detail, queued }),
        ),
      )
    })

    /** Deliveries keep their remaining attempts. */
    const sendParked = Effect.fn("Deliveries.sendParked")(function* (
      organization: OrganizationId,
      endpoint: EndpointId,
      by?: Actor,
    ) {
      yield* requireActive(organization, endpoint)
      return yield* paced((pace) =>
        audited(repository.sendParked(organization, endpoint, pace), (queued) =>
          noteEndpoint(organization, by, "send_parked", endpoint, { queued }),
        ),
      )
    })

    /** Attempts of the last 24 hours, by endpoint. */
    const activity = Effect.fn("Deliveries.activity")(function* (
      organization: OrganizationId,
      ids: ReadonlyArray<EndpointId>,
      now: Date,
    ) {
      const hours = hoursUntil(now)
      const since = hours[0] ?? now
      const counts = ids.length === 0 ? [] : yield* repository.activity(organization, ids, since)
      const byEndpoint = Map.groupBy(counts, ({ endpoint_id }) => endpoint_id)
      return (endpoint: EndpointId): ReadonlyArray<HourOfAttempts> => {
        const own = new Map(byEndpoint.get(endpoint)?.map((count) => [count.hour.getTime(), count]))
        return hours.map((hour) => {
          const { delivered = 0, failed = 0 } = own.get(hour.getTime()) ?? {}
          return { hour, delivered, failed }
        })
      }
    }, mayReadReplica)

    return { list, searchedUntil, find, resend, sendNow, failedSince, resendFailed, sendParked, activity }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make)
}
