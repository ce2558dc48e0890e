/** Adds jobs to each contestant's queue in batches, and counts the unfinished ones. */
import { Array as Chunks, Effect, Layer, Redacted } from "effect"
import { makeWorkerUtils } from "graphile-worker"
import { PgBoss } from "pg-boss"
import { Database } from "../../../src/platform/database/Database.ts"
import { QueueNotifier } from "../../../src/platform/queue/QueueNotifier.ts"
import { EventId } from "../../../src/values/Ids.ts"
import { EventRepository } from "../../../src/webhooks/events/EventRepository.ts"
import * as Postgres from "../support/postgres.ts"
import type { Account } from "./accounts.ts"
import type { Job } from "./jobs.ts"

export interface Queue {
  readonly fill: (jobs: ReadonlyArray<Job>) => Effect.Effect<void>
  /** Counts unfinished jobs, except deliveries due in an hour or later. */
  readonly unfinished: Effect.Effect<number>
}

const batchSize = 1000

const inBatches = (insert: (jobs: ReadonlyArray<Job>) => Effect.Effect<unknown>): Queue["fill"] => {
  return (jobs) => Effect.forEach(Chunks.chunksOf(jobs, batchSize), insert, { discard: true })
}

const count = (url: string, statement: string) =>
  Effect.map(Effect.orDie(Postgres.query<{ count: number }>(url, statement)), (row) => row.count)

/** Publishes an event for each job. */
export const service = Effect.fnUntraced(function* (url: string, accounts: ReadonlyArray<Account>) {
  const context = yield* Layer.build(
    EventRepository.layer.pipe(
      Layer.provide(QueueNotifier.layer),
      Layer.provide(Database.layer({ url: Redacted.make(url), maxConnections: 3 })),
    ),
  )
  const { publish } = yield* Effect.provide(EventRepository, context)
  const eventsOf = ({ body, id, receiver }: Job) =>
    accounts.slice(receiver, receiver + 1).map(({ organization }) => ({
      id: EventId.make(id),
      organizationId: organization,
      eventType: "interview.status.update" as const,
      status: "completed",
      submissionId: null,
      body,
    }))
  return {
    fill: inBatches((jobs) => publish(jobs.flatMap(eventsOf))),
    unfinished: count(url, "select count(*)::int from webhook_delivery where due_at < now() + interval '1 hour'"),
  } satisfies Queue
})

export const graphileWorker = Effect.fnUntraced(function* (url: string) {
  const utils = yield* Effect.acquireRelease(
    Effect.promise(() => makeWorkerUtils({ connectionString: url })),
    (utils) => Effect.promise(async () => utils.release()),
  )
  yield* Effect.promise(() => utils.migrate())
  const specOf = (payload: Job) => ({ identifier: "deliver", payload })
  return {
    fill: inBatches((jobs) => Effect.promise(() => utils.addJobs(jobs.map(specOf)))),
    unfinished: count(url, "select count(*)::int from graphile_worker.jobs"),
  } satisfies Queue
})

export const pgBoss = Effect.fnUntraced(function* (url: string) {
  const boss = yield* Effect.acquireRelease(
    Effect.promise(() => new PgBoss({ connectionString: url, supervise: false, schedule: false }).start()),
    (boss) => Effect.promise(() => boss.stop()),
  )
  yield* Effect.promise(() => boss.createQueue("deliver"))
  return {
    fill: (jobs) =>
      Effect.forEach(Chunks.chunksOf(jobs, batchSize), (some) =>
        Effect.promise(() =>
          boss.insert(
            "deliver",
            some.map((data) => ({ data })),
          ),
        ),
      ),
    unfinished: count(url, "select count(*)::int from pgboss.job where state < 'completed'"),
  } satisfies Queue
})

/** For the contestant that generates its jobs in memory. */
export const inMemory: Queue = { fill: () => Effect.void, unfinished: Effect.succeed(0) }
