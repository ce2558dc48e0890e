/** Stores counts of attempts by hour and the last runs of steps. */
import { Context, Effect, Layer } from "effect"
import { Database, recordset } from "../database/Database.ts"
import type { QueueTable } from "./QueueSql.ts"

export interface StepRun {
  readonly name: string
  /** The interval. */
  readonly seconds: number
  readonly ran_at: Date | null
  readonly took_ms: number | null
  /** Rows, emails or files. */
  readonly done: number | null
  readonly failed_at: Date | null
  readonly error: string | null
}

export interface AttemptCount {
  readonly queue: QueueTable
  readonly outcome: string
  readonly count: number
}

export class QueueActivityRepository extends Context.Service<QueueActivityRepository>()(
  "interview-invitations/platform/queue/QueueActivityRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql, transaction } = yield* Database
      return {
        /** Adds the counts, stores the runs, and deletes counts from before `before`. */
        store: Effect.fnUntraced(function* (
          attempts: ReadonlyArray<AttemptCount>,
          runs: ReadonlyArray<StepRun>,
          before: Date,
        ) {
          const at = yield* now
          if (attempts.length > 0)
            yield* sql`
              insert into queue_hour (queue, hour, outcome, attempts)
              select r.queue, date_trunc('hour', ${at}, 'UTC'), r.outcome, r.count
              from ${recordset(sql, attempts, "queue text, outcome text, count bigint")}
              order by r.queue, r.outcome
              on conflict (queue, hour, outcome) do update set attempts = queue_hour.attempts + excluded.attempts`
          // processes run the same steps: the newest run stays
          if (runs.length > 0)
            yield* sql`
              insert into periodic_step as p (name, seconds, ran_at, took_ms, done, failed_at, error)
              select r.name, r.seconds, r.ran_at, r.took_ms, r.done, r.failed_at, r.error
              from ${recordset(sql, runs, "name text, seconds int, ran_at timestamptz, took_ms int, done bigint, failed_at timestamptz, error text")}
              order by r.name
              on conflict (name) do update set seconds = excluded.seconds,
                ran_at = greatest(p.ran_at, excluded.ran_at),
                took_ms = case when excluded.ran_at >= coalesce(p.ran_at, excluded.ran_at) then excluded.took_ms else p.took_ms end,
                done = case when excluded.ran_at >= coalesce(p.ran_at, excluded.ran_at) then excluded.done else p.done end,
                failed_at = greatest(p.failed_at, excluded.failed_at),
                error = case when excluded.failed_at >= coalesce(p.failed_at, excluded.failed_at) then excluded.error else p.error end`
          yield* sql`delete from queue_hour where hour < ${before}::timestamptz`
        }, transaction),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
