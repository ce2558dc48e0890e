import { Context, type Duration, Effect, Layer } from "effect"
import type { Appearance } from "../accounts/Appearance.ts"
import { appearanceOf } from "../accounts/AppearanceSql.ts"
import { type SubjectRow, subjectColumns } from "../candidates/CandidateSql.ts"
import type { InterviewKey } from "../emails/EmailLinks.ts"
import { hasVoluntaryPage } from "../impact/SelfIdentificationSql.ts"
import { languagesOf } from "../interview-sets/InterviewSetSql.ts"
import { hasNotice } from "../notices/NoticeSql.ts"
import type { NewestPersonReview } from "../person-reviews/PersonReview.ts"
import { newestPersonReview } from "../person-reviews/PersonReviewSql.ts"
import { isResultOpen } from "../person-reviews/ResultSql.ts"
import { clock, Database, first } from "../platform/database/Database.ts"
import type { InvitationStatus } from "../submissions/InvitationStatus.ts"
import { expire, isOpenInvitation, recipientsOf } from "../submissions/SubmissionSql.ts"
import type { InvitationId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { Accommodation } from "./Accommodation.ts"
import { newestAccommodation } from "./AccommodationSql.ts"
import type { InterviewClock } from "./InterviewClock.ts"
import { clockOf, endOfAttempt, endOfRetake, endOfWindow, hasTime, isOverdue } from "./InterviewClockSql.ts"

export interface InterviewRow extends InterviewClock, SubjectRow {
  readonly organization_name: string
  readonly appearance: Appearance | null
  readonly time_zone: string
  /** An email or https address. */
  readonly contact: string | null
  readonly privacy_contact: string | null
  readonly interview_name: string
  readonly position: string | null
  readonly description: string | null
  /** That the organization offers. */
  readonly decline_reasons: ReadonlyArray<string>
  /** BCP 47, in the set's order. */
  readonly languages: ReadonlyArray<string>
  /** BCP 47, which the candidate has chosen; null: none. */
  readonly language: string | null
  readonly organization_language: string
  readonly candidate_email: string | null
  readonly candidate_name: string | null
  readonly candidate_firstname: string | null
  readonly candidate_lastname: string | null
  readonly invitation_id: InvitationId | null
  readonly invitation_status: InvitationStatus | null
  readonly expires_at: Date
  readonly expired: boolean
  readonly declined_at: Date | null
  readonly typed_answers_allowed: boolean
  /** The newest; null: none. */
  readonly accommodation: Accommodation | null
  /** The newest request for a person; null: none. */
  readonly person_review: NewestPersonReview | null
  /** The page with the result is open. */
  /** The candidate's personal data: nothing that the candidate writes is stored any more. */
  readonly is_erased: boolean
  readonly has_result: boolean
  /** The organization asks voluntary questions, or the candidate has answered them. */
  readonly has_voluntary_page: boolean
  /** The candidate got a notice about the rating by software. */
  readonly has_notice: boolean
}

export class InterviewRepository extends Context.Service<InterviewRepository>()(
  "interview-invitations/interviews/InterviewRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database
      return {
        /** In any organization: the link's signature was verified. */
        find: Effect.fnUntraced(function* (key: InterviewKey) {
          const at = yield* now
          return first(
            yield* sql<InterviewRow>`
              select ${sql.literal(subjectColumns)}, o.name as organization_name, o.contact, o.privacy_contact, o.time_zone, o.decline_reasons, s.title as interview_name, s.position, s.description, ${languagesOf(sql)}, o.language as organization_language, ${appearanceOf(sql)}, ${clockOf(sql, at)},
                c.email as candidate_email, c.name as candidate_name, c.firstname as candidate_firstname,
                c.lastname as candidate_lastname, i.id as invitation_id, i.status as invitation_status,
                b.expires_at, b.expires_at <= ${at} as expired, b.declined_at,
                b.language, b.typed_answers_allowed, ${newestAccommodation(sql)}, ${newestPersonReview(sql)}, ${isResultOpen(sql, at)} and c.erased_at is null as has_result,
                c.erased_at is not null as is_erased,
                ${hasVoluntaryPage(sql)} as has_voluntary_page, ${hasNotice(sql)} as has_notice,
                (select refusal from absent_organization a where a.id = b.organization_id)
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
        }),
        /**
         * False: the person was erased, so nothing that the candidate writes may be stored. Locked before the submission, as
         * the erasure does, which waits for the transaction.
         */
        lockPerson: Effect.fnUntraced(function* (organization: OrganizationId, id: SubmissionId) {
          const rows = yield* sql`
            select c.id from submission b join candidate c on c.id = b.candidate_id
            where b.id = ${id}::uuid and b.organization_id = ${organization}::int and c.erased_at is null for share of c`
          return rows.length > 0
        }),
        setLanguage: Effect.fnUntraced(function* (organization: OrganizationId, id: SubmissionId, language: string) {
          yield* sql`
            update submission set language = ${language}
            where id = ${id}::uuid and organization_id = ${organization}::int and language is distinct from ${language}`
        }),
        /** need_interview → initiated. Each step returns whether this call made it. */
        initiate: Effect.fnUntraced(function* (organization: OrganizationId, id: SubmissionId) {
          const at = yield* now
          const rows = yield* sql`
            update submission set status = 'initiated', initiated_at = ${at}
            where id = ${id}::uuid and organization_id = ${organization}::int and status = 'need_interview'
              and expires_at > ${at}
            returning id`
          return rows.length > 0
        }),
        start: Effect.fnUntraced(function* (organization: OrganizationId, id: SubmissionId) {
          const rows = yield* sql`
            update submission b set status = 'started', started_at = clock.now,
              initiated_at = coalesce(b.initiated_at, clock.now), answer_until = ${endOfAttempt(sql, sql`clock.now`)}
            from interview_set s, ${clock(sql, yield* now)}
            where b.id = ${id}::uuid and b.organization_id = ${organization}::int and s.id = b.interview_set_id
              and b.status in ('need_interview', 'initiated') and b.expires_at > clock.now
            returning b.id`
          return rows.length > 0
        }),
        complete: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: SubmissionId,
          attempt: number,
          window: Duration.Duration | undefined,
        ) {
          const rows = yield* sql`
            update submission b set status = 'completed', completed_at = clock.now,
              improvement_until = ${endOfWindow(sql, sql`clock.now`, window)}
            from ${clock(sql, yield* now)} where b.id = ${id}::uuid and b.organization_id = ${organization}::int and b.status = 'started'
              and b.attempt = ${attempt}::int
            returning b.id`
          return rows.length > 0
        }),
        /** Members who get to know that the interview was submitted, and when. */
        readers: (organization: OrganizationId, id: SubmissionId) => recipientsOf(sql, organization, id, "submitted"),
        /**
         * completed or evaluated → started, while the window is open; the caller checks canImprove. Returns the attempt.
         */
        reopen: Effect.fnUntraced(function* (organization: OrganizationId, id: SubmissionId, attempt: number) {
          const at = yield* now
          const rows = yield* sql<{ attempt: number }>`
            with before as (
              select id, attempt, started_at, completed_at from submission
              where id = ${id}::uuid and organization_id = ${organization}::int and status in ('completed', 'evaluated')
                and improvement_until > ${at} and attempt = ${attempt}::int
              for update
            ), kept as (
              insert into interview_attempt (organization_id, submission_id, attempt, started_at, completed_at)
              select ${organization}::int, id, attempt, started_at, completed_at from before
            )
            update submission b set status = 'started', attempt = before.attempt + 1, started_at = ${at}, completed_at = null,
              answer_until = ${endOfRetake(sql, at)}
            from before, interview_set s where b.id = before.id and s.id = b.interview_set_id
            returning b.attempt`
          return first(rows)?.attempt
        }),
        closeWindow: Effect.fnUntraced(function* (organization: OrganizationId, id: SubmissionId) {
          const at = yield* now
          const rows = yield* sql`
            update submission set improvement_until = ${at}
            where id = ${id}::uuid and organization_id = ${organization}::int and status in ('completed', 'evaluated')
              and improvement_until > ${at}
            returning id`
          return rows.length > 0
        }),
        /** need_interview, initiated or started → withdrawn, in attempt 1. Cancels the invitation and queued emails. */
        decline: Effect.fnUntraced(function* (organization: OrganizationId, id: SubmissionId, reason: string | null) {
          const at = yield* now
          // lock order: the submission before the invitation
          const declined = yield* sql`
            with declined as (
              update submission b set status = 'withdrawn', declined_at = ${at}, decline_reason = ${reason}
              where b.id = ${id}::uuid and b.organization_id = ${organization}::int and b.attempt = 1
                and ((b.status = 'started' and ${hasTime(sql, at)})
                  or (b.status in ('need_interview', 'initiated') and b.expires_at > ${at}))
              returning b.id
            ), uninvited as (
              update invitation i set status = 'cancelled', cancelled_at = ${at}
              where i.submission_id in (select id from declined) and ${isOpenInvitation(sql, "i")}
            )
            select id from declined`
          if (declined.length === 0) return false
          // the worker that has locked an email checks the invitation before sending
          yield* sql`
            update email set state = 'cancelled', due_at = null where id = any(array(
              select e.id from email e join invitation i on i.id = e.invitation_id
              where i.submission_id = ${id}::uuid and e.state = 'queued' for update of e skip locked))`
          return true
        }),
        overdue: Effect.fnUntraced(function* (limit: number) {
          return yield* sql<{ organization_id: OrganizationId; id: SubmissionId }>`
            select b.organization_id, b.id from submission b
            where b.status = 'started' and b.answer_until is not null and ${isOverdue(sql, yield* now)}
              and b.organization_id <> all(array(select id from suspended_organization))
            order by b.answer_until limit ${limit}::int`
        }),
        /** need_interview or initiated → expired. */
        /** Needs a transaction. Ends the deadline of a submission that has not begun. False: it has begun or ended. */
        expireNow: Effect.fnUntraced(function* (organization: OrganizationId, submission: SubmissionId) {
          const at = yield* now
          yield* sql`
            update submission set expires_at = ${at} where id = ${submission}::uuid and organization_id = ${organization}::int
              and status in ('need_interview', 'initiated') and expires_at > ${at}`
          yield* sql`
            update invitation i set expires_at = ${at}
            where i.submission_id = ${submission}::uuid and i.organization_id = ${organization}::int and i.expires_at > ${at}
              and ${isOpenInvitation(sql, "i")}`
          const due = sql`
            select id from submission where id = ${submission}::uuid and organization_id = ${organization}::int
              and status in ('need_interview', 'initiated') and expires_at <= ${at} for no key update`
          return (yield* expire(sql, due)).length > 0
        }),
        expire: Effect.fnUntraced(function* (limit: number) {
          const due = sql`
            select id from submission where status in ('need_interview', 'initiated') and expires_at <= ${yield* now}
              and organization_id <> all(array(select id from suspended_organization))
            order by expires_at limit ${limit}::int for no key update skip locked`
          return (yield* expire(sql, due)).length
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
