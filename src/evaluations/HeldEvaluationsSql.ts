/**
 * Held evaluations: while a candidate can improve the answers, events are held, so that only the last result is
 * reported (docs/evaluation.md).
 *
 * - An interview evaluation is held until the improvement window closes. A CV evaluation is never held.
 * - A holistic evaluation is held as long as its interview evaluation.
 * - A newer result of the same type, or a new attempt, supersedes a held evaluation: it gets no event.
 * - When the candidate can no longer improve, held evaluations are due at once.
 * - A due evaluation waits while its submission is evaluated again.
 * - While a candidate's request for a person is open, evaluations of the submission are held (docs/candidate-rights.md).
 */
import type { Statement } from "effect/sql"
import type { Sql } from "../platform/database/Sql.ts"
import type { OrganizationId, SubmissionId } from "../values/Ids.ts"

type Fragment = Statement.Fragment

const isHeld = (sql: Sql): Fragment => sql`o.state = 'done' and o.event_id is null and o.held_until is not null`

/** For evaluation `q`, settled with row `r`. */
export const heldUntil = (sql: Sql, now: Fragment): Fragment => sql`
  case when r.state = 'done' then (
    select case when b.score_unused then greatest(b.improvement_until, ${now}) else b.improvement_until end
    from submission b
    where b.id = q.submission_id and (b.score_unused
      or q.evaluation_type <> 'cv' and b.attempt = q.attempt and b.improvement_until > ${now})) end`

/** For a holistic evaluation of interview evaluation `i`. */
export const heldUntilOfHolistic = (sql: Sql, now: Fragment): Fragment => sql`
  case when i.event_id is null and i.held_until is not null then i.held_until
    when (select b.score_unused from submission b where b.id = i.submission_id) then ${now} end`

export const supersedeOlder = (sql: Sql): Fragment => sql`
  update evaluation o set held_until = null from settled e
  where e.state = 'done' and o.submission_id = e.submission_id and o.evaluation_type = e.evaluation_type
    and ${isHeld(sql)} and (o.created_at, o.id) < (e.created_at, e.id)`

/** For holistic evaluations that were just inserted. */
export const supersedeHolistic = (
  sql: Sql,
  made: ReadonlyArray<{ readonly id: string; readonly submission_id: SubmissionId }>,
): Fragment => sql`
  update evaluation o set held_until = null
  where o.submission_id = any(${made.map(({ submission_id }) => submission_id)}::uuid[])
    and o.id <> all(${made.map(({ id }) => id)}::uuid[]) and o.evaluation_type = 'holistic' and ${isHeld(sql)}`

/** Not held, of the current attempt, and the newest of their type. */
export const selectReportedNow = (sql: Sql): Fragment => sql`
  select e.id from settled e join submission b on b.id = e.submission_id
  where e.state = 'done' and e.held_until is null and (e.evaluation_type = 'cv' or b.attempt = e.attempt)
    and not exists (
      select from evaluation n where n.submission_id = e.submission_id and n.evaluation_type = e.evaluation_type
        and n.state = 'done' and (n.created_at, n.id) > (e.created_at, e.id))`

/** Skips evaluations that another transaction is reporting. */
export const setHeldUntil = (
  sql: Sql,
  organization: OrganizationId,
  submission: SubmissionId,
  at: Fragment | null,
): Fragment => sql`
  update evaluation set held_until = ${at ?? sql`null`} where id = any(array(
    select o.id from evaluation o where o.submission_id = ${submission}::uuid
      and o.organization_id = ${organization}::int and ${isHeld(sql)} for update skip locked))`

export const isDue = (sql: Sql, now: Fragment): Fragment => sql`
  e.state = 'done' and e.event_id is null and e.held_until <= ${now}
  and not (select u.score_unused from submission u where u.id = e.submission_id) and not exists (
    select from evaluation n where n.submission_id = e.submission_id and n.state = 'queued'
      and (e.evaluation_type = 'holistic' or n.evaluation_type = e.evaluation_type)
      and (n.evaluation_type = 'cv' or n.attempt = e.attempt))`
