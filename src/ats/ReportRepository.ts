/** Stores the queue of reports to hiring systems. */
import { Context, Effect, Layer } from "effect"
import { Database, recordset } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import * as Queue from "../platform/queue/QueueSql.ts"
import type { ConnectionId, OrderId, OrganizationId } from "../values/Ids.ts"
import type { HiringSystem } from "./HiringSystem.ts"

export interface ReportJob extends Queue.Claimed {
  /** Null: the job synchronizes the connection. */
  readonly order_id: OrderId | null
  readonly organization_id: OrganizationId
  readonly connection_id: ConnectionId
  readonly changes: number
  readonly system: HiringSystem
  /** Encrypted. */
  readonly credentials: Uint8Array
}

/**
 * `status`, `error`: the request's result. `sent`: whether the log of exchanges gets an entry. `answered`: whether the hiring
 * system accepted a request; the connection's reports that failed before are then sent again.
 */
export interface ReportSettlement extends Queue.Settlement {
  readonly state: "queued" | "reported" | "failed" | "parked"
  readonly changes: number
  readonly sent: boolean
  readonly answered: boolean
  readonly status: number | null
  readonly error: string | null
}

/** Errors are the hiring system's own words about the order. */
export const personalReports: PersonalTable = {
  table: "ats_report",
  kept: ["alone", "state", "traceparent"],
  rows: "t.order_id in (select id from ats_order where submission_id = any(p.submissions))",
  cleared: ["last_error"],
}

export class ReportRepository extends Context.Service<ReportRepository>()(
  "interview-invitations/ats/ReportRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql, transaction } = yield* Database
      return {
        /** Claims at most `max` reports of one connection, less those `inFlight`, by connection. */
        claim: Effect.fnUntraced(function* (claim: Queue.Claim, max: number, inFlight: ReadonlyMap<string, number>) {
          const at = yield* now
          const busy = [...inFlight].map(([connection, count]) => ({ connection, count }))
          // one look at the index per connection: `distinct` read all of 200,000 due rows, in 52 ms instead of 1 ms
          const due = sql`
            with recursive busy as (
              (select connection_id from ats_report where due_at is not null order by connection_id limit 1)
              union all
              select (select n.connection_id from ats_report n where n.due_at is not null and n.connection_id > b.connection_id
                order by n.connection_id limit 1)
              from busy b where b.connection_id is not null
            )
            select q.ctid from (select connection_id from busy where connection_id is not null) c
            left join ${recordset(sql, busy, "connection uuid, count integer")} on r.connection = c.connection_id
            cross join lateral (
              select q.ctid, q.due_at from ats_report q
              where q.connection_id = c.connection_id and q.due_at is not null and q.due_at <= ${at}
                and ${Queue.isFree(sql, "q", at, claim.claimer.ended)}
              order by q.due_at limit greatest(${max}::int - coalesce(r.count, 0), 0) for update skip locked
            ) q
            order by q.due_at limit ${claim.limit}::int`
          return yield* sql<ReportJob>`
            with claimed as (${Queue.claimRows(sql, "ats_report", claim, at, due)})
            select q.id, q.order_id, q.claim_id, q.attempts, q.unended_attempts, q.alone, q.organization_id, q.connection_id,
              q.changes, q.traceparent, c.system, c.credentials
            from claimed q join ats_connection c on c.id = q.connection_id order by q.due_at, q.id`
        }),
        /**
         * Settles reports, logs the exchanges, and queues reports again that changed while they were being sent. If the hiring
         * system answers, also queues the connection's reports that failed or wait for a later attempt, each once per change of
         * its order: a report that fails while others are accepted is not sent with each of them.
         */
        settleJobs: (settlements: ReadonlyArray<ReportSettlement>) =>
          transaction(
            Effect.gen(function* () {
              const at = yield* now
              // lock order: connections before reports, as when a connection is removed; the log's foreign key locks it too
              yield* sql`
                select from ats_connection c where c.id in (
                  select q.connection_id from ats_report q where q.id = any(${settlements.map(({ id }) => id)}::uuid[]))
                order by c.id for key share`
              // in the order of the trigger that queues reports
              yield* sql`
                select from ats_report where id = any(${settlements.map(({ id }) => id)}::uuid[]) order by id for no key update`
              const settled = yield* sql<{ id: string }>`
                with settled as (${Queue.settleRows(sql, "ats_report", settlements, at, {
                  columns: "error text, sent boolean, status integer, changes integer",
                  set: sql`last_error = r.error, failed_at = case when r.state = 'failed' then r.now else q.failed_at end,
                    reported_at = case when r.state = 'reported' then r.now else q.reported_at end`,
                })}), logged as (
                  insert into ats_exchange (organization_id, connection_id, at, operation, order_id, status, error)
                  select s.organization_id, s.connection_id, ${at},
                    case when s.order_id is null then 'synchronize' else 'report' end, s.order_id, r.status, r.error
                  from settled s join ${recordset(
                    sql,
                    settlements.map(({ error, id, sent, status }) => ({ error, id, sent, status })),
                    "id uuid, sent boolean, status integer, error text",
                  )} on r.id = s.id
                  where r.sent
                )
                select id from settled`
              const changed = settlements.map(({ changes, id }) => ({ changes, id }))
              yield* sql`
                update ats_report q set state = 'queued', due_at = ${at}, attempts = 0
                from ${recordset(sql, changed, "id uuid, changes integer")}
                where q.id = r.id and q.id = any(${settled.map(({ id }) => id)}::uuid[]) and q.changes > r.changes
                  and q.state <> 'queued'`
              // a report of a connection that was paused or removed meanwhile is not settled
              const ids = new Set(settled.map(({ id }) => id))
              const answeredIds = settlements.flatMap(({ answered, id }) => (answered && ids.has(id) ? [id] : []))
              if (answeredIds.length > 0) {
                yield* sql`
                  update ats_report q set state = 'queued', due_at = ${at}, sent_again = q.changes,
                    attempts = case when q.state = 'failed' then 0 else q.attempts end
                  where q.id = any(array(
                    select w.id from ats_report w
                    where w.connection_id in (
                        select a.connection_id from ats_report a join ats_connection c on c.id = a.connection_id
                        where a.id = any(${answeredIds}::uuid[]) and c.status = 'active')
                      and w.order_id is not null and w.last_error is not null and w.claim_id is null
                      and (w.state = 'failed' or (w.state = 'queued' and w.due_at > ${at}))
                      and w.sent_again is distinct from w.changes
                    order by w.id for update skip locked))`
              }
            }),
          ),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
