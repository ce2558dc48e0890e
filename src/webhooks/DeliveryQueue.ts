/** The queue of webhook deliveries: signed, sent, judged, settled (spec, Delivery rules; contract, Webhooks). */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { EmailRepository } from "../emails/EmailRepository.ts"
import { Database } from "../platform/database/Database.ts"
import { ids } from "../platform/NewIds.ts"
import { abandonedReason, type PartitionLoad, type WorkQueue } from "../platform/queue/WorkQueue.ts"
import { ClaimId, type EndpointId } from "../values/Ids.ts"
import * as RetryPolicy from "../values/RetryPolicy.ts"
import { renderDeactivation } from "./DeactivationEmail.ts"
import { type DeliveryJob, DeliveryRepository, type DeliverySettlement } from "./DeliveryRepository.ts"
import { Endpoints } from "./Endpoints.ts"
import { makeSend } from "./SendDelivery.ts"

/** No attempt was made, because no key of SECRET_KEY decrypts the endpoint's secret. */
interface Unreadable {
  readonly id: string
  readonly claim_id: ClaimId
  readonly endpoint_id: EndpointId
  readonly state: "unreadable"
}

export type DeliveryOutcome = DeliverySettlement | Unreadable

/** Time until a delivery is due again, for a process that has the key. */
const leftFor = Duration.minutes(1)

export class DeliveryQueue extends Context.Service<
  DeliveryQueue,
  { readonly queue: WorkQueue<DeliveryJob, DeliveryOutcome, EndpointId> }
>()("interview-invitations/webhooks/DeliveryQueue") {
  static readonly layer = Layer.effect(
    DeliveryQueue,
    Effect.gen(function* () {
      const config = yield* Config
      const { transaction } = yield* Database
      const emails = yield* EmailRepository
      const endpoints = yield* Endpoints
      const newId = yield* ids
      const repository = yield* DeliveryRepository
      const send = yield* makeSend
      const nextDelay = yield* RetryPolicy.nextDelay(yield* RetryPolicy.policy("webhook", config.webhookRetry))
      // longer than an attempt, its wait in this process (for a place of the worker, then for one of its endpoint, each as
      // long as an attempt can be), and its settlement together can take
      const lease = Duration.sum(Duration.times(config.webhookTimeout, 3), Duration.seconds(30))

      const most = config.webhookEndpointConcurrency
      /** The database's clock less this pod's, as of the last claim; milliseconds. */
      let skew = 0

      const claim = Effect.fn("DeliveryQueue.claim")(function* (
        limit: number,
        held: ReadonlyMap<EndpointId, PartitionLoad> = new Map(),
      ) {
        while (true) {
          const claimId = yield* newId(ClaimId)
          const before = yield* Clock.currentTimeMillis
          const claimed = yield* repository.claim({ limit, lease, claimId, most, held })
          const [newest] = claimed
          if (newest !== undefined) skew = newest.claimed_at - (before + (yield* Clock.currentTimeMillis)) / 2
          const inactive = claimed.filter(({ endpoint_status }) => endpoint_status === "inactive")
          if (inactive.length > 0) {
            // a fault here must not lose the others: these fall due again when their lease ends
            yield* Effect.catchCause(repository.park(inactive), (cause) => Effect.logError("parking failed", cause))
          }
          // all claimed rows may belong to inactive endpoints while more rows are due
          if (inactive.length < claimed.length || claimed.length === 0) {
            return claimed.filter(({ endpoint_status }) => endpoint_status === "active")
          }
        }
      })

      // without generators and spans: this runs for each delivery
      const perform = (job: DeliveryJob): Effect.Effect<DeliveryOutcome> => {
        const { attempts, claim_id, endpoint_id, id } = job
        return Effect.matchEffect(send(job, skew), {
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

      /** Releases deliveries to processes that can decrypt their secret; parks them when no process can. */
      const keepUnreadable = Effect.fn("DeliveryQueue.keepUnreadable")(function* (jobs: ReadonlyArray<Unreadable>) {
        const isParked = yield* endpoints.deactivateUnreadable([...new Set(jobs.map(({ endpoint_id }) => endpoint_id))])
        yield* isParked ? repository.park(jobs) : repository.release(jobs, leftFor, "unclaimed")
      })

      const abandon = ({ claim_id, endpoint_id, id }: DeliveryJob): Effect.Effect<DeliverySettlement> =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const at = new Date(Math.round(now + skew)).toISOString()
          const attempt = { at, duration_ms: 0, status: null, error: abandonedReason, answer: null }
          return { id, claim_id, endpoint_id, attempt, state: "failed", delay: undefined }
        })

      /** One transaction: counters move with the deliveries that moved them, and a deactivation is told once. */
      const settleAttempts = Effect.fn("DeliveryQueue.settle")(function* (
        settlements: ReadonlyArray<DeliverySettlement>,
      ) {
        const deactivated = yield* repository.settle(settlements, config.webhookDeactivateAfter)
        yield* Effect.forEach(
          deactivated,
          (endpoint) =>
            Effect.andThen(
              Effect.logWarning("webhook endpoint deactivated", {
                endpoint: endpoint.id,
                failures: config.webhookDeactivateAfter,
                last_error: endpoint.last_error,
              }),
              emails.insertForAdmins(
                endpoint.organization_id,
                "endpoint_deactivated",
                renderDeactivation(endpoint, config.webhookDeactivateAfter),
              ),
            ),
          { discard: true },
        )
      }, transaction)

      const settle = (outcomes: ReadonlyArray<DeliveryOutcome>) => {
        const unreadable = outcomes.filter((outcome) => outcome.state === "unreadable")
        const attempts = outcomes.filter((outcome) => outcome.state !== "unreadable")
        return Effect.andThen(
          unreadable.length === 0 ? Effect.void : keepUnreadable(unreadable),
          attempts.length === 0 ? Effect.void : settleAttempts(attempts),
        )
      }

      return DeliveryQueue.of({
        queue: {
          table: "webhook_delivery",
          concurrency: config.webhookConcurrency,
          prefetch: config.webhookConcurrency,
          partition: { of: ({ endpoint_id }) => endpoint_id, max: most },
          claim,
          perform,
          settle,
          release: repository.release,
          startAlone: repository.startAlone,
          abandon,
          grace: Duration.sum(config.webhookTimeout, Duration.seconds(10)),
        },
      })
    }),
  )
}
