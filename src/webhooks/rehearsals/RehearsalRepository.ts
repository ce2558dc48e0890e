/** Stores rehearsals and their steps. */
import { Context, Duration, Effect, Layer } from "effect"
import { clock, Database, first } from "../../platform/database/Database.ts"
import { type Positioned, paging } from "../../platform/database/Paging.ts"
import type { PersonalTable } from "../../platform/database/PersonalData.ts"
import { makeLongRunSql, type RunClaim } from "../../platform/queue/LongRunSql.ts"
import type { PageRequest } from "../../values/Cursor.ts"
import type { ClaimId, EndpointId, OrganizationId, RehearsalId } from "../../values/Ids.ts"
import { takeSlots } from "../deliveries/EndpointRateSql.ts"
import { countOf, maxRehearsals, type RehearsalState, type RehearsalStep } from "./Rehearsal.ts"

export interface RehearsalRow {
  readonly id: RehearsalId
  readonly endpoint_id: EndpointId
  readonly url: string
  readonly state: RehearsalState
  readonly reason: string | null
  readonly passed: number
  readonly warnings: number
  readonly failed: number
  readonly skipped: number
  readonly created_at: Date
  readonly ended_at: Date | null
}

export interface RehearsalWithSteps extends RehearsalRow {
  readonly steps: ReadonlyArray<RehearsalStep>
}

/** A rehearsal that this process works on. */
export interface ClaimedRehearsal {
  readonly id: RehearsalId
  readonly organization_id: OrganizationId
  readonly endpoint_id: EndpointId
  readonly url: string
  readonly steps: ReadonlyArray<RehearsalStep>
  readonly created_at: Date
}

/** The samples are about an invented candidate. */
export const personalRehearsals: ReadonlyArray<PersonalTable> = [
  { table: "rehearsal", kept: ["url", "state", "reason", "steps"] },
]

export class RehearsalRepository extends Context.Service<RehearsalRepository>()(
  "interview-invitations/webhooks/rehearsals/RehearsalRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { claimDue, end, isClaimed, leasedFor, postpone, release, renew } = yield* makeLongRunSql("rehearsal")
      const columns = sql`r.id, r.endpoint_id, r.url, r.state, r.reason, r.passed, r.warnings, r.failed, r.skipped, r.created_at,
        r.ended_at`
      const isOf = (organization: OrganizationId, endpoint: EndpointId, id: RehearsalId) => sql`
        r.id = ${id}::uuid and r.endpoint_id = ${endpoint}::uuid and r.organization_id = ${organization}::int`
      return {
        /** False: another one of the endpoint is running. Deletes the oldest ones above `maxRehearsals`. */
        insert: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { endpoint, id, url }: { readonly id: RehearsalId; readonly endpoint: EndpointId; readonly url: string },
        ) {
          const at = yield* now
          const made = yield* sql`
            insert into rehearsal (id, organization_id, endpoint_id, url, created_at, next_at)
            values (${id}::uuid, ${organization}::int, ${endpoint}::uuid, ${url}, ${at}, ${at})
            on conflict (endpoint_id) where state = 'running' do nothing returning id`
          if (made.length === 0) return false
          yield* sql`
            delete from rehearsal where organization_id = ${organization}::int and id in (
              select r.id from rehearsal r where r.endpoint_id = ${endpoint}::uuid and r.organization_id = ${organization}::int
              order by r.created_at desc, r.id desc offset ${maxRehearsals}::int)`
          return true
        }),
        /** How many of the stored ones began after this time. */
        begunSince: Effect.fnUntraced(function* (organization: OrganizationId, endpoint: EndpointId, since: Date) {
          const rows = yield* sql<{ begun: number }>`
            select count(*)::int as begun from rehearsal r where r.organization_id = ${organization}::int
              and r.endpoint_id = ${endpoint}::uuid and r.created_at > ${since}::timestamptz`
          return first(rows)?.begun ?? 0
        }),
        find: Effect.fnUntraced(function* (organization: OrganizationId, endpoint: EndpointId, id: RehearsalId) {
          return first(
            yield* sql<RehearsalWithSteps>`
              select ${columns}, r.steps from rehearsal r where ${isOf(organization, endpoint, id)}`,
          )
        }),
        /** Newest first. */
        list: Effect.fnUntraced(function* (organization: OrganizationId, endpoint: EndpointId, page: PageRequest) {
          const { behind, newestFirst, position } = paging(sql, "r", page)
          return yield* sql<Positioned<RehearsalRow>>`
            select ${columns}, ${position} from rehearsal r
            where r.organization_id = ${organization}::int and r.endpoint_id = ${endpoint}::uuid and ${behind} ${newestFirst}`
        }),
        /** Returns false when it is not running. */
        cancel: Effect.fnUntraced(function* (organization: OrganizationId, endpoint: EndpointId, id: RehearsalId) {
          const ended = yield* sql`
            update rehearsal r set ${end("cancelled")} from ${clock(sql, yield* now)}
            where ${isOf(organization, endpoint, id)} and r.state = 'running' returning r.id`
          return ended.length > 0
        }),
        /** The next ones that no other process works on; `only`: this one. */
        claim: Effect.fnUntraced(function* (claim: ClaimId, runs: RunClaim) {
          return yield* sql<ClaimedRehearsal>`
            ${yield* claimDue(claim, runs)}
            returning t.id, t.organization_id, t.endpoint_id, t.url, t.steps, t.created_at`
        }),
        renew,
        /** As `renew`. `isLast`: it is done. */
        save: Effect.fnUntraced(function* (
          id: RehearsalId,
          claim: ClaimId,
          {
            isLast,
            lease,
            steps,
          }: {
            readonly steps: ReadonlyArray<RehearsalStep>
            readonly isLast: boolean
            readonly lease: Duration.Duration
          },
        ) {
          const saved = yield* sql`
            update rehearsal t set failures = 0, steps = ${JSON.stringify(steps)}::text::jsonb,
              passed = ${countOf(steps, "passed")}::int, warnings = ${countOf(steps, "warning")}::int,
              failed = ${countOf(steps, "failed")}::int, skipped = ${countOf(steps, "skipped")}::int,
              ${isLast ? end("done") : leasedFor(lease)}
            from ${clock(sql, yield* now)} where ${isClaimed(id, claim)} returning t.id`
          return saved.length > 0
        }),
        release,
        /** Ends it with what is known. */
        stop: Effect.fnUntraced(function* (id: RehearsalId, claim: ClaimId, reason: string) {
          yield* sql`
            update rehearsal t set ${end("stopped")}, reason = ${reason} from ${clock(sql, yield* now)}
            where ${isClaimed(id, claim)}`
        }),
        fail: postpone,
        /** How long to wait until `count` requests may start at once under the endpoint's rate; zero: they may, and count. */
        takeSlots: Effect.fnUntraced(function* (endpoint: EndpointId, count: number) {
          const [row] = yield* takeSlots(sql, yield* now, endpoint, count)
          return Duration.millis(Math.ceil((row?.pause ?? 0) / 1000))
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
