/**
 * Deletes what is older than its retention: the history's partitions, old events, and the deliveries of deleted endpoints.
 * Each call does a limited part, so that no lock is held for long.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../platform/database/Database.ts"

const noEvent = "00000000-0000-0000-0000-000000000000"
/** Rows that one statement deletes. */
const batch = 5000
const day = 86_400_000

/** The history's partition of the day that begins at `start`; its name is the day in UTC. */
const partitionOf = (start: Date) => `webhook_delivery_history_${start.toISOString().slice(0, 10).replaceAll("-", "")}`

/** The smallest UUID version 7 that can be made at a time: ids of events begin with the time they were made. */
const leastId = (at: Date) =>
  at
    .getTime()
    .toString(16)
    .padStart(12, "0")
    .replace(/^(.{8})(.{4})$/, "$1-$2-7000-8000-000000000000")

export class RetentionRepository extends Context.Service<
  RetentionRepository,
  {
    /**
     * Makes the history's partitions of the day of `at` and of those that follow. A day that has rows in the default
     * partition already stays there, and its rows are deleted one by one when their time comes.
     */
    readonly makePartitions: (at: Date, days: number) => Effect.Effect<void>
    /** Drops the partitions of days that were over at `before`; returns how many. */
    readonly dropPartitions: (before: Date) => Effect.Effect<number>
    /** Deletes some rows of the default partition that finished before then; returns how many. */
    readonly deleteHistory: (before: Date) => Effect.Effect<number>
    /** Deletes some events that were made before then, and neither wait for a delivery nor were sent again since. */
    readonly deleteEvents: (before: Date) => Effect.Effect<number>
    /** Deletes some deliveries of deleted endpoints, and an hour later the endpoints themselves; returns how many rows. */
    readonly deleteEndpoints: Effect.Effect<number>
  }
>()("interview-invitations/privacy/RetentionRepository") {
  static readonly layer = Layer.effect(
    RetentionRepository,
    Effect.gen(function* () {
      const { now, sql, transaction } = yield* Database
      /** The last event that was looked at. */
      let after = noEvent
      // whoever waits for a lock on the history holds up all who write it: better to try again at the next time;
      // of several pods one does it, and the others find it done
      const briefly = Effect.andThen(
        sql`set local lock_timeout = '2s'`.unprepared,
        sql`select pg_advisory_xact_lock(hashtext('webhook_delivery_history'))`,
      )

      return RetentionRepository.of({
        makePartitions: Effect.fnUntraced(function* (at, days) {
          const first = Math.floor(at.getTime() / day) * day
          const missing = yield* sql<{ day: Date }>`
            select day from unnest(${Array.from({ length: days }, (_, i) => new Date(first + i * day))}::timestamptz[]) as day
            where to_regclass('webhook_delivery_history_' || to_char(day at time zone 'UTC', 'YYYYMMDD')) is null
              and not exists (select from webhook_delivery_history_default
                where finished_at >= day and finished_at < day + interval '1 day')`
          for (const { day: start } of missing) {
            const [from, to] = [start, new Date(start.getTime() + day)].map((time) => time.toISOString())
            yield* transaction(
              Effect.andThen(
                briefly,
                sql`create table if not exists ${sql(partitionOf(start))} partition of webhook_delivery_history
                  for values from (${sql.literal(`'${from}'`)}) to (${sql.literal(`'${to}'`)})`.unprepared,
              ),
            )
          }
        }, Effect.orDie),
        dropPartitions: Effect.fnUntraced(function* (before) {
          const old = yield* sql<{ name: string }>`
            select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
            where i.inhparent = 'webhook_delivery_history'::regclass and c.relname ~ '_[0-9]{8}$'
              and c.relname collate "C" < ${partitionOf(before)}
            order by c.relname`
          for (const { name } of old) {
            yield* transaction(Effect.andThen(briefly, sql`drop table if exists ${sql(name)}`.unprepared))
          }
          return old.length
        }, Effect.orDie),
        deleteHistory: Effect.fnUntraced(function* (before) {
          const rows = yield* sql`
            delete from webhook_delivery_history_default where (id, finished_at) in (
              select id, finished_at from webhook_delivery_history_default where finished_at < ${before}::timestamptz
              limit ${batch}::int)
            returning id`
          return rows.length
        }, Effect.orDie),
        deleteEvents: Effect.fnUntraced(function* (before) {
          // Events that a parked delivery waits for stay, and may be any number: each call goes on behind the last one. What
          // is queued for events that old is little, and is read once: it has no index by event, and joined to it the
          // planner may read it once for each event. The conditions on the row itself stand outside too: one that is sent
          // again meanwhile is looked at anew.
          while (true) {
            const [piece] = yield* sql<{ last: string | null; deleted: number }>`
              with candidates as materialized (
                select id from webhook_event
                where id > ${after}::uuid and id < ${leastId(before)}::uuid
                  and (resent_at is null or resent_at < ${before}::timestamptz)
                order by id limit ${batch}::int
              ), awaited as materialized (
                select distinct event_id from webhook_delivery
                where due_at is not null and event_id < ${leastId(before)}::uuid
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
        }, Effect.orDie),
        deleteEndpoints: Effect.gen(function* () {
          const rows = yield* sql`
            delete from webhook_delivery where id = any(array(
              select d.id from webhook_endpoint e cross join lateral (
                select id from webhook_delivery where endpoint_id = e.id limit ${batch}::int for update skip locked
              ) d
              where e.deleted_at is not null limit ${batch}::int))
            returning id`
          if (rows.length > 0) return rows.length
          // Nothing that saw the endpoint alive writes a delivery for it any more (sql/05_webhooks.sql). One after the
          // other, as settlements lock them.
          const gone = yield* sql`
            delete from webhook_endpoint where id = any(array(
              select e.id from webhook_endpoint e where e.deleted_at < ${yield* now} - interval '1 hour'
                and not exists (select from webhook_delivery d where d.endpoint_id = e.id)
              order by e.id for update skip locked))
            returning id`
          return gone.length
        }).pipe(Effect.orDie),
      })
    }),
  )
}
