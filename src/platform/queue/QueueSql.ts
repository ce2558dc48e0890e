/**
 * Fragments of statements on the rows of the job tables: claims and settlements. QueueRepository.ts releases rows, and starts
 * them alone.
 *
 * - A claim writes a new `claim_id` and a lease. No lock is held while the job runs. The row is free again when its
 *   `claim_id` is null, when the lease has ended, or when the process that claimed it has ended (ProcessHeartbeats.ts).
 * - A process that others have ended, and that does not know it yet, claims with a lease only.
 * - A claim writes no indexed column, so the update stays in the row's page (HOT). A statement that clears `claim_id`
 *   frees the row.
 * - A settlement is ignored after another claim of the row.
 * - `attempts` counts settled attempts.
 * - `unended_attempts` counts attempts that began and have not ended, because the process was killed or the job died. A
 *   settlement sets 0, a release as "unclaimed" subtracts the attempt.
 * - Attempts up to `maxBesideOthers` count when they are claimed. Later ones run alone, one at a time in a process, so that
 *   a job in flight beside a failing one is not abandoned with it. A claim makes them 'waiting' in `alone`, and `startAlone`
 *   makes them 'started' and counts them: a process that is killed while the job waits does not count.
 * - A job that dies while it runs alone is released as "started" at `maxUnended`: the failure is its own.
 */
import { Context, Duration, Effect } from "effect"
import type { Statement } from "effect/sql"
import { ClaimId, type OrganizationId } from "../../values/Ids.ts"
import { later } from "../database/Database.ts"
import type { Sql } from "../database/Sql.ts"
import type { Ids } from "../NewIds.ts"

export const queueTables = ["webhook_delivery", "email", "cv", "evaluation", "recording", "ats_report"] as const

export type QueueTable = (typeof queueTables)[number]

/** The process that claims, processes that have ended, and queues that are paused (ProcessHeartbeats.ts). */
export interface Claimer {
  readonly id: number | null
  readonly ended: ReadonlyArray<number>
  readonly paused?: ReadonlyArray<string>
}

/** Claims of no process: others take them over when their leases end. */
export const leasesOnly: Claimer = { id: null, ended: [] }

export const CurrentClaimer = Context.Reference<() => Claimer>("interview-invitations/platform/queue/CurrentClaimer", {
  defaultValue: () => () => leasesOnly,
})

/** Of a job that requests something with a timeout: the attempt, after it waited as long for a worker slot and for a partition slot. */
export const leaseOf = (timeout: Duration.Duration): Duration.Duration =>
  Duration.sum(Duration.times(timeout, 3), Duration.seconds(30))

export interface Claim {
  readonly limit: number
  /** At least three times the job's timeout. */
  readonly lease: Duration.Duration
  readonly claimId: ClaimId
  readonly claimer: Claimer
  /** Claims rows of this organization only. */
  readonly organization?: OrganizationId
}

/** Whether a claim may take the row of the table `q`. */
export const isClaimable = (sql: Sql, { organization }: Claim): Statement.Fragment =>
  organization === undefined ? sql`true` : sql`q.organization_id = ${organization}::int`

export const newClaim = (ids: Ids["Service"], limit: number, lease: Duration.Duration): Effect.Effect<Claim> =>
  Effect.flatMap(CurrentClaimer, (claimer) =>
    Effect.map(ids.make(ClaimId), (claimId) => ({ limit, lease, claimId, claimer: claimer() })),
  )

export interface Claimed {
  readonly id: string
  readonly claim_id: ClaimId
  readonly attempts: number
  readonly unended_attempts: number
  readonly alone: "waiting" | "started" | null
  /** null when the queuing trace was not sampled. */
  readonly traceparent?: string | null
}

/** `unended_attempts` of a row whose next attempt runs alone. */
export const maxBesideOthers = 2
/**
 * `unended_attempts` of a row that ends without another attempt. There are three attempts alone, because processes are also
 * killed from outside: with one, random kills abandoned 1 delivery of 3,000, and with two still 1 in a few of many runs
 * (test/system/faults/Kill.test.ts).
 */
export const maxUnended = 5
/** `unended_attempts` of a row that a person has cancelled: it ends without another attempt, and says why. */
export const cancelledAttempts = 30_000

/** `delay`: until the next attempt of a row that stays queued. */
export interface Settlement {
  readonly id: string
  readonly claim_id: ClaimId
  readonly state: string
  readonly delay: Duration.Duration | undefined
}

/** The type of its ids. */
export const idType = (sql: Sql, table: QueueTable) => sql.literal(table === "webhook_delivery" ? "bigint" : "uuid")

/** Whether no living process holds the row of the table `q`. */
export const isFree = (
  sql: Sql,
  q: string,
  now: Statement.Fragment,
  ended: ReadonlyArray<number>,
): Statement.Fragment =>
  sql`(${sql.literal(q)}.claim_id is null or coalesce(${sql.literal(q)}.leased_until <= ${now}, true)
    or ${sql.literal(q)}.claimed_by = any(${ended.map(String)}::int[]))`

/**
 * The claiming UPDATE for a `with claimed as (…)`; returns whole rows. `due` selects and locks the ctids; by default
 * those of the rows due longest. In an array, because the planner may run the subquery of an `in (…)` once per row: each
 * run skips the rows claimed before, and the limit has no effect.
 */
export const claimRows = (
  sql: Sql,
  table: QueueTable,
  claim: Claim,
  now: Statement.Fragment,
  due: Statement.Fragment = sql`
    select ctid from ${sql(table)} q where due_at is not null and due_at <= ${now}
      and ${isFree(sql, "q", now, claim.claimer.ended)} and ${isClaimable(sql, claim)}
    order by due_at limit ${claim.limit}::int for update skip locked`,
): Statement.Fragment => sql`
  update ${sql(table)} set claim_id = ${claim.claimId}::uuid,
    claimed_by = (select id from worker_process where id = ${claim.claimer.id}::int and ended_at is null),
    leased_until = ${now} + ${Duration.toMillis(claim.lease)}::float8 * interval '1 millisecond',
    unended_attempts = unended_attempts + case when unended_attempts < ${maxBesideOthers}::int then 1 else 0 end,
    alone = case when unended_attempts >= ${maxBesideOthers}::int and unended_attempts < ${maxUnended}::int then 'waiting' end
  where ctid = any(array(${due}))
  returning *`

/**
 * Returns the settled rows. `extra.set` assigns the table's own columns from `extra.columns` of `r`, from those that
 * `extra.computed` adds, and from the time `r.now`: Citus refuses stable functions in `set` (docs/citus.md).
 */
export const settleRows = <Row extends Settlement>(
  sql: Sql,
  table: QueueTable,
  settlements: ReadonlyArray<Row>,
  now: Statement.Fragment,
  extra: { readonly columns: string; readonly computed?: Statement.Fragment; readonly set: Statement.Fragment },
): Statement.Fragment => sql`
  update ${sql(table)} q set state = r.state, attempts = q.attempts + 1, unended_attempts = 0, alone = null,
    claim_id = null,
    due_at = case when r.state = 'queued' then ${later(sql, sql`r.now`, sql`coalesce(r.delay_ms, 0) * interval '1 millisecond'`)} end,
    ${extra.set}
  from (
    select r.*, ${now} as now${extra.computed === undefined ? sql`` : sql`, ${extra.computed}`}
    from jsonb_to_recordset(${JSON.stringify(settlements.map(toRow))}::text::jsonb)
      as r(id text, claim_id uuid, state text, delay_ms float8, ${sql.literal(extra.columns)})
  ) r
  where q.id = r.id::${idType(sql, table)} and q.claim_id = r.claim_id
  returning q.*`

const toRow = ({ delay, ...row }: Settlement) => ({
  ...row,
  delay_ms: delay === undefined ? null : Duration.toMillis(delay),
})

/** Assigns the columns without the released attempt. */
export const uncounted = `alone = null,
  unended_attempts = case when alone = 'waiting' then unended_attempts else greatest(unended_attempts - 1, 0) end`
