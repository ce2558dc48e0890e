/** Deletes old events, deliveries and history partitions in batches, to keep locks short. */
import { Context, Effect, Layer } from "effect"
import * as AdvisoryLocks from "../platform/database/AdvisoryLocks.ts"
import { Database } from "../platform/database/Database.ts"
import { isWritable } from "../platform/database/MovedOrganizations.ts"

const noEvent = "00000000-0000-0000-0000-000000000000"
const batch = 5000
const day = 86_400_000

const partitionOf = (start: Date) => `webhook_delivery_history_${start.toISOString().slice(0, 10).replaceAll("-", "")}`

/** The smallest UUID version 7 of a time. */
const minId = (at: Date) =>
  at
    .getTime()
    .toString(16)
    .padStart(12, "0")
    .replace(/^(.{8})(.{4})$/, "$1-$2-7000-8000-000000000000")

export class RetentionRepository extends Context.Service<RetentionRepository>()(
  "interview-invitations/webhooks/RetentionRepository",
  {
    make: Effect.gen(function* () {
      const { nameInSchema, now, sql, transaction } = yield* Database
      let after = noEvent
      // Waiting for a lock on the history blocks its writers, so give up after 2 s. The advisory lock admits one pod.
      const briefly = Effect.andThen(
        sql`set local lock_timeout = '2s'`.unprepared,
        sql`select ${AdvisoryLocks.lock({ nameInSchema, sql }, "webhook_delivery_history")}`,
      )

      return {
        /** Skips a day that has rows in the default partition. */
        makePartitions: Effect.fnUntraced(function* (at: Date, days: number) {
          const first = Math.floor(at.getTime() / day) * day
          const missing = yield* sql<{ day: Date }>`
            select day from unnest(${Array.from({ length: days }, (_, i) => new Date(first + i * day))}::timestamptz[]) as day
            where to_regclass('webhook_delivery_history_' || to_char(day at time zone 'UTC', 'YYYYMMDD')) is null
              and not exists (select from webhook_delivery_history_default
                where finished_at >= day and finished_at < day + interval '1 day')`
          // 'f' during a move of an organization (cells/MoveReplicationSql.ts): otherwise updates of the partition would fail
          const [parent] = yield* sql<{ isFull: boolean }>`
            select relreplident = 'f' as "isFull" from pg_class where oid = 'webhook_delivery_history'::regclass`
          for (const { day: start } of missing) {
            const [from, to] = [start, new Date(start.getTime() + day)].map((time) => time.toISOString())
            const name = partitionOf(start)
            yield* transaction(
              Effect.all(
                [
                  briefly,
                  sql`create table if not exists ${sql(name)} partition of webhook_delivery_history
                    for values from (${sql.literal(`'${from}'`)}) to (${sql.literal(`'${to}'`)})`.unprepared,
                  parent?.isFull ? sql`alter table ${sql(name)} replica identity full`.unprepared : Effect.void,
                ],
                { discard: true },
              ),
            )
          }
        }),
        dropPartitions: Effect.fnUntraced(function* (before: Date) {
          // the two cells of an open move must have the same rows
          if ((yield* sql`select from organization_move where ended_at is null`).length > 0) return 0
          const old = yield* sql<{ name: string }>`
            select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
            where i.inhparent = 'webhook_delivery_history'::regclass and c.relname ~ '_[0-9]{8}$'
              and c.relname collate "C" < ${partitionOf(before)}
            order by c.relname`
          for (const { name } of old) {
            yield* transaction(Effect.andThen(briefly, sql`drop table if exists ${sql(name)}`.unprepared))
          }
          return old.length
        }),
        /** Deletes a batch of the default partition. */
        deleteHistory: Effect.fnUntraced(function* (before: Date) {
          const rows = yield* sql`
            delete from webhook_delivery_history_default where (id, finished_at) in (
              select id, finished_at from webhook_delivery_history_default where finished_at < ${before}::timestamptz
                and ${isWritable(sql, "organization_id")}
              limit ${batch}::int)
            returning id`
          return rows.length
        }),
        /** Keeps events that a delivery waits for or that were resent since `before`. */
        deleteEvents: Effect.fnUntraced(function* (before: Date) {
          // Events with a parked delivery stay and may be many, so each call continues after the last event read.
          // Queued deliveries of old events are few, without index by event; without `materialized`, the planner may
          // read them per event. resent_at is rechecked for rows resent meanwhile.
          while (true) {
            const [piece] = yield* sql<{ last: string | null; deleted: number }>`
              with candidates as materialized (
                select id from webhook_event
                where id > ${after}::uuid and id < ${minId(before)}::uuid and ${isWritable(sql, "organization_id")}
                  and (resent_at is null or resent_at < ${before}::timestamptz)
                order by id limit ${batch}::int
              ), awaited as materialized (
                select distinct event_id from webhook_delivery
                where due_at is not null and event_id < ${minId(before)}::uuid
              ), deleted as (
                delete from webhook_event e where e.id = any(array(
                  select v.id from webhook_event v where v.id in (select id from candidates)
                    and not exists (select from awaited a where a.event_id = v.id)
                    and not exists (select from webhook_delivery d where d.event_id = v.id and d.state = 'parked')
                  order by v.id for update skip locked
                )) and (e.resent_at is null or e.resent_at < ${before}::timestamptz)
                returning e.id
              )
              select (select id from candidates order by id desc limit 1) as last, (select count(*)::int from deleted) as deleted`
            after = piece?.last ?? noEvent
            if (piece === undefined || piece.deleted > 0 || piece.last === null) return piece?.deleted ?? 0
          }
        }),
        /** Deletes their deliveries, and the endpoints an hour after `deleted_at`, with their rates and counts. */
        deleteEndpoints: Effect.gen(function* () {
          const rows = yield* sql`
            delete from webhook_delivery where id = any(array(
              select d.id from webhook_endpoint e cross join lateral (
                select id from webhook_delivery where endpoint_id = e.id limit ${batch}::int for update skip locked
              ) d
              where e.deleted_at is not null and ${isWritable(sql, "e.organization_id")} limit ${batch}::int))
            returning id`
          if (rows.length > 0) return rows.length
          // After an hour no transaction inserts deliveries for them (sql/09_webhooks.sql). Locks in the order of
          // settlements.
          const gone = yield* sql<{ id: string }>`
            delete from webhook_endpoint where id = any(array(
              select e.id from webhook_endpoint e where e.deleted_at < ${yield* now} - interval '1 hour'
                and ${isWritable(sql, "e.organization_id")}
                and not exists (select from webhook_delivery d where d.endpoint_id = e.id)
              order by e.id for update skip locked))
            returning id`
          const ids = gone.map(({ id }) => id)
          if (ids.length > 0) {
            yield* sql`delete from webhook_throttle where endpoint_id = any(${ids}::uuid[])`
            yield* sql`delete from webhook_endpoint_hour where endpoint_id = any(${ids}::uuid[])`
          }
          return gone.length
        }).pipe(transaction),
        /** Deletes counts of attempts that are too old for the charts. */
        deleteCounts: Effect.fnUntraced(function* (before: Date) {
          const rows = yield* sql`
            delete from webhook_endpoint_hour where ctid = any(array(
              select ctid from webhook_endpoint_hour where hour < ${before}::timestamptz limit ${batch}::int))
            returning endpoint_id`
          return rows.length
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
