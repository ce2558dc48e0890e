/** Deliveries as people look at them, and sending them again by hand (contract, Webhooks). */
import { Context, Effect, Layer } from "effect"
import { noting } from "../accounts/AuditLog.ts"
import { AuditLogRepository } from "../accounts/AuditLogRepository.ts"
import { Database, inTransaction } from "../platform/database/Database.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import type { DeliveryId, EndpointId, MemberId, OrganizationId } from "../values/Ids.ts"
import { Conflict, NotFound } from "../values/Problem.ts"
import { type DeliveryFilter, DeliveryHistoryRepository, type Pace } from "./DeliveryHistoryRepository.ts"
import { Endpoints } from "./Endpoints.ts"

/** What was held back comes at 50 a second, beside what happens anew: a receiver that is up again is not run over. */
const spacing = 20
const batch = 5000

const noteDelivery = noting("webhook_delivery")

const noteEndpoint = noting("webhook_endpoint")

const find = Effect.fn("DeliveryLog.find")(function* (organization: OrganizationId, id: DeliveryId) {
  const history = yield* DeliveryHistoryRepository
  const row = yield* history.find(organization, id)
  return row === undefined ? yield* new NotFound({ record: "delivery" }) : row
})

const requireActive = Effect.fnUntraced(function* (organization: OrganizationId, id: EndpointId) {
  const endpoints = yield* Endpoints
  const { status } = yield* endpoints.show(organization, id)
  if (status !== "active") {
    return yield* new Conflict({ reason: "the webhook endpoint is inactive: enable it first" })
  }
})

/** Does and notes it, both or neither; what did nothing is not noted. */
const noted = <A, R, R2>(
  step: Effect.Effect<A, never, R>,
  note: (done: NonNullable<A>) => Effect.Effect<void, never, R2>,
) => inTransaction(Effect.tap(step, (done) => (done ? note(done) : Effect.void)))

/** Batch after batch, each behind the one before. */
const paced = Effect.fnUntraced(function* <R>(step: (pace: Pace) => Effect.Effect<number, never, R>) {
  let total = 0
  while (true) {
    const done = yield* step({ limit: batch, spacing, offset: total * spacing })
    total += done
    if (done < batch) return total
  }
})

/** An endpoint's deliveries, newest first. */
const list = Effect.fn("DeliveryLog.list")(function* (
  organization: OrganizationId,
  endpoint: EndpointId,
  filter: DeliveryFilter,
  limit: number,
) {
  const endpoints = yield* Endpoints
  const history = yield* DeliveryHistoryRepository
  yield* endpoints.show(organization, endpoint)
  return yield* history.list(organization, endpoint, filter, limit)
})

/** Where the search for an event's deliveries ended (repository/DeliveryHistory.ts); undefined: all were looked at. */
const searchedUntil = (organization: OrganizationId, endpoint: EndpointId, filter: DeliveryFilter) =>
  Effect.flatMap(DeliveryHistoryRepository, (history) => history.searchedUntil(organization, endpoint, filter))

/**
 * Sends a finished delivery's event once more, as a new delivery: six attempts from now on. `seen`: what its resent_at
 * was to whoever asks; a Conflict when it was sent again since, so that a form which is sent twice sends once. This
 * and what follows is noted in the audit log; `by` is the member who does it, and a command is nobody.
 */
const resend = Effect.fn("DeliveryLog.resend")(function* (
  organization: OrganizationId,
  id: DeliveryId,
  { by, seen }: { readonly by?: MemberId; readonly seen?: Date | null } = {},
) {
  const history = yield* DeliveryHistoryRepository
  const { endpoint_id, resent_at, state } = yield* find(organization, id)
  yield* Effect.catchTag(requireActive(organization, endpoint_id), "NotFound", () =>
    Effect.fail(new Conflict({ reason: "the delivery's webhook endpoint was deleted: there is nowhere to send it" })),
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
})

/** How many that would be which resendFailed sends again. */
const failedSince = Effect.fn("DeliveryLog.failedSince")(function* (
  organization: OrganizationId,
  endpoint: EndpointId,
  since: Date,
) {
  const endpoints = yield* Endpoints
  const history = yield* DeliveryHistoryRepository
  yield* endpoints.show(organization, endpoint)
  return yield* history.failedSince(organization, endpoint, since)
})

/** Sends what failed since then and was not sent again yet; returns how many, which is how often that is to be seen. */
const resendFailed = Effect.fn("DeliveryLog.resendFailed")(function* (
  organization: OrganizationId,
  endpoint: EndpointId,
  since: Date,
  by?: MemberId,
) {
  const history = yield* DeliveryHistoryRepository
  yield* requireActive(organization, endpoint)
  const detail = { since: since.toISOString() }
  return yield* paced((pace) =>
    noted(history.resendFailed(organization, endpoint, since, pace), (queued) =>
      noteEndpoint(organization, by, "resend_failed", endpoint, { ...detail, queued }),
    ),
  )
})

/** Sends what is parked for an endpoint, oldest first, each with the attempts that it has left; returns how many. */
const sendParked = Effect.fn("DeliveryLog.sendParked")(function* (
  organization: OrganizationId,
  endpoint: EndpointId,
  by?: MemberId,
) {
  const history = yield* DeliveryHistoryRepository
  yield* requireActive(organization, endpoint)
  return yield* paced((pace) =>
    noted(history.sendParked(organization, endpoint, pace), (queued) =>
      noteEndpoint(organization, by, "send_parked", endpoint, { queued }),
    ),
  )
})

const useCases = { list, searchedUntil, find, resend, failedSince, resendFailed, sendParked }

export class DeliveryLog extends Context.Service<DeliveryLog, Methods<typeof useCases>>()(
  "interview-invitations/webhooks/DeliveryLog",
) {
  static readonly layer = Layer.effect(
    DeliveryLog,
    methods([AuditLogRepository, Database, DeliveryHistoryRepository, Endpoints], useCases),
  )
}
