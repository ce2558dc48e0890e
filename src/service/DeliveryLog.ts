/** Deliveries as people look at them, and sending them again by hand (contract, Webhooks). */
import { Context, Effect, Layer } from "effect"
import type { DeliveryId, EndpointId, MemberId, OrganizationId } from "../domain/Ids.ts"
import { Conflict, NotFound } from "../domain/Problem.ts"
import { AuditLogRepository } from "../repository/AuditLogRepository.ts"
import { Database } from "../repository/Database.ts"
import {
  type DeliveryFilter,
  DeliveryHistoryRepository,
  type DeliveryRow,
  type Pace,
} from "../repository/DeliveryHistoryRepository.ts"
import { notes } from "./Audit.ts"
import { Endpoints } from "./Endpoints.ts"

/** What was held back comes at 50 a second, beside what happens anew: a receiver that is up again is not run over. */
const spacing = 20
const batch = 5000

export class DeliveryLog extends Context.Service<
  DeliveryLog,
  {
    /** An endpoint's deliveries, newest first. */
    readonly list: (
      organization: OrganizationId,
      endpoint: EndpointId,
      filter: DeliveryFilter,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<DeliveryRow>, NotFound>
    /** Where the search for an event's deliveries ended (repository/DeliveryHistory.ts); undefined: all were looked at. */
    readonly searchedUntil: (
      organization: OrganizationId,
      endpoint: EndpointId,
      filter: DeliveryFilter,
    ) => Effect.Effect<DeliveryId | undefined>
    readonly find: (organization: OrganizationId, id: DeliveryId) => Effect.Effect<DeliveryRow, NotFound>
    /**
     * Sends a finished delivery's event once more, as a new delivery: six attempts from now on. `seen`: what its resent_at
     * was to whoever asks; a Conflict when it was sent again since, so that a form which is sent twice sends once. This
     * and what follows is noted in the audit log; `by` is the member who does it, and a command is nobody.
     */
    readonly resend: (
      organization: OrganizationId,
      id: DeliveryId,
      asked?: { readonly by?: MemberId; readonly seen?: Date | null },
    ) => Effect.Effect<DeliveryId, NotFound | Conflict>
    /** How many that would be which resendFailed sends again. */
    readonly failedSince: (
      organization: OrganizationId,
      endpoint: EndpointId,
      since: Date,
    ) => Effect.Effect<number, NotFound>
    /** Sends what failed since then and was not sent again yet; returns how many, which is how often that is to be seen. */
    readonly resendFailed: (
      organization: OrganizationId,
      endpoint: EndpointId,
      since: Date,
      by?: MemberId,
    ) => Effect.Effect<number, NotFound | Conflict>
    /** Sends what is parked for an endpoint, oldest first, each with the attempts that it has left; returns how many. */
    readonly sendParked: (
      organization: OrganizationId,
      endpoint: EndpointId,
      by?: MemberId,
    ) => Effect.Effect<number, NotFound | Conflict>
  }
>()("interview-invitations/service/DeliveryLog") {
  static readonly layer = Layer.effect(
    DeliveryLog,
    Effect.gen(function* () {
      const { transaction } = yield* Database
      const endpoints = yield* Endpoints
      const history = yield* DeliveryHistoryRepository
      const log = yield* AuditLogRepository
      const noteDelivery = notes(log, "webhook_delivery")
      const noteEndpoint = notes(log, "webhook_endpoint")

      const find = Effect.fn("DeliveryLog.find")(function* (organization: OrganizationId, id: DeliveryId) {
        const row = yield* history.find(organization, id)
        return row === undefined ? yield* new NotFound({ record: "delivery" }) : row
      })
      const requireActive = Effect.fnUntraced(function* (organization: OrganizationId, id: EndpointId) {
        const { status } = yield* endpoints.show(organization, id)
        if (status !== "active") {
          return yield* new Conflict({ reason: "the webhook endpoint is inactive: enable it first" })
        }
      })
      /** Does and notes it, both or neither; what did nothing is not noted. */
      const noted = <A>(step: Effect.Effect<A>, note: (done: NonNullable<A>) => Effect.Effect<void>) =>
        transaction(Effect.tap(step, (done) => (done ? note(done) : Effect.void)))
      /** Batch after batch, each behind the one before. */
      const paced = Effect.fnUntraced(function* (step: (pace: Pace) => Effect.Effect<number>) {
        let total = 0
        while (true) {
          const done = yield* step({ limit: batch, spacing, offset: total * spacing })
          total += done
          if (done < batch) return total
        }
      })

      return DeliveryLog.of({
        list: Effect.fn("DeliveryLog.list")(function* (organization, endpoint, filter, limit) {
          yield* endpoints.show(organization, endpoint)
          return yield* history.list(organization, endpoint, filter, limit)
        }),
        searchedUntil: Effect.fn("DeliveryLog.searchedUntil")(history.searchedUntil),
        find,
        resend: Effect.fn("DeliveryLog.resend")(function* (organization, id, { by, seen } = {}) {
          const { endpoint_id, resent_at, state } = yield* find(organization, id)
          yield* Effect.catchTag(requireActive(organization, endpoint_id), "NotFound", () =>
            Effect.fail(
              new Conflict({ reason: "the delivery's webhook endpoint was deleted: there is nowhere to send it" }),
            ),
          )
          if (state === "queued" || state === "parked") {
            return yield* new Conflict({ reason: `the delivery is ${state}: it is not finished yet` })
          }
          const known = seen === undefined ? resent_at : seen
          const resent = yield* noted(history.resend(organization, id, known), (made) =>
            noteDelivery(organization, by, "resend", id, { as: made, webhook_endpoint_id: endpoint_id }),
          )
          if (resent !== undefined) return resent
          const isAgain = (yield* find(organization, id)).resent_at?.getTime() !== known?.getTime()
          const old = "the event is older than what is kept: it can not be sent again"
          const again = "the delivery has just been sent again by somebody else"
          return yield* new Conflict({ reason: isAgain ? again : old })
        }),
        failedSince: Effect.fn("DeliveryLog.failedSince")(function* (organization, endpoint, since) {
          yield* endpoints.show(organization, endpoint)
          return yield* history.failedSince(organization, endpoint, since)
        }),
        resendFailed: Effect.fn("DeliveryLog.resendFailed")(function* (organization, endpoint, since, by) {
          yield* requireActive(organization, endpoint)
          const detail = { since: since.toISOString() }
          return yield* paced((pace) =>
            noted(history.resendFailed(organization, endpoint, since, pace), (queued) =>
              noteEndpoint(organization, by, "resend_failed", endpoint, { ...detail, queued }),
            ),
          )
        }),
        sendParked: Effect.fn("DeliveryLog.sendParked")(function* (organization, endpoint, by) {
          yield* requireActive(organization, endpoint)
          return yield* paced((pace) =>
            noted(history.sendParked(organization, endpoint, pace), (queued) =>
              noteEndpoint(organization, by, "send_parked", endpoint, { queued }),
            ),
          )
        }),
      })
    }),
  )
}
