/**
 * Statements on the tables of long runs (LongRun.ts). A run is due at `next_at`; the process that works on it has its
 * `claim_id`, until `leased_until`. A run that has ended has none of the three.
 */
import { Duration, Effect } from "effect"
import type { ClaimId } from "../../values/Ids.ts"
import { clock, Database, later } from "../database/Database.ts"

type LongRunTable = "counterfactual_audit" | "rehearsal" | "trial_evaluation"

export interface RunClaim {
  readonly lease: Duration.Duration
  readonly limit: number
  /** Claims this run only. */
  readonly only?: string | undefined
}

/** In fragments, the run is `t`, and `clock` is that of Database.ts. */
export const makeLongRunSql = (table: LongRunTable) =>
  Effect.gen(function* () {
    const { now, sql } = yield* Database
    const runs = sql.literal(table)
    const inTime = (time: Duration.Duration) =>
      later(sql, sql`clock.now`, sql`${Duration.toSeconds(time)}::float8 * interval '1 second'`)
    const leasedFor = (lease: Duration.Duration) => sql`leased_until = ${inTime(lease)}`
    const isClaimed = (id: string, claim: ClaimId) => sql`t.id = ${id}::uuid and t.claim_id = ${claim}::uuid`
    const end = (state: "cancelled" | "done" | "failed" | "stopped") => sql`
      state = ${state}, ended_at = clock.now, next_at = null, claim_id = null, leased_until = null`

    /** Tries again after `delay`; returns false when it failed `max` times in a row, and remains claimed. */
    const postpone = Effect.fnUntraced(function* (id: string, claim: ClaimId, max: number, delay: Duration.Duration) {
      const postponed = yield* sql`
        update ${runs} t set failures = t.failures + 1, claim_id = null, leased_until = null, next_at = ${inTime(delay)}
        from ${clock(sql, yield* now)} where ${isClaimed(id, claim)} and t.failures + 1 < ${max}::int returning t.id`
      return postponed.length > 0
    })

    return {
      /** Assigns the end of the lease. */
      leasedFor,
      isClaimed,
      /** Assigns the end of the run. */
      end,
      /** The update that claims due runs that no other process works on, without its `returning`. */
      claimDue: (claim: ClaimId, { lease, limit, only }: RunClaim) =>
        Effect.map(
          now,
          (at) => sql`
            update ${runs} t set claim_id = ${claim}::uuid, ${leasedFor(lease)} from ${clock(sql, at)}
            where t.id = any(array(
              select n.id from ${runs} n
              where n.next_at <= ${at} and (n.leased_until is null or n.leased_until <= ${at})
                and (${only ?? null}::uuid is null or n.id = ${only ?? null}::uuid)
                and n.organization_id <> all(array(select id from suspended_organization))
              order by n.next_at limit ${limit}::int for update skip locked))`,
        ),
      /** Returns false when the run was cancelled or deleted, or another process claimed it. */
      renew: Effect.fnUntraced(function* (id: string, claim: ClaimId, lease: Duration.Duration) {
        const renewed = yield* sql`
          update ${runs} t set ${leasedFor(lease)} from ${clock(sql, yield* now)}
          where ${isClaimed(id, claim)} returning t.id`
        return renewed.length > 0
      }),
      /** Lets other runs go first; this one is due after `pause`. */
      release: Effect.fnUntraced(function* (id: string, claim: ClaimId, pause: Duration.Duration = Duration.zero) {
        yield* sql`
          update ${runs} t set next_at = ${inTime(pause)}, claim_id = null, leased_until = null
          from ${clock(sql, yield* now)} where ${isClaimed(id, claim)}`
      }),
      postpone,
      /** Tries again after `delay`, or ends a run that failed `max` times in a row. */
      fail: Effect.fnUntraced(function* (id: string, claim: ClaimId, max: number, delay: Duration.Duration) {
        if (yield* postpone(id, claim, max, delay)) return
        yield* sql`
          update ${runs} t set ${end("failed")}, failures = t.failures + 1 from ${clock(sql, yield* now)}
          where ${isClaimed(id, claim)}`
      }),
    }
  })
