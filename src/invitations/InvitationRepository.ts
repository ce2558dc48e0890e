/** Stores invitations and changes their status. */
import { Context, Duration, Effect, Layer } from "effect"
import type { Appearance } from "../accounts/Appearance.ts"
import { appearanceOf } from "../accounts/AppearanceSql.ts"
import type { Reader } from "../accounts/Viewer.ts"
import { type CandidateFilter, type CandidateNames, candidateOf, isOfCandidate } from "../candidates/CandidateSql.ts"
import {
  chosenLanguagesOf,
  isReadable,
  setOf,
  spokenKindsOf,
  spokenLanguagesOf,
} from "../interview-sets/InterviewSetSql.ts"
import { hasNotice } from "../notices/NoticeSql.ts"
import * as AdvisoryLocks from "../platform/database/AdvisoryLocks.ts"
import { clock, Database, first, later } from "../platform/database/Database.ts"
import { iso, type Positioned, paging, when } from "../platform/database/Paging.ts"
import type { PersonalTable } from "../platform/database/PersonalData.ts"
import { QueueNotifier } from "../platform/queue/QueueNotifier.ts"
import type { InvitationStatus } from "../submissions/InvitationStatus.ts"
import type { SubmissionStatus } from "../submissions/Submission.ts"
import { isOpenInvitation, minutes, within } from "../submissions/SubmissionSql.ts"
import type { PageRequest } from "../values/Cursor.ts"
import type { CandidateId, InterviewSetId, InvitationId, OrganizationId, SubmissionId } from "../values/Ids.ts"
import type { EmailSubjects } from "./EmailSubject.ts"
import { ownSubjects } from "./EmailSubjectSql.ts"
import type { InvitationDetail, InvitationStanding } from "./Invitation.ts"

export interface InvitationView {
  readonly id: InvitationId
  readonly organization_id: OrganizationId
  readonly organization_name: string
  readonly organization_contact: string | null
  readonly appearance: Appearance | null
  readonly time_zone: string
  readonly interview_set_id: InterviewSetId
  readonly interview_name: string
  /** With the time factor; null: no limit. */
  readonly interview_duration: number | null
  /** BCP 47, in the set's order. */
  readonly languages: ReadonlyArray<string>
  /** How some of its questions can be answered by speaking, in the order of their names. */
  readonly spoken_kinds: ReadonlyArray<"audio" | "video">
  readonly submission_id: SubmissionId
  readonly submission_status: SubmissionStatus
  /** Null: no limit, or not started. */
  readonly answer_until: Date | null
  readonly candidate_id: CandidateId
  readonly email: string
  readonly name: string | null
  readonly firstname: string | null
  readonly lastname: string | null
  readonly message: string | null
  /** Those of the set, else those of the organization. */
  readonly own_subjects: EmailSubjects
  readonly status: InvitationStatus
  readonly expires_at: Date
  readonly expired: boolean
  /** The candidate got a notice about the rating by software. */
  readonly has_notice: boolean
}

export interface Addressee {
  readonly id: InvitationId
  readonly organization_id: OrganizationId
  readonly organization_name: string
  readonly appearance: Appearance | null
  readonly email: string
  readonly languages: ReadonlyArray<string>
}

export interface LockedInvitation extends InvitationStanding {
  readonly email: string
  readonly expires_at: Date
  readonly time_factor: number
  readonly has_time_limit: boolean
  readonly mail_queued: boolean
}

export interface InvitationFilter extends CandidateFilter {
  readonly interview_set_id?: string | null | undefined
  readonly status?: InvitationStatus | null | undefined
  readonly submission_id?: string | null | undefined
  readonly updated_since?: string | null | undefined
  /** Only invitations to sets that it reads. */
  readonly reader?: Reader | undefined
}

export type InvitationDetailRow = Omit<InvitationDetail, "interview_url" | "candidate" | "mails_stopped"> & {
  readonly candidate: CandidateNames
}

export interface InvitationMailLine {
  readonly kind: string
  readonly state: "queued" | "sent" | "failed" | "cancelled"
  readonly recipient: string
  readonly error: string | null
  readonly created_at: string
  readonly sent_at: string | null
}

export interface InvitationFacts {
  readonly readable: boolean
  readonly message: string | null
  /** Without the time factor; null: no limit. */
  readonly minutes: number | null
  readonly initiated_at: string | null
  readonly started_at: string | null
  readonly completed_at: string | null
  /** The newest `maxMails`, oldest first. */
  readonly mails: ReadonlyArray<InvitationMailLine>
}

const maxMails = 50

const ended = "t.status in ('failed', 'cancelled', 'expired')"

export const personalInvitations: ReadonlyArray<PersonalTable> = [
  {
    table: "audit_log",
    rows: "t.record_type = 'invitation' and t.record_id = any(p.invitations::text[])",
    set: { detail: "t.detail - 'email' - 'previous_email'" },
  },
  {
    table: "invitation",
    kept: ["failure_reason", "reminder"],
    rows: "t.id = any(p.invitations)",
    cleared: ["message"],
    set: {
      email: "''",
      status: `case when ${ended} then t.status else 'cancelled' end`,
    },
    compute: { cancelled_at: `case when ${ended} then t.cancelled_at else p.at end` },
    exported: {
      name: "invitations",
      of: "candidate",
      row: "to_jsonb(i) - 'organization_id' - 'candidate_id'",
      from: "invitation i where i.candidate_id = c.id",
      order: "i.created_at",
    },
  },
]

export class InvitationRepository extends Context.Service<InvitationRepository>()(
  "interview-invitations/invitations/InvitationRepository",
  {
    make: Effect.gen(function* () {
      const { nameInSchema, now, sql, transaction } = yield* Database
      const { wake } = yield* QueueNotifier
      const joins = sql.literal(
        `join interview_set s on s.id = i.interview_set_id join candidate c on c.id = i.candidate_id
         join submission b on b.id = i.submission_id`,
      )
      const isQueued = sql`exists (
        select from email q where q.invitation_id = i.id and q.organization_id = i.organization_id and q.state = 'queued')`
      const shown = sql`i.id, i.status as status_text, i.email, case when ${isQueued} then 'queued' end as email_status, i.failure_reason, ${setOf(sql)}, ${candidateOf(sql)},
        jsonb_build_object('id', b.id, 'status_text', b.status) as submission,
        ${iso(sql, "i.expires_at")} as expires_at, b.time_factor::float8 as time_factor, ${iso(sql, "i.sent_at")} as sent_at,
        ${iso(sql, "i.delivered_at")} as delivered_at, ${iso(sql, "i.opened_at")} as opened_at,
        ${iso(sql, "i.clicked_at")} as clicked_at, ${iso(sql, "i.failed_at")} as failed_at,
        ${iso(sql, "i.cancelled_at")} as cancelled_at,
        ${iso(sql, "b.declined_at")} as declined_at, ${iso(sql, "i.created_at")} as created_at, ${iso(sql, "i.updated_at")} as updated_at`
      return {
        find: Effect.fnUntraced(function* (organization: OrganizationId, id: InvitationId) {
          return first(
            yield* sql<InvitationView>`
              select i.id, i.organization_id, o.name as organization_name,
                o.contact as organization_contact, ${appearanceOf(sql)}, o.time_zone, i.interview_set_id,
                s.title as interview_name, ${minutes(sql)}::float8 as interview_duration,
                ${chosenLanguagesOf(sql)}, ${spokenKindsOf(sql)},
                i.submission_id, b.status as submission_status, b.answer_until, i.candidate_id, i.email, c.name,
                c.firstname, c.lastname, i.message, ${ownSubjects(sql)}, i.status, i.expires_at, i.expires_at <= ${yield* now} as expired,
                ${hasNotice(sql)} as has_notice
              from invitation i join organization o on o.id = i.organization_id join submission b on b.id = i.submission_id
                join interview_set s on s.id = i.interview_set_id join candidate c on c.id = i.candidate_id
              where i.id = ${id}::uuid and i.organization_id = ${organization}::int`,
          )
        }),
        /** In any organization: the caller has verified a signed link. */
        addressee: Effect.fnUntraced(function* (id: InvitationId) {
          return first(
            yield* sql<Addressee>`
              select i.id, i.organization_id, o.name as organization_name, ${appearanceOf(sql)}, i.email,
                ${spokenLanguagesOf(sql)}, (select refusal from absent_organization a where a.id = i.organization_id)
              from invitation i join organization o on o.id = i.organization_id
                join interview_set s on s.id = i.interview_set_id
              where i.id = ${id}::uuid`,
          )
        }),
        /** Locks it, so that concurrent resends see each other's queued email. */
        lock: Effect.fnUntraced(function* (organization: OrganizationId, id: InvitationId) {
          yield* sql`
            select id from invitation where id = ${id}::uuid and organization_id = ${organization}::int for no key update`
          // a second statement, because the first sees other rows as before its wait
          return first(
            yield* sql<LockedInvitation>`
              select i.status, i.failure_reason, i.expires_at, b.time_factor::float8 as time_factor, i.expires_at <= ${yield* now} as expired,
                b.status as submission_status, b.attempt, b.declined_at is not null as declined, i.email,
                s.interview_duration is not null as has_time_limit,
                exists (select from invitation o where o.candidate_id = i.candidate_id
                  and o.interview_set_id = i.interview_set_id and o.id <> i.id
                  and ${isOpenInvitation(sql, "o")}) as replaced,
                exists (select 1 from email where invitation_id = i.id and state = 'queued') as mail_queued
              from invitation i join submission b on b.id = i.submission_id
                join interview_set s on s.id = i.interview_set_id
              where i.id = ${id}::uuid and i.organization_id = ${organization}::int`,
          )
        }),
        /**
         * Also withdraws the submission. False: it has ended, the interview was submitted, or it failed and the submission
         * has an open invitation.
         */
        cancel: Effect.fnUntraced(function* (organization: OrganizationId, id: InvitationId) {
          // lock order: the submission before the invitation
          const cancelled = yield* sql`
            with changed as (
              update submission b set status =
                case when b.status in ('need_interview', 'initiated', 'started') then 'withdrawn' else b.status end
              from invitation i
              where i.id = ${id}::uuid and i.organization_id = ${organization}::int
                and i.status not in ('cancelled', 'expired')
                -- a failed invitation's submission may have an open one
                and not (i.status = 'failed' and exists (select 1 from invitation o where o.submission_id = i.submission_id
                  and ${isOpenInvitation(sql, "o")}))
                and b.id = i.submission_id and b.status not in ('completed', 'evaluated')
                -- a retake improves submitted answers
                and not (b.status = 'started' and b.attempt > 1)
              returning b.id
            )
            update invitation i set status = 'cancelled', cancelled_at = ${yield* now} from changed
            where i.submission_id = changed.id and i.id = ${id}::uuid and i.status not in ('cancelled', 'expired')
            returning i.id`
          return cancelled.length > 0
        }),
        detail: Effect.fnUntraced(function* (organization: OrganizationId, id: InvitationId) {
          return first(
            yield* sql<InvitationDetailRow>`
              select ${shown} from invitation i ${joins}
              where i.id = ${id}::uuid and i.organization_id = ${organization}::int`,
          )
        }),
        /** A page (values/Cursor.ts), newest first. */
        list: Effect.fnUntraced(function* (organization: OrganizationId, filter: InvitationFilter, page: PageRequest) {
          const { behind, newestFirst, position } = paging(sql, "i", page)
          // joins read only the rows of the page
          return yield* sql<Positioned<InvitationDetailRow>>`
            select ${shown}, ${position} from (
              select * from invitation i where ${within(sql, "i", organization, filter.interview_set_id)} and ${behind}
                and ${when(sql, filter.status, (status) => sql`i.status = ${status}`)}
                and ${isOfCandidate(sql, "i.submission_id", organization, filter)}
                and ${when(sql, filter.updated_since, (at) => sql`i.updated_at >= ${at}::timestamptz`)}
                and ${when(sql, filter.submission_id, (submission) => sql`i.submission_id = ${submission}::uuid`)}
                and ${isReadable(sql, organization, filter.reader, "i.interview_set_id")}
              ${newestFirst}
            ) i ${joins} where i.organization_id = ${organization}::int ${newestFirst}`
        }),
        facts: Effect.fnUntraced(function* (
          organization: OrganizationId,
          id: InvitationId,
          reader: Reader | undefined,
        ) {
          return first(
            yield* sql<InvitationFacts>`
              select i.message, s.interview_duration as minutes, ${iso(sql, "b.initiated_at")} as initiated_at,
                ${iso(sql, "b.started_at")} as started_at, ${iso(sql, "b.completed_at")} as completed_at,
                ${isReadable(sql, organization, reader, "i.interview_set_id")} as readable,
                coalesce((select jsonb_agg(to_jsonb(m) - 'id' order by m.created_at, m.id) from (
                  select e.id, e.kind, e.state, e.recipient, e.error, ${iso(sql, "e.created_at")} as created_at,
                    ${iso(sql, "e.sent_at")} as sent_at
                  from email e where e.invitation_id = i.id order by e.created_at desc, e.id desc limit ${maxMails}::int) m), '[]') as mails
              from invitation i join interview_set s on s.id = i.interview_set_id join submission b on b.id = i.submission_id
              where i.id = ${id}::uuid and i.organization_id = ${organization}::int`,
          )
        }),
        /**
         * Blocks invites of the organization, so that none replaces this failed invitation. Call before `lock`, in the lock
         * order of invites. False when it has not failed.
         */
        lockInvites: Effect.fnUntraced(function* (organization: OrganizationId, id: InvitationId) {
          const rows = yield* sql`
            select ${AdvisoryLocks.lock({ nameInSchema, sql }, "candidate", organization)} from invitation
            where id = ${id}::uuid and organization_id = ${organization}::int and status = 'failed'`
          return rows.length > 0
        }),
        /** failed → pending. Requires `lockInvites`. */
        reopen: Effect.fnUntraced(function* (organization: OrganizationId, id: InvitationId) {
          yield* sql`
            update invitation set status = 'pending', failure_reason = null, failed_at = null, delivered_at = null
            where id = ${id}::uuid and organization_id = ${organization}::int and status = 'failed'`
        }),
        /** failed → pending, at another address. Requires `lockInvites`. */
        correctAddress: Effect.fnUntraced(function* (organization: OrganizationId, id: InvitationId, email: string) {
          yield* sql`
            update invitation set email = ${email}, status = 'pending', failure_reason = null, failed_at = null, sent_at = null,
              delivered_at = null
            where id = ${id}::uuid and organization_id = ${organization}::int and status = 'failed'`
        }),
        /** Another invitation to the set is open at the address, or one of the candidates has a submission that has not ended. */
        isInvited: Effect.fnUntraced(function* (
          organization: OrganizationId,
          set: InterviewSetId,
          {
            candidates,
            email,
            except,
          }: {
            readonly candidates: ReadonlyArray<CandidateId>
            readonly email: string
            readonly except: InvitationId
          },
        ) {
          const rows = yield* sql<{ invited: boolean }>`
            select exists (
              select from invitation i where i.organization_id = ${organization}::int and lower(i.email) = lower(${email})
                and i.interview_set_id = ${set}::uuid and i.id <> ${except}::uuid and ${isOpenInvitation(sql, "i")}
            ) or exists (
              select from submission b where b.candidate_id = any(${[...candidates]}::uuid[])
                and b.interview_set_id = ${set}::uuid and b.organization_id = ${organization}::int
                and b.flow = 'interview' and b.status not in ('withdrawn', 'expired')
            ) as invited`
          return first(rows)?.invited === true
        }),
        /** Undefined: the interview was started, or the deadline is no later. */
        extend: Effect.fnUntraced(function* (organization: OrganizationId, id: InvitationId, until: Date) {
          const at = yield* now
          return first(
            yield* sql<{ email: string }>`
              with changed as (
                update submission b set expires_at = greatest(b.expires_at, ${until}::timestamptz)
                from invitation i
                where i.id = ${id}::uuid and i.organization_id = ${organization}::int
                  and ${isOpenInvitation(sql, "i")}
                  and i.expires_at > ${at} and i.expires_at < ${until}::timestamptz
                  and b.id = i.submission_id and b.status in ('need_interview', 'initiated')
                returning b.id
              )
              update invitation i set expires_at = ${until}::timestamptz,
                reminder = case when i.reminder = 'queued' then i.reminder end
              from changed
              where i.submission_id = changed.id and i.id = ${id}::uuid
                and ${isOpenInvitation(sql, "i")} and i.expires_at < ${until}::timestamptz
              returning i.email`,
          )
        }),
        /**
         * Moves the end of a running interview. Undefined: the interview has no duration, its time is over, the answers were
         * submitted, or the factor is no higher.
         */
        setTimeFactor: Effect.fnUntraced(function* (organization: OrganizationId, id: InvitationId, factor: number) {
          const at = yield* now
          const length = sql`ceil(s.interview_duration * ${factor}::float8::numeric(4, 2))::float8 * interval '1 minute'`
          const end = later(sql, sql`b.started_at`, length)
          return first(
            yield* sql<{ email: string; started: boolean }>`
              update submission b set time_factor = ${factor}::float8::numeric(4, 2),
                answer_until = case when b.status = 'started' then ${end} end
              from invitation i join interview_set s on s.id = i.interview_set_id and s.interview_duration is not null
              where i.id = ${id}::uuid and i.organization_id = ${organization}::int and ${isOpenInvitation(sql, "i")}
                and b.id = i.submission_id and b.time_factor < ${factor}::float8::numeric(4, 2)
                and (b.status in ('need_interview', 'initiated') and i.expires_at > ${at}
                  or b.status = 'started' and b.attempt = 1 and b.answer_until > ${at})
              returning i.email, b.status = 'started' as started`,
          )
        }),
        /**
         * Sets the time factor to 1. Undefined: the interview was started, or has no extra time.
         */
        removeExtraTime: Effect.fnUntraced(function* (organization: OrganizationId, id: InvitationId) {
          return first(
            yield* sql<{ email: string; started: boolean }>`
              update submission b set time_factor = 1 from invitation i
              where i.id = ${id}::uuid and i.organization_id = ${organization}::int
                and ${isOpenInvitation(sql, "i")} and i.expires_at > ${yield* now}
                and b.id = i.submission_id and b.status in ('need_interview', 'initiated') and b.time_factor > 1
              returning i.email, b.status = 'started' as started`,
          )
        }),
        /**
         * Queues reminders of unstarted invitations that expire within `ahead`; skips those with a queued email, or one
         * sent less than `quiet` before the deadline. Returns the number queued and skipped. Pods take different rows.
         */
        decideReminders: Effect.fnUntraced(function* (
          ahead: Duration.Duration,
          quiet: Duration.Duration,
          limit: number,
        ) {
          const at = yield* now
          const span = (duration: Duration.Duration) =>
            sql`${Duration.toMillis(duration)}::float8 * interval '1 millisecond'`
          // the conditions of index invitation_reminder
          const counts = first(
            yield* sql<{ decided: number; queued: number }>`
                with decided as (
                  update invitation i set reminder = case
                    when i.expires_at > clock.now and i.spam_at is null and b.status in ('need_interview', 'initiated')
                      and not exists (select from email m where m.invitation_id = i.id
                        and (m.state = 'queued' or m.sent_at > ${later(sql, sql`i.expires_at`, sql`-1 * ${span(quiet)}`)}))
                    then 'queued' else 'skipped' end
                  from submission b, ${clock(sql, at)}
                  where b.id = i.submission_id and i.reminder is null and i.id = any(array(
                    select id from invitation
                    where reminder is null and status in ('sent', 'delivered', 'opened', 'clicked')
                      and expires_at <= ${at} + ${span(ahead)}
                      and organization_id <> all(array(select id from suspended_organization))
                    order by expires_at limit ${limit}::int for no key update skip locked))
                  returning i.id, i.organization_id, i.email, i.reminder
                ), queued as (
                  insert into email (id, organization_id, invitation_id, kind, recipient, created_at, due_at)
                  select gen_random_uuid(), organization_id, id, 'invitation_reminder', email, ${at}, ${at}
                  from decided where reminder = 'queued'
                  returning id
                )
                select (select count(*)::int from decided) as decided, (select count(*)::int from queued) as queued`,
          )
          if ((counts?.queued ?? 0) > 0) yield* wake("email")
          return counts?.decided ?? 0
        }, transaction),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
