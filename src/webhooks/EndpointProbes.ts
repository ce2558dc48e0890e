/**
 * Probes of endpoints that failures deactivated, and what follows a success (docs/webhooks.md#deactivation-and-probes).
 *
 * A probe is one attempt of the oldest parked delivery. `step` queues it as a delivery for one attempt and records its number in
 * the endpoint's `probe_delivery_id`; DeliveryQueue performs it. A failed probe is not recorded as an attempt of the delivery.
 * After a success, `step` sends the parked deliveries.
 */
import { Context, Duration, Effect, Layer } from "effect"
import { noting } from "../accounts/AuditLog.ts"
import { AuditLogRepository } from "../accounts/AuditLogRepository.ts"
import { Config } from "../config/Config.ts"
import { EmailRepository } from "../emails/EmailRepository.ts"
import { Database, inTransaction } from "../platform/database/Database.ts"
import { type Methods, methods } from "../platform/UseCases.ts"
import type { EndpointId } from "../values/Ids.ts"
import { type Deactivation, renderDeactivation, renderRecovery } from "./DeactivationEmail.ts"
import { maxBatch, spacing } from "./Deliveries.ts"
import { type Deactivated, DeliveryRepository } from "./DeliveryRepository.ts"
import { type FailedProbe, type ProbedEndpoint, ProbeRepository } from "./ProbeRepository.ts"

const note = noting("webhook_endpoint")

const limits = Effect.map(Config, ({ webhookProbeFirst, webhookProbeFor }) => ({
  first: webhookProbeFirst,
  total: webhookProbeFor,
}))

const mail = Effect.fnUntraced(function* (endpoint: Deactivated, next: Deactivation["next"]) {
  const { appUrl } = yield* Config
  const rendered = renderDeactivation({ ...endpoint, next, appUrl })
  yield* (yield* EmailRepository).insertForAdmins(endpoint.organization_id, "endpoint_deactivated", rendered)
})

const noteDeactivation = ({ id, inactive_reason, organization_id }: Deactivated) =>
  note(organization_id, undefined, "deactivate", id, { reason: inactive_reason })

/** Needs the transaction of the deactivations. Members get an email only when no probe follows. */
const deactivated = Effect.fn("EndpointProbes.deactivated")(function* (endpoints: ReadonlyArray<Deactivated>) {
  const { first } = yield* limits
  const isProbed = ({ inactive_reason }: Deactivated) => inactive_reason === "failures" && !Duration.isZero(first)
  const probed = endpoints.filter(isProbed)
  if (probed.length > 0) {
    yield* (yield* ProbeRepository).schedule(
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
const failed = Effect.fn("EndpointProbes.failed")(function* (probe: FailedProbe) {
  const endpoint = yield* (yield* ProbeRepository).fail(probe, yield* limits)
  if (endpoint === undefined) return
  const { failed_probes, id, inactive_reason, next_probe_at, organization_id } = endpoint
  if (inactive_reason === "gone") {
    yield* noteDeactivation(endpoint)
    yield* mail(endpoint, "nothing")
    return
  }
  if (failed_probes === 1) yield* mail(endpoint, next_probe_at === null ? "nothing" : "probes")
  if (next_probe_at === null) yield* note(organization_id, undefined, "end_probes", id, { failed_probes })
}, inTransaction)

/** Activates endpoints after acknowledged probes. Needs the transaction of their settlement. */
const succeeded = Effect.fn("EndpointProbes.succeeded")(function* (endpoints: ReadonlyArray<EndpointId>) {
  const { appUrl } = yield* Config
  const probes = yield* ProbeRepository
  for (const id of endpoints) {
    const endpoint = yield* probes.recover(id)
    if (endpoint === undefined) continue
    const { failed_probes, organization_id } = endpoint
    yield* Effect.logInfo("webhook endpoint activated after a probe", { endpoint: id, failed_probes })
    yield* note(organization_id, undefined, "recover", id, { failed_probes })
    if (failed_probes === 0) continue
    const rendered = renderRecovery({ ...endpoint, appUrl })
    yield* (yield* EmailRepository).insertForAdmins(organization_id, "endpoint_recovered", rendered)
  }
})

const end = Effect.fnUntraced(function* (endpoint: ProbedEndpoint) {
  const { failed_probes, id, organization_id } = endpoint
  yield* note(organization_id, undefined, "end_probes", id, { failed_probes })
  if (failed_probes === 0) yield* mail(endpoint, "nothing")
})

/** Queues the probes that are due. */
const probe = Effect.gen(function* () {
  const { due, over } = yield* (yield* ProbeRepository).queueDue(yield* limits)
  yield* Effect.forEach(over, end, { discard: true })
  return due
}).pipe(inTransaction)

/** Queues a batch of the parked deliveries of one endpoint that has recovered. */
const resume = Effect.gen(function* () {
  const probes = yield* ProbeRepository
  const endpoint = yield* probes.nextResuming
  if (endpoint === undefined) return 0
  const { id, offset, organization_id } = endpoint
  const pace = { limit: maxBatch, spacing, offset }
  const queued = yield* (yield* DeliveryRepository).sendParked(organization_id, id, pace)
  yield* probes.resumed(id, queued < maxBatch ? undefined : Duration.millis(offset + queued * spacing))
  if (queued > 0) yield* note(organization_id, undefined, "resume", id, { queued })
  return 1
}).pipe(inTransaction)

/** Runs periodically on every pod; returns 0 when nothing is left to do. */
const step = Effect.map(Effect.all([probe, resume]), ([probed, resumed]) => probed + resumed).pipe(
  Effect.withSpan("EndpointProbes.step"),
)

const useCases = { deactivated, failed, succeeded, step }

export class EndpointProbes extends Context.Service<EndpointProbes, Methods<typeof useCases>>()(
  "interview-invitations/webhooks/EndpointProbes",
) {
  static readonly layer = Layer.effect(
    EndpointProbes,
    methods([AuditLogRepository, Config, Database, DeliveryRepository, EmailRepository, ProbeRepository], useCases),
  )
}
