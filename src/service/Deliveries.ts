/** The queue of webhook deliveries: signed, sent, judged, settled (spec, Delivery rules; contract, Webhooks). */
import { Cache, Clock, Context, Duration, Effect, Layer } from "effect"
import { Config } from "../Config.ts"
import { type Attempt, isAcknowledged } from "../domain/Delivery.ts"
import { ClaimId, type EndpointId } from "../domain/Ids.ts"
import * as RetryPolicy from "../domain/RetryPolicy.ts"
import { signatureHeaders, signingKey } from "../domain/Signature.ts"
import { type TransportResult, WebhookTransport } from "../port/WebhookTransport.ts"
import { Database } from "../repository/Database.ts"
import { type DeliveryJob, type DeliverySettlement, Deliveries as Repository } from "../repository/Deliveries.ts"
import { Emails } from "../repository/Emails.ts"
import { Endpoints } from "./Endpoints.ts"
import { renderDeactivation } from "./emails/DeactivationEmail.ts"
import { ids } from "./Ids.ts"
import type { WorkQueue } from "./WorkQueue.ts"

export class Deliveries extends Context.Service<
  Deliveries,
  { readonly queue: WorkQueue<DeliveryJob, DeliverySettlement> }
>()("interview-invitations/service/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const config = yield* Config
      const { transaction } = yield* Database
      const emails = yield* Emails
      const endpoints = yield* Endpoints
      const newId = yield* ids
      const repository = yield* Repository
      const transport = yield* WebhookTransport
      const nextDelay = yield* RetryPolicy.nextDelay(RetryPolicy.schedule(config.webhookRetry))
      // longer than an attempt, its wait in this process and its settlement together can take
      const lease = Duration.sum(Duration.times(config.webhookTimeout, 3), Duration.seconds(30))

      // KeyObjects are made once per secret: signing with a fresh key costs four times as much
      const keys = yield* Cache.make({
        capacity: 10_000,
        lookup: (key: string) => {
          const [id = "", sealed = ""] = key.split(" ")
          return Effect.map(
            endpoints.openSecret(id as EndpointId, new Uint8Array(Buffer.from(sealed, "base64"))),
            signingKey,
          )
        },
      })
      const keyOf = (id: EndpointId, sealed: Uint8Array) =>
        Cache.get(keys, `${id} ${Buffer.from(sealed).toString("base64")}`)

      const open = new Map<EndpointId, number>()
      const count = (id: EndpointId, by: 1 | -1) => {
        const now = (open.get(id) ?? 0) + by
        if (now === 0) open.delete(id)
        else open.set(id, now)
      }
      const most = config.webhookEndpointConcurrency

      const claim = Effect.fn("Deliveries.claim")(function* (limit: number) {
        const claimed = yield* repository.claim({ limit, lease, claimId: yield* newId(ClaimId), most, open })
        const parked = claimed.filter(({ endpoint_status }) => endpoint_status === "inactive")
        if (parked.length > 0) yield* repository.park(parked)
        const jobs = claimed.filter(({ endpoint_status }) => endpoint_status === "active")
        for (const { endpoint_id } of jobs) count(endpoint_id, 1)
        return jobs
      })

      const perform = Effect.fn("Deliveries.perform")(
        function* (job: DeliveryJob) {
          const sealed = job.previous_secret === null ? [job.secret] : [job.secret, job.previous_secret]
          const at = yield* Clock.currentTimeMillis
          const body = new TextEncoder().encode(job.body)
          const signature = signatureHeaders({
            eventId: job.event_id,
            timestamp: Math.floor(at / 1000),
            body,
            keys: yield* Effect.forEach(sealed, (secret) => keyOf(job.endpoint_id, secret)),
          })
          const result = yield* transport.post({
            url: job.url,
            headers: { "content-type": "application/json", "user-agent": userAgent, ...signature },
            body,
          })
          const attempt = describe(at, result)
          const settlement = { id: job.id, claim_id: job.claim_id, endpoint_id: job.endpoint_id, attempt }
          if (attempt.error === null) return { ...settlement, state: "delivered" as const, delay: undefined }
          const delay = yield* nextDelay(job.attempts + 1)
          return { ...settlement, state: delay === undefined ? ("failed" as const) : ("queued" as const), delay }
        },
        (effect, job) =>
          Effect.ensuring(
            effect,
            Effect.sync(() => count(job.endpoint_id, -1)),
          ),
      )

      /** One transaction: counters move with the deliveries that moved them, and a deactivation is told once. */
      const settle = Effect.fn("Deliveries.settle")(function* (settlements: ReadonlyArray<DeliverySettlement>) {
        const deactivated = yield* repository.settle(settlements, config.webhookDeactivateAfter)
        yield* Effect.forEach(
          deactivated,
          (endpoint) =>
            Effect.andThen(
              Effect.logWarning("webhook endpoint deactivated", { endpoint: endpoint.id }),
              emails.insertForAdmins(
                endpoint.organization_id,
                "endpoint_deactivated",
                renderDeactivation(endpoint, config.webhookDeactivateAfter),
              ),
            ),
          { discard: true },
        )
      }, transaction)

      return Deliveries.of({
        queue: {
          table: "webhook_delivery",
          concurrency: config.webhookConcurrency,
          claim,
          holdsBack: () => [...open.values()].some((requests) => requests >= most),
          perform,
          settle,
          release: repository.release,
        },
      })
    }),
  )
}

const userAgent = "interview-invitations/1"

/** An attempt as it is kept: what was answered, or in plain words why there was no answer. */
const describe = (at: number, result: TransportResult): Attempt => {
  const common = { at: new Date(at).toISOString(), duration_ms: result.durationMs }
  if (result._tag === "Failed") return { ...common, status: null, error: result.message, answer: null }
  const { body, location, status } = result
  if (isAcknowledged(status)) return { ...common, status, error: null, answer: body }
  const redirect = location === undefined ? "" : ` to ${location}`
  const error =
    status >= 300 && status < 400
      ? `The receiver answered ${status}, a redirect${redirect}; redirects are not followed`
      : `The receiver answered ${status}`
  return { ...common, status, error, answer: body }
}
