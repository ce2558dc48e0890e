/** Reports the state of orders to hiring systems, with the outbound guard of webhooks. */
import { Clock, Context, Duration, Effect, Layer, Result } from "effect"
import { Config } from "../config/Config.ts"
import { EmailLinks } from "../emails/EmailLinks.ts"
import { type Claim, leaseOf } from "../platform/queue/QueueSql.ts"
import * as WorkQueue from "../platform/queue/WorkQueue.ts"
import type { OrderId } from "../values/Ids.ts"
import * as RetryPolicy from "../values/RetryPolicy.ts"
import { retryAfter } from "../webhooks/deliveries/RetryAfter.ts"
import { loggedError } from "./Connection.ts"
import { makeConnectionCredentials, missingFields } from "./ConnectionCredentials.ts"
import type { Credentials, Outcome } from "./Connector.ts"
import { connectors } from "./Connectors.ts"
import { type AccessRevoked, type AccessUnavailable, GrantedTokens } from "./GrantedTokens.ts"
import { HiringSystemClient, outcomeOf } from "./HiringSystemClient.ts"
import { erasedPrefix, type OrderFacts } from "./Order.ts"
import { OrderRepository } from "./OrderRepository.ts"
import { Orders } from "./Orders.ts"
import { type ReportJob, ReportRepository, type ReportSettlement } from "./ReportRepository.ts"

const concurrency = 20
/** Of each process. Keeps a slow hiring system from delaying the others. */
const maxPerConnection = 4

/** About 5 days: a hiring system may be down over a weekend, or its credentials have expired. */
const retries: RetryPolicy.RetryOptions = { first: Duration.minutes(2), cap: Duration.hours(4), times: 35 }

type Done = Outcome & { readonly isFinal?: boolean; readonly names?: ReadonlyArray<string> }

/** `names`: the candidate's, which are removed from the error. */
type Rest = Partial<ReportSettlement> & { readonly names?: ReadonlyArray<string> | undefined }

const settlement = (
  { changes, claim_id, id }: ReportJob,
  state: ReportSettlement["state"],
  { names, ...rest }: Rest = {},
): ReportSettlement => ({
  id,
  claim_id,
  state,
  delay: undefined,
  changes,
  sent: false,
  answered: false,
  status: null,
  ...rest,
  error: loggedError(rest.error ?? null, names),
})

/** Erasing a person replaces the order's external id with a hash. */
const isErased = ({ external_id }: OrderFacts) => external_id.startsWith(erasedPrefix)

const unreadable =
  "No key of SECRET_KEY decrypts the credentials of the connection: put back the key that encrypted them, or replace the credentials"

export class ReportQueue extends Context.Service<ReportQueue>()("interview-invitations/ats/ReportQueue", {
  make: Effect.gen(function* () {
    const { webhookTimeout } = yield* Config
    const accessTokens = yield* GrantedTokens
    const emailLinks = yield* EmailLinks
    const hiringSystemClient = yield* HiringSystemClient
    const orderRepository = yield* OrderRepository
    const reportRepository = yield* ReportRepository
    const nextDelay = yield* RetryPolicy.nextDelay(yield* RetryPolicy.policy("report", retries))
    const { resolve } = yield* makeConnectionCredentials
    const orders = yield* Orders

    /** Queues the report again with a delay, or fails it if no attempts are left. `wait`: from Retry-After. */
    const failed = Effect.fnUntraced(function* (job: ReportJob, rest: Rest, wait?: Duration.Duration) {
      const delay = yield* nextDelay(job.attempts + 1)
      if (delay === undefined) return settlement(job, "failed", rest)
      const waiting = wait === undefined ? delay : Duration.max(delay, Duration.min(wait, retries.cap))
      return settlement(job, "queued", { ...rest, delay: waiting })
    })

    /** The request that reports the order's current state, and the candidate's names. Undefined: there is nothing to send. */
    const requestOf = Effect.fnUntraced(function* (
      { organization_id, system }: ReportJob,
      order: OrderId,
      credentials: Credentials,
    ) {
      const facts = yield* orderRepository.factsOf(organization_id, order)
      if (facts === undefined || facts.cancelled_at !== null || isErased(facts)) return undefined
      const page = emailLinks.submission(facts.submission_id)
      const request = connectors[system].report({ facts, page, credentials, at: yield* Clock.currentTimeMillis })
      return request && { request, names: facts.names }
    })

    /** Undefined: there was nothing to send. */
    const outcome = Effect.fnUntraced(function* (job: ReportJob, credentials: Credentials) {
      const { connection_id, order_id, organization_id, system } = job
      const connector = connectors[system]
      const ask = hiringSystemClient.ask(connector)
      if (order_id === null) {
        const connection = { id: connection_id, organizationId: organization_id, system }
        return yield* connector.synchronize?.(orders, connection, credentials, ask) ?? Effect.undefined
      }
      const found = yield* requestOf(job, order_id, credentials)
      if (found === undefined) return undefined
      const result = yield* ask(found.request)
      const isFinal = result._tag === "Failed" && result.cause === "refused"
      return { ...outcomeOf(connector, result), isFinal, names: found.names }
    })

    /** An access token that the hiring system does not accept is renewed once. */
    const send = Effect.fnUntraced(function* (job: ReportJob, credentials: Credentials) {
      const connection = { id: job.connection_id, organizationId: job.organization_id, system: job.system }
      const held = yield* accessTokens.fresh(connection, credentials)
      const done = yield* outcome(job, held)
      if (done?.status !== 401 || held.tokens === undefined) return done
      return yield* outcome(job, yield* accessTokens.fresh(connection, held, held.tokens.access))
    })

    const perform = Effect.fn("ReportQueue.perform")(function* (job: ReportJob) {
      const credentials = yield* resolve(job.system, job.connection_id, job.credentials)
      if (credentials === undefined) return yield* failed(job, { sent: true, error: unreadable })
      const missing = missingFields(connectors[job.system], credentials)
      // entering the missing credentials queues the synchronization and the reports
      if (missing.length > 0) {
        return job.order_id === null
          ? settlement(job, "reported")
          : settlement(job, "parked", {
              sent: true,
              error: `Waits until these credentials are entered: ${missing.join(", ")}`,
            })
      }
      const sent: Result.Result<Done | undefined, AccessRevoked | AccessUnavailable> = yield* Effect.result(
        send(job, credentials),
      )
      if (Result.isFailure(sent)) {
        const { failure } = sent
        // granting the access queues the synchronization and the reports
        if (failure._tag === "AccessRevoked") return settlement(job, "parked", { sent: true, error: failure.reason })
        return yield* failed(job, { sent: true, status: failure.status, error: failure.reason })
      }
      const done = sent.success
      if (done === undefined) return settlement(job, "reported")
      const { error, isFinal = false, names, retryAfter: given, status, warning = null } = done
      if (error === null) return settlement(job, "reported", { sent: true, status, error: warning, answered: true })
      if (isFinal) return settlement(job, "failed", { sent: true, status, error, names })
      const wait = given === undefined ? undefined : retryAfter(given, yield* Clock.currentTimeMillis)
      return yield* failed(job, { sent: true, status, error, names }, wait)
    })

    const claim = Effect.fn("ReportQueue.claim")(
      (next: Claim, inFlight: ReadonlyMap<string, WorkQueue.PartitionLoad>) =>
        reportRepository.claim(
          next,
          maxPerConnection,
          new Map([...inFlight].map(([connection, { count }]) => [connection, count])),
        ),
    )

    const queue = yield* WorkQueue.make<ReportJob, ReportSettlement, string>({
      table: "ats_report",
      lease: leaseOf(webhookTimeout),
      concurrency,
      partition: { of: ({ connection_id }) => connection_id, max: maxPerConnection },
      claim,
      perform,
      settle: Effect.fn("ReportQueue.settle")(reportRepository.settleJobs),
      abandon: (job) =>
        Effect.succeed(settlement(job, "failed", { sent: true, error: WorkQueue.abandonedReason(job) })),
    })
    return { queue }
  }),
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(
    Layer.provide([GrantedTokens.layer, HiringSystemClient.layer]),
  )
}
