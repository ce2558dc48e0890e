/** Reads what the workspace's home shows. */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { Reader } from "../accounts/Viewer.ts"
import type { HiringSystem } from "../ats/HiringSystem.ts"
import { type CandidateNames, candidateOf, referenceColumns } from "../candidates/CandidateSql.ts"
import { isReadable } from "../interview-sets/InterviewSetSql.ts"
import { Database, first } from "../platform/database/Database.ts"
import { iso } from "../platform/database/Paging.ts"
import { milestoneNumber } from "../submissions/Submission.ts"
import type {
  ConnectionId,
  EndpointId,
  InterviewSetId,
  InvitationId,
  MemberId,
  OrganizationId,
  SubmissionId,
} from "../values/Ids.ts"
import { homeLimits } from "./HomeLimits.ts"

export interface HomeSet {
  readonly id: InterviewSetId
  readonly title: string
  /** A set without an interview: only CVs are rated. */
  readonly is_of_cvs: boolean
}

export interface ScoreCount {
  readonly set: InterviewSetId
  /** 0: scores from 0 to under 1; 9: from 9 to 10. */
  readonly bin: number
  readonly count: number
}

export interface PendingRow {
  readonly id: SubmissionId
  readonly candidate: CandidateNames
  readonly set_title: string
  /** ISO 8601, UTC: when it was submitted, or first reviewed. */
  readonly since: string
}

/** `count` is exact up to `homeLimits.counted`; a larger count is `homeLimits.counted` + 1. */
export interface Counted<Row> {
  readonly count: number
  readonly rows: ReadonlyArray<Row>
}

export interface FailedMailRow {
  readonly id: InvitationId
  readonly email: string
  /** The candidate can still answer. */
  readonly is_open: boolean
  readonly submission_id: SubmissionId
  readonly candidate: CandidateNames
  readonly set_title: string
  readonly failure_reason: string | null
  readonly failed_at: string
}

export interface FailingEndpointRow {
  readonly id: EndpointId
  readonly name: string
  readonly status: "active" | "inactive"
  readonly consecutive_failures: number
  readonly deactivated_at: string | null
}

/** A connection to a hiring system with reports that are not accepted. */
export interface FailingConnectionRow {
  readonly id: ConnectionId
  readonly name: string
  readonly system: HiringSystem
  readonly failed: number
  readonly waiting: number
  /** Of the newest failed or waiting report. */
  readonly error: string
}

/** The completed first steps. A recruiter's progress covers only the sets that they may read. */
export interface HomeProgress {
  readonly hasSet: boolean
  readonly hasInvited: boolean
  readonly hasAnswer: boolean
  readonly hasReview: boolean
  readonly hasDecision: boolean
  readonly isConnected: boolean
  readonly hasColleague: boolean
}

/** Number of last changed submissions that are searched for active sets. */
const recentChanges = 1000

/** Number of newest sets that count as active even without a recent change of a submission. */
const newSets = 200

/** Number of newest failed invitations that are searched for recent failures. */
const failedInvitations = 2000

type Pending = "review" | "decision"

const milestones = { review: milestoneNumber("submitted"), decision: milestoneNumber("reviewed") }

export class WorkspaceHomeRepository extends Context.Service<WorkspaceHomeRepository>()(
  "interview-invitations/reviews/WorkspaceHomeRepository",
  {
    make: Effect.gen(function* () {
      const { sql } = yield* Database
      const readable = (organization: OrganizationId, reader: Reader | undefined, set: string) =>
        isReadable(sql, organization, reader, set)

      /** Rows of submission `b`; for a recruiter, it reads set by set, because most of the organization's rows are not readable. */
      const submissions = (
        organization: OrganizationId,
        reader: Reader | undefined,
        columns: string,
        rest: Statement.Fragment,
      ): Statement.Fragment =>
        reader?._tag !== "Recruiter"
          ? sql`select ${sql.literal(columns)} from submission b
              where b.organization_id = ${organization}::int and ${readable(organization, reader, "b.interview_set_id")} and ${rest}`
          : sql`select f.* from (
              select distinct a.interview_set_id from set_access a
              where a.organization_id = ${organization}::int and lower(a.email) = lower(${reader.email})
            ) a cross join lateral (
              select ${sql.literal(columns)} from submission b where b.interview_set_id = a.interview_set_id and ${rest}
            ) f`

      const isNotErased = sql.literal("(select c.erased_at from candidate c where c.id = b.candidate_id) is null")
      const waitsSince = "coalesce(b.reviewed_at, b.completed_at, b.created_at)"

      return {
        /** Sets that are not archived, the most recently active first; returns `homeLimits.sets` + 1 rows when there are more. */
        sets: Effect.fnUntraced(function* (organization: OrganizationId, reader: Reader | undefined) {
          return yield* sql<HomeSet>`
            with changed as materialized (
              select b.interview_set_id, max(b.updated_at) as at from (
                select interview_set_id, updated_at from submission where organization_id = ${organization}::int
                order by updated_at desc limit ${recentChanges}::int
              ) b where ${readable(organization, reader, "b.interview_set_id")} group by 1
            ), known as materialized (
              select interview_set_id as id from changed union
              (select s.id from interview_set s
                where s.organization_id = ${organization}::int and s.deleted_at is null and s.archived_at is null
                  and ${readable(organization, reader, "s.id")}
                order by s.created_at desc, s.id desc limit ${newSets}::int)
            )
            select s.id, s.title, s.set_type = 2 as is_of_cvs
            from known join interview_set s on s.id = known.id left join changed on changed.interview_set_id = s.id
              left join lateral (
                select b.created_at from submission b where b.interview_set_id = s.id order by b.created_at desc, b.id desc limit 1
              ) newest on true
            where s.organization_id = ${organization}::int and s.deleted_at is null and s.archived_at is null
            order by greatest(changed.at, newest.created_at, s.created_at) desc, s.id desc limit ${homeLimits.sets + 1}::int`
        }),
        /** Scores of each set's newest submissions, overrides included. `member`: only of submissions that this member has reviewed. */
        scores: Effect.fnUntraced(function* (
          organization: OrganizationId,
          sets: ReadonlyArray<InterviewSetId>,
          member: MemberId | undefined,
        ) {
          return yield* sql<ScoreCount>`
            select s.id as set, least(floor(k.score), 9)::int as bin, count(*)::int as count
            from unnest(${[...sets]}::uuid[]) s(id) cross join lateral (
              select coalesce(k.override_score, k.score) as score from (
                select b.id from submission b where b.interview_set_id = s.id
                order by b.created_at desc, b.id desc limit ${homeLimits.scored}::int
              ) b join submission_score k on k.submission_id = b.id
              where k.organization_id = ${organization}::int
                and (${member ?? null}::uuid is null or exists (select from review v
                  where v.submission_id = b.id and v.member_id = ${member ?? null}::uuid and v.sent_at is not null))
            ) k where k.score is not null group by 1, 2`
        }),
        /** Submissions that wait for a review or a decision, oldest first, without those of erased persons. */
        pending: Effect.fnUntraced(function* (organization: OrganizationId, reader: Reader | undefined, what: Pending) {
          const isPending = sql`b.milestone = ${sql.literal(String(milestones[what]))} and ${isNotErased}`
          const found = (limit: Statement.Fragment) =>
            submissions(
              organization,
              reader,
              `b.id, b.interview_set_id, b.candidate_id, ${referenceColumns("b")}, ${waitsSince} as since`,
              sql`${isPending} ${limit}`,
            )
          const oldest = sql`order by ${sql.literal(waitsSince)}, b.id limit ${homeLimits.pending}::int`
          const counted = first(
            yield* sql<Counted<PendingRow>>`
              with oldest as materialized (
                select * from (${found(oldest)}) b order by b.since, b.id limit ${homeLimits.pending}::int
              )
              select (select count(*)::int from (
                  select from (${found(sql`limit ${homeLimits.counted + 1}::int`)}) b limit ${homeLimits.counted + 1}::int) c) as count,
                coalesce((select jsonb_agg(to_jsonb(r) order by r.since, r.id) from (
                  select b.id, ${candidateOf(sql)}, left(s.title, 200) as set_title, ${iso(sql, "b.since")} as since
                  from oldest b join interview_set s on s.id = b.interview_set_id join candidate c on c.id = b.candidate_id
                ) r), '[]') as rows`,
          )
          return counted ?? { count: 0, rows: [] }
        }),
        /** Invitations that failed since `since`, newest first. */
        failedMails: Effect.fnUntraced(function* (
          organization: OrganizationId,
          reader: Reader | undefined,
          since: Date,
        ) {
          const counted = first(
            yield* sql<Counted<FailedMailRow>>`
              with failed as materialized (
                select i.id, i.submission_id, i.email, i.failure_reason, i.failed_at from (
                  select * from invitation where organization_id = ${organization}::int and status = 'failed'
                  order by created_at desc, id desc limit ${failedInvitations}::int
                ) i where i.failed_at >= ${since}::timestamptz and ${readable(organization, reader, "i.interview_set_id")}
              )
              select (select count(*)::int from failed) as count,
                coalesce((select jsonb_agg(to_jsonb(r) order by r.failed_at desc, r.id) from (
                  select i.id, i.email, b.status in ('need_interview', 'initiated', 'started') as is_open, b.id as submission_id, ${candidateOf(sql)}, left(s.title, 200) as set_title, i.failure_reason, ${iso(sql, "i.failed_at")} as failed_at
                  from (select * from failed order by failed_at desc, id limit ${homeLimits.failures}::int) i
                    join submission b on b.id = i.submission_id join interview_set s on s.id = b.interview_set_id
                    join candidate c on c.id = b.candidate_id
                ) r), '[]') as rows`,
          )
          return counted ?? { count: 0, rows: [] }
        }),
        /** Endpoints that are inactive or whose last attempt failed, deactivated ones first. */
        failingEndpoints: Effect.fnUntraced(function* (organization: OrganizationId) {
          const counted = first(
            yield* sql<Counted<FailingEndpointRow>>`
              with failing as materialized (
                select id, name, status, consecutive_failures, ${iso(sql, "deactivated_at")} as deactivated_at
                from webhook_endpoint
                where organization_id = ${organization}::int and deleted_at is null
                  and (status = 'inactive' or consecutive_failures > 0)
              )
              select (select count(*)::int from failing) as count,
                coalesce((select jsonb_agg(to_jsonb(r)) from (
                  select * from failing order by deactivated_at desc nulls last, status desc, consecutive_failures desc, name, id
                  limit ${homeLimits.failures}::int
                ) r), '[]') as rows`,
          )
          return counted ?? { count: 0, rows: [] }
        }),
        /** Active connections with reports that failed, or that wait after three attempts or for credentials; those with more failed reports first. */
        failingConnections: Effect.fnUntraced(function* (organization: OrganizationId) {
          const counted = first(
            yield* sql<Counted<FailingConnectionRow>>`
              with failing as materialized (
                select c.id, c.name, c.system, r.failed, r.waiting, r.error from ats_connection c cross join lateral (
                  select count(*) filter (where r.state = 'failed')::int as failed,
                    count(*) filter (where r.state <> 'failed')::int as waiting,
                    (array_agg(r.last_error order by coalesce(r.failed_at, r.due_at) desc nulls last, r.id))[1] as error
                  from ats_report r
                  where r.connection_id = c.id and r.last_error is not null
                    and (r.state in ('failed', 'parked') or (r.state = 'queued' and r.attempts >= 3))
                ) r
                where c.organization_id = ${organization}::int and c.status = 'active' and r.failed + r.waiting > 0
              )
              select (select count(*)::int from failing) as count,
                coalesce((select jsonb_agg(to_jsonb(r)) from (
                  select * from failing order by failed desc, waiting desc, name, id limit ${homeLimits.failures}::int
                ) r), '[]') as rows`,
          )
          return counted ?? { count: 0, rows: [] }
        }),
        progress: Effect.fnUntraced(function* (organization: OrganizationId, reader: Reader | undefined) {
          const isAny = (condition: string) =>
            sql`exists (${submissions(organization, reader, "b.id", sql`${sql.literal(condition)} limit 1`)})`
          const [row] = yield* sql<HomeProgress>`
            select exists (select from interview_set s where s.organization_id = ${organization}::int and s.deleted_at is null
                and ${readable(organization, reader, "s.id")}) as "hasSet",
              ${isAny("true")} as "hasInvited", ${isAny(`b.milestone in (${milestones.review}, ${milestones.decision})`)} as "hasAnswer",
              ${isAny(`b.milestone = ${milestones.decision}`)} as "hasReview", ${isAny("b.decision is not null")} as "hasDecision",
              exists (select from api_key k where k.organization_id = ${organization}::int and k.last_used_at is not null)
                or exists (select from ats_connection c where c.organization_id = ${organization}::int) as "isConnected",
              (select count(*) from (select from member m
                where m.organization_id = ${organization}::int and m.deactivated_at is null limit 2) m) > 1 as "hasColleague"`
          return (
            row ?? {
              hasSet: false,
              hasInvited: false,
              hasAnswer: false,
              hasReview: false,
              hasDecision: false,
              isConnected: false,
              hasColleague: false,
            }
          )
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
