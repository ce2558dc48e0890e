/** Stores counterfactual audits: their jobs, their numbers, and the submissions in which a score moved. */
import { Context, type Duration, Effect, Layer } from "effect"
import { clock, Database, first, recordset } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import { makeLongRunSql } from "../platform/queue/LongRunSql.ts"
import type { SubmissionPosition } from "../trial-evaluations/TrialEvaluationRepository.ts"
import type { ClaimId, CounterfactualAuditId, InterviewSetId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import { type AuditContent, type Move, maxListed, maxMoves } from "./CounterfactualAudit.ts"
import type { SwapKind } from "./Swap.ts"

export type AuditState = "running" | "done" | "cancelled" | "failed"

/** When the audit began. */
export interface AuditNames {
  readonly set: string
  readonly member: string
}

export interface ListedAudit {
  readonly id: CounterfactualAuditId
  readonly set: InterviewSetId
  readonly kinds: ReadonlyArray<SwapKind>
  /** Null: all submissions. */
  readonly sample: number | null
  /** To evaluate. */
  readonly submissions: number
  readonly evaluator: string | null
  readonly names: AuditNames
  readonly state: AuditState
  readonly made_at: Date
  readonly ended_at: Date | null
}

export interface CounterfactualAudit extends ListedAudit {
  readonly content: AuditContent
}

export interface NewAudit extends Pick<ListedAudit, "id" | "set" | "kinds" | "sample" | "submissions" | "names"> {
  readonly content: AuditContent
}

/** An audit that this process works on. */
export interface ClaimedAudit {
  readonly id: CounterfactualAuditId
  readonly organization_id: OrganizationId
  readonly set: InterviewSetId
  readonly kinds: ReadonlyArray<SwapKind>
  readonly sample: number | null
  readonly evaluator: string | null
  readonly content: AuditContent
  readonly read_created: string | null
  readonly read_id: SubmissionId | null
}

export interface StoredMove extends Move {
  readonly submission_id: SubmissionId
  readonly swap: string
}

export interface AuditProgress {
  readonly content: AuditContent
  readonly evaluator: string | null
  readonly moves: ReadonlyArray<StoredMove>
  /** Undefined: all submissions are evaluated. */
  readonly next: SubmissionPosition | undefined
}

export interface ReportedSet {
  readonly id: InterviewSetId
  readonly title: string
  /** Submissions with an evaluation. */
  readonly submissions: number
}

/** Sets that can be chosen, newest first. */
const maxSets = 500

/** Only numbers and requirements; they are deleted with the person's data. */
export const personalCounterfactuals: PersonalTable = {
  table: "counterfactual_move",
  rows: "t.submission_id = any(p.submissions)",
  key: ["counterfactual_audit_id", "submission_id", "swap", "requirement_id"],
}

export class CounterfactualAuditRepository extends Context.Service<CounterfactualAuditRepository>()(
  "interview-invitations/counterfactual/CounterfactualAuditRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { claimDue, end, fail, isClaimed, leasedFor, release, renew } =
        yield* makeLongRunSql("counterfactual_audit")
      const listed = sql`t.id, t.interview_set_id as set, t.kinds, t.sample, t.submissions, t.evaluator, t.names, t.state,
        t.made_at, t.ended_at`
      const isOf = (organization: OrganizationId, id: CounterfactualAuditId) =>
        sql`t.id = ${id}::uuid and t.organization_id = ${organization}::int`
      /** Moves `m` of submissions `b` whose score is used. */
      const used = (organization: OrganizationId, id: CounterfactualAuditId) => sql`
        from counterfactual_move m join submission b on b.id = m.submission_id and not b.score_unused
        where m.counterfactual_audit_id = ${id}::uuid and m.organization_id = ${organization}::int`
      return {
        /** With at least one evaluation. */
        sets: (organization: OrganizationId) => sql<ReportedSet>`
          select s.id, left(s.title, 100) as title, n.submissions from interview_set s
            cross join lateral (
              select count(*)::int as submissions from submission_score k
              where k.interview_set_id = s.id and k.organization_id = ${organization}::int) n
          where s.organization_id = ${organization}::int and s.deleted_at is null and s.set_type = 1 and n.submissions > 0
          order by s.created_at desc, s.id desc limit ${maxSets}::int`,
        /** False: another audit of the organization is running. */
        insert: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { content, id, kinds, names, sample, set, submissions }: NewAudit,
        ) {
          const at = yield* now
          const made = yield* sql`
            insert into counterfactual_audit (id, organization_id, interview_set_id, kinds, sample, submissions, content, names,
              made_at, next_at)
            values (${id}::uuid, ${organization}::int, ${set}::uuid, ${[...kinds]}::text[], ${sample}::int,
              ${submissions}::int, ${JSON.stringify(content)}::text::jsonb, ${JSON.stringify(names)}::text::jsonb, ${at}, ${at})
            on conflict (organization_id) where state = 'running' do nothing
            returning id`
          return made.length > 0
        }),
        list: (organization: OrganizationId) => sql<ListedAudit>`
          select ${listed} from counterfactual_audit t where t.organization_id = ${organization}::int
          order by t.made_at desc, t.id desc limit ${maxListed}::int`,
        find: Effect.fnUntraced(function* (organization: OrganizationId, id: CounterfactualAuditId) {
          return first(
            yield* sql<CounterfactualAudit>`
              select ${listed}, t.content from counterfactual_audit t where ${isOf(organization, id)}`,
          )
        }),
        /** The largest first; one more than `maxMoves` says that there are others. */
        moves: (organization: OrganizationId, id: CounterfactualAuditId) => sql<StoredMove>`
          select m.submission_id, m.swap, m.requirement_id, m.title, m.before::float8 as before, m.after::float8 as after,
            m.is_asked
          ${used(organization, id)}
          order by m.is_asked, abs(m.after - m.before) desc nulls first, m.submission_id, m.swap, m.requirement_id
          limit ${maxMoves + 1}::int`,
        /** Of one submission and one swap. */
        movesOf: (
          organization: OrganizationId,
          id: CounterfactualAuditId,
          { submission, swap }: { readonly submission: SubmissionId; readonly swap: string },
        ) => sql<StoredMove>`
          select m.submission_id, m.swap, m.requirement_id, m.title, m.before::float8 as before, m.after::float8 as after,
            m.is_asked
          ${used(organization, id)}
            and m.submission_id = ${submission}::uuid and m.swap = ${swap}
          order by m.is_asked, m.requirement_id`,
        /** Returns false when the audit is not running. */
        cancel: Effect.fnUntraced(function* (organization: OrganizationId, id: CounterfactualAuditId) {
          const ended = yield* sql`
            update counterfactual_audit t set ${end("cancelled")} from ${clock(sql, yield* now)}
            where ${isOf(organization, id)} and t.state = 'running' returning t.id`
          return ended.length > 0
        }),
        remove: Effect.fnUntraced(function* (organization: OrganizationId, id: CounterfactualAuditId) {
          yield* sql`delete from counterfactual_audit t where ${isOf(organization, id)}`
        }),
        /** The next audit that no other process works on. */
        claim: Effect.fnUntraced(function* (claim: ClaimId, lease: Duration.Duration) {
          const claimed = yield* claimDue(claim, { lease, limit: 1 })
          return first(
            yield* sql<ClaimedAudit>`
              with claimed as (${claimed} returning *)
              select c.id, c.organization_id, c.interview_set_id as set, c.kinds, c.sample, c.evaluator, c.content,
                c.read_created::text as read_created, c.read_id
              from claimed c`,
          )
        }),
        renew,
        /** As `renew`. Without `next`, the audit has ended. */
        save: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: CounterfactualAuditId,
          claim: ClaimId,
          { content, evaluator, moves, next }: AuditProgress,
          lease: Duration.Duration,
        ) {
          const saved = yield* sql`
            with audit as (
              update counterfactual_audit t set failures = 0, content = ${JSON.stringify(content)}::text::jsonb,
                evaluator = ${evaluator}, ${
                  next === undefined
                    ? end("done")
                    : sql`read_created = ${next.created}::timestamptz, read_id = ${next.id}::uuid,
                        ${leasedFor(lease)}`
                }
              from ${clock(sql, yield* now)} where ${isClaimed(id, claim)}
              returning t.id, t.organization_id
            ), moved as materialized (
              -- without those that were deleted or erased meanwhile
              select r.* from ${recordset(
                sql,
                moves,
                "submission_id uuid, swap text, requirement_id uuid, title text, before numeric, after numeric, is_asked boolean",
              )} join submission b on b.id = r.submission_id and b.organization_id = ${organization}::int
                join candidate c on c.id = b.candidate_id and c.erased_at is null
            ), saved as (
              insert into counterfactual_move (counterfactual_audit_id, submission_id, organization_id, swap, requirement_id,
                title, before, after, is_asked)
              select t.id, r.submission_id, t.organization_id, r.swap, r.requirement_id, r.title, r.before, r.after, r.is_asked
              from audit t cross join moved r
              on conflict do nothing
            )
            select id from audit`
          return saved.length > 0
        }),
        release,
        fail,
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
