/** What an invite request makes: submissions, invitations and mails, all in one statement. */
import { Context, Effect, Layer } from "effect"
import type {
  ApplicationId,
  CandidateId,
  EmailId,
  InterviewSetId,
  InvitationId,
  OrganizationId,
  SubmissionId,
} from "../domain/Ids.ts"
import type { SubmissionFlow } from "../domain/Submission.ts"
import { Database, recordset } from "./Database.ts"
import { Wakeups } from "./Wakeups.ts"

export interface NewSubmission {
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

/** An invitation's mail, written when its turn comes. */
export interface NewMail {
  readonly id: EmailId
  readonly invitation_id: InvitationId
  readonly recipient: string
}

export class Invites extends Context.Service<
  Invites,
  {
    /** Whatever the numbers, it is one round trip: three of them were a fifth of an invite of one candidate. */
    readonly record: (
      organization: OrganizationId,
      common: { readonly interviewSetId: InterviewSetId; readonly message: string | null; readonly expiresAt: Date },
      made: {
        readonly submissions: ReadonlyArray<NewSubmission>
        readonly invitations: ReadonlyArray<NewInvitation>
        readonly mails: ReadonlyArray<NewMail>
      },
    ) => Effect.Effect<void>
  }
>()("interview-invitations/repository/Invites") {
  static readonly layer = Layer.effect(
    Invites,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { wake } = yield* Wakeups
      return Invites.of({
        record: Effect.fn("Invites.record")(function* (organization, common, { invitations, mails, submissions }) {
          if (submissions.length + invitations.length + mails.length === 0) return
          const at = yield* now
          yield* sql`
            with submissions as (
              insert into submission (id, organization_id, interview_set_id, candidate_id, application_id, flow, status,
                expires_at, created_at)
              select r.id, ${organization}::int, ${common.interviewSetId}::uuid, r.candidate_id, r.application_id, r.flow,
                r.status, ${common.expiresAt}::timestamptz, ${at}
              from ${recordset(sql, submissions, "id uuid, candidate_id uuid, application_id uuid, flow text, status text")}
            ), invitations as (
              insert into invitation (id, organization_id, interview_set_id, candidate_id, submission_id, email, message,
                status, failure_reason, failed_at, expires_at, created_at)
              select r.id, ${organization}::int, ${common.interviewSetId}::uuid, r.candidate_id, r.submission_id, r.email,
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
