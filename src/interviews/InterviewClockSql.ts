/** The rules of InterviewClock.ts, for submission `b` and interview set `s`. */
import { Duration } from "effect"
import type { Statement } from "effect/sql"
import { later } from "../platform/database/Database.ts"
import type { Sql } from "../platform/database/Sql.ts"
import { grace, minutes } from "../submissions/SubmissionSql.ts"

const seconds = (sql: Sql, duration: Duration.Duration) =>
  sql`${Duration.toSeconds(duration)}::float8 * interval '1 second'`

export const clockOf = (sql: Sql, now: Statement.Fragment) => sql`
  b.status, b.attempt, s.number_of_retakes, ${minutes(sql)}::float8 as minutes, b.started_at, b.answer_until,
  floor(extract(epoch from b.answer_until - ${now}))::float8 as seconds_left, b.completed_at, b.improvement_until,
  coalesce(b.improvement_until > ${now}, false) as improvement_open`

/** Null: no limit. */
export const endOfAttempt = (sql: Sql, now: Statement.Fragment) =>
  later(sql, now, sql`${minutes(sql)}::float8 * interval '1 minute'`)

export const endOfRetake = (sql: Sql, now: Statement.Fragment) =>
  sql`least(b.improvement_until, ${endOfAttempt(sql, now)})`

/** Null: no window. An open one keeps its end. */
export const endOfWindow = (sql: Sql, now: Statement.Fragment, window: Duration.Duration | undefined) =>
  window === undefined
    ? sql`null::timestamptz`
    : sql`coalesce(b.improvement_until, ${later(sql, now, seconds(sql, window))})`

export const hasTime = (sql: Sql, now: Statement.Fragment) => sql`(b.answer_until is null or b.answer_until > ${now})`

export const isOverdue = (sql: Sql, now: Statement.Fragment) => sql`b.answer_until <= ${now} - ${seconds(sql, grace)}`
