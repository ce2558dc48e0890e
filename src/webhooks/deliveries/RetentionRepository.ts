/** Deletes old events, deliveries and history partitions in batches, to keep locks short. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../platform/database/Database.ts"
import { dayPartitions } from "../../platform/database/DayPartitions.ts"
import { minIdOf } from "../../platform/NewIds.ts"

const noEvent = "00000000-0000-0000-0000-000000000000"
const batch = 5000

export class RetentionRepository extends Context.Service<RetentionRepository>()(
  "interview-invitations/webhooks/deliveries/RetentionRepository",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const { now, sql, transaction } = database
      const partitions = dayPartitions(database, "webhook_delivery_history", "finished_at")
      let after = noEvent

      return {
        makePartitions: partitions.make,
        dropPartitions: partitions.drop,
        /** Deletes a batch of the default partition. */
        deleteHistory: Effect.fnUntraced(function* (before: Date) {
          const rows = yield* sql`
            delete from webhook_delivery_history_default where (id, finished_at) in (
              select id, finished_at from webhook_delivery_history_default where finished_at < ${before}::timestamptz
                and organization_id <> all(array(select id from suspended_organization))
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
                where id > ${after}::uuid and id < ${minIdOf(before)}::uuid
                  and organization_id <> all(array(select id from suspended_organization))
                  and (resent_at is null or resent_at < ${before}::timestamptz)
                order by id limit ${batch}::int
              ), awaited as materialized (
                select distinct event_id from webhook_delivery
                where due_at is not null and event_id < ${minIdOf(before)}::uuid
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
        /** Deletes their deliveries, and the endpoints an hour after `deleted_at`, with their counts. */
        deleteEndpoints: Effect.gen(function* () {
          const rows = yield* sql`
            delete from webhook_delivery where id = any(array(
              select d.id from webhook_endpoint e cross join lateral (
                select id from webhook_delivery where endpoint_id = e.id limit ${batch}::int for update skip locked
              ) d
              where e.deleted_at is not null and e.organization_id <> all(array(select id from suspended_organization))
              limit ${batch}::int))
            returning id`
          if (rows.length > 0) return rows.length
          // After an hour no transaction inserts deliveries for them (sql/09_webhooks.sql). Locks in the order of
          // settlements.
          const gone = yield* sql<{ id: string }>`
            delete from webhook_endpoint where id = any(array(
              select e.id from webhook_endpoint e where e.deleted_at < ${yield* now} - interval '1 hour'
                and e.organization_id <> all(array(select id from suspended_organization))
                and not exists (select from webhook_delivery d where d.endpoint_id = e.id)
              order by e.id for update skip locked))
            returning id`
          const ids = gone.map(({ id }) => id)
          if (ids.length > 0) {
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
