/** Reads the records that an invite request names, and stores what it creates. */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { type CandidateRow, folded } from "../candidates/CandidateSql.ts"
import type { InterviewSetRow } from "../interview-sets/InterviewSetRepository.ts"
import { languagesOf } from "../interview-sets/InterviewSetSql.ts"
import * as AdvisoryLocks from "../platform/database/AdvisoryLocks.ts"
import { Database, first } from "../platform/database/Database.ts"
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
  "organization_name" | "organization_contact" | "time_zone" | "interview_name" | "interview_duration" | "languages"
>

export class InviteRepository extends Context.Service<InviteRepository>()(
  "interview-invitations/invitations/InviteRepository",
  {
    make: Effect.gen(function* () {
      const { nameInSchema, now, sql } = yield* Database
      const { wake } = yield* QueueNotifier
      return {
        /** Blocks other invites of the organization: two requests cannot create the same candidate. */
        begin: Effect.fnUntraced(function* (organization: OrganizationId, { jobPost, project, set }: Named) {
          const live = (table: string, condition: Statement.Fragment) =>
            sql`from ${sql(table)} where organization_id = ${organization}::int and deleted_at is null and ${condition}`
          const newest = sql`project_id = ${project ?? null}::uuid`
          const rows = yield* sql<NamedRows>`
            select ${AdvisoryLocks.lock({ nameInSchema, sql }, "candidate", organization)} as locked,
              (select id ${live("project", sql`id = ${project ?? null}::uuid`)}) as project_id,
              (select jsonb_build_object('id', id, 'title', title, 'set_type', set_type, 'project_id', project_id)
                ${live("interview_set", set === undefined ? sql`${newest} and set_type = 1 and archived_at is null` : sql`id = ${set}::uuid`)}
                order by created_at desc, id desc limit 1) as set,
              (select jsonb_build_object('id', id, 'project_id', project_id)
                ${live("job_post", jobPost === undefined ? newest : sql`id = ${jobPost}::uuid`)}
                order by created_at desc, id desc limit 1) as job_post`
          return yield* Effect.fromNullishOr(first(rows))
        }, Effect.orDie),
        /** Reads without changes. A candidate has at most one row per flow. */
        standings: Effect.fnUntraced(function* (
          organization: OrganizationId,
          set: InterviewSetId,
          candidates: ReadonlyArray<CandidateId>,
        ) {
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
        }),
        /** The organization's data that its emails show. */
        sender: Effect.fnUntraced(function* (organization: OrganizationId, set: InterviewSetId) {
          return first(
            yield* sql<Sender>`
              select o.name as organization_name, o.contact as organization_contact, o.time_zone, s.title as interview_name,
                s.interview_duration::float8 as interview_duration, ${languagesOf(sql)}
              from interview_set s join organization o on o.id = s.organization_id
              where s.id = ${set}::uuid and s.organization_id = ${organization}::int`,
          )
        }),
        /** One statement, `record_invite` in sql/08_invitations.sql; three took a fifth of an invite's time. */
        record: Effect.fnUntraced(function* (
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
          references: ReadonlyArray<ExternalReference & { readonly id: SubmissionId }>,
        ) {
          const { applications, candidates, invitations, mails, submissions } = created
          const tables = {
            applications,
            candidates: folded(organization, candidates),
            submissions,
            earlier_submissions: references,
            invitations,
            emails: mails,
          }
          const filled = Object.fromEntries(Object.entries(tables).filter(([, rows]) => rows.length > 0))
          if (Object.keys(filled).length === 0) return
          const at = yield* now
          yield* sql`
            select record_invite(${organization}::int, ${common.interviewSetId ?? null}::uuid, ${common.message}::text,
              ${common.expiresAt}::timestamptz, ${JSON.stringify(filled)}::text::jsonb, ${at})`
          if (mails.length > 0) yield* wake("email")
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
