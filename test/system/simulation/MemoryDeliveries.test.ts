/** Applies random operations to the tables in memory and to Postgres, and compares them after each. */
import { assert, it } from "@effect/vitest"
import { Arbitrary, Clock, Context, Duration, Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Organizations } from "../../../src/accounts/Organizations.ts"
import type { Database } from "../../../src/platform/database/Database.ts"
import type { QueueNotifier } from "../../../src/platform/queue/QueueNotifier.ts"
import { QueueRepository } from "../../../src/platform/queue/QueueRepository.ts"
import { leasesOnly } from "../../../src/platform/queue/QueueSql.ts"
import { ClaimId, DeliveryId, EndpointId, EventId, type OrganizationId } from "../../../src/values/Ids.ts"
import { DeliveryClaimRepository, type DeliveryJob } from "../../../src/webhooks/deliveries/DeliveryClaimRepository.ts"
import { DeliveryRepository } from "../../../src/webhooks/deliveries/DeliveryRepository.ts"
import {
  type DeliverySettlement,
  DeliverySettlementRepository,
} from "../../../src/webhooks/deliveries/DeliverySettlementRepository.ts"
import { byEndpointFailure } from "../../../src/webhooks/endpoints/EndpointHealth.ts"
import { EndpointRepository } from "../../../src/webhooks/endpoints/EndpointRepository.ts"
import { EventRepository } from "../../../src/webhooks/events/EventRepository.ts"
import type { WebhookEvent } from "../../../src/webhooks/events/WebhookEvent.ts"
import * as MemoryDeliveries from "../../support/MemoryDeliveries.ts"
import * as MemoryQueue from "../../support/MemoryQueue.ts"
import * as Pod from "../../support/Pod.ts"
import { check } from "./check.ts"
import { clear, tables } from "./postgres.ts"
import type { Tables } from "./tables.ts"

const endpoint = Schema.Literals([0, 1, 2])
const few = Schema.Literals([1, 2, 5])
/** Selects `count` claims, starting `back` from the latest. */
const claims = { back: Schema.Literals([1, 2, 3, 5, 8, 13]), count: few }

const Operation = Schema.Union([
  Schema.TaggedStruct("Wait", { seconds: Schema.Literals([0.5, 1, 9, 31, 61, 3600]) }),
  Schema.TaggedStruct("Wait", { seconds: Schema.Literals([0.5, 1, 9, 31, 61, 3600]) }),
  Schema.TaggedStruct("Publish", { status: Schema.Literals(["started", "completed"]), events: few }),
  Schema.TaggedStruct("Claim", {
    limit: Schema.Literals([1, 2, 4, 50]),
    max: Schema.Literals([1, 2, 4, 50]),
    open: Schema.Array(Schema.Literals([0, 1, 2])).check(Schema.isMaxLength(3)),
  }),
  Schema.TaggedStruct("Claim", { limit: Schema.Literal(50), max: Schema.Literal(50), open: Schema.Tuple([]) }),
  Schema.TaggedStruct("Settle", {
    ...claims,
    outcomes: Schema.NonEmptyArray(Schema.Literals(["delivered", "queued", "failed"])),
  }),
  Schema.TaggedStruct("Settle", {
    ...claims,
    outcomes: Schema.NonEmptyArray(Schema.Literals(["delivered", "queued", "failed"])),
  }),
  Schema.TaggedStruct("Release", {
    ...claims,
    seconds: Schema.Literals([0, 10]),
    as: Schema.Literals(["unclaimed", "started"]),
  }),
  Schema.TaggedStruct("StartAlone", claims),
  Schema.TaggedStruct("Park", claims),
  Schema.TaggedStruct("ParkWaiting", { endpoint }),
  Schema.TaggedStruct("Disable", { endpoint }),
  Schema.TaggedStruct("Enable", { endpoint }),
  Schema.TaggedStruct("SendParked", { endpoint, limit: Schema.Literals([1, 2, 50]), offset: Schema.Literals([0, 40]) }),
  Schema.TaggedStruct("Resend", { delivery: Schema.Literals([0, 1, 2, 3, 5, 8]) }),
  Schema.TaggedStruct("ResendFailed", { endpoint, limit: Schema.Literals([1, 2, 50]), hours: Schema.Literals([1, 9]) }),
])
type Operation = typeof Operation.Type

const sequences = Arbitrary.array(Arbitrary.schema(Operation), { maxLength: 40 })

/** Lower than the service's, so that deactivation happens more often. */
const deactivateAfter = 3

type Repositories =
  | QueueRepository
  | DeliveryClaimRepository
  | DeliveryRepository
  | DeliverySettlementRepository
  | EndpointRepository
  | EventRepository

interface Side {
  readonly tables: Effect.Effect<Tables>
  readonly run: <A>(effect: Effect.Effect<A, never, Repositories>) => Effect.Effect<A>
}

/** Row names by id, equal on both sides: endpoint, event, index among their deliveries. */
const namesOf = ({ deliveries }: Tables): ReadonlyMap<string, string> =>
  new Map(
    [...Map.groupBy(deliveries, (row) => `${row.endpoint_id} ${row.event_id}`)].flatMap(([pair, rows]) =>
      rows.map(({ id }, i) => [id, `${pair} ${i}`] as const),
    ),
  )

/** The tables with names instead of ids, sorted by name. */
const comparable = (side: Tables) => {
  const names = namesOf(side)
  const byText = (a: string | undefined, b: string | undefined) => (a ?? "").localeCompare(b ?? "")
  return {
    deliveries: side.deliveries
      .map((row) => ({ ...row, id: names.get(row.id) }))
      .toSorted((a, b) => byText(a.id, b.id)),
    endpoints: side.endpoints
      .map(({ consecutive_failures, deactivated_at, id, last_error, last_failure_at, last_success_at, status }) => ({
        ...{ consecutive_failures, deactivated_at, id, last_error, last_failure_at, last_success_at, status },
      }))
      .toSorted((a, b) => byText(a.id, b.id)),
  }
}

/** The same job on Postgres and in memory. */
type Pair = readonly [DeliveryJob, DeliveryJob]

const applyAll = Effect.fnUntraced(function* (
  operations: ReadonlyArray<Operation>,
  organization: OrganizationId,
  [postgres, memory]: readonly [Side, Side],
  prefer: (first: ReadonlySet<string>) => void,
) {
  const subscriptions = ["", ".started", ".completed"].map((status) => `interview.status.update${status}`)
  const ids = subscriptions.map((_, i) => EndpointId.make(uuid(1, i)))
  const both = <A>(effect: (side: 0 | 1) => Effect.Effect<A, never, Repositories>) =>
    Effect.all([postgres.run(effect(0)), memory.run(effect(1))])
  /** Runs an effect on both sides and compares the results. */
  const same = <A>(effect: Effect.Effect<A, never, Repositories>) =>
    Effect.map(
      both(() => effect),
      ([a, b]) => assert.deepStrictEqual(a, b),
    )

  for (const [i, id] of ids.entries()) {
    const endpoint = { id, organization_id: organization, name: uuid(1, i), url: `https://${i}.example/` }
    const events = subscriptions.slice(i, i + 1)
    yield* both(() =>
      EndpointRepository.use(({ insert }) =>
        insert({ ...endpoint, description: null, events, secret: new Uint8Array([i]) }, 100),
      ),
    )
  }

  let idsUsed = 0
  const claimed: Array<Pair> = []
  const some = ({ back, count }: { readonly back: number; readonly count: number }) => {
    const from = Math.max(0, claimed.length - back)
    return claimed.slice(from, from + count)
  }
  const at = (index: number) => ids[index] ?? EndpointId.make(uuid(1, 0))
  const pace = (limit: number, offset: number) => ({ limit, spacing: 20, offset })

  for (const operation of operations) {
    const now = yield* Clock.currentTimeMillis
    switch (operation._tag) {
      case "Wait":
        yield* TestClock.adjust(Duration.seconds(operation.seconds))
        break
      case "Publish": {
        const { status } = operation
        const events = Array.from({ length: operation.events }, (): WebhookEvent => {
          const id = EventId.make(uuid(2, idsUsed++))
          const eventType = "interview.status.update"
          return { id, organizationId: organization, eventType, status, submissionId: null, body: `"${id}"` }
        })
        yield* same(EventRepository.use(({ publish }) => publish(events)))
        break
      }
      case "Claim": {
        const { limit, max: maxPerEndpoint } = operation
        const inFlight = new Map(
          operation.open.map((count, i) => [at(i), { count, max: maxPerEndpoint + (i % 2) }] as const),
        )
        const claimId = ClaimId.make(uuid(3, idsUsed++))
        const claim = {
          limit,
          maxPerEndpoint,
          startable: limit,
          inFlight,
          claimId,
          claimer: leasesOnly,
          lease: Duration.seconds(60),
        }
        const before = [namesOf(yield* postgres.tables), namesOf(yield* memory.tables)] as const
        const jobs = yield* postgres.run(DeliveryClaimRepository.use((deliveries) => deliveries.claim(claim)))
        const named = new Map(jobs.map((job) => [before[0].get(job.id), job]))
        prefer(new Set([...before[1]].flatMap(([id, name]) => (named.has(name) ? [id] : []))))
        const others = yield* memory.run(DeliveryClaimRepository.use((deliveries) => deliveries.claim(claim)))
        const pairs = others.flatMap((other): ReadonlyArray<Pair> => {
          const job = named.get(before[1].get(other.id))
          return job === undefined ? [] : [[job, other]]
        })
        assert.deepStrictEqual([pairs.length, others.length], [jobs.length, jobs.length])
        for (const [job, other] of pairs) {
          const endpointOf = ({ endpoint }: DeliveryJob) => ({ ...endpoint, secret: Buffer.from(endpoint.secret) })
          assert.deepStrictEqual(
            { ...job, endpoint: endpointOf(job) },
            { ...other, id: job.id, endpoint: endpointOf(other) },
          )
        }
        claimed.push(...pairs)
        break
      }
      case "Settle": {
        const pairs = some(operation)
        const of = (side: 0 | 1) => pairs.map((pair, i) => settlement(pair[side], operation.outcomes, i, now + i))
        const [a, b] = yield* both((side) =>
          DeliverySettlementRepository.use(({ settleAttempts, settleDelivered }) => {
            const { delivered, failing } = byEndpointFailure(of(side))
            return Effect.andThen(
              delivered.length === 0 ? Effect.void : settleDelivered(delivered),
              failing.length === 0 ? Effect.succeed([]) : settleAttempts(failing, deactivateAfter),
            )
          }),
        )
        const name = ({ id, last_error }: (typeof a)[number]) => `${id} ${last_error}`
        assert.deepStrictEqual(a.map(name).toSorted(), b.map(name).toSorted())
        break
      }
      case "Release": {
        const pairs = some(operation)
        const after = Duration.seconds(operation.seconds)
        yield* both((side) =>
          QueueRepository.use(({ release }) =>
            release(
              "webhook_delivery",
              pairs.map((pair) => pair[side]),
              after,
              operation.as,
            ),
          ),
        )
        break
      }
      case "StartAlone": {
        for (const pair of some(operation)) {
          const [a, b] = yield* both((side) =>
            QueueRepository.use(({ startAlone }) => startAlone("webhook_delivery", pair[side], Duration.seconds(30))),
          )
          assert.strictEqual(a, b)
        }
        break
      }
      case "Park": {
        const pairs = some(operation)
        yield* both((side) => DeliverySettlementRepository.use(({ park }) => park(pairs.map((pair) => pair[side]))))
        break
      }
      case "ParkWaiting":
        yield* same(DeliverySettlementRepository.use(({ parkWaiting }) => parkWaiting([at(operation.endpoint)])))
        break
      case "Disable":
        yield* same(EndpointRepository.use(({ disable }) => disable(organization, at(operation.endpoint))))
        break
      case "Enable":
        yield* same(EndpointRepository.use(({ enable }) => enable(organization, at(operation.endpoint))))
        break
      case "SendParked": {
        const { limit, offset } = operation
        const of = at(operation.endpoint)
        yield* same(DeliveryRepository.use(({ sendParked }) => sendParked(organization, of, pace(limit, offset))))
        break
      }
      case "Resend": {
        const all = yield* both((side) => [postgres, memory][side]?.tables ?? Effect.die("no such side"))
        const names = all.map(namesOf)
        const name = [...(names[0]?.values() ?? [])].toSorted()[operation.delivery]
        if (name === undefined) break
        const idOf = (side: 0 | 1) => [...(names[side] ?? [])].find(([, one]) => one === name)?.[0] ?? "0"
        const seenOf = (side: 0 | 1) => all[side]?.deliveries.find(({ id }) => id === idOf(side))?.resent_at ?? null
        const [a, b] = yield* both((side) =>
          DeliveryRepository.use(({ resend }) => {
            const seen = seenOf(side)
            return resend(organization, DeliveryId.make(idOf(side)), seen === null ? null : new Date(seen))
          }),
        )
        assert.strictEqual(a === undefined, b === undefined)
        break
      }
      case "ResendFailed": {
        const { hours, limit } = operation
        const since = new Date(now - hours * 3_600_000)
        const of = at(operation.endpoint)
        yield* same(
          DeliveryRepository.use(({ resendFailed }) => resendFailed(organization, of, { since }, pace(limit, 0))),
        )
      }
    }
    const [a, b] = [yield* postgres.tables, yield* memory.tables]
    assert.deepStrictEqual(comparable(b), comparable(a), `after ${JSON.stringify(operation)}`)
  }
})

const uuid = (kind: number, number: number) => `00000000-0000-700${kind}-8000-${String(number).padStart(12, "0")}`

/** The settlement of the job at index `place` of a batch. */
const settlement = (
  { claim_id, endpoint_id, id }: DeliveryJob,
  outcomes: ReadonlyArray<DeliverySettlement["state"]>,
  place: number,
  at: number,
): DeliverySettlement => {
  const state = outcomes[place % outcomes.length] ?? "queued"
  const isGood = state === "delivered"
  return {
    id,
    claim_id,
    endpoint_id,
    state,
    delay: state === "queued" ? Duration.minutes(place + 1) : undefined,
    attempt: {
      at: new Date(at).toISOString(),
      status: isGood ? 200 : 503,
      duration_ms: 7,
      error: isGood ? null : `error ${place}`,
      answer: "",
    },
  }
}

it.live(
  "the tables in memory and in Postgres are equal after each operation",
  () =>
    Effect.gen(function* () {
      const organization = yield* (yield* Organizations).create("Acme")
      const pod = yield* Effect.context<Repositories | Database | QueueNotifier>()
      const property = (operations: ReadonlyArray<Operation>) =>
        Effect.gen(function* () {
          yield* Effect.provide(clear, pod)
          const context = yield* Layer.build(Layer.provide(MemoryDeliveries.layer, MemoryQueue.wakeups))
          const inMemory = Context.get(context, MemoryDeliveries.MemoryTables)
          // built anew: a repository remembers its last claims
          const own = Layer.fresh(DeliveryClaimRepository.layer).pipe(Layer.provide(Layer.succeedContext(pod)))
          const onPostgres = Context.merge(pod, yield* Layer.build(own))
          const sides = [
            { tables: Effect.provide(tables, pod), run: Effect.provide(onPostgres) },
            { tables: Effect.sync(inMemory.tables), run: Effect.provide(context) },
          ] as const
          yield* TestClock.setTime(Date.UTC(2026, 0, 1))
          yield* applyAll(operations, organization, sides, inMemory.prefer)
        }).pipe(
          Effect.scoped,
          Effect.provide(TestClock.layer(), { local: true }),
          Effect.catchDefect((defect) => Effect.fail(String(defect))),
        )
      yield* check("test/system/simulation/MemoryDeliveries.test.ts", sequences, property, {
        runs: 150,
        size: 40,
        maxShrinks: 200,
      })
    }).pipe(Pod.provide()),
  600_000,
)
