/**
 * Probes of endpoints that failures deactivated, and what follows a success (docs/webhooks.md#deactivation-and-probes).
 *
 * A probe is one attempt of the oldest parked delivery. `step` queues it as a delivery for one attempt and records its number in
 * the endpoint's `probe_delivery_id`; DeliveryQueue performs it. A failed probe is not recorded as an attempt of the delivery.
 * After a success, `step` sends the parked deliveries.
 */
import { Context, Duration, Effect, Layer } from "effect"
import { AuditLog } from "../../accounts/AuditLog.ts"
import { Notifications } from "../../accounts/members/Notifications.ts"
import { operator } from "../../accounts/Viewer.ts"
import { Config } from "../../config/Config.ts"
import { Database } from "../../platform/database/Database.ts"
import type { EndpointId } from "../../values/Ids.ts"
import { spacing } from "../deliveries/Deliveries.ts"
import { maxBatch } from "../deliveries/Delivery.ts"
import { DeliveryRepository } from "../deliveries/DeliveryRepository.ts"
import type { Deactivated } from "../deliveries/DeliverySettlementRepository.ts"
import { type Deactivation, renderDeactivation, renderRecovery } from "./DeactivationEmail.ts"
import { type FailedProbe, type ProbedEndpoint, ProbeRepository } from "./ProbeRepository.ts"

export class EndpointProbes extends Context.Service<EndpointProbes>()(
  "interview-invitations/webhooks/endpoints/EndpointProbes",
  {
    make: Effect.gen(function* () {
      const auditLog = yield* AuditLog
      const { appUrl, webhookProbeFirst: first, webhookProbeFor: total } = yield* Config
      const { transaction } = yield* Database
      const deliveryRepository = yield* DeliveryRepository
      const notifications = yield* Notifications
      const probeRepository = yield* ProbeRepository

      const mail = Effect.fnUntraced(function* (endpoint: Deactivated, next: Deactivation["next"]) {
        const { id, organization_id } = endpoint
        yield* notifications.notifyAdmins(organization_id, "endpoint_deactivated", id, (unsubscribeUrl) =>
          renderDeactivation({ ...endpoint, next, appUrl, unsubscribeUrl }),
        )
      })

      const noteDeactivation = ({ id, inactive_reason, organization_id }: Deactivated) =>
        auditLog.note(operator(organization_id), "webhook_endpoint", "deactivate", id, { reason: inactive_reason })

      /** Needs the transaction of the deactivations. Members get an email only when no probe follows. */
      const deactivated = Effect.fn("EndpointProbes.deactivated")(function* (endpoints: ReadonlyArray<Deactivated>) {
        const isProbed = ({ inactive_reason }: Deactivated) => inactive_reason === "failures" && !Duration.isZero(first)
        const probed = endpoints.filter(isProbed)
        if (probed.length > 0) {
          yield* probeRepository.schedule(
            probed.map(({ id }) => id),
            first,
          )
        }
        yield* Effect.forEach(
          endpoints,
          Effect.fnUntraced(function* (endpoint) {
            const { consecutive_failures: failures, id, inactive_reason: reason, last_error } = endpoint
            yield* Effect.logWarning("webhook endpoint deactivated", { endpoint: id, reason, failures, last_error })
            yield* noteDeactivation(endpoint)
            if (!isProbed(endpoint)) yield* mail(endpoint, "nothing")
          }),
          { discard: true },
        )
      })

      /** Settles a probe that was not acknowledged. */
      const failed = Effect.fn("EndpointProbes.failed")(function* (attempt: FailedProbe) {
        const endpoint = yield* probeRepository.fail(attempt, { first, total })
        if (endpoint === undefined) return
        const { failed_probes, id, inactive_reason, next_probe_at, organization_id } = endpoint
        if (inactive_reason === "gone") {
          yield* noteDeactivation(endpoint)
          yield* mail(endpoint, "nothing")
          return
        }
        if (failed_probes === 1) yield* mail(endpoint, next_probe_at === null ? "nothing" : "probes")
        if (next_probe_at === null)
          yield* auditLog.note(operator(organization_id), "webhook_endpoint", "end_probes", id, { failed_probes })
      }, transaction)

      /** Activates endpoints after acknowledged probes. Needs the transaction of their settlement. */
      const succeeded = Effect.fn("EndpointProbes.succeeded")(function* (endpoints: ReadonlyArray<EndpointId>) {
        for (const id of endpoints) {
          const endpoint = yield* probeRepository.recover(id)
          if (endpoint === undefined) continue
          const { failed_probes, organization_id } = endpoint
          yield* Effect.logInfo("webhook endpoint activated after a probe", { endpoint: id, failed_probes })
          yield* auditLog.note(operator(organization_id), "webhook_endpoint", "recover", id, { failed_probes })
          if (failed_probes === 0) continue
          yield* notifications.notifyAdmins(organization_id, "endpoint_recovered", id, (unsubscribeUrl) =>
            renderRecovery({ ...endpoint, appUrl, unsubscribeUrl }),
          )
        }
      })

      const end = Effect.fnUntraced(function* (endpoint: ProbedEndpoint) {
        const { failed_probes, id, organization_id } = endpoint
        yield* auditLog.note(operator(organization_id), "webhook_endpoint", "end_probes", id, { failed_probes })
        if (failed_probes === 0) yield* mail(endpoint, "nothing")
      })

      /** Queues the probes that are due. */
      const probe = Effect.gen(function* () {
        const { due, over } = yield* probeRepository.queueDue({ first, total })
        yield* Effect.forEach(over, end, { discard: true })
        return due
      }).pipe(transaction)

      /** Queues a batch of the parked deliveries of one endpoint that has recovered. */
      const resume = Effect.gen(function* () {
        const endpoint = yield* probeRepository.nextResuming
        if (endpoint === undefined) return 0
        const { id, offset, organization_id } = endpoint
        const pace = { limit: maxBatch, spacing, offset }
        const queued = yield* deliveryRepository.sendParked(organization_id, id, pace)
        yield* probeRepository.resumed(id, queued < maxBatch ? undefined : Duration.millis(offset + queued * spacing))
        if (queued > 0) yield* auditLog.note(operator(organization_id), "webhook_endpoint", "resume", id, { queued })
        return 1
      }).pipe(transaction)

      /** Runs periodically on every pod; returns 0 when nothing is left to do. */
      const step = Effect.map(Effect.all([probe, resume]), ([probed, resumed]) => probed + resumed).pipe(
        Effect.withSpan("EndpointProbes.step"),
      )

      return { deactivated, failed, succeeded, step }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
