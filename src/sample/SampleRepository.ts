/** Stores what makes an organization the sample organization, and deletes all its rows. */
import { Context, Effect, Layer } from "effect"
import * as AdvisoryLocks from "../platform/database/AdvisoryLocks.ts"
import { Database, first, later, recordset } from "../platform/database/Database.ts"
import { ownedTables } from "../platform/database/OrganizationRowsSql.ts"
import type { QueueTable } from "../platform/queue/QueueSql.ts"
import type { BlobId, EndpointId, EventId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { Attempt } from "../webhooks/deliveries/Delivery.ts"

/** `filling`: its data is being created, or the process that created it was killed. */
export type SampleState = "filling" | "ready"

export interface SampleOrganization {
  readonly id: OrganizationId
  readonly name: string
  readonly state: SampleState
  /** The address of its owner; null: there is none yet. */
  readonly owner: string | null
}

/** A delivery that is no longer queued, and that no worker saw. */
export interface TakenDelivery {
  readonly id: string
  readonly endpoint_id: EndpointId
  readonly event_id: EventId
  readonly created_at: Date
}

export interface EndedDelivery extends TakenDelivery {
  readonly finished_at: Date
  readonly state: "delivered" | "failed"
  readonly attempt_log: ReadonlyArray<Attempt>
}

const deliveryColumns =
  "id bigint, endpoint_id uuid, event_id uuid, created_at timestamptz, finished_at timestamptz, state text, attempt_log jsonb"

export class SampleRepository extends Context.Service<SampleRepository>()(
  "interview-invitations/sample/SampleRepository",
  {
    make: Effect.gen(function* () {
      const { nameInSchema, now, sql } = yield* Database
      return {
        find: Effect.gen(function* () {
          return first(
            yield* sql<SampleOrganization>`
              select o.id, o.name, o.sample as state, (
                select m.email from member m
                where m.organization_id = o.id and m.role = 'owner' and m.deactivated_at is null
                order by m.created_at, m.id limit 1) as owner
              from organization o where o.sample is not null order by o.id limit 1`,
          )
        }),
        /** Needs a transaction. Undefined: there is one already. */
        insert: Effect.fnUntraced(function* (name: string) {
          yield* sql`select ${AdvisoryLocks.lock({ nameInSchema, sql }, "the sample organization")}`
          const rows = yield* sql<{ id: OrganizationId }>`
            insert into organization (name, sample, created_at)
            select ${name}, 'filling', ${yield* now} where not exists (select from organization where sample is not null)
            returning id`
          return first(rows)?.id
        }),
        setReady: (organization: OrganizationId) => sql`
          update organization set sample = 'ready' where id = ${organization}::int and sample is not null`,
        /** Queued jobs of the submission are not due before a hundred years: their state stays. */
        hold: (
          table: Exclude<QueueTable, "webhook_delivery" | "email" | "ats_report">,
          submission: SubmissionId,
        ) => sql`
          update ${sql(table)} j set due_at = ${later(sql, sql`j.due_at`, sql`interval '876000 hours'`)}, claim_id = null
          from organization o
          where j.submission_id = ${submission}::uuid and j.state = 'queued' and o.id = j.organization_id
            and o.sample is not null`,
        /** Sets the times of the last changes, which triggers set to the present, to those of the changes. */
        dateChanges: Effect.fnUntraced(function* (organization: OrganizationId) {
          yield* sql`
            update submission b set updated_at = greatest(b.created_at, b.initiated_at, b.started_at, b.completed_at,
              b.declined_at, b.reviewed_at, b.decided_at, b.stage_moved_at, case when b.status = 'expired' then b.expires_at end)
            where b.organization_id = ${organization}::int`
          yield* sql`
            update submission_score k set updated_at = (
              select coalesce(max(e.evaluated_at), k.updated_at) from evaluation e where e.submission_id = k.submission_id)
            where k.organization_id = ${organization}::int`
          yield* sql`
            update invitation i set updated_at = greatest(i.created_at, i.sent_at, i.delivered_at, i.opened_at, i.clicked_at,
              i.failed_at, i.cancelled_at, case when i.status = 'expired' then i.expires_at end)
            where i.organization_id = ${organization}::int`
          yield* sql`
            update interview_set s set updated_at = s.created_at where s.organization_id = ${organization}::int`
        }),
        /** Deletes the queued deliveries. In the transaction that queued them, no worker sees them. */
        takeDeliveries: Effect.fnUntraced(function* (organization: OrganizationId) {
          const taken = yield* sql<TakenDelivery>`
            delete from webhook_delivery d where d.organization_id = ${organization}::int
              and d.endpoint_id in (select id from webhook_endpoint where organization_id = ${organization}::int)
            returning d.id::text as id, d.endpoint_id, d.event_id, d.created_at`
          return taken.toSorted((one, other) => Number(one.id) - Number(other.id))
        }),
        /** Also counts the attempts by hour, and sets the health of the endpoints after the last attempt. */
        insertDeliveries: Effect.fnUntraced(function* (
          organization: OrganizationId,
          deliveries: ReadonlyArray<EndedDelivery>,
        ) {
          const rows = recordset(sql, deliveries, deliveryColumns)
          yield* sql`
            insert into webhook_delivery_history (id, organization_id, endpoint_id, event_id, attempt_log, created_at,
              finished_at, state, attempts)
            select r.id, ${organization}::int, r.endpoint_id, r.event_id, r.attempt_log, r.created_at, r.finished_at,
              r.state, jsonb_array_length(r.attempt_log)
            from ${rows}`
          yield* sql`
            with attempt as materialized (
              select r.endpoint_id, (a.value ->> 'at')::timestamptz as at, a.value ->> 'error' as error
              from ${rows} cross join jsonb_array_elements(r.attempt_log) a
            ), counted as (
              insert into webhook_endpoint_hour (endpoint_id, hour, delivered, failed)
              select endpoint_id, date_trunc('hour', at), count(*) filter (where error is null), count(error)
              from attempt group by 1, 2
            ), health as (
              select endpoint_id, max(at) filter (where error is null) as success,
                max(at) filter (where error is not null) as failure,
                (array_agg(error order by at desc) filter (where error is not null))[1] as error
              from attempt group by endpoint_id
            )
            update webhook_endpoint e set last_success_at = h.success, last_failure_at = h.failure, last_error = h.error,
              consecutive_failures = (select count(*) from attempt a
                where a.endpoint_id = h.endpoint_id and a.at > coalesce(h.success, '-infinity'))
            from health h where e.id = h.endpoint_id and e.organization_id = ${organization}::int`
        }),
        files: Effect.fnUntraced(function* (organization: OrganizationId) {
          const rows = yield* sql<{ id: BlobId }>`select id from blob where organization_id = ${organization}::int`
          return rows.map(({ id }) => ({ id, organization }))
        }),
        /**
         * Deletes the sample organization and all its rows; of an ordinary organization none. Needs a transaction. Reads
         * from the catalogue which tables have rows of organizations: those with a column organization_id.
         */
        remove: Effect.fnUntraced(function* (organization: OrganizationId) {
          // waits for transactions that write rows of the organization; later ones wait for this one and fail
          const found = yield* sql`
            select from organization where id = ${organization}::int and sample is not null for update`
          if (found.length === 0) return false
          yield* sql`
            delete from webhook_endpoint_hour where endpoint_id in (
              select id from webhook_endpoint where organization_id = ${organization}::int)`
          for (const { table } of yield* ownedTables(sql)) {
            yield* sql`delete from ${sql(table)} where organization_id = ${organization}::int`
          }
          yield* sql`delete from organization where id = ${organization}::int`
          return true
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
