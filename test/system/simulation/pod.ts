/** Simulated processes: the service's delivery queue and worker, with injected faults. */
import { Clock, Context, Duration, Effect, Exit, Latch, Layer, Random, References, Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditLog } from "../../../src/accounts/AuditLog.ts"
import { Notifications } from "../../../src/accounts/members/Notifications.ts"
import { Config } from "../../../src/config/Config.ts"
import { Ids } from "../../../src/platform/NewIds.ts"
import { QueueNotifier } from "../../../src/platform/queue/QueueNotifier.ts"
import { QueueRepository } from "../../../src/platform/queue/QueueRepository.ts"
import * as Worker from "../../../src/platform/queue/Worker.ts"
import { ChatMessages } from "../../../src/webhooks/chat/ChatMessages.ts"
import { DeliveryClaimRepository } from "../../../src/webhooks/deliveries/DeliveryClaimRepository.ts"
import { DeliveryQueue } from "../../../src/webhooks/deliveries/DeliveryQueue.ts"
import { DeliverySettlementRepository } from "../../../src/webhooks/deliveries/DeliverySettlementRepository.ts"
import { EndpointProbes } from "../../../src/webhooks/endpoints/EndpointProbes.ts"
import { ProbeRepository } from "../../../src/webhooks/endpoints/ProbeRepository.ts"
import * as Network from "./network.ts"
import type { Fault } from "./plan.ts"
import { between, type Pod, type Simulation } from "./simulation.ts"
import { mark, type SettlementRecord } from "./trace.ts"
import { forPod, recheck } from "./wakeups.ts"
import { World } from "./world.ts"

/** How late a process may be after a fault, in milliseconds: a pause of 1 s, an idle poll of 2 s, a statement. */
export const recovery = 4000

/** Counts running work that does not wait for the clock. */
export const busy = <A, E, R>(simulation: Simulation, work: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => simulation.busy++),
    () => work,
    () => Effect.sync(() => simulation.busy--),
  )

/** Starts a process whose clock is `minutes` off. `begin` is the start of the simulation. */
export const start = Effect.fnUntraced(function* (simulation: Simulation, minutes: number, begin: number) {
  const { chance, next, now, plan, pods, trace } = simulation
  const { nextDue } = yield* World
  const config = yield* Config
  const notifications = yield* Notifications
  const claimRepository = yield* DeliveryClaimRepository
  const settlementRepository = yield* DeliverySettlementRepository
  const queueRepository = yield* QueueRepository
  const pod: Pod = {
    number: pods.length,
    clock: simulation.clockOf(pods.length, minutes),
    scope: yield* Scope.make(),
    startedAt: now(),
    open: new Map(),
    bell: Latch.makeUnsafe(false),
    hinted: false,
    killedAt: undefined,
    drainingSince: undefined,
    endedAt: undefined,
    frozenUntil: 0,
  }
  pods.push(pod)

  const fails = (fault: Fault) => {
    if (pod.killedAt !== undefined || now() < simulation.outageUntil) return true
    if (!simulation.strikes(fault)) return false
    trace.disturbances.push({ from: now(), until: now() + recovery })
    return true
  }
  const unless = <A>(fault: Fault, step: Effect.Effect<A>) =>
    Effect.suspend(() =>
      fails(fault) ? Effect.die(new Error(`the database is unavailable: ${fault}`)) : busy(simulation, step),
    )
  /** Latency to or from the database. */
  const pause = Effect.suspend(() => {
    const usual = between(chance.fault, -5, 5)
    if (!simulation.strikes("slow")) return usual > 0 ? Effect.sleep(usual) : Effect.void
    const millis = between(chance.fault, 500, 3000)
    trace.disturbances.push({ from: now(), until: now() + millis + recovery })
    return Effect.sleep(millis)
  })
  const answer = (fault: Fault) => unless(fault, Effect.void)
  let settling: SettlementRecord | undefined

  const faultyClaims = DeliveryClaimRepository.of({
    claim: (claim) =>
      Effect.gen(function* () {
        yield* pause
        const began = next()
        const jobs = yield* unless("claim", claimRepository.claim(claim))
        const record = { pod: pod.number, claimId: claim.claimId, began, order: next(), at: now(), jobs }
        if (jobs.length > 0) trace.claims.push(record)
        yield* pause
        yield* answer("claimAnswer")
        return jobs
      }),
  })
  const faultySettlements = DeliverySettlementRepository.of({
    settleDelivered: (settlements) =>
      Effect.tap(unless("settle", settlementRepository.settleDelivered(settlements)), () =>
        Effect.sync(() =>
          trace.settlements.push({ order: next(), at: now(), settlements, deactivated: [], committed: next() }),
        ),
      ),
    settleAttempts: (settlements, deactivateAfter) =>
      Effect.tap(unless("settle", settlementRepository.settleAttempts(settlements, deactivateAfter)), (deactivated) =>
        Effect.sync(() => {
          const ids = deactivated.map(({ id }) => id)
          settling = { order: next(), at: now(), settlements, deactivated: ids, committed: undefined }
          trace.settlements.push(settling)
        }),
      ),
    // park makes deliveries of an endpoint enabled meanwhile due at once, which the trace records as a release
    park: (claims) =>
      Effect.tap(unless("park", settlementRepository.park(claims)), () =>
        Effect.sync(() =>
          trace.releases.push({
            pod: pod.number,
            order: next(),
            at: now(),
            claims: claims.map((claim) => ({ ...claim, attempts: 0, unended_attempts: 0, alone: null })),
            after: Duration.zero,
            written: true,
          }),
        ),
      ),
    countAttempts: (counts) => busy(simulation, settlementRepository.countAttempts(counts)),
    parkWaiting: (endpoints) => unless("park", settlementRepository.parkWaiting(endpoints)),
  })
  const faultyRows = QueueRepository.of({
    startAlone: (...of) => busy(simulation, queueRepository.startAlone(...of)),
    release: (table, claims, after, as) =>
      Effect.suspend(() => {
        const written = !fails("release")
        const release = written
          ? queueRepository.release(table, claims, after, as)
          : Effect.die(new Error("the database is unavailable"))
        const record = () => ({ pod: pod.number, order: next(), at: now(), claims, after, written })
        return Effect.andThen(
          Effect.sync(() => trace.releases.push(record())),
          release,
        )
      }),
  })

  const notifier = forPod(simulation, pod, busy(simulation, nextDue))
  // the plans have no probes (WEBHOOK_PROBE_FIRST is 0), so that mails follow deactivations
  const probes = EndpointProbes.layer.pipe(
    Layer.provide(Layer.merge(Layer.mock(ProbeRepository)({}), Layer.mock(AuditLog)({ note: () => Effect.void }))),
  )
  const layer = DeliveryQueue.layer.pipe(
    Layer.provide(probes),
    Layer.provide(Ids.layer),
    Layer.provide(
      Layer.mergeAll(
        Layer.succeed(Config, {
          ...config,
          webhookProbeFirst: Duration.zero,
          webhookConcurrency: plan.concurrency,
          webhookEndpointConcurrency: plan.places,
        }),
        Layer.succeed(Notifications, {
          ...notifications,
          notifyAdmins: (...of) => unless("mail", notifications.notifyAdmins(...of)),
        }),
        Layer.mock(ChatMessages)({}),
        Layer.succeed(DeliveryClaimRepository, faultyClaims),
        Layer.succeed(DeliverySettlementRepository, faultySettlements),
        Layer.succeed(QueueRepository, faultyRows),
        Layer.succeed(QueueNotifier, notifier),
        Layer.succeed(SecureRandom.SecureRandom, bytes(chance.bytes)),
        Network.layer(simulation, pod, begin),
      ),
    ),
  )
  const { queue } = Context.get(yield* Layer.build(layer), DeliveryQueue)

  yield* Worker.run({
    ...queue,
    // recorded as a request, so that the checks count a failed attempt
    abandon: (job) =>
      Effect.map(queue.abandon(job), (settlement) => {
        if (!("attempt" in settlement)) return settlement
        const number = trace.requests.length
        trace.requests.push({ number, pod: pod.number, job, at: now(), died: false, acknowledged: false })
        const error = `${settlement.attempt.error} ${mark(number)}`
        return { ...settlement, attempt: { ...settlement.attempt, error } }
      }),
    perform: (job) => busy(simulation, Effect.provideService(queue.perform(job), Network.CurrentJob, job)),
    settle: (outcomes) =>
      Effect.andThen(pause, busy(simulation, queue.settle(outcomes))).pipe(
        Effect.tap(
          Effect.sync(() => {
            if (settling !== undefined) settling.committed = next()
            recheck(simulation)
          }),
        ),
        Effect.andThen(pause),
        Effect.andThen(answer("settleAnswer")),
      ),
    release: (jobs, after, as) =>
      Effect.andThen(pause, busy(simulation, queue.release(jobs, after, as))).pipe(
        Effect.tap(Effect.sync(() => recheck(simulation))),
      ),
  }).pipe(
    Scope.provide(pod.scope),
    Effect.provideService(Clock.Clock, pod.clock),
    Effect.provideService(Random.Random, chance.delay),
    Effect.provideService(QueueNotifier, notifier),
    Effect.provideService(References.MinimumLogLevel, "None"),
  )
})

/** Random bytes from the plan's noise, so that a simulation can be repeated. */
const bytes = (chance: Random.Random) =>
  SecureRandom.make((size) => {
    const words = Uint32Array.from({ length: Math.ceil(size / 4) }, () => chance.nextDoubleUnsafe() * 2 ** 32)
    return new Uint8Array(words.buffer, 0, size)
  })

/** Ends the process at once; its later steps have no effect. */
export const kill = (simulation: Simulation, pod: Pod) =>
  Effect.suspend(() => {
    pod.killedAt ??= simulation.now()
    return close(simulation, pod)
  })

/** Ends the process as SIGTERM does. */
export const drain = (simulation: Simulation, pod: Pod) =>
  Effect.suspend(() => {
    pod.drainingSince ??= simulation.now()
    return close(simulation, pod)
  })

const close = (simulation: Simulation, pod: Pod) =>
  Scope.close(pod.scope, Exit.void).pipe(
    Effect.andThen(
      Effect.sync(() => {
        pod.endedAt ??= simulation.now()
      }),
    ),
    Effect.provideService(Clock.Clock, pod.clock),
    Effect.forkChild,
  )
