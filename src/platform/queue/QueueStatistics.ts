/** Statistics of database and queues, for health checks and metrics. */
import { readdirSync } from "node:fs"
import { Context, Effect, Layer } from "effect"
import { Database, first } from "../database/Database.ts"
import type { QueueTable } from "./QueueSql.ts"

/** An index counts so many in about 10 ms. */
const maxCount = 100_000

export interface QueueBacklog {
  readonly queue: QueueTable
  readonly due: number
  /** Seconds; 0 when no row is due. */
  readonly oldest_due: number
}

export interface DatabaseStatistics {
  readonly queues: ReadonlyArray<QueueBacklog>
  readonly endpoints: { readonly active: number; readonly inactive: number }
  /** Moves of organizations from or to this cell that have not ended. */
  readonly open_moves: number
  /** Connections of all pods. */
  readonly connections: { readonly active: number; readonly idle: number; readonly in_transaction: number }
}

const newestMigration = (): number =>
  Math.max(...readdirSync(new URL("../../../sql", import.meta.url)).map((file) => Number.parseInt(file, 10) || 0))

export class QueueStatistics extends Context.Service<QueueStatistics>()(
  "interview-invitations/platform/queue/QueueStatistics",
  {
    make: Effect.gen(function* () {
      const { applicationName, now, sql } = yield* Database
      const isFree = "(claim_id is null or coalesce(leased_until <= at, true))"
      const lane = (number: 0 | 1) => `least(attempts, 1) = ${number} and due_at is not null and attempts >= 0`
      /** Each condition reads one end of an index of due rows. */
      const queues: ReadonlyArray<{ readonly queue: QueueTable; readonly where: ReadonlyArray<string> }> = [
        { queue: "webhook_delivery", where: [lane(0), lane(1)] },
        { queue: "email", where: ["due_at is not null"] },
        { queue: "cv", where: ["due_at is not null"] },
        { queue: "evaluation", where: ["due_at is not null"] },
        { queue: "recording", where: ["due_at is not null"] },
        { queue: "ats_report", where: ["due_at is not null"] },
      ]
      const earliest = queues.map(({ queue, where }) => ({
        queue,
        due_at: `least(${where
          .map(
            (is) => `(select case when claim_id is null then due_at else greatest(due_at, leased_until) end
          from ${queue} where ${is} and ${isFree} order by due_at limit 1)`,
          )
          .join(", ")})`,
        count: where
          .map(
            (is) =>
              `(select count(*) from (select from ${queue} where ${is} and due_at <= at and ${isFree} limit ${maxCount}) due)::int`,
          )
          .join(" + "),
      }))
      // waiting retries have a due_at in the future
      const waited = (due: string) => `coalesce(greatest(extract(epoch from at - ${due}), 0), 0)::float8`
      const oldest = sql.literal(waited(`least(${earliest.map(({ due_at }) => due_at).join(", ")})`))
      const each = sql.literal(
        earliest
          .map(
            ({ count, due_at, queue }) =>
              `json_build_object('queue', '${queue}', 'due', least(${count}, ${maxCount}), 'oldest_due', ${waited(due_at)})`,
          )
          .join(", "),
      )
      return {
        schemaNeeded: newestMigration(),
        /** `oldest_due`: seconds, of all queues. */
        readiness: Effect.gen(function* () {
          const row = first(
            yield* sql<{ schema: number; oldest_due: number }>`
              select (select coalesce(max(migration_id), 0) from schema_migrations)::int as schema, ${oldest} as oldest_due
              from (select ${yield* now} as at) n`,
          )
          return yield* Effect.fromNullishOr(row)
        }).pipe(Effect.orDie),
        read: Effect.gen(function* () {
          const row = first(
            yield* sql<DatabaseStatistics>`
              select json_build_array(${each}) as queues,
                (select json_build_object('active', count(*) filter (where status = 'active'),
                  'inactive', count(*) filter (where status = 'inactive'))
                  from webhook_endpoint where deleted_at is null) as endpoints,
                (select count(*)::int from organization_move where ended_at is null) as open_moves,
                (select json_build_object('active', count(*) filter (where state = 'active'),
                  'idle', count(*) filter (where state = 'idle'),
                  'in_transaction', count(*) filter (where state like 'idle in transaction%'))
                  from pg_stat_activity
                  where datname = current_database() and application_name = ${applicationName}) as connections
              from (select ${yield* now} as at) n`,
          )
          return yield* Effect.fromNullishOr(row)
        }).pipe(Effect.orDie),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
