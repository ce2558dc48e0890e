/**
 * Claims deliveries so that endpoints with max_per_minute keep their rate (EndpointRate.ts).
 *
 * A process with free slots admits what it claims, in one statement, and starts it at once. In a process without one, a
 * claimed delivery waits for longer than an admission lasts. Such a process claims one delivery of each endpoint, and
 * admits it when it starts: an admission that ends unused would take the endpoint's only token.
 */
import { Clock, Duration, Effect, type Scope } from "effect"
import * as FailureLog from "../../platform/queue/FailureLog.ts"
import { QueueNotifier } from "../../platform/queue/QueueNotifier.ts"
import type { EndpointId } from "../../values/Ids.ts"
import type { InFlight } from "./ClaimPlan.ts"
import type { DeliveryClaim, DeliveryJob } from "./DeliveryClaimsSql.ts"
import { DeliveryRepository } from "./DeliveryRepository.ts"
import { freshness, rateOf, ThrottlePlan } from "./EndpointRate.ts"

/** Shortest pause before the worker is woken for an endpoint that may get its next delivery. */
const minPause = Duration.millis(100)

type Throttled = DeliveryJob & { readonly endpoint: { readonly max_per_minute: number } }

const isThrottled = (job: DeliveryJob): job is Throttled => job.endpoint.max_per_minute !== null

const roomOf = (inFlight: InFlight, endpoint: EndpointId): number | undefined => {
  const load = inFlight.get(endpoint)
  return load && Math.max(0, load.max - load.count)
}

export interface ThrottledClaims {
  /** Lowers a claim's limits per endpoint to the known room of the endpoints' rates. */
  readonly limited: (claim: DeliveryClaim) => Effect.Effect<DeliveryClaim>
  /** Returns the jobs whose attempts may start now; frees the others. */
  readonly admitted: (
    jobs: ReadonlyArray<DeliveryJob>,
    claim: DeliveryClaim,
  ) => Effect.Effect<ReadonlyArray<DeliveryJob>>
  /** Whether the attempt may start: it was admitted within `freshness`, or is admitted now. */
  readonly mayStart: (job: DeliveryJob) => Effect.Effect<boolean>
}

/** `concurrency`: deliveries that the process performs at a time. */
export const make = (
  concurrency: number,
): Effect.Effect<ThrottledClaims, never, DeliveryRepository | QueueNotifier | Scope.Scope> =>
  Effect.gen(function* () {
    const { admit, unclaim } = yield* DeliveryRepository
    const { wake } = yield* QueueNotifier
    const scope = yield* Effect.scope
    const plan = new ThrottlePlan()
    const freeFailures = FailureLog.make("webhook_delivery: freeing those of throttled endpoints")
    const admitFailures = FailureLog.make("webhook_delivery: admitting those of throttled endpoints")
    let isWaking = false

    const wakeLater = Effect.gen(function* () {
      const wait = isWaking ? undefined : plan.nextIn(yield* Clock.monotonicTimeNanos)
      if (wait === undefined) return
      isWaking = true
      const later = Duration.max(Duration.nanos(wait), minPause)
      const waking = Effect.andThen(
        Effect.sleep(later),
        Effect.suspend(() => {
          isWaking = false
          return wake("webhook_delivery")
        }),
      )
      yield* Effect.forkIn(waking, scope)
    })

    const freeSlots = ({ inFlight }: DeliveryClaim): number =>
      concurrency - [...inFlight.values()].reduce((sum, { count }) => sum + count, 0)

    const free = (jobs: ReadonlyArray<DeliveryJob>) =>
      jobs.length === 0
        ? Effect.void
        : // they become due again when their leases end
          Effect.catchCause(Effect.andThen(unclaim(jobs), freeFailures.worked), freeFailures.report)

    const admitThrottled = Effect.fnUntraced(function* (jobs: ReadonlyArray<Throttled>, { inFlight }: DeliveryClaim) {
      const byEndpoint = Map.groupBy(jobs, ({ endpoint_id }) => endpoint_id)
      const asked = [...byEndpoint].flatMap(([endpoint_id, [job, ...more]]) =>
        job === undefined ? [] : [{ endpoint_id, wanted: 1 + more.length, ...rateOf(job.endpoint.max_per_minute) }],
      )
      const admittedAt = yield* Clock.monotonicTimeNanos
      const admissions = yield* admit(asked)
      const time = yield* Clock.monotonicTimeNanos
      const counts = new Map(admissions.map(({ admitted, endpoint_id }) => [endpoint_id, admitted]))
      for (const { endpoint_id, wanted, ...rate } of asked) {
        const admission = admissions.find((one) => one.endpoint_id === endpoint_id)
        if (admission !== undefined) plan.admitted(admission, rate, wanted, roomOf(inFlight, endpoint_id), time)
      }
      const isAdmitted = (job: DeliveryJob, index: number) => index < (counts.get(job.endpoint_id) ?? 0)
      const [refused, admitted] = [...byEndpoint.values()]
        .map((own) => [own.filter((job, i) => !isAdmitted(job, i)), own.filter(isAdmitted)] as const)
        .reduce<readonly [ReadonlyArray<DeliveryJob>, ReadonlyArray<DeliveryJob>]>(
          ([refused, admitted], [no, yes]) => [
            [...refused, ...no],
            [...admitted, ...yes],
          ],
          [[], []],
        )
      yield* free(refused)
      return admitted.map((job): DeliveryJob => ({ ...job, admittedAt }))
    })

    /** The first of each endpoint that has none in flight; frees the others. */
    const waitingFor = Effect.fnUntraced(function* (jobs: ReadonlyArray<Throttled>, { inFlight }: DeliveryClaim) {
      const firsts = new Set(
        [...Map.groupBy(jobs, ({ endpoint_id }) => endpoint_id)].flatMap(([endpoint, [first]]) =>
          first === undefined || (inFlight.get(endpoint)?.count ?? 0) > 0 ? [] : [first],
        ),
      )
      yield* free(jobs.filter((job) => !firsts.has(job)))
      return [...firsts]
    })

    return {
      limited: (claim) =>
        plan.isEmpty
          ? Effect.succeed(claim)
          : Effect.map(Clock.monotonicTimeNanos, (time) => {
              const mayWait = freeSlots(claim) > 0 ? Number.POSITIVE_INFINITY : 1
              return {
                ...claim,
                inFlight: plan.limit(claim.inFlight, claim.maxPerEndpoint, time, mayWait),
                isThrottled: true,
              }
            }),
      admitted: Effect.fnUntraced(function* (jobs, claim) {
        const throttled = jobs.filter(isThrottled)
        if (throttled.length === 0 && plan.isEmpty) return jobs
        const claimed = new Set(jobs.map(({ endpoint_id }) => endpoint_id))
        plan.forget((id) => !claimed.has(id) && jobs.length < claim.limit && (roomOf(claim.inFlight, id) ?? 0) > 0)
        const others = jobs.filter((job) => !isThrottled(job))
        const slots = freeSlots(claim)
        if (slots <= 0) {
          const waiting = yield* waitingFor(throttled, claim)
          yield* wakeLater
          return [...others, ...waiting]
        }
        yield* free(throttled.slice(slots))
        const startable = throttled.slice(0, slots)
        const admitted =
          startable.length === 0
            ? []
            : yield* Effect.catchCause(Effect.tap(admitThrottled(startable, claim), admitFailures.worked), (cause) =>
                admitFailures.report(cause).pipe(Effect.andThen(free(startable)), Effect.as([])),
              )
        yield* wakeLater
        // first, so that they get the free slots
        return [...admitted, ...others]
      }),
      mayStart: Effect.fnUntraced(function* (job) {
        const { endpoint, endpoint_id } = job
        if (endpoint.max_per_minute === null) return true
        const now = yield* Clock.monotonicTimeNanos
        if (job.admittedAt !== undefined && now - job.admittedAt <= freshness) return true
        const rate = rateOf(endpoint.max_per_minute)
        const [admission] = yield* admit([{ endpoint_id, wanted: 1, ...rate }])
        if (admission === undefined) return false
        const time = yield* Clock.monotonicTimeNanos
        plan.admitted(admission, rate, 1, undefined, time)
        yield* wakeLater
        return admission.admitted === 1 && time - now <= freshness
      }),
    }
  })
