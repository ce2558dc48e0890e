/** What a worker does with webhook deliveries (docs/webhooks.md). */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { Config } from "../../config/Config.ts"
import { Database } from "../../platform/database/Database.ts"
import { Ids } from "../../platform/NewIds.ts"
import * as FailureLog from "../../platform/queue/FailureLog.ts"
import { QueueRepository } from "../../platform/queue/QueueRepository.ts"
import { type Claim, leaseOf } from "../../platform/queue/QueueSql.ts"
import * as WorkQueue from "../../platform/queue/WorkQueue.ts"
import { ClaimId, type EndpointId } from "../../values/Ids.ts"
import * as RetryPolicy from "../../values/RetryPolicy.ts"
import { byEndpointFailure } from "../endpoints/EndpointHealth.ts"
import { EndpointProbes } from "../endpoints/EndpointProbes.ts"
import { EndpointSecrets } from "../endpoints/EndpointSecrets.ts"
import type { FailedProbe } from "../endpoints/ProbeRepository.ts"
import * as AttemptStatistics from "./AttemptStatistics.ts"
import type { InFlight } from "./ClaimPlan.ts"
import { DeliveryClaimRepository, type DeliveryJob } from "./DeliveryClaimRepository.ts"
import { makeDeliverySender } from "./DeliverySender.ts"
import { type DeliverySettlement, DeliverySettlementRepository } from "./DeliverySettlementRepository.ts"

/** No key of SECRET_KEY decrypts the endpoint's secret. */
interface Unreadable {
  readonly id: string
  readonly claim_id: ClaimId
  readonly endpoint_id: EndpointId
  readonly state: "unreadable"
}

/** A probe that was not acknowledged (EndpointProbes.ts). */
interface ProbeFailed extends FailedProbe {
  readonly state: "probe_failed"
}

/** An acknowledged probe. */
interface ProbeDelivered extends DeliverySettlement {
  readonly isProbe: true
}

export type DeliveryOutcome = DeliverySettlement | ProbeDelivered | ProbeFailed | Unreadable

const releaseFor = Duration.minutes(1)

/** A member, or a probe, may send single deliveries of an inactive endpoint. */
const isSent = ({ attempts, endpoint, single_attempt }: DeliveryJob): boolean =>
  endpoint.status === "active" || (single_attempt === attempts && !endpoint.is_deleted)

const isProbe = ({ endpoint, id }: DeliveryJob): boolean =>
  endpoint.status === "inactive" && endpoint.probe_delivery_id === id

const isDeliveredProbe = (outcome: DeliveryOutcome): outcome is ProbeDelivered => "isProbe" in outcome

/** False for failed probes, which are not attempts of the delivery. */
const isSettlement = (outcome: DeliveryOutcome): outcome is DeliverySettlement =>
  "attempt" in outcome && outcome.state !== "probe_failed"

export class DeliveryQueue extends Context.Service<DeliveryQueue>()(
  "interview-invitations/webhooks/deliveries/DeliveryQueue",
  {
    make: Effect.gen(function* () {
      const { webhookConcurrency, webhookDeactivateAfter, webhookEndpointConcurrency, webhookRetry, webhookTimeout } =
        yield* Config
      const { transaction } = yield* Database
      const claimRepository = yield* DeliveryClaimRepository
      const settlementRepository = yield* DeliverySettlementRepository
      const queueRepository = yield* QueueRepository
      const endpointProbes = yield* EndpointProbes
      const endpointSecrets = yield* EndpointSecrets
      const ids = yield* Ids
      const send = yield* makeDeliverySender
      const policy = yield* RetryPolicy.policy("webhook", webhookRetry)
      const nextDelay = yield* RetryPolicy.nextDelay(policy)
      const isCustom = (yield* RetryPolicy.Policies).webhook !== undefined
      const maxDelay = isCustom
        ? (yield* RetryPolicy.delays(policy)).reduce(Duration.max, Duration.zero)
        : webhookRetry.cap
      const { count: countAttempt, writeSometimes } = yield* AttemptStatistics.make
      const parking = FailureLog.make("webhook_delivery: parking those of inactive endpoints")
      /** The database's clock minus this pod's, at the last claim. Milliseconds. */
      let skew = 0

      const claim = Effect.fn("DeliveryQueue.claim")(function* (next: Claim, inFlight: InFlight) {
        const startable = webhookConcurrency - [...inFlight.values()].reduce((sum, { count }) => sum + count, 0)
        let wanted = { ...next, maxPerEndpoint: webhookEndpointConcurrency, inFlight, startable }
        while (true) {
          const before = yield* Clock.currentTimeMillis
          const claimed = yield* claimRepository.claim(wanted)
          const [newest] = claimed
          if (newest !== undefined) skew = newest.claimed_at - (before + (yield* Clock.currentTimeMillis)) / 2
          const inactive = claimed.filter((job) => !isSent(job))
          if (inactive.length > 0) {
            // if parking fails, they fall due when their lease ends
            yield* Effect.catchCause(
              Effect.andThen(settlementRepository.park(inactive), parking.worked),
              parking.report,
            )
          }
          // all claimed rows were inactive; more may be due
          if (inactive.length < claimed.length || claimed.length === 0) {
            return inactive.length === 0 ? claimed : claimed.filter(isSent)
          }
          // a delivery parked above may be due again: its end must not be taken for that of the next claim
          wanted = { ...wanted, claimId: yield* ids.make(ClaimId) }
        }
      })

      /** Runs for each delivery: no generator, no span. */
      const perform = (job: DeliveryJob): Effect.Effect<DeliveryOutcome> => {
        const { attempts, claim_id, endpoint_id, id } = job
        return Effect.matchEffect(send(job, skew), {
          onSuccess: ({ attempt, retryAfter }): Effect.Effect<DeliveryOutcome> => {
            const settlement = { id, claim_id, endpoint_id, attempt }
            if (attempt.error === null) {
              const delivered = { ...settlement, state: "delivered", delay: undefined } as const
              return Effect.succeed(isProbe(job) ? { ...delivered, isProbe: true } : delivered)
            }
            if (isProbe(job)) {
              const wait = retryAfter && Duration.min(retryAfter, maxDelay)
              return Effect.succeed({ ...settlement, state: "probe_failed", retryAfter: wait })
            }
            return Effect.map(nextDelay(attempts + 1), (delay) => ({
              ...settlement,
              state: delay === undefined ? "failed" : "queued",
              delay: delay && retryAfter ? Duration.max(delay, Duration.min(retryAfter, maxDelay)) : delay,
            }))
          },
          onFailure: (): Effect.Effect<DeliveryOutcome> =>
            Effect.succeed({ id, claim_id, endpoint_id, state: "unreadable" }),
        })
      }

      const abandon = ({
        claim_id,
        endpoint_id,
        id,
        unended_attempts,
      }: DeliveryJob): Effect.Effect<DeliverySettlement> =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const at = new Date(Math.round(now + skew)).toISOString()
          const attempt = {
            at,
            duration_ms: 0,
            status: null,
            error: WorkQueue.abandonedReason({ unended_attempts }),
            answer: null,
          }
          return { id, claim_id, endpoint_id, attempt, state: "failed", delay: undefined }
        })

      /** Releases deliveries for processes that have the key; parks them when none has it. */
      const settleUnreadable = Effect.fn("DeliveryQueue.settleUnreadable")(function* (jobs: ReadonlyArray<Unreadable>) {
        const unreadable = [...new Set(jobs.map(({ endpoint_id }) => endpoint_id))]
        const isParked = yield* endpointSecrets.deactivateUnreadable(unreadable)
        yield* isParked
          ? settlementRepository.park(jobs)
          : queueRepository.release("webhook_delivery", jobs, releaseFor, "unclaimed")
      })

      /** One transaction, so that each deactivation is reported once. */
      const settleFailing = Effect.fnUntraced(function* (settlements: ReadonlyArray<DeliverySettlement>) {
        const deactivated = yield* settlementRepository.settleAttempts(settlements, webhookDeactivateAfter)
        if (deactivated.length > 0) yield* endpointProbes.deactivated(deactivated)
      }, transaction)

      /** Two transactions: each locks endpoints in the order of their ids, so that processes do not deadlock. */
      const settleAttempts = Effect.fn("DeliveryQueue.settle")(function* (
        settlements: ReadonlyArray<DeliverySettlement>,
      ) {
        const { delivered, failing } = byEndpointFailure(settlements)
        if (delivered.length > 0) yield* settlementRepository.settleDelivered(delivered)
        if (failing.length > 0) yield* settleFailing(failing)
      })

      /** One transaction, so that an endpoint is not inactive with a success as its last attempt. */
      const settleDeliveredProbes = Effect.fnUntraced(function* (probes: ReadonlyArray<ProbeDelivered>) {
        yield* settlementRepository.settleDelivered(probes)
        yield* endpointProbes.succeeded([...new Set(probes.map(({ endpoint_id }) => endpoint_id))])
      }, transaction)

      const settleProbes = Effect.fn("DeliveryQueue.settleProbes")(function* (
        outcomes: ReadonlyArray<DeliveryOutcome>,
      ) {
        const delivered = outcomes.filter(isDeliveredProbe)
        const failed = outcomes.filter((outcome) => outcome.state === "probe_failed")
        if (delivered.length > 0) yield* settleDeliveredProbes(delivered)
        yield* Effect.forEach(failed, (probe) => endpointProbes.failed(probe), { discard: true })
      })

      const settle = Effect.fnUntraced(function* (outcomes: ReadonlyArray<DeliveryOutcome>) {
        const attempts = outcomes.filter(isSettlement)
        if (attempts.length < outcomes.length) {
          const unreadable = outcomes.filter((outcome) => outcome.state === "unreadable")
          if (unreadable.length > 0) yield* settleUnreadable(unreadable)
        }
        if (outcomes.some((outcome) => outcome.state === "probe_failed" || isDeliveredProbe(outcome))) {
          yield* settleProbes(outcomes)
        }
        if (attempts.length === 0) return
        yield* settleAttempts(attempts.filter((outcome) => !isDeliveredProbe(outcome)))
        countAttempt(attempts)
      })

      const queue = yield* WorkQueue.make<DeliveryJob, DeliveryOutcome, EndpointId>({
        table: "webhook_delivery",
        lease: leaseOf(webhookTimeout),
        concurrency: webhookConcurrency,
        prefetch: webhookConcurrency,
        partition: { of: ({ endpoint_id }) => endpoint_id, max: webhookEndpointConcurrency },
        // idle workers claim every two seconds
        claim: (next, inFlight) => Effect.andThen(writeSometimes, claim(next, inFlight)),
        perform,
        settle,
        abandon,
        grace: Duration.sum(webhookTimeout, Duration.seconds(10)),
      })
      return { queue }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
