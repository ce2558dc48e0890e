/** What the fault tests share: a database, pods on it, hiring systems, and queries of their deliveries. */
import { Context, Effect, Layer, Option, Redacted, Schedule } from "effect"
import { inject } from "vitest"
import { Database } from "../../../src/platform/database/Database.ts"
import { QueueNotifier } from "../../../src/platform/queue/QueueNotifier.ts"
import type { QueueTable } from "../../../src/platform/queue/QueueSql.ts"
import type { EndpointId } from "../../../src/values/Ids.ts"
import * as Pod from "../../support/Pod.ts"
import * as Processes from "../../support/Processes.ts"
import * as Scenario from "../../support/Scenario.ts"
import { environmentOf, freshDatabase, urlsOf } from "../../support/TestDatabase.ts"

/** FAULTS=large runs the tests with more load, for some minutes. */
export const isLarge = process.env["FAULTS"] === "large"

/** Of one test; milliseconds. */
export const timeout = isLarge ? 600_000 : 120_000

class Shared extends Context.Service<Shared, { readonly url: string }>()("test/system/faults/Shared") {}

/** Services in the test's process, by the database's clock and without workers. */
export const on = (url: string) =>
  Pod.services().pipe(
    Layer.provideMerge(Database.layer({ ...urlsOf(url), maxConnections: 4 })),
    Layer.merge(Layer.succeed(Shared, { url })),
  )

const layer = Layer.unwrap(Effect.map(freshDatabase, on))

/** Runs a test on a fresh database. Its pods and receivers end before the database does. */
export const provide = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.provide(Effect.scoped(test), layer, { local: true })

/** Starts the bundle, or another program. */
export const startProcess = (settings: Record<string, string>, program = inject("bundle") ?? undefined) =>
  Processes.start(settings, program)

/** Starts a pod on the database. `program` replaces the service's own. */
export const startPod = Effect.fnUntraced(function* (settings: Record<string, string> = {}, program?: string) {
  return yield* startProcess(environmentOf({ DATABASE_URL: (yield* Shared).url, ...settings }), program)
})

/** The URL of the database, for what stands between a pod and it. */
export const useUrl = <A, E, R>(use: (url: string) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Shared, ({ url }) => use(url))

/** Sends SIGTERM to pods; returns their exit codes. */
export const stop = (...pods: ReadonlyArray<Processes.Pod>) =>
  Effect.suspend(() => {
    for (const pod of pods) pod.signal("SIGTERM")
    return Effect.all(pods.map(({ ended }) => ended))
  })

/** An organization with one endpoint at `url` and one candidate. */
export const hiringSystem = Effect.fnUntraced(function* (
  url: string,
  events: ReadonlyArray<string> = ["interview.status.update"],
) {
  const organization = yield* Scenario.organization()
  const { id, secret } = yield* Scenario.endpoint(organization.id, { url, events })
  const candidate = yield* Scenario.invited(organization)
  return {
    organization: organization.id,
    set: organization.set.id,
    endpoint: id,
    secret: Redacted.value(secret),
    publish: (count: number) => Scenario.publish(candidate, count),
  }
})

/** Polls until the condition holds; after half a test's timeout, fails with the deliveries as they are then. */
export const until = <E, R>(what: string, condition: Effect.Effect<boolean, E, R>) =>
  condition.pipe(
    Effect.repeat({ until: (so) => so, schedule: Schedule.spaced("20 millis") }),
    Effect.timeoutOrElse({
      duration: timeout / 2,
      orElse: () =>
        Effect.flatMap(latestDeliveries, (deliveries) =>
          Effect.die(new Error(`timed out waiting: ${what}; deliveries: ${JSON.stringify(deliveries)}`)),
        ),
    }),
  )

export const untilSync = (what: string, condition: () => boolean) => until(what, Effect.sync(condition))

/** What `until` reports; nothing where the test has no database of its own. */
const latestDeliveries = Effect.gen(function* () {
  const database = yield* Effect.serviceOption(Database)
  if (Option.isNone(database)) return []
  return yield* database.value.sql`
    select id::text, state, attempts, unended_attempts, alone, attempt_log, claimed_by, due_at, leased_until, now()
    from webhook_delivery order by id desc limit 20`
}).pipe(Effect.orDie)

export const tally = Effect.gen(function* () {
  const { sql } = yield* Database
  const [row] = yield* sql<{ held: number; waiting: number; parked: number; finished: number }>`
    select count(*) filter (where state = 'queued' and claim_id is not null)::int as held,
      count(*) filter (where state = 'queued' and claim_id is null and attempts = 0)::int as waiting,
      count(*) filter (where state = 'parked')::int as parked,
      (select count(*)::int from webhook_delivery_history) as finished
    from webhook_delivery`
  return yield* Effect.fromNullishOr(row)
}).pipe(Effect.orDie)

export const untilFinished = (count: number) =>
  until(
    `${count} deliveries finished`,
    Effect.map(tally, ({ finished }) => finished === count),
  )

/** Queued and finished deliveries of an endpoint, oldest first. */
export const deliveriesOf = Effect.fnUntraced(function* (endpoint: EndpointId) {
  const { sql } = yield* Database
  return yield* sql<{ state: string; attempts: number; held: boolean; statuses: ReadonlyArray<number | null> }>`
    select state, attempts, held, (select coalesce(jsonb_agg(a -> 'status'), '[]') from jsonb_array_elements(attempt_log) a) as statuses
    from (
      select id, endpoint_id, state, attempts, attempt_log, claim_id is not null as held from webhook_delivery
      union all select id, endpoint_id, state, attempts, attempt_log, false from webhook_delivery_history
    ) d
    where endpoint_id = ${endpoint}::uuid order by id`
}, Effect.orDie)

/** Expires the leases of a queue's claimed jobs; returns how many had not expired yet. */
export const endLeasesOf = Effect.fnUntraced(function* (table: QueueTable) {
  const { sql } = yield* Database
  const rows = yield* sql`
    update ${sql(table)} set leased_until = now(), claimed_by = null
    where claim_id is not null and due_at is not null and leased_until > now() returning id`
  yield* (yield* QueueNotifier).wake(table)
  return rows.length
}, Effect.orDie)

export const endLeases = endLeasesOf("webhook_delivery")
