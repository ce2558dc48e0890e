/** A candidate's interview: what is asked, what was answered, and the guarded steps between the states. */
import type { PgClient } from "@effect/sql-pg"
import { Context, Duration, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type {
  AtsCandidateId,
  CandidateId,
  InterviewSetId,
  InvitationId,
  OrganizationId,
  QuestionId,
  SubmissionId,
} from "../domain/Ids.ts"
import type { InvitationStatus } from "../domain/Invitation.ts"
import type { SubmissionStatus } from "../domain/Submission.ts"
import { Database, first, recordset } from "./Database.ts"

export interface InterviewRow {
  readonly submission_id: SubmissionId
  readonly organization_id: OrganizationId
  readonly organization_name: string
  readonly interview_set_id: InterviewSetId
  readonly interview_name: string
  readonly position: string | null
  readonly description: string | null
  /** Minutes, before the time factor; null: no limit. */
  readonly interview_duration: number | null
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
  readonly time_factor: string
  readonly expires_at: Date
  readonly expired: boolean
  readonly started_at: Date | null
  readonly answer_until: Date | null
  /** Whole seconds until answer_until by the database's clock; null: no limit, or not started. */
  readonly seconds_left: number | null
  readonly completed_at: Date | null
  readonly improvement_until: Date | null
}

export interface AnswerRow {
  readonly question_id: QuestionId
  readonly content: string | null
  readonly option_ids: ReadonlyArray<string>
}

/** A link's token names an invitation, or the submission itself where nobody was invited. */
export type InterviewKey =
  | { readonly _tag: "Invitation"; readonly id: InvitationId }
  | { readonly _tag: "Submission"; readonly id: SubmissionId }

/**
 * Ends submissions that nobody started in time, and their invitations. `due` selects their ids and locks them: submissions
 * before invitations, as whoever changes both does, and no stronger than an update does, or an event about one of them
 * would wait for this while this waits for the event's invitation.
 */
export const expire = (sql: PgClient.PgClient, due: Statement.Fragment) => sql<{ readonly id: SubmissionId }>`
  with expired as (
    update submission set status = 'expired' where id = any(array(${due})) returning id
  ), uninvited as (
    update invitation set status = 'expired'
    where submission_id in (select id from expired) and status not in ('failed', 'cancelled', 'expired')
  )
  select id from expired`

export class Interviews extends Context.Service<
  Interviews,
  {
    /** The organization is not known to a candidate: the signed link is what proves the right to read. */
    readonly find: (key: InterviewKey) => Effect.Effect<InterviewRow | undefined>
    readonly answers: (
      organization: OrganizationId,
      submission: SubmissionId,
      attempt: number,
    ) => Effect.Effect<ReadonlyArray<AnswerRow>>
    /** need_interview → initiated. Each step is true for the one caller that made it. */
    readonly initiate: (organization: OrganizationId, id: SubmissionId) => Effect.Effect<boolean>
    /** need_interview or initiated → started; the clock runs from now for `limit`, if there is one. */
    readonly start: (
      organization: OrganizationId,
      id: SubmissionId,
      limit: Duration.Duration | undefined,
    ) => Effect.Effect<boolean>
    /**
     * Stores answers of the running attempt. False when the interview is not running, or its time is over. Holds the
     * submission's row: of two who save and complete at once, one waits and then finds it completed.
     */
    readonly save: (
      organization: OrganizationId,
      id: SubmissionId,
      answers: ReadonlyArray<AnswerRow>,
      grace: Duration.Duration,
    ) => Effect.Effect<boolean>
    /** started → completed; improvements are possible for `window`, if there is one. */
    readonly complete: (
      organization: OrganizationId,
      id: SubmissionId,
      window: Duration.Duration | undefined,
    ) => Effect.Effect<boolean>
    /** Interviews whose time was over `grace` ago and that nobody has completed yet. */
    readonly overdue: (
      grace: Duration.Duration,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<{ readonly organization_id: OrganizationId; readonly id: SubmissionId }>>
    /** Ends what was never started in time, with its invitations; returns how many there were. */
    readonly expire: (limit: number) => Effect.Effect<number>
  }
>()("interview-invitations/repository/Interviews") {
  static readonly layer = Layer.effect(
    Interviews,
    Effect.gen(function* () {
      const { now, sql } = yield* Database
      return Interviews.of({
        find: Effect.fnUntraced(function* (key) {
          const at = yield* now
          return first(
            yield* sql<InterviewRow>`
              select b.id as submission_id, b.organization_id, o.name as organization_name, b.interview_set_id,
                s.title as interview_name, s.position, s.description, s.interview_duration, s.number_of_retakes,
                coalesce((select array_agg(l.tag order by array_position(s.cfg_lingual_ids, l.id)) from language l
                          where l.id = any(s.cfg_lingual_ids)), '{}') as languages,
                b.candidate_id, c.email as candidate_email, c.name as candidate_name, c.firstname as candidate_firstname,
                c.lastname as candidate_lastname, c.ats_candidate_id, i.id as invitation_id, i.status as invitation_status,
                b.status, b.attempt, b.time_factor::text as time_factor, b.expires_at, b.expires_at <= ${at} as expired,
                b.started_at, b.answer_until,
                floor(extract(epoch from b.answer_until - ${at}))::float8 as seconds_left, b.completed_at, b.improvement_until
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
        answers: Effect.fnUntraced(function* (organization, submission, attempt) {
          return yield* sql<AnswerRow>`
            select question_id, content, option_ids from answer
            where organization_id = ${organization}::int and submission_id = ${submission}::uuid
              and attempt = ${attempt}::int`
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
        start: Effect.fnUntraced(function* (organization, id, limit) {
          const at = yield* now
          const rows = yield* sql`
            update submission set status = 'started', started_at = ${at}, initiated_at = coalesce(initiated_at, ${at}),
              answer_until = ${at} + ${limit === undefined ? null : Duration.toSeconds(limit)}::float8 * interval '1 second'
            where id = ${id}::uuid and organization_id = ${organization}::int
              and status in ('need_interview', 'initiated') and expires_at > ${at}
            returning id`
          return rows.length > 0
        }, Effect.orDie),
        save: Effect.fnUntraced(function* (organization, id, answers, grace) {
          const at = yield* now
          const rows = yield* sql<{ saved: number }>`
            with running as (
              select id, attempt, interview_set_id from submission
              where id = ${id}::uuid and organization_id = ${organization}::int and status = 'started'
                and (answer_until is null or answer_until + ${Duration.toSeconds(grace)}::float8 * interval '1 second' > ${at})
              for update
            ), saved as (
              insert into answer (organization_id, submission_id, attempt, question_id, content, option_ids, updated_at)
              select ${organization}::int, running.id, running.attempt, r.question_id, r.content, r.option_ids, ${at}
              from running cross join ${recordset(sql, answers, "question_id uuid, content text, option_ids text[]")}
                join question q on q.id = r.question_id and q.interview_set_id = running.interview_set_id
              on conflict (submission_id, attempt, question_id)
              do update set content = excluded.content, option_ids = excluded.option_ids, updated_at = excluded.updated_at
            )
            select count(*)::int as saved from running`
          return first(rows)?.saved === 1
        }, Effect.orDie),
        complete: Effect.fnUntraced(function* (organization, id, window) {
          const at = yield* now
          const rows = yield* sql`
            update submission set status = 'completed', completed_at = ${at},
              improvement_until = ${at} + ${window === undefined ? null : Duration.toSeconds(window)}::float8 * interval '1 second'
            where id = ${id}::uuid and organization_id = ${organization}::int and status = 'started'
            returning id`
          return rows.length > 0
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
