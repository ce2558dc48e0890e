/** Reports to hiring systems how their orders stand, with the retries and the guard of webhooks. */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { SecretBox } from "../platform/crypto/SecretBox.ts"
import { connectionContext } from "../platform/crypto/SecretKeys.ts"
import { Ids } from "../platform/NewIds.ts"
import { outboundClient, type Send } from "../platform/outbound/OutboundClient.ts"
import { type Claimed, newClaim } from "../platform/queue/QueueSql.ts"
import { abandonedReason, type WorkQueue } from "../platform/queue/WorkQueue.ts"
import { methods } from "../platform/UseCases.ts"
import * as RetryPolicy from "../values/RetryPolicy.ts"
import { retryAfter } from "../webhooks/RetryAfter.ts"
import { connectors } from "./Connectors.ts"
import { systemNames } from "./HiringSystem.ts"
import { OrderRepository } from "./OrderRepository.ts"
import { isReportAddress } from "./ReportAddress.ts"
import { type ReportJob, ReportRepository, type ReportSettlement } from "./ReportRepository.ts"

const concurrency = 20
/** Keeps one slow hiring system from delaying others. */
const maxPerConnection = 4
/** Kept of a response's body, which is not shown. */
const maxKept = 1024

type Queue = WorkQueue<ReportJob, ReportSettlement>

class Sending extends Context.Service<
  Sending,
  { readonly send: Send; readonly nextDelay: RetryPolicy.NextDelay; readonly cap: Duration.Duration }
>()("interview-invitations/ats/ReportQueue/Sending") {
  static readonly layer = Layer.effect(
    Sending,
    Effect.gen(function* () {
      const { outboundAllow, webhookRetry, webhookTimeout } = yield* Config
      const send = yield* outboundClient({
        allowed: outboundAllow,
        timeout: webhookTimeout,
        connectionsPerOrigin: concurrency,
        maxKept,
      })
      const policy = yield* RetryPolicy.policy("webhook", webhookRetry)
      return Sending.of({ send, nextDelay: yield* RetryPolicy.nextDelay(policy), cap: webhookRetry.cap })
    }),
  )
}

const leaseOf = (timeout: Duration.Duration) => Duration.sum(Duration.times(timeout, 3), Duration.seconds(30))

const settlement = (
  { changes, claim_id, id }: ReportJob,
  state: ReportSettlement["state"],
  rest: Partial<ReportSettlement> = {},
): ReportSettlement => ({
  id,
  claim_id,
  state,
  delay: undefined,
  changes,
  sent: false,
  status: null,
  error: null,
  ...rest,
})

/** Queued with a delay while the policy has attempts left. */
const failed = Effect.fnUntraced(function* (job: ReportJob, rest: Partial<ReportSettlement>, wait?: Duration.Duration) {
  const { cap, nextDelay } = yield* Sending
  const delay = yield* nextDelay(job.attempts + 1)
  if (delay === undefined) return settlement(job, "failed", rest)
  const waiting = wait === undefined ? delay : Duration.max(delay, Duration.min(wait, cap))
  return settlement(job, "queued", { ...rest, delay: waiting })
})

/** The request for what the order says now; undefined: there is nothing to send. */
const requestOf = Effect.fnUntraced(function* ({ connection_id, credentials, id, organization_id, system }: ReportJob) {
  const facts = yield* (yield* OrderRepository).factsOf(organization_id, id)
  const key = yield* (yield* SecretBox).open(credentials, connectionContext(connection_id))
  if (facts === undefined) return undefined
  if (key === undefined) return "unreadable"
  return connectors[system].report(facts, new TextDecoder().decode(key))
})

const perform = Effect.fn("ReportQueue.perform")(function* (job: ReportJob) {
  const { hiringSystemHosts } = yield* Config
  const request = yield* requestOf(job)
  if (request === undefined) return settlement(job, "reported")
  if (request === "unreadable") {
    const error = "No key of SECRET_KEY decrypts the connection's key: rotate it, and enter the new key"
    return yield* failed(job, { sent: true, error })
  }
  const name = systemNames[job.system]
  if (!isReportAddress(request.url, connectors[job.system].hosts, hiringSystemHosts)) {
    return settlement(job, "failed", { sent: true, error: `The address of the report is not one of ${name}'s` })
  }
  const at = yield* Clock.currentTimeMillis
  const result = yield* (yield* Sending).send(request)
  if (result._tag === "Failed") return yield* failed(job, { sent: true, error: result.message })
  const { status } = result
  if (status >= 200 && status < 300) return settlement(job, "reported", { sent: true, status })
  const wait = result.retryAfter === undefined ? undefined : retryAfter(result.retryAfter, at + result.durationMs)
  return yield* failed(job, { sent: true, status, error: `${name} answered ${status}` }, wait)
})

const claim = Effect.fn("ReportQueue.claim")(function* (limit: number) {
  const { webhookTimeout } = yield* Config
  return yield* (yield* ReportRepository).claim(yield* newClaim(limit, leaseOf(webhookTimeout)))
})

const settle = Effect.fn("ReportQueue.settle")((settlements: ReadonlyArray<ReportSettlement>) =>
  Effect.flatMap(ReportRepository, (repository) => repository.settle(settlements)),
)

const release = (...parameters: Parameters<Queue["release"]>) =>
  Effect.flatMap(ReportRepository, (repository) => repository.release(...parameters))

const startAlone = Effect.fnUntraced(function* (job: Claimed) {
  const { webhookTimeout } = yield* Config
  return yield* (yield* ReportRepository).startAlone(job, leaseOf(webhookTimeout))
})

const abandon = (job: ReportJob) => Effect.succeed(settlement(job, "failed", { sent: true, error: abandonedReason }))

export class ReportQueue extends Context.Service<ReportQueue, { readonly queue: Queue }>()(
  "interview-invitations/ats/ReportQueue",
) {
  static readonly layer = Layer.effect(
    ReportQueue,
    Effect.map(
      methods([Config, Ids, OrderRepository, ReportRepository, SecretBox, Sending], {
        claim,
        perform,
        settle,
        release,
        startAlone,
        abandon,
      }),
      (work) =>
        ReportQueue.of({
          queue: {
            table: "ats_report",
            concurrency,
            partition: { of: ({ connection_id }) => connection_id, max: maxPerConnection },
            ...work,
          },
        }),
    ),
  ).pipe(Layer.provide([Ids.layer, Sending.layer]))
}
