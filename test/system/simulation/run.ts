/** Runs a plan until every delivery is finished; checks the invariants during the run and at its end. */
import { Effect, Layer, References } from "effect"
import { TestClock } from "effect/testing"
import { Now } from "../../../src/platform/database/Database.ts"
import type { QueueNotifier } from "../../../src/platform/queue/QueueNotifier.ts"
import { DeliveryId, type EndpointId, EventId } from "../../../src/values/Ids.ts"
import { RunLook } from "../../../src/webhooks/deliveries/ClaimPlan.ts"
import { DeliveryRepository } from "../../../src/webhooks/deliveries/DeliveryRepository.ts"
import { EndpointRepository } from "../../../src/webhooks/endpoints/EndpointRepository.ts"
import { EventRepository } from "../../../src/webhooks/events/EventRepository.ts"
import type { WebhookEvent } from "../../../src/webhooks/events/WebhookEvent.ts"
import * as Invariants from "./invariants.ts"
import type { Action, Plan } from "./plan.ts"
import * as Pods from "./pod.ts"
import { between, isWorking, make, type Simulation } from "./simulation.ts"
import * as SimulatedWakeups from "./wakeups.ts"
import { type Services, World } from "./world.ts"

const begin = Date.UTC(2026, 0, 1)

/** How often the end is checked, in milliseconds, and after how many checks the run fails. */
const patience = { every: 10 * 60_000, times: 200 }

/** The same as in DeliveryLog. */
const pace = { limit: 5000, spacing: 20, offset: 0 }

/** Fails with the violated invariants. */
export const run = <E, R>(plan: Plan, world: (plan: Plan) => Layer.Layer<Services, E, QueueNotifier | R>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(begin)
    const simulation = yield* make(plan)
    yield* perform(simulation).pipe(
      Effect.ensuring(Effect.ignore(end(simulation))),
      Effect.provideService(
        Now,
        Effect.sync(() => new Date(simulation.now())),
      ),
      Effect.provideService(References.MinimumLogLevel, "None"),
      Effect.provide(Layer.provide(world(plan), SimulatedWakeups.layer(simulation)), { local: true }),
      // after the layers, which read it
      Effect.provideService(RunLook, (look) => Pods.busy(simulation, look)),
    )
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer(), { local: true }))

const perform = Effect.fnUntraced(function* (simulation: Simulation) {
  const { chance, now, plan, pods } = simulation
  const { admins, tables } = yield* World
  const ledger = Invariants.make(simulation, admins)
  const check = Effect.gen(function* () {
    if (!simulation.isDirty) return
    simulation.isDirty = false
    const violations = ledger.atAnyTime(yield* tables)
    if (violations.length > 0) return yield* Effect.fail(violations.join("\n"))
  })
  const wait = (millis: number) => advance(simulation, now() + millis, check)

  yield* publish(simulation, plan.events)
  for (const minutes of plan.pods) yield* Pods.start(simulation, minutes, begin)
  for (const { action, after } of plan.steps) {
    yield* wait(Math.round(after * between(chance.script, 900, 1100)))
    yield* act(simulation, action)
  }

  simulation.isOver = true
  simulation.outageUntil = 0
  if (!pods.some(isWorking)) yield* Pods.start(simulation, 0, begin)
  for (let round = 0; ; round++) {
    yield* wait(patience.every)
    const { deliveries, endpoints } = yield* tables
    if (deliveries.every(({ finished_at }) => finished_at !== null)) break
    const waiting = ledger.whenIdle({ deliveries, endpoints })
    if (waiting.length > 0) return yield* Effect.fail(waiting.join("\n"))
    if (round === patience.times) return yield* Effect.fail("some deliveries are never finished")
    for (const { id, status } of endpoints) {
      if (status === "inactive" || deliveries.some((row) => row.endpoint_id === id && row.state === "parked")) {
        yield* enable(simulation, id)
      }
    }
  }
  yield* end(simulation)
  const violations = [...ledger.atAnyTime(yield* tables), ...ledger.atEnd(yield* tables)]
  if (violations.length > 0) return yield* Effect.fail(violations.join("\n"))
})

/** Consecutive scheduler turns without work after which the simulation counts as idle. */
const idleTurns = 50

/** Waits until all work waits for the clock. */
const untilIdle = Effect.fnUntraced(function* (simulation: Simulation) {
  for (let idle = 0; idle < idleTurns; idle++) {
    yield* Effect.yieldNow
    if (simulation.busy > 0) idle = 0
  }
})

/** Advances the clock, one wake-up at a time. */
const advance = Effect.fnUntraced(function* <E>(simulation: Simulation, until: number, check: Effect.Effect<void, E>) {
  const { isRemote } = yield* World
  yield* untilIdle(simulation)
  while (true) {
    yield* check
    const next = simulation.nextWake() ?? Number.POSITIVE_INFINITY
    yield* TestClock.setTime(Math.min(next, until))
    if (next > until) return
    if (isRemote) yield* untilIdle(simulation)
  }
})

const end = Effect.fnUntraced(function* (simulation: Simulation) {
  simulation.isOver = true
  const last = simulation.pods.filter(({ endedAt }) => endedAt === undefined)
  for (const pod of last) {
    if (isWorking(pod)) yield* Pods.drain(simulation, pod)
  }
  for (let waited = 0; waited < 10 && last.some(({ endedAt }) => endedAt === undefined); waited++) {
    yield* advance(simulation, simulation.now() + 60_000, Effect.void)
  }
})

const act = Effect.fnUntraced(function* (simulation: Simulation, action: Action) {
  const { now, pods, trace } = simulation
  const { endpoints: ids, organization, tables } = yield* World
  const endpoints = yield* EndpointRepository
  const history = yield* DeliveryRepository
  const working = pods.filter(isWorking)
  const pod = "pod" in action ? working[action.pod % working.length] : undefined
  const endpoint = "endpoint" in action ? ids[action.endpoint % ids.length] : undefined
  switch (action._tag) {
    case "Publish":
      return yield* publish(simulation, action.events)
    case "Kill":
      if (pod !== undefined) yield* Pods.kill(simulation, pod)
      return
    case "Drain":
      if (pod !== undefined) yield* Pods.drain(simulation, pod)
      return
    case "Start":
      return yield* Pods.start(simulation, action.skew, begin)
    case "Freeze":
      if (pod === undefined) return
      pod.frozenUntil = now() + action.seconds * 1000
      trace.disturbances.push({ from: now(), until: pod.frozenUntil + Pods.recovery })
      return
    case "Outage":
      simulation.outageUntil = now() + action.seconds * 1000
      trace.disturbances.push({ from: now(), until: simulation.outageUntil + Pods.recovery })
      return
    case "Disable":
      if (endpoint === undefined) return
      yield* endpoints.disable(organization, endpoint)
      trace.operations.push({ order: simulation.next(), at: now(), endpoint, kind: "disabled" })
      simulation.isDirty = true
      return
    case "Enable":
      if (endpoint !== undefined) yield* enable(simulation, endpoint)
      return
    case "Resend": {
      const { deliveries, endpoints } = yield* tables
      const active = new Set(endpoints.flatMap(({ id, status }) => (status === "active" ? [id] : [])))
      const finished = deliveries.filter((row) => row.finished_at !== null && active.has(row.endpoint_id))
      const row = finished[action.delivery % finished.length]
      if (row === undefined) return
      const seen = row.resent_at === null ? null : new Date(row.resent_at)
      if ((yield* history.resend(organization, DeliveryId.make(row.id), seen)) !== undefined) simulation.resent++
      return
    }
    case "ResendFailed": {
      const { status } = (yield* tables).endpoints.find(({ id }) => id === endpoint) ?? {}
      if (endpoint === undefined || status !== "active") return
      simulation.resent += yield* history.resendFailed(organization, endpoint, { since: new Date(begin) }, pace)
    }
  }
})

/** Enables the endpoint and sends its parked deliveries, as the workspace does. */
const enable = Effect.fnUntraced(function* (simulation: Simulation, endpoint: EndpointId) {
  const { next, now, trace } = simulation
  const { organization, tables } = yield* World
  yield* (yield* EndpointRepository).enable(organization, endpoint)
  trace.operations.push({ order: next(), at: now(), endpoint, kind: "enabled" })
  const parked = (yield* tables).deliveries.filter((row) => row.endpoint_id === endpoint && row.state === "parked")
  const deliveries = new Set(parked.map(({ id }) => id))
  trace.operations.push({ order: next(), at: now(), endpoint, kind: "sent parked", deliveries })
  const sent = yield* (yield* DeliveryRepository).sendParked(organization, endpoint, pace)
  if (sent !== parked.length) trace.violations.push(`${sent} of ${parked.length} parked deliveries were sent`)
})

const publish = Effect.fnUntraced(function* (simulation: Simulation, count: number) {
  const { organization } = yield* World
  const events = Array.from({ length: count }, (): WebhookEvent => {
    simulation.published++
    const id = EventId.make(`00000000-0000-7000-8000-${String(simulation.published).padStart(12, "0")}`)
    const body = JSON.stringify({ event_id: id })
    return {
      id,
      organizationId: organization,
      eventType: "interview.status.update",
      status: "started",
      submissionId: null,
      body,
    }
  })
  yield* (yield* EventRepository).publish(events)
})
