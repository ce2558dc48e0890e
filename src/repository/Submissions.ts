/** Submissions and what hangs on them when they are made: applications and CVs. */
import { Context, Effect, Layer } from "effect"
import type { ApplicationId, CandidateId, CvId, InterviewSetId, OrganizationId, SubmissionId } from "../domain/Ids.ts"
import type { SubmissionFlow, SubmissionStatus } from "../domain/Submission.ts"
import { Database, recordset } from "./Database.ts"
import { expire } from "./Interviews.ts"
import { Wakeups } from "./Wakeups.ts"

export interface LivingSubmission {
  readonly id: SubmissionId
  readonly candidate_id: CandidateId
  readonly flow: SubmissionFlow
  readonly status: SubmissionStatus
  readonly application_id: ApplicationId | null
}

export class Submissions extends Context.Service<
  Submissions,
  {
    /**
     * The candidates' submissions to the set that were neither withdrawn nor expired, the newest of each flow. Those whose
     * time is over and that nobody has ended yet are ended by this, with their invitations: what is returned can be
     * answered, and nothing else stands in the way of a new invitation. They stay as they are until the transaction ends.
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
    /** Lets submissions be started until then, unless they can be for longer. */
    readonly extend: (
      organization: OrganizationId,
      submissions: ReadonlyArray<SubmissionId>,
      expiresAt: Date,
    ) => Effect.Effect<void>
    /** Gives submissions that have none yet their application. */
    readonly attach: (
      organization: OrganizationId,
      applications: ReadonlyArray<{ readonly id: SubmissionId; readonly application_id: ApplicationId }>,
    ) => Effect.Effect<void>
    /** Queues the reading of CVs; a link that the submission already has is queued again only when it has failed. */
    readonly queueCvs: (
      organization: OrganizationId,
      cvs: ReadonlyArray<{ readonly id: CvId; readonly submission_id: SubmissionId; readonly link: string }>,
    ) => Effect.Effect<void>
  }
>()("interview-invitations/repository/Submissions") {
  static readonly layer = Layer.effect(
    Submissions,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      const { wake } = yield* Wakeups
      return Submissions.of({
        living: Effect.fnUntraced(function* (organization, set, candidates) {
          if (candidates.length === 0) return []
          const at = yield* now
          // joined to the candidates, or the planner may walk through the set's
          const ofCandidates = sql`unnest(${[...candidates]}::uuid[]) as r(candidate_id)
            join submission b on b.candidate_id = r.candidate_id and b.interview_set_id = ${set}::uuid
              and b.organization_id = ${organization}::int`
          const select = sql<LivingSubmission & { readonly overdue: boolean }>`
            select distinct on (b.candidate_id, b.flow) b.id, b.candidate_id, b.flow, b.status, b.application_id,
              b.status in ('need_interview', 'initiated') and b.expires_at <= ${at} as overdue
            from ${ofCandidates} where b.status not in ('withdrawn', 'expired')
            order by b.candidate_id, b.flow, b.created_at desc, b.id desc`
          // held before they are read: whoever cancels, starts or ends one of them has done so, or waits until this has ended
          yield* sql`
            select b.id from ${ofCandidates} where b.status not in ('withdrawn', 'expired')
            order by b.id for no key update of b`
          const rows = yield* select
          if (!rows.some(({ overdue }) => overdue)) return rows
          yield* expire(
            sql,
            sql`select b.id from ${ofCandidates} where b.status in ('need_interview', 'initiated')
              and b.expires_at <= ${at} order by b.id for no key update of b`,
          )
          return yield* select
        }, Effect.orDie),
        candidatesByCvLink: Effect.fnUntraced(function* (organization, set, links) {
          const rows = yield* sql<{ link: string; candidate_id: CandidateId }>`
            select distinct on (v.link) v.link, s.candidate_id
            from cv v join submission s on s.id = v.submission_id join candidate c on c.id = s.candidate_id
            where v.organization_id = ${organization}::int and s.interview_set_id = ${set}::uuid
              and v.link = any(${[...links]}::text[]) and s.flow = 'cv'
              and c.ats_candidate_id is null and c.email_key is null
            order by v.link, s.created_at desc`
          return new Map(rows.map(({ candidate_id, link }) => [link, candidate_id]))
        }, Effect.orDie),
        extend: Effect.fnUntraced(function* (organization, submissions, expiresAt) {
          if (submissions.length === 0) return
          // no condition on status and time beside the ids: for those there is an index, and it leads past them
          yield* sql`
            update submission set expires_at = greatest(expires_at, ${expiresAt})
            where id = any(${[...submissions]}::uuid[]) and organization_id = ${organization}::int`
        }, Effect.orDie),
        attach: Effect.fnUntraced(function* (organization, applications) {
          if (applications.length === 0) return
          yield* sql`
            update submission b set application_id = r.application_id
            from ${recordset(sql, applications, "id uuid, application_id uuid")}
            where b.id = r.id and b.organization_id = ${organization}::int and b.application_id is null`
        }, Effect.orDie),
        queueCvs: Effect.fnUntraced(function* (organization, cvs) {
          if (cvs.length === 0) return
          const at = yield* now
          const queued = yield* sql`
            insert into cv (id, organization_id, submission_id, link, created_at, due_at)
            select r.id, ${organization}::int, r.submission_id, r.link, ${at}, ${at}
            from ${recordset(sql, cvs, "id uuid, submission_id uuid, link text")}
            where not exists (select 1 from cv v where v.submission_id = r.submission_id and v.link = r.link
              and v.state <> 'failed')
            returning id`
          if (queued.length > 0) yield* wake("cv")
        }, Effect.orDie),
      })
    }),
  )
}
