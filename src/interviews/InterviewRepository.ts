/** A candidate's interview: what is asked, what was answered, and the guarded steps between the states. */

import { Context, Duration, Effect, Layer } from "effect"
import type { InterviewKey } from "../emails/EmailLinks.ts"
import { languagesOf } from "../interview-sets/InterviewSetSql.ts"
import { Database, first } from "../platform/database/Database.ts"
import type { InvitationStatus } from "../submissions/InvitationStatus.ts"
import type { SubmissionStatus } from "../submissions/Submission.ts"
import { expire, minutes } from "../submissions/SubmissionSql.ts"
import type {
  AtsCandidateId,
  CandidateId,
  InterviewSetId,
  InvitationId,
  OrganizationId,
  SubmissionId,
} from "../values/Ids.ts"

export interface InterviewRow {
  readonly submission_id: SubmissionId
  readonly organization_id: OrganizationId
  readonly organization_name: string
  /** Whom candidates may ask, and about their data: an e-mail or https address. */
  readonly contact: string | null
  readonly privacy_contact: string | null
  readonly interview_set_id: InterviewSetId
  readonly interview_name: string
  readonly position: string | null
  readonly description: string | null
  /** For this candidate, with the time factor; null: no limit. */
  readonly minutes: number | null
  readonly number_of_retakes: number | null
  /** BCP 47 tags of the set's known languages, in its order. */
  readonly languages: ReadonlyArray<string>
  readonly candidate_id: CandidateId
  readonly candidate_email: string | null
  readonly candidate_name: string | null
  readonly candidate_firstname: string | null
  readonly candidate_lastname: string | null
  readonly ats_candidate_id: AtsCandidateId | null
  readonly invitation_id: InvitationId | null
  readonly invitation_status: InvitationStatus | null
  readonly status: SubmissionStatus
  readonly attempt: number
  readonly expires_at: Date
  readonly expired: boolean
  readonly started_at: Date | null
  readonly answer_until: Date | null
  /** Whole seconds until answer_until by the database's clock; null: no limit, or not started. */
  readonly seconds_left: number | null
  readonly completed_at: Date | null
  readonly declined_at: Date | null
  /** While it is in the future, a completed interview with retakes left can be submitted again. */
  readonly improvement_until: Date | null
  readonly improvement_open: boolean
}

export class InterviewRepository extends Context.Service<
  InterviewRepository,
  {
    /** The organization is not known to a candidate: the signed link is what proves the right to read. */
    readonly find: (key: InterviewKey) => Effect.Effect<InterviewRow | undefined>
    /** need_interview → initiated. Each step is true for the one caller that made it. */
    readonly initiate: (organization: OrganizationId, id: SubmissionId) => Effect.Effect<boolean>
    /** need_interview or initiated → started; the clock runs from now for the minutes that there then are. */
    readonly start: (organization: OrganizationId, id: SubmissionId) => Effect.Effect<boolean>
    /**
     * started → completed, of the attempt that is meant. With a `window`, improvements are possible until it ends; it is the first attempt that opens it,
     * and those that follow do not prolong it.
     */
    readonly complete: (
      organization: OrganizationId,
      id: SubmissionId,
      attempt: number,
      window: Duration.Duration | undefined,
    ) => Effect.Effect<boolean>
    /**
     * completed → started, in the next attempt, for as long as the improvement window is open and `retakes` are not used
     * up; gives the number of the attempt. Its clock runs from now as at the start, and no longer than the window. The
     * times of the attempt before are kept.
     */
    readonly reopen: (
      organization: OrganizationId,
      id: SubmissionId,
      retakes: number,
    ) => Effect.Effect<number | undefined>
    /** Closes the improvement window now; true for the one caller that did. */
    readonly closeWindow: (organization: OrganizationId, id: SubmissionId) => Effect.Effect<boolean>
    /**
     * The candidate says no: a first attempt that is not completed and whose time is not over → withdrawn, its living invitation → cancelled, its
     * queued mails → cancelled. True for the one caller that made the step.
     */
    readonly decline: (organization: OrganizationId, id: SubmissionId) => Effect.Effect<boolean>
    /** Interviews whose time was over `grace` ago and that nobody has completed yet. */
    readonly overdue: (
      grace: Duration.Duration,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<{ readonly organization_id: OrganizationId; readonly id: SubmissionId }>>
    /** Ends what was never started in time, with its invitations; returns how many there were. */
    readonly expire: (limit: number) => Effect.Effect<number>
  }
>()("interview-invitations/interviews/InterviewRepository") {
  static readonly layer = Layer.effect(
    InterviewRepository,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      return InterviewRepository.of({
        find: Effect.fnUntraced(function* (key) {
          const at = yield* now
          return first(
            yield* sql<InterviewRow>`
              select b.id as submission_id, b.organization_id, o.name as organization_name, o.contact, o.privacy_contact,
                b.interview_set_id,
                s.title as interview_name, s.position, s.description, s.number_of_retakes,
                ${languagesOf(sql)},
                b.candidate_id, c.email as candidate_email, c.name as candidate_name, c.firstname as candidate_firstname,
                c.lastname as candidate_lastname, c.ats_candidate_id, i.id as invitation_id, i.status as invitation_status,
                b.status, b.attempt, ${minutes(sql)}::float8 as minutes, b.expires_at, b.expires_at <= ${at} as expired,
                b.started_at, b.answer_until,
                floor(extract(epoch from b.answer_until - ${at}))::float8 as seconds_left, b.completed_at,
                b.declined_at, b.improvement_until, coalesce(b.improvement_until > ${at}, false) as improvement_open
              from submission b
                join organization o on o.id = b.organization_id
                join interview_set s on s.id = b.interview_set_id
                join candidate c on c.id = b.candidate_id
                left join lateral (
                  select id, status from invitation where submission_id = b.id and ${
                    key._tag === "Invitation" ? sql`id = ${key.id}::uuid` : sql`true`
                  } order by created_at desc, id desc limit 1
                ) i on true
              where s.set_type = 1 and ${
                key._tag === "Invitation"
                  ? sql`b.id = (select submission_id from invitation where id = ${key.id}::uuid)`
                  : sql`b.id = ${key.id}::uuid`
              }`,
          )
        }, Effect.orDie),
        initiate: Effect.fnUntraced(function* (organization, id) {
          const at = yield* now
          const rows = yield* sql`
            update submission set status = 'initiated', initiated_at = ${at}
            where id = ${id}::uuid and organization_id = ${organization}::int and status = 'need_interview'
              and expires_at > ${at}
            returning id`
          return rows.length > 0
        }, Effect.orDie),
        start: Effect.fnUntraced(function* (organization, id) {
          const at = yield* now
          const rows = yield* sql`
            update submission b set status = 'started', started_at = ${at}, initiated_at = coalesce(b.initiated_at, ${at}),
              answer_until = ${at} + ${minutes(sql)}::float8 * interval '1 minute'
            from interview_set s
            where b.id = ${id}::uuid and b.organization_id = ${organization}::int and s.id = b.interview_set_id
              and b.status in ('need_interview', 'initiated') and b.expires_at > ${at}
            returning b.id`
          return rows.length > 0
        }, Effect.orDie),
        complete: Effect.fnUntraced(function* (organization, id, attempt, window) {
          const at = yield* now
          const rows = yield* sql`
            update submission set status = 'completed', completed_at = ${at},
              improvement_until = case when ${window !== undefined}::bool then coalesce(improvement_until,
                ${at} + ${window === undefined ? null : Duration.toSeconds(window)}::float8 * interval '1 second') end
            where id = ${id}::uuid and organization_id = ${organization}::int and status = 'started'
              and attempt = ${attempt}::int
            returning id`
          return rows.length > 0
        }, Effect.orDie),
        reopen: Effect.fnUntraced(function* (organization, id, retakes) {
          const at = yield* now
          const rows = yield* sql<{ attempt: number }>`
            with before as (
              select id, attempt, started_at, completed_at from submission
              where id = ${id}::uuid and organization_id = ${organization}::int and status in ('completed', 'evaluated')
                and improvement_until > ${at} and attempt <= ${retakes}::int
              for update
            ), kept as (
              insert into interview_attempt (organization_id, submission_id, attempt, started_at, completed_at)
              select ${organization}::int, id, attempt, started_at, completed_at from before
            )
            update submission b set status = 'started', attempt = before.attempt + 1, started_at = ${at}, completed_at = null,
              answer_until = least(b.improvement_until, ${at} + ${minutes(sql)}::float8 * interval '1 minute')
            from before, interview_set s where b.id = before.id and s.id = b.interview_set_id
            returning b.attempt`
          return first(rows)?.attempt
        }, Effect.orDie),
        closeWindow: Effect.fnUntraced(function* (organization, id) {
          const at = yield* now
          const rows = yield* sql`
            update submission set improvement_until = ${at}
            where id = ${id}::uuid and organization_id = ${organization}::int and status in ('completed', 'evaluated')
              and improvement_until > ${at}
            returning id`
          return rows.length > 0
        }, Effect.orDie),
        decline: Effect.fnUntraced(function* (organization, id) {
          const at = yield* now
          // lock the submission before the invitation, as every transaction that changes both does
          const declined = yield* sql`
            with declined as (
              update submission set status = 'withdrawn', declined_at = ${at}
              where id = ${id}::uuid and organization_id = ${organization}::int and attempt = 1
                and ((status = 'started' and (answer_until is null or answer_until > ${at}))
                  or (status in ('need_interview', 'initiated') and expires_at > ${at}))
              returning id
            ), uninvited as (
              update invitation set status = 'cancelled', cancelled_at = ${at}
              where submission_id in (select id from declined) and status not in ('failed', 'cancelled', 'expired')
            )
            select id from declined`
          if (declined.length === 0) return false
          // a mail that a worker has in hand is passed over: it finds the invitation cancelled, or has left
          yield* sql`
            update email set state = 'cancelled', due_at = null where id = any(array(
              select e.id from email e join invitation i on i.id = e.invitation_id
              where i.submission_id = ${id}::uuid and e.state = 'queued' for update of e skip locked))`
          return true
        }, Effect.orDie),
        overdue: Effect.fnUntraced(function* (grace, limit) {
          return yield* sql<{ organization_id: OrganizationId; id: SubmissionId }>`
            select organization_id, id from submission
            where status = 'started' and answer_until is not null
              and answer_until <= ${yield* now} - ${Duration.toSeconds(grace)}::float8 * interval '1 second'
            order by answer_until limit ${limit}::int`
        }, Effect.orDie),
        expire: Effect.fnUntraced(function* (limit) {
          const due = sql`
            select id from submission where status in ('need_interview', 'initiated') and expires_at <= ${yield* now}
            order by expires_at limit ${limit}::int for no key update skip locked`
          return (yield* expire(sql, due)).length
        }, Effect.orDie),
      })
    }),
  )
}
