/** Reads the records that an invite request names, and stores what it creates. */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { appearanceOf } from "../accounts/AppearanceSql.ts"
import { type CandidateRow, folded, referencePairs } from "../candidates/CandidateSql.ts"
import { refusalReasons } from "../emails/EmailEvent.ts"
import { spokenKindsOf, spokenLanguagesOf } from "../interview-sets/InterviewSetSql.ts"
import * as AdvisoryLocks from "../platform/database/AdvisoryLocks.ts"
import { Database, first, unlessEmpty } from "../platform/database/Database.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import { isOpenInvitation } from "../submissions/SubmissionSql.ts"
import type {
  ApplicationId,
  CandidateId,
  EmailId,
  InterviewSetId,
  InvitationId,
  JobPostId,
  OrganizationId,
  ProjectId,
} from "../values/Ids.ts"
import { ownSubjects } from "./EmailSubjectSql.ts"
import type { InvitationView } from "./InvitationRepository.ts"
import type { CandidateStanding, CurrentSubmission, SetInvitation } from "./InvitePlan.ts"
import type { TargetJobPost, TargetSet } from "./InviteRequest.ts"

export interface Named {
  readonly project: ProjectId | undefined
  readonly set: InterviewSetId | undefined
  readonly jobPost: JobPostId | undefined
}

/** For a request that names only a project: its newest set and job post. */
export interface NamedRows {
  readonly project_id: ProjectId | null
  readonly set: TargetSet | null
  readonly job_post: TargetJobPost | null
}

export interface NewApplication {
  readonly id: ApplicationId
  readonly candidate_id: CandidateId
  readonly job_post_id: JobPostId
}

export interface NewSubmission extends CurrentSubmission {
  readonly candidate_id: CandidateId
}

export interface NewInvitation extends SetInvitation {
  readonly candidate_id: CandidateId
}

export interface NewMail {
  readonly id: EmailId
  readonly invitation_id: InvitationId
  readonly recipient: string
}

/** What all rows of an invite have. */
export interface InviteTerms {
  readonly message: string | null
  readonly expiresAt: Date
}

/** The rows that an invite creates, apart from applications. */
export interface CreatedRows {
  readonly candidates: ReadonlyArray<CandidateRow>
  readonly submissions: ReadonlyArray<NewSubmission>
  readonly invitations: ReadonlyArray<NewInvitation>
  readonly emails: ReadonlyArray<NewMail>
}

export type Sender = Pick<
  InvitationView,
  | "organization_name"
  | "organization_contact"
  | "appearance"
  | "time_zone"
  | "interview_name"
  | "interview_duration"
  | "own_subjects"
  | "languages"
  | "spoken_kinds"
>

export class InviteRepository extends Context.Service<InviteRepository>()(
  "interview-invitations/invitations/InviteRepository",
  {
    make: Effect.gen(function* () {
      const { keepingTrace, nameInSchema, now, sql } = yield* Database
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
              (select jsonb_build_object('id', id, 'title', title, 'set_type', set_type, 'project_id', project_id,
                  'is_archived', archived_at is not null)
                ${live("interview_set", set === undefined ? sql`${newest} and set_type = 1 and archived_at is null` : sql`id = ${set}::uuid`)}
                order by created_at desc, id desc limit 1) as set,
              (select jsonb_build_object('id', id, 'project_id', project_id)
                ${live("job_post", jobPost === undefined ? newest : sql`id = ${jobPost}::uuid`)}
                order by created_at desc, id desc limit 1) as job_post`
          return yield* Effect.fromNullishOr(first(rows))
        }, Effect.orDie),
        /** Changes nothing. Candidates without a row have nothing in the set. */
        standings: Effect.fnUntraced(function* (
          organization: OrganizationId,
          set: InterviewSetId,
          candidates: ReadonlyArray<CandidateId>,
        ) {
          // with a join to the ids, because the planner may otherwise read all rows of the set
          const inSet = (
            table: "submission" | "invitation",
          ) => sql`unnest(${[...candidates]}::uuid[]) as r(candidate_id)
            join ${sql(table)} t on t.candidate_id = r.candidate_id and t.interview_set_id = ${set}::uuid
              and t.organization_id = ${organization}::int`
          const rows = yield* unlessEmpty(
            candidates,
            sql<{ readonly candidate_id: CandidateId; readonly standing: CandidateStanding }>`
            with current as (
              select distinct on (t.candidate_id, t.flow) t.candidate_id, t.flow as kind, jsonb_build_object('id', t.id,
                'flow', t.flow, 'status', t.status, 'application_id', t.application_id,
                ${sql.literal(referencePairs("t"))}) as found
              from ${inSet("submission")}
              where t.status not in ('withdrawn', 'expired')
                and not (t.status in ('need_interview', 'initiated') and t.expires_at <= ${yield* now})
              order by t.candidate_id, t.flow, t.created_at desc, t.id desc
            ), invited as (
              select distinct on (t.candidate_id, kind) t.candidate_id,
                case when ${isOpenInvitation(sql, "t")} then 'open' else 'refused' end as kind, jsonb_build_object('id', t.id,
                  'submission_id', t.submission_id, 'email', t.email, 'status', t.status, 'failure_reason', t.failure_reason, 'mail_queued', exists (
                    select from email q where q.invitation_id = t.id and q.organization_id = t.organization_id
                      and q.state = 'queued')) as found
              from ${inSet("invitation")}
              where ${isOpenInvitation(sql, "t")} or t.failure_reason = any(${[...refusalReasons]}::text[])
              order by t.candidate_id, kind, t.created_at desc, t.id desc
            )
            select candidate_id, jsonb_object_agg(kind, found) as standing
            from (select * from current union all select * from invited) x group by candidate_id`,
          )
          return new Map(rows.map(({ candidate_id, standing }) => [candidate_id, standing]))
        }),
        /** The organization's data that its emails show. */
        sender: Effect.fnUntraced(function* (organization: OrganizationId, set: InterviewSetId) {
          return first(
            yield* sql<Sender>`
              select o.name as organization_name, o.contact as organization_contact, ${appearanceOf(sql)}, o.time_zone,
                ${ownSubjects(sql)}, s.title as interview_name, s.interview_duration::float8 as interview_duration, ${spokenLanguagesOf(sql)},
                ${spokenKindsOf(sql)}
              from interview_set s join organization o on o.id = s.organization_id
              where s.id = ${set}::uuid and s.organization_id = ${organization}::int`,
          )
        }),
        /** One statement, `record_invite` in sql/08_invitations.sql; three took a fifth of an invite's time. */
        record: Effect.fnUntraced(function* (
          organization: OrganizationId,
          set: InterviewSetId | undefined,
          { expiresAt, message }: InviteTerms,
          changes: CreatedRows & {
            readonly applications: ReadonlyArray<NewApplication>
            /** Submissions whose references change. */
            readonly earlier_submissions: ReadonlyArray<CurrentSubmission>
          },
        ) {
          const tables = { ...changes, candidates: folded(organization, changes.candidates) }
          const filled = Object.fromEntries(Object.entries(tables).filter(([, rows]) => rows.length > 0))
          if (Object.keys(filled).length === 0) return
          const at = yield* now
          yield* sql`
            select record_invite(${organization}::int, ${set ?? null}::uuid, ${message}::text,
              ${expiresAt}::timestamptz, ${JSON.stringify(filled)}::text::jsonb, ${at})`
          if (changes.emails.length > 0) yield* wake("email")
        }),
        /**
         * Stores the rows if the set is one for interviews and no candidate is known, else nothing and returns false. One
         * statement instead of a transaction with five doubles the rate of invites of one candidate (16 clients).
         */
        recordNew: Effect.fnUntraced(function* (
          organization: OrganizationId,
          set: InterviewSetId,
          { expiresAt, message }: InviteTerms,
          created: CreatedRows,
        ) {
          const rows = JSON.stringify({ ...created, candidates: folded(organization, created.candidates) })
          const [row] = yield* sql<{ readonly is_recorded: boolean }>`
            select record_new_invite(${organization}::int, ${nameInSchema("candidate")}, ${set}::uuid, ${message}::text,
              ${expiresAt}::timestamptz, ${rows}::text::jsonb, ${yield* now}) as is_recorded`
          if (row?.is_recorded !== true) return false
          if (created.emails.length > 0) yield* wake("email")
          return true
        }, keepingTrace),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
