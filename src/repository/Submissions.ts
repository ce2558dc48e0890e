/** Submissions and what hangs on them when they are made: applications and CVs. */
import { Context, Effect, Layer } from "effect"
import type { CandidateId, InterviewSetId, JobPostId, OrganizationId, SubmissionId } from "../domain/Ids.ts"
import type { SubmissionFlow, SubmissionStatus } from "../domain/Submission.ts"
import { Database, recordset } from "./Database.ts"
import { expire } from "./Interviews.ts"
import { Wakeups } from "./Wakeups.ts"

export interface LivingSubmission {
  readonly id: SubmissionId
  readonly candidate_id: CandidateId
  readonly flow: SubmissionFlow
  readonly status: SubmissionStatus
  readonly application_id: string | null
}

export interface NewSubmission {
  readonly id: SubmissionId
  readonly candidate_id: CandidateId
  readonly application_id: string | null
  readonly flow: SubmissionFlow
  readonly status: "need_interview" | "cv_processing"
}

export class Submissions extends Context.Service<
  Submissions,
  {
    /**
     * The candidates' submissions to the set that were neither withdrawn nor expired, the newest of each flow. Those whose
     * time is over and that nobody has ended yet are ended by this, with their invitations: what is returned can be
     * answered, and nothing else stands in the way of a new invitation.
     */
    readonly living: (
      organization: OrganizationId,
      set: InterviewSetId,
      candidates: ReadonlyArray<CandidateId>,
    ) => Effect.Effect<ReadonlyArray<LivingSubmission>>
    /** Who was sent to the set before with nothing but this CV: link to candidate. */
    readonly candidatesByCvLink: (
      organization: OrganizationId,
      set: InterviewSetId,
      links: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyMap<string, CandidateId>>
    readonly insert: (
      organization: OrganizationId,
      common: { readonly interviewSetId: InterviewSetId; readonly expiresAt: Date },
      submissions: ReadonlyArray<NewSubmission>,
    ) => Effect.Effect<void>
    /** Gives submissions that have none yet their application. */
    readonly attach: (
      organization: OrganizationId,
      applications: ReadonlyArray<{ readonly id: SubmissionId; readonly application_id: string }>,
    ) => Effect.Effect<void>
    /** Finds or makes each candidate's application on the job post: candidate to application. */
    readonly apply: (
      organization: OrganizationId,
      jobPost: JobPostId,
      applications: ReadonlyArray<{ readonly id: string; readonly candidate_id: CandidateId }>,
    ) => Effect.Effect<ReadonlyMap<CandidateId, string>>
    /** Queues the reading of CVs; a link that the submission already has is not queued again. */
    readonly queueCvs: (
      organization: OrganizationId,
      cvs: ReadonlyArray<{ readonly id: string; readonly submission_id: SubmissionId; readonly link: string }>,
    ) => Effect.Effect<void>
  }
>()("interview-invitations/repository/Submissions") {
  static readonly layer = Layer.effect(
    Submissions,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { wake } = yield* Wakeups
      return Submissions.of({
        living: Effect.fn("Submissions.living")(function* (organization, set, candidates) {
          const at = yield* now
          const ofCandidates = sql`organization_id = ${organization}::int and interview_set_id = ${set}::uuid
            and candidate_id = any(${[...candidates]}::uuid[])`
          const select = sql<LivingSubmission & { readonly overdue: boolean }>`
            select distinct on (candidate_id, flow) id, candidate_id, flow, status, application_id,
              status in ('need_interview', 'initiated') and expires_at <= ${at} as overdue
            from submission where ${ofCandidates} and status not in ('withdrawn', 'expired')
            order by candidate_id, flow, created_at desc, id desc`
          const rows = yield* select
          if (!rows.some(({ overdue }) => overdue)) return rows
          yield* expire(
            sql,
            sql`select id from submission where ${ofCandidates} and status in ('need_interview', 'initiated')
              and expires_at <= ${at} order by id for no key update`,
          )
          return yield* select
        }, Effect.orDie),
        candidatesByCvLink: Effect.fn("Submissions.candidatesByCvLink")(function* (organization, set, links) {
          const rows = yield* sql<{ link: string; candidate_id: CandidateId }>`
            select distinct on (v.link) v.link, s.candidate_id
            from cv v join submission s on s.id = v.submission_id join candidate c on c.id = s.candidate_id
            where v.organization_id = ${organization}::int and s.interview_set_id = ${set}::uuid
              and v.link = any(${[...links]}::text[]) and c.ats_candidate_id is null
            order by v.link, s.created_at desc`
          return new Map(rows.map(({ candidate_id, link }) => [link, candidate_id]))
        }, Effect.orDie),
        insert: Effect.fn("Submissions.insert")(function* (organization, common, submissions) {
          yield* sql`
            insert into submission (id, organization_id, interview_set_id, candidate_id, application_id, flow,
              status, expires_at, created_at)
            select r.id, ${organization}::int, ${common.interviewSetId}::uuid, r.candidate_id, r.application_id, r.flow, r.status,
              ${common.expiresAt}, ${yield* now}
            from ${recordset(sql, submissions, "id uuid, candidate_id uuid, application_id uuid, flow text, status text")}`
        }, Effect.orDie),
        attach: Effect.fn("Submissions.attach")(function* (organization, applications) {
          yield* sql`
            update submission b set application_id = r.application_id
            from ${recordset(sql, applications, "id uuid, application_id uuid")}
            where b.id = r.id and b.organization_id = ${organization}::int and b.application_id is null`
        }, Effect.orDie),
        apply: Effect.fn("Submissions.apply")(function* (organization, jobPost, applications) {
          const incoming = recordset(sql, applications, "id uuid, candidate_id uuid")
          // the no-op update makes the statement return the rows that are there already
          const rows = yield* sql<{ id: string; candidate_id: CandidateId }>`
            insert into application (id, organization_id, candidate_id, job_post_id, created_at)
            select r.id, ${organization}::int, r.candidate_id, ${jobPost}::uuid, ${yield* now} from ${incoming}
            on conflict (candidate_id, job_post_id) do update set candidate_id = excluded.candidate_id
            returning id, candidate_id`
          return new Map(rows.map(({ candidate_id, id }) => [candidate_id, id]))
        }, Effect.orDie),
        queueCvs: Effect.fn("Submissions.queueCvs")(function* (organization, cvs) {
          const at = yield* now
          const queued = yield* sql`
            insert into cv (id, organization_id, submission_id, link, created_at, due_at)
            select r.id, ${organization}::int, r.submission_id, r.link, ${at}, ${at}
            from ${recordset(sql, cvs, "id uuid, submission_id uuid, link text")}
            where not exists (select 1 from cv v where v.submission_id = r.submission_id and v.link = r.link)
            returning id`
          if (queued.length > 0) yield* wake("cv")
        }, Effect.orDie),
      })
    }),
  )
}
