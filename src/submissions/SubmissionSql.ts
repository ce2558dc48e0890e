/** SQL fragments about submissions. */
import { Duration, Effect } from "effect"
import type { Statement } from "effect/sql"
import { memberName } from "../accounts/members/MemberSql.ts"
import { type NotificationKind, rolesFor } from "../accounts/members/Notification.ts"
import type { Recipient } from "../accounts/members/NotificationRepository.ts"
import type { Reader } from "../accounts/Viewer.ts"
import { isReadable } from "../interview-sets/InterviewSetSql.ts"
import { iso } from "../platform/database/Paging.ts"
import type { Sql } from "../platform/database/Sql.ts"
import type { OrganizationId, SubmissionId } from "../values/Ids.ts"
import { leadingTypes } from "./SubmissionDetail.ts"

/**
 * Omits the organization if a set is given: the planner may choose the organization's index and read all rows since the
 * set was last used.
 */
export const within = (sql: Sql, alias: string, organization: OrganizationId, set: string | null | undefined) =>
  set === null || set === undefined
    ? sql`${sql.literal(alias)}.organization_id = ${organization}::int`
    : sql`${sql.literal(alias)}.interview_set_id = (
        select id from interview_set where id = ${set}::uuid and organization_id = ${organization}::int)`

/** The name of the author of review `v`. */
export const reviewAuthor = `coalesce((select ${memberName} from member m where m.id = v.member_id),
  (select coalesce(nullif(g.name, '') || ' (guest)', 'A guest') from guest g where g.id = v.guest_id))`

/** A legal hold keeps the data of submission `b`. `organization`: SQL of its id. */
export const isHeld = (organization: string): string => `(exists (select from legal_hold h
    where h.candidate_id = b.candidate_id and h.organization_id = ${organization} and h.released_at is null)
  or exists (select from legal_hold h
    where h.interview_set_id = b.interview_set_id and h.organization_id = ${organization} and h.released_at is null))`

/** As `isReadable` of the set of submission `b`. A reviewer reads submissions that are assigned to the member. */
export const isSubmissionReadable = (
  sql: Sql,
  organization: OrganizationId,
  reader: Reader | undefined,
): Statement.Fragment =>
  reader?._tag === "Reviewer"
    ? sql`exists (select from review_assignment x where x.submission_id = b.id and x.member_id = ${reader.id}::uuid
        and x.organization_id = ${organization}::int)`
    : isReadable(sql, organization, reader, "b.interview_set_id")

/** Whether member `m` may see the submission: as `isSubmissionReadable`, for all members. */
export const isReaderOf = (sql: Sql, organization: OrganizationId, submission: SubmissionId): Statement.Fragment =>
  sql`(m.role in ('owner', 'admin')
    or m.role = 'recruiter' and lower(m.email) = any(array(
      select lower(a.email) from set_access a join submission b on b.interview_set_id = a.interview_set_id
      where b.id = ${submission}::uuid and a.organization_id = ${organization}::int))
    or m.role = 'reviewer' and m.id = any(array(
      select a.member_id from review_assignment a
      where a.submission_id = ${submission}::uuid and a.organization_id = ${organization}::int)))`

/** Members whom the notification is for, who have not turned it off and may see the submission. */
export const recipientsOf = (
  sql: Sql,
  organization: OrganizationId,
  submission: SubmissionId,
  kind: NotificationKind,
) => {
  const time = sql.literal(`m.mails_${kind}`)
  return sql<Recipient>`
    select m.id, m.email, ${time} as time from member m
    where m.organization_id = ${organization}::int and m.deactivated_at is null
      and m.role = any(${[...rolesFor(kind)]}::text[]) and ${time} <> 'off' and ${isReaderOf(sql, organization, submission)}
    order by m.id`
}

/** Locks the submission until the transaction ends. False: unknown, or `reader` may not see it. */
export const lockReadable = (
  sql: Sql,
  organization: OrganizationId,
  submission: SubmissionId,
  reader: Reader | undefined,
) =>
  Effect.map(
    sql`
      select from submission b
      where b.id = ${submission}::uuid and b.organization_id = ${organization}::int
        and ${isSubmissionReadable(sql, organization, reader)}
      for no key update`,
    (locked) => locked.length > 0,
  )

/** Whole minutes; null: no limit. */
export const minutes = (sql: Sql) => sql.literal("ceil(s.interview_duration * b.time_factor)")

/** SubmissionDecision of submission `b`. */
export const decisionOf = (sql: Sql) =>
  sql`jsonb_build_object('decision', b.decision, 'reason', b.decision_reason, 'decided_by', b.decided_by,
    'decided_at', ${iso(sql, "b.decided_at")})`

/** The column `stage` of submission `b`. */
export const stageOf = (sql: Sql) =>
  sql.literal(
    `(select jsonb_build_object('id', h.id, 'name', h.name) from hiring_stage h where h.id = b.stage_id) as stage`,
  )

/** The column `tags` of submission `b`. */
export const tagsOf = (sql: Sql) =>
  sql.literal(`coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) order by t.key)
    from submission_tag x join tag t on t.id = x.tag_id where x.submission_id = b.id), '[]') as tags`)

/** `value` of the newest invitation `i` of the submission. */
export const newestInvitation = (submission: string, value: string): string =>
  `(select ${value} from invitation i where i.submission_id = ${submission}.id order by i.created_at desc, i.id desc limit 1)`

/** Whether an evaluation is queued that may run. A scalar subquery, because with `exists` the planner may read all evaluations. */
export const isQueued = (submission: string): string =>
  `(not ${submission}.score_unused
    and (select count(*) > 0 from (select from evaluation e where e.submission_id = ${submission}.id and e.state = 'queued' limit 1) e))`

/** Also while the evaluation waits for a notice. */
export const isBeingEvaluated = (submission: string): string =>
  `${submission}.status in ('completed', 'cv_processing') and ${isQueued(submission)}`

/** Whether the queued evaluations wait for the days of the candidate's notice (`evaluable_at` in sql/14_notices.sql). */
export const waitsForNotice = (submission: string): string =>
  `(${submission}.notice_until is not null and not ${submission}.score_unused
    and ${submission}.status in ('completed', 'cv_processing')
    and (select count(*) > 0 from (select from evaluation e where e.submission_id = ${submission}.id and e.state = 'queued'
      and e.due_at = ${submission}.notice_until limit 1) e))`

/** Ids of stages that reject: the board shows their rejected candidates in them. */
export const rejectingStages = (sql: Sql, organization: OrganizationId) => sql`
  select h.id from hiring_stage h where h.organization_id = ${organization}::int and h.decision = 'reject'`

/** The order of a submission's evaluations `e` that lists the leading one first. The view `current_score` has the same. */
export const leadingFirst = (sql: Sql) =>
  sql`array_position(${[...leadingTypes]}::text[], e.evaluation_type), e.created_at desc, e.id desc`

/** Not ended: the link still works. The index `invitation_living` has the same condition. */
export const isOpenInvitation = (sql: Sql, alias: string) =>
  sql.literal(`${alias}.status not in ('failed', 'cancelled', 'expired')`)

/**
 * `due` must lock `for no key update`: a stronger lock deadlocks with events about the submission. Lock order:
 * submissions before invitations.
 */
export const expire = (sql: Sql, due: Statement.Fragment) => sql<{ readonly id: SubmissionId }>`
  with expired as (
    update submission set status = 'expired' where id = any(array(${due})) returning id
  ), uninvited as (
    update invitation i set status = 'expired'
    where i.submission_id in (select id from expired) and ${isOpenInvitation(sql, "i")}
  )
  select id from expired`

/** Saves that arrive so long after the end of the time are accepted. */
export const grace = Duration.seconds(5)

/** The time of submission `b` is not over, or saves are still on their way. */
export const acceptsAnswers = (sql: Sql, now: Statement.Fragment) =>
  sql`(b.answer_until is null or b.answer_until + ${Duration.toSeconds(grace)}::float8 * interval '1 second' > ${now})`
