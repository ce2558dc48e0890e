/**
 * A row is the job: claim, settle and release for any table with the queue columns state, due_at, attempts, claim_id.
 *
 * - Claiming moves `due_at` forward by the lease and writes a fresh `claim_id`. Nothing is locked while the work runs;
 *   when a pod dies, its rows fall due again by themselves.
 * - A settlement names its claim. A worker that took longer than its lease finds another claim there, and its result
 *   is ignored: the row belongs to whoever holds it now.
 * - `attempts` counts settled attempts. What our own fault cut short is released and charged to nobody.
 */
import type { PgClient } from "@effect/sql-pg"
import { Duration } from "effect"
import type { Statement } from "effect/sql"
import type { ClaimId } from "../domain/Ids.ts"

export type QueueTable = "webhook_delivery" | "email" | "cv" | "evaluation"

export interface Claim {
  readonly limit: number
  /** Longer than the work can take: three times its timeout, or more. */
  readonly lease: Duration.Duration
  readonly claimId: ClaimId
}

/** What a worker knows of the row it holds. */
export interface Claimed {
  readonly id: string
  readonly claim_id: ClaimId
  /** Settled attempts before this one. */
  readonly attempts: number
  /** The trace in which it was queued, if anybody follows that. */
  readonly traceparent?: string | null
}

/** How an attempt ended: the row's next state, and for one that stays queued, when it is due again. */
export interface Settlement {
  readonly id: string
  readonly claim_id: ClaimId
  readonly state: string
  readonly delay: Duration.Duration | undefined
}

/**
 * The claiming UPDATE, to be put in a `with claimed as (…)`; returns the whole rows. Rows that another worker is
 * claiming in this instant are passed over, not waited for. `due` selects and locks the ids; without it, what has been
 * due longest. The ids are an array and not an `in (…)`, because a planner that takes the table for one row long runs an
 * `in (…)` once per row: each run skips what the last one claimed, and the limit is void.
 */
export const claim = (
  sql: PgClient.PgClient,
  table: QueueTable,
  { claimId, lease, limit }: Claim,
  now: Statement.Fragment,
  due: Statement.Fragment = sql`
    select id from ${sql(table)} where due_at is not null and due_at <= ${now}
    order by due_at limit ${limit}::int for update skip locked`,
): Statement.Fragment => sql`
  update ${sql(table)} set claim_id = ${claimId}::uuid, due_at = ${now} + ${Duration.toMillis(lease)}::float8 * interval '1 millisecond'
  where id = any(array(${due}))
  returning *`

/**
 * The settling UPDATE for many rows at once; returns the rows it really settled. `set` adds the table's own columns,
 * read from `r`, whose extra columns are `columns`.
 */
export const settle = <Row extends Settlement>(
  sql: PgClient.PgClient,
  table: QueueTable,
  settlements: ReadonlyArray<Row>,
  now: Statement.Fragment,
  extra: { readonly columns: string; readonly set: Statement.Fragment },
): Statement.Fragment => sql`
  update ${sql(table)} q set state = r.state, attempts = q.attempts + 1, claim_id = null,
    due_at = case when r.state = 'queued' then ${now} + coalesce(r.delay_ms, 0) * interval '1 millisecond' end,
    ${extra.set}
  from jsonb_to_recordset(${JSON.stringify(settlements.map(toRow))}::text::jsonb)
    as r(id text, claim_id uuid, state text, delay_ms float8, ${sql.literal(extra.columns)})
  where q.id = r.id::${sql.literal(table === "webhook_delivery" ? "bigint" : "uuid")} and q.claim_id = r.claim_id
  returning q.*`

const toRow = ({ delay, ...row }: Settlement) => ({
  ...row,
  delay_ms: delay === undefined ? null : Duration.toMillis(delay),
})

/** Gives claimed rows back unchanged, due `after` that: at once when we shut down, later when the fault was ours. */
export const release = (
  sql: PgClient.PgClient,
  table: QueueTable,
  claims: ReadonlyArray<Claimed>,
  after: Duration.Duration,
  now: Statement.Fragment,
) => sql`
  update ${sql(table)} q set claim_id = null, due_at = ${now} + ${Duration.toMillis(after)}::float8 * interval '1 millisecond'
  from jsonb_to_recordset(${JSON.stringify(claims)}::text::jsonb) as r(id text, claim_id uuid)
  where q.id = r.id::${sql.literal(table === "webhook_delivery" ? "bigint" : "uuid")} and q.claim_id = r.claim_id
    and q.due_at is not null`
