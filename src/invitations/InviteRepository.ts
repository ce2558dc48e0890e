/** Reads the records that an invite request names, and stores what it creates. */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { type CandidateRow, insert as insertCandidates } from "../candidates/CandidateSql.ts"
import type { InterviewSetRow } from "../interview-sets/InterviewSetRepository.ts"
import { languagesOf } from "../interview-sets/InterviewSetSql.ts"
import { Database, first, recordset } from "../platform/database/Database.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import type { InvitationStatus } from "../submissions/InvitationStatus.ts"
import type { SubmissionFlow, SubmissionStatus } from "../submissions/Submission.ts"
import { isOpenInvitation } from "../submissions/SubmissionSql.ts"
import type { ExternalReference } from "../values/ExternalReference.ts"
import type {
  ApplicationId,
  CandidateId,
  EmailId,
  InterviewSetId,
  InvitationId,
  JobPostId,
  OrganizationId,
  ProjectId,
  SubmissionId,
} from "../values/Ids.ts"
import type { InvitationView } from "./InvitationRepository.ts"

export interface Named {
  readonly project: ProjectId | undefined
  readonly set: InterviewSetId | undefined
  readonly jobPost: JobPostId | undefined
}

/** For a request that names only a project: its newest set and job post. */
export interface NamedRows {
  readonly project_id: ProjectId | null
  readonly set: InterviewSetRow | null
  readonly job_post: { readonly id: JobPostId; readonly project_id: ProjectId } | null
}

export interface NewApplication {
  readonly id: ApplicationId
  readonly candidate_id: CandidateId
  readonly job_post_id: JobPostId
}

export interface NewSubmission extends ExternalReference {
  readonly id: SubmissionId
  readonly candidate_id: CandidateId
  readonly application_id: ApplicationId | null
  readonly flow: SubmissionFlow
  readonly status: "need_interview" | "cv_processing"
}

export interface NewInvitation {
  readonly id: InvitationId
  readonly candidate_id: CandidateId
  readonly submission_id: SubmissionId
  readonly email: string
  readonly status: "pending" | "failed"
  readonly failure_reason: string | null
}

export interface NewMail {
  readonly id: EmailId
  readonly invitation_id: InvitationId
  readonly recipient: string
}

/** What a candidate has in a set: the submission that an invite would find, and its open invitation. */
export interface CandidateStanding {
  readonly candidate_id: CandidateId
  readonly flow: SubmissionFlow
  readonly status: SubmissionStatus
  readonly invitation: { readonly email: string; readonly status: InvitationStatus } | null
}

export type Sender = Pick<
  InvitationView,
  "organization_name" | "organization_contact" | "interview_name" | "interview_duration" | "languages"
>

export class InviteRepository extends Context.Service<
  InviteRepository,
  {
    /** Blocks other invites of the organization: two requests cannot create the same candidate. */
    readonly begin: (organization: OrganizationId, named: Named) => Effect.Effect<NamedRows>
    /** Reads without changes. A candidate has at most one row per flow. */
    readonly standings: (
      organization: OrganizationId,
      set: InterviewSetId,
      candidates: ReadonlyArray<CandidateId>,
    ) => Effect.Effect<ReadonlyArray<CandidateStanding>>
    /** The organization's data that its emails show. */
    readonly sender: (organization: OrganizationId, set: InterviewSetId) => Effect.Effect<Sender | undefined>
    /** One statement; three took a fifth of an invite's time. */
    readonly record: (
      organization: OrganizationId,
      common: {
        readonly interviewSetId: InterviewSetId | undefined
        readonly message: string | null
        readonly expiresAt: Date
      },
      created: {
        readonly candidates: ReadonlyArray<CandidateRow>
        readonly applications: ReadonlyArray<NewApplication>
        readonly submissions: ReadonlyArray<NewSubmission>
        readonly invitations: ReadonlyArray<NewInvitation>
        readonly mails: ReadonlyArray<NewMail>
      },
      /** New references of earlier submissions. */
      references: ReadonlyArray<ExternalReference & { readonly id: SubmissionId }>,
    ) => Effect.Effect<void>
  }
>()("interview-invitations/invitations/InviteRepository") {
  static readonly layer = Layer.effect(
    InviteRepository,
    Effect.gen(function* () {
      const { nameInSchema, now, sql } = yield* Database
      const { wake } = yield* QueueNotifier
      return InviteRepository.of({
        begin: Effect.fnUntraced(function* (organization, { jobPost, project, set }) {
          const live = (table: string, condition: Statement.Fragment) =>
            sql`from ${sql(table)} where organization_id = ${organization}::int and deleted_at is null and ${condition}`
          const newest = sql`project_id = ${project ?? null}::uuid`
          const rows = yield* sql<NamedRows>`
            select pg_advisory_xact_lock(hashtext(${nameInSchema("candidate")}), ${organization}::int) as locked,
              (select id ${live("project", sql`id = ${project ?? null}::uuid`)}) as project_id,
              (select jsonb_build_object('id', id, 'title', title, 'set_type', set_type, 'project_id', project_id)
                ${live("interview_set", set === undefined ? sql`${newest} and set_type = 1 and archived_at is null` : sql`id = ${set}::uuid`)}
                order by created_at desc, id desc limit 1) as set,
              (select jsonb_build_object('id', id, 'project_id', project_id)
                ${live("job_post", jobPost === undefined ? newest : sql`id = ${jobPost}::uuid`)}
                order by created_at desc, id desc limit 1) as job_post`
          return yield* Effect.fromNullishOr(first(rows))
        }, Effect.orDie),
        standings: Effect.fnUntraced(function* (organization, set, candidates) {
          if (candidates.length === 0) return []
          const at = yield* now
          // without a join the planner may read all rows of the set
          return yield* sql<CandidateStanding>`
            select distinct on (b.candidate_id, b.flow) b.candidate_id, b.flow, b.status, (
                select jsonb_build_object('email', i.email, 'status', i.status) from invitation i
                where i.submission_id = b.id and ${isOpenInvitation(sql, "i")}
                order by i.created_at desc, i.id desc limit 1
              ) as invitation
            from unnest(${[...candidates]}::uuid[]) as r(candidate_id)
              join submission b on b.candidate_id = r.candidate_id and b.interview_set_id = ${set}::uuid
                and b.organization_id = ${organization}::int
            where b.status not in ('withdrawn', 'expired')
              and not (b.status in ('need_interview', 'initiated') and b.expires_at <= ${at})
            order by b.candidate_id, b.flow, b.created_at desc, b.id desc`
        }, Effect.orDie),
        sender: Effect.fnUntraced(function* (organization, set) {
          return first(
            yield* sql<Sender>`
              select o.name as organization_name, o.contact as organization_contact, s.title as interview_name,
                s.interview_duration::float8 as interview_duration, ${languagesOf(sql)}
              from interview_set s join organization o on o.id = s.organization_id
              where s.id = ${set}::uuid and s.organization_id = ${organization}::int`,
          )
        }, Effect.orDie),
        record: Effect.fnUntraced(function* (organization, common, created, references) {
          if ([references, ...Object.values(created)].every((rows) => rows.length === 0)) return
          const { applications, candidates, invitations, mails, submissions } = created
          const set = common.interviewSetId ?? null
          const at = yield* now
          yield* sql`
            with candidates as (
              ${insertCandidates(sql, organization, candidates, at)}
            ), applications as (
              insert into application (id, organization_id, candidate_id, job_post_id, created_at)
              select r.id, ${organization}::int, r.candidate_id, r.job_post_id, ${at}
              from ${recordset(sql, applications, "id uuid, candidate_id uuid, job_post_id uuid")}
            ), submissions as (
              insert into submission (id, organization_id, interview_set_id, candidate_id, application_id, flow, status,
                external_id, metadata, expires_at, created_at)
              select r.id, ${organization}::int, ${set}::uuid, r.candidate_id, r.application_id, r.flow,
                r.status, r.external_id, r.metadata, ${common.expiresAt}::timestamptz, ${at}
              from ${recordset(
                sql,
                submissions,
                "id uuid, candidate_id uuid, application_id uuid, flow text, status text, external_id text, metadata jsonb",
              )}
            ), referenced as (
              update submission b set external_id = r.external_id, metadata = r.metadata
              from ${recordset(sql, references, "id uuid, external_id text, metadata jsonb")}
              where b.id = r.id and b.organization_id = ${organization}::int
            ), invitations as (
              insert into invitation (id, organization_id, interview_set_id, candidate_id, submission_id, email, message,
                status, failure_reason, failed_at, expires_at, created_at)
              select r.id, ${organization}::int, ${set}::uuid, r.candidate_id, r.submission_id, r.email,
                ${common.message}, r.status, r.failure_reason, case when r.status = 'failed' then ${at} end,
                ${common.expiresAt}::timestamptz, ${at}
              from ${recordset(
                sql,
                invitations,
                "id uuid, candidate_id uuid, submission_id uuid, email text, status text, failure_reason text",
              )}
            )
            insert into email (id, organization_id, invitation_id, kind, recipient, created_at, due_at)
            select r.id, ${organization}::int, r.invitation_id, 'invitation', r.recipient, ${at}, ${at}
            from ${recordset(sql, mails, "id uuid, invitation_id uuid, recipient text")}`
          if (mails.length > 0) yield* wake("email")
        }, Effect.orDie),
      })
    }),
  )
}
