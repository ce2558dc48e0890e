/** Stores trials and their outcomes. */
import { Context, type Duration, Effect, Layer } from "effect"
import type { CandidateNames } from "../candidates/CandidateSql.ts"
import { candidateOf } from "../candidates/CandidateSql.ts"
import { minMetScore } from "../evaluations/Score.ts"
import type { Requirement } from "../interview-sets/InterviewSet.ts"
import { clock, Database, first, recordset } from "../platform/database/Database.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import { makeLongRunSql } from "../platform/queue/LongRunSql.ts"
import type { ClaimId, InterviewSetId, MemberId, OrganizationId, SubmissionId, TrialId } from "../values/Ids.ts"
import { maxTrials, type Trial, type TrialOutcome, trialsKeptDays } from "./Trial.ts"
import type { Direction } from "./TrialEvaluation.ts"
import type { SubmissionPosition } from "./TrialEvaluationRepository.ts"

export interface NewTrial {
  readonly id: TrialId
  readonly set: InterviewSetId
  readonly member: MemberId
  readonly requirements: ReadonlyArray<Requirement>
  readonly sample: number | null
  readonly submissions: number
}

/** A trial that this process works on. */
export interface ClaimedTrial {
  readonly id: TrialId
  readonly organization_id: OrganizationId
  readonly set: InterviewSetId
  readonly requirements: ReadonlyArray<Requirement>
  readonly sample: number | null
  readonly read_created: string | null
  readonly read_id: SubmissionId | null
  readonly failures: number
}

export interface TrialCount {
  readonly direction: Direction
  readonly count: number
}

/** How many submissions changed in a requirement. */
export interface CriterionCount {
  readonly id: string
  readonly up: number
  readonly down: number
  /** Met before and not after, or the other way round. */
  readonly lost: number
  readonly won: number
}

export interface TrialFigures {
  readonly counts: ReadonlyArray<TrialCount>
  readonly criteria: ReadonlyArray<CriterionCount>
  /** Evaluated by another evaluator or version than the stored evaluation. */
  readonly other_evaluators: number
  /** A member's score is shown, and stays. */
  readonly overridden: number
}

export interface RankedOutcome extends TrialOutcome {
  readonly candidate: CandidateNames
  readonly has_override: boolean
  /** From 1, among those with a score on both sides. */
  readonly rank_before: number | null
  readonly rank_after: number | null
}

/** An outcome has only numbers, and is deleted with the person's data. */
export const personalTrials: ReadonlyArray<PersonalTable> = [
  {
    table: "trial_outcome",
    rows: "t.submission_id = any(p.submissions)",
    key: ["trial_evaluation_id", "submission_id"],
  },
  { table: "trial_evaluation", kept: ["requirements", "state"] },
]

export class TrialRepository extends Context.Service<TrialRepository>()(
  "interview-invitations/trial-evaluations/TrialRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { claimDue, end, fail, isClaimed, leasedFor, release, renew } = yield* makeLongRunSql("trial_evaluation")
      const columns = sql`t.id, t.interview_set_id as set, t.requirements, t.sample, t.submissions, t.evaluated, t.state,
        t.adopted_set_id as adopted_set, t.created_at, t.ended_at,
        (select jsonb_build_object('id', m.id, 'name', coalesce(nullif(m.name, ''), m.email)) from member m
          where m.id = t.member_id) as member`
      const isOf = (organization: OrganizationId, set: InterviewSetId, id: TrialId) => sql`
        t.id = ${id}::uuid and t.interview_set_id = ${set}::uuid and t.organization_id = ${organization}::int`
      /** Outcomes `o` of submissions `b` whose score is used. */
      const used = (organization: OrganizationId, id: TrialId) => sql`
        from trial_outcome o join submission b on b.id = o.submission_id and not b.score_unused
        where o.trial_evaluation_id = ${id}::uuid and o.organization_id = ${organization}::int`
      return {
        /** False: another trial of the set is running. Deletes the oldest ones above `maxTrials`. */
        insert: Effect.fnUntraced(function* (
          organization: OrganizationId,
          { id, member, requirements, sample, set, submissions }: NewTrial,
        ) {
          const at = yield* now
          yield* sql`
            delete from trial_evaluation where organization_id = ${organization}::int and id in (
              select t.id from trial_evaluation t
              where t.interview_set_id = ${set}::uuid and t.organization_id = ${organization}::int and t.state <> 'running'
              order by t.created_at desc, t.id desc offset ${maxTrials - 1}::int)`
          const made = yield* sql`
            insert into trial_evaluation (id, organization_id, interview_set_id, member_id, requirements, sample, submissions,
              created_at, next_at)
            values (${id}::uuid, ${organization}::int, ${set}::uuid, ${member}::uuid,
              ${JSON.stringify(requirements)}::text::jsonb, ${sample}::int, ${submissions}::int, ${at}, ${at})
            on conflict (interview_set_id) where state = 'running' do nothing
            returning id`
          return made.length > 0
        }),
        find: Effect.fnUntraced(function* (organization: OrganizationId, set: InterviewSetId, id: TrialId) {
          return first(
            yield* sql<Trial>`select ${columns} from trial_evaluation t where ${isOf(organization, set, id)}`,
          )
        }),
        /** Newest first. */
        list: (organization: OrganizationId, set: InterviewSetId) => sql<Trial>`
          select ${columns} from trial_evaluation t
          where t.interview_set_id = ${set}::uuid and t.organization_id = ${organization}::int
          order by t.created_at desc, t.id desc limit ${maxTrials + 1}::int`,
        /** Returns false when the trial is not running. */
        cancel: Effect.fnUntraced(function* (organization: OrganizationId, set: InterviewSetId, id: TrialId) {
          const ended = yield* sql`
            update trial_evaluation t set ${end("cancelled")} from ${clock(sql, yield* now)}
            where ${isOf(organization, set, id)} and t.state = 'running' returning t.id`
          return ended.length > 0
        }),
        remove: Effect.fnUntraced(function* (organization: OrganizationId, set: InterviewSetId, id: TrialId) {
          const removed = yield* sql`delete from trial_evaluation t where ${isOf(organization, set, id)} returning t.id`
          return removed.length > 0
        }),
        /** False: its requirements were adopted before. */
        adopt: Effect.fnUntraced(function* (
          organization: OrganizationId,
          set: InterviewSetId,
          id: TrialId,
          copy: InterviewSetId,
        ) {
          const adopted = yield* sql`
            update trial_evaluation t set adopted_set_id = ${copy}::uuid
            where ${isOf(organization, set, id)} and t.adopted_set_id is null and t.state = 'done' returning t.id`
          return adopted.length > 0
        }),
        figures: Effect.fnUntraced(function* (organization: OrganizationId, id: TrialId) {
          const counts = yield* sql<TrialCount>`
            select o.direction, count(*)::int as count ${used(organization, id)} group by o.direction`
          const criteria = yield* sql<CriterionCount>`
            select c.id, (count(*) filter (where c.after > c.before))::int as up,
              (count(*) filter (where c.after < c.before))::int as down,
              (count(*) filter (where c.before >= ${minMetScore}::numeric and coalesce(c.after, 0) < ${minMetScore}::numeric))::int as lost,
              (count(*) filter (where coalesce(c.before, 0) < ${minMetScore}::numeric and c.after >= ${minMetScore}::numeric))::int as won
            from (select o.criteria ${used(organization, id)}) o
              cross join lateral jsonb_to_recordset(o.criteria) as c(id uuid, before numeric, after numeric)
            group by c.id`
          const [rest] = yield* sql<Pick<TrialFigures, "other_evaluators" | "overridden">>`
            select (count(*) filter (where o.is_other_evaluator))::int as other_evaluators,
              (count(*) filter (where k.override_score is not null))::int as overridden
            from (select o.submission_id, o.is_other_evaluator ${used(organization, id)}) o
              left join submission_score k on k.submission_id = o.submission_id`
          return { counts, criteria, other_evaluators: 0, overridden: 0, ...rest } satisfies TrialFigures
        }),
        /** The greatest changes first. `criterion`: only submissions whose score of this requirement differs. */
        outcomes: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: TrialId,
          page: {
            readonly direction: Direction | undefined
            readonly criterion: string | undefined
            /** Only submissions that this member has reviewed. */
            readonly reviewer: MemberId | undefined
            readonly offset: number
            readonly limit: number
          },
        ) {
          const criterion = JSON.stringify(page.criterion === undefined ? [] : [{ id: page.criterion }])
          return yield* sql<RankedOutcome>`
            with ranked as materialized (
              select o.submission_id,
                case when o.direction <> 'not_comparable' then rank() over (
                  partition by o.direction = 'not_comparable' order by o.before desc) end::int as rank_before,
                case when o.direction <> 'not_comparable' then rank() over (
                  partition by o.direction = 'not_comparable' order by o.after desc) end::int as rank_after
              ${used(organization, id)}
            )
            select o.submission_id, o.direction, o.before::float8 as before, o.after::float8 as after, o.met_before,
              o.met_after, o.criteria, o.reason, o.is_other_evaluator, r.rank_before, r.rank_after,
              k.override_score is not null as has_override, ${candidateOf(sql)}
            from trial_outcome o join ranked r on r.submission_id = o.submission_id
              join submission b on b.id = o.submission_id join candidate c on c.id = b.candidate_id
              left join submission_score k on k.submission_id = b.id
            where o.trial_evaluation_id = ${id}::uuid and o.organization_id = ${organization}::int
              and (${page.reviewer ?? null}::uuid is null or exists (select from review v
                where v.submission_id = b.id and v.member_id = ${page.reviewer ?? null}::uuid and v.sent_at is not null))
              and (${page.direction ?? null}::text is null or o.direction = ${page.direction ?? null}::text)
              and o.criteria @> ${criterion}::text::jsonb
            order by abs(o.after - o.before) desc nulls last, o.submission_id
            limit ${page.limit}::int offset ${page.offset}::int`
        }),
        /** The next trial that no other process works on. */
        claim: Effect.fnUntraced(function* (claim: ClaimId, lease: Duration.Duration) {
          const claimed = yield* claimDue(claim, { lease, limit: 1 })
          return first(
            yield* sql<ClaimedTrial>`
              with claimed as (${claimed} returning *)
              select c.id, c.organization_id, c.interview_set_id as set, c.requirements, c.sample,
                c.read_created::text as read_created, c.read_id, c.failures
              from claimed c`,
          )
        }),
        renew,
        /** As `renew`. Without `next`, the trial has ended. */
        save: Effect.fnUntraced(function* (
          id: TrialId,
          claim: ClaimId,
          outcomes: ReadonlyArray<TrialOutcome>,
          next: SubmissionPosition | undefined,
          lease: Duration.Duration,
        ) {
          const at = yield* now
          const saved = yield* sql`
            with trial as (
              update trial_evaluation t set failures = 0, evaluated = t.evaluated + ${outcomes.length}::int,
                ${
                  next === undefined
                    ? end("done")
                    : sql`read_created = ${next.created}::timestamptz, read_id = ${next.id}::uuid,
                        ${leasedFor(lease)}`
                }
              from ${clock(sql, at)} where ${isClaimed(id, claim)}
              returning t.id, t.organization_id
            ), evaluated as materialized (
              -- without those that were deleted or erased meanwhile
              select r.* from ${recordset(
                sql,
                outcomes,
                "submission_id uuid, direction text, before numeric, after numeric, met_before smallint, met_after smallint, criteria jsonb, reason text, is_other_evaluator boolean",
              )} join submission b on b.id = r.submission_id
                join candidate c on c.id = b.candidate_id and c.erased_at is null
            ), saved as (
              insert into trial_outcome (trial_evaluation_id, submission_id, organization_id, direction, before, after,
                met_before, met_after, criteria, reason, is_other_evaluator)
              select t.id, r.submission_id, t.organization_id, r.direction, r.before, r.after, r.met_before, r.met_after,
                r.criteria, r.reason, r.is_other_evaluator
              from trial t cross join evaluated r
              on conflict (trial_evaluation_id, submission_id) do nothing
            )
            select id from trial`
          return saved.length > 0
        }),
        release,
        fail,
        /** Deletes trials that ended more than `trialsKeptDays` ago. Returns their number. */
        forget: Effect.fnUntraced(function* () {
          const old = yield* sql`
            delete from trial_evaluation where id in (
              select id from trial_evaluation
              where ended_at < ${yield* now} - ${trialsKeptDays}::int * interval '1 day'
                and organization_id <> all(array(select id from suspended_organization))
              limit 100)
            returning id`
          return old.length
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
