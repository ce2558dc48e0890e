/** What a worker does with webhook deliveries (docs/webhooks.md). */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { EmailRepository } from "../emails/EmailRepository.ts"
import { Database, inTransaction } from "../platform/database/Database.ts"
import { Ids } from "../platform/NewIds.ts"
import { newClaim } from "../platform/queue/QueueSql.ts"
import { abandonedReason, type WorkQueue } from "../platform/queue/WorkQueue.ts"
import { methods } from "../platform/UseCases.ts"
import type { ClaimId, EndpointId } from "../values/Ids.ts"
import * as RetryPolicy from "../values/RetryPolicy.ts"
import type { InFlight } from "./ClaimPlan.ts"
import { renderDeactivation } from "./DeactivationEmail.ts"
import {
  type Deactivated,
  type DeliveryJob,
  DeliveryRepository,
  type DeliverySettlement,
} from "./DeliveryRepository.ts"
import { byEndpointFailure } from "./EndpointHealth.ts"
import { Endpoints } from "./Endpoints.ts"
import { makeSend, type Send } from "./SendDelivery.ts"

/** No key of SECRET_KEY decrypts the endpoint's secret. */
interface Unreadable {
  readonly id: string
  readonly claim_id: ClaimId
  readonly endpoint_id: EndpointId
  readonly state: "unreadable"
}

export type DeliveryOutcome = DeliverySettlement | Unreadable

/** The database's clock minus this pod's, at the last claim. */
interface Skew {
  millis: number
}

const releaseFor = Duration.minutes(1)

/** An attempt, after waiting up to as long for a worker slot and for an endpoint slot. */
const leaseOf = (webhookTimeout: Duration.Duration) =>
  Duration.sum(Duration.times(webhookTimeout, 3), Duration.seconds(30))

const claimActive = (skew: Skew) =>
  Effect.fn("DeliveryQueue.claim")(function* (limit: number, inFlight: InFlight = new Map()) {
    const { webhookEndpointConcurrency: maxPerEndpoint, webhookTimeout } = yield* Config
    const repository = yield* DeliveryRepository
    const lease = leaseOf(webhookTimeout)
    while (true) {
      const before = yield* Clock.currentTimeMillis
      const claimed = yield* repository.claim({ ...(yield* newClaim(limit, lease)), maxPerEndpoint, inFlight })
      const [newest] = claimed
      if (newest !== undefined) skew.millis = newest.claimed_at - (before + (yield* Clock.currentTimeMillis)) / 2
      const inactive = claimed.filter(({ endpoint }) => endpoint.status === "inactive")
      if (inactive.length > 0) {
        // if parking fails, they fall due when their lease ends
        yield* Effect.catchCause(repository.park(inactive), (cause) =>
          Effect.logError("parking deliveries of inactive endpoints failed", cause),
        )
      }
      // all claimed rows were inactive; more may be due
      if (inactive.length < claimed.length || claimed.length === 0) {
        return claimed.filter(({ endpoint }) => endpoint.status === "active")
      }
    }
  })

/** Runs for each delivery: no generator, no span. */
const performWith =
  (send: Send, nextDelay: RetryPolicy.NextDelay, skew: Skew) =>
  (job: DeliveryJob): Effect.Effect<DeliveryOutcome> => {
    const { attempts, claim_id, endpoint_id, id } = job
    return Effect.matchEffect(send(job, skew.millis), {
      onSuccess: (attempt): Effect.Effect<DeliveryOutcome> => {
        const settlement = { id, claim_id, endpoint_id, attempt }
        if (attempt.error === null) return Effect.succeed({ ...settlement, state: "delivered", delay: undefined })
        return Effect.map(nextDelay(attempts + 1), (delay) => ({
          ...settlement,
          state: delay === undefined ? "failed" : "queued",
          delay,
        }))
      },
      onFailure: () => Effect.succeed({ id, claim_id, endpoint_id, state: "unreadable" }),
    })
  }

const abandonWith =
  (skew: Skew) =>
  ({ claim_id, endpoint_id, id }: DeliveryJob): Effect.Effect<DeliverySettlement> =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const at = new Date(Math.round(now + skew.millis)).toISOString()
      const attempt = { at, duration_ms: 0, status: null, error: abandonedReason, answer: null }
      return { id, claim_id, endpoint_id, attempt, state: "failed", delay: undefined }
    })

/** Releases deliveries for processes that have the key; parks them when none has it. */
const settleUnreadable = Effect.fn("DeliveryQueue.settleUnreadable")(function* (jobs: ReadonlyArray<Unreadable>) {
  const repository = yield* DeliveryRepository
  const endpoints = [...new Set(jobs.map(({ endpoint_id }) => endpoint_id))]
  const isParked = yield* (yield* Endpoints).deactivateUnreadable(endpoints)
  yield* isParked ? repository.park(jobs) : repository.release(jobs, releaseFor, "unclaimed")
})

const reportDeactivation = Effect.fnUntraced(function* (endpoint: Deactivated) {
  const { webhookDeactivateAfter: failures } = yield* Config
  const { id, last_error, organization_id } = endpoint
  yield* Effect.logWarning("webhook endpoint deactivated", { endpoint: id, failures, last_error })
  const mail = renderDeactivation(endpoint, failures)
  yield* (yield* EmailRepository).insertForAdmins(organization_id, "endpoint_deactivated", mail)
})

/** One transaction, so that each deactivation is reported once. */
const settleFailing = Effect.fnUntraced(function* (settlements: ReadonlyArray<DeliverySettlement>) {
  const { webhookDeactivateAfter } = yield* Config
  const deactivated = yield* (yield* DeliveryRepository).settle(settlements, webhookDeactivateAfter)
  yield* Effect.forEach(deactivated, reportDeactivation, { discard: true })
}, inTransaction)

/** Two transactions: each locks endpoints in the order of their ids, so that processes do not deadlock. */
const settleAttempts = Effect.fn("DeliveryQueue.settle")(function* (settlements: ReadonlyArray<DeliverySettlement>) {
  const { delivered, failing } = byEndpointFailure(settlements)
  if (delivered.length > 0) yield* (yield* DeliveryRepository).settleDelivered(delivered)
  if (failing.length > 0) yield* settleFailing(failing)
})

const settle = (outcomes: ReadonlyArray<DeliveryOutcome>) => {
  const unreadable = outcomes.filter((outcome) => outcome.state === "unreadable")
  const attempts = outcomes.filter((outcome) => outcome.state !== "unreadable")
  return Effect.andThen(
    unreadable.length === 0 ? Effect.void : settleUnreadable(unreadable),
    attempts.length === 0 ? Effect.void : settleAttempts(attempts),
  )
}

export class DeliveryQueue extends Context.Service<
  DeliveryQueue,
  { readonly queue: WorkQueue<DeliveryJob, DeliveryOutcome, EndpointId> }
>()("interview-invitations/webhooks/DeliveryQueue") {
  static readonly layer = Layer.effect(
    DeliveryQueue,
    Effect.gen(function* () {
      const { webhookConcurrency, webhookEndpointConcurrency, webhookRetry, webhookTimeout } = yield* Config
      const { release, startAlone } = yield* DeliveryRepository
      const nextDelay = yield* RetryPolicy.nextDelay(yield* RetryPolicy.policy("webhook", webhookRetry))
      const skew: Skew = { millis: 0 }
      const claim = claimActive(skew)
      return DeliveryQueue.of({
        queue: {
          table: "webhook_delivery",
          concurrency: webhookConcurrency,
          prefetch: webhookConcurrency,
          partition: { of: ({ endpoint_id }) => endpoint_id, max: webhookEndpointConcurrency },
          ...(yield* methods([Config, Database, DeliveryRepository, EmailRepository, Endpoints, Ids], {
            claim,
            settle,
          })),
          perform: performWith(yield* makeSend, nextDelay, skew),
          release,
          startAlone: (job) => startAlone(job, leaseOf(webhookTimeout)),
          abandon: abandonWith(skew),
          grace: Duration.sum(webhookTimeout, Duration.seconds(10)),
        },
      })
    }),
  ).pipe(Layer.provide(Ids.layer))
}
