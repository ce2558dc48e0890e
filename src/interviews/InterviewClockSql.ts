/** Fragments of statements for the rules of InterviewClock.ts, with submission `b` and, for the minutes, interview set `s`. */
import type { PgClient } from "@effect/sql-pg"
import { Duration } from "effect"
import type { Statement } from "effect/sql"
import { minutes } from "../submissions/SubmissionSql.ts"
import { grace } from "./InterviewClock.ts"

const seconds = (sql: PgClient.PgClient, duration: Duration.Duration) =>
  sql`${Duration.toSeconds(duration)}::float8 * interval '1 second'`

/** The columns of an `InterviewClock`. */
export const clockOf = (sql: PgClient.PgClient, now: Statement.Fragment) => sql`
  b.status, b.attempt, s.number_of_retakes, ${minutes(sql)}::float8 as minutes, b.started_at, b.answer_until,
  floor(extract(epoch from b.answer_until - ${now}))::float8 as seconds_left, b.completed_at, b.improvement_until,
  coalesce(b.improvement_until > ${now}, false) as improvement_open`

/** The end of an attempt that starts now; null: no limit. */
export const endOfAttempt = (sql: PgClient.PgClient, now: Statement.Fragment) =>
  sql`${now} + ${minutes(sql)}::float8 * interval '1 minute'`

/** The end of a retake that starts now. */
export const endOfRetake = (sql: PgClient.PgClient, now: Statement.Fragment) =>
  sql`least(b.improvement_until, ${endOfAttempt(sql, now)})`

/** The end of an improvement window that is open or opens now, of this length; null without a window. */
export const endOfWindow = (sql: PgClient.PgClient, now: Statement.Fragment, window: Duration.Duration | undefined) =>
  window === undefined ? sql`null::timestamptz` : sql`coalesce(b.improvement_until, ${now} + ${seconds(sql, window)})`

/** Whether the time of a started attempt is not over. */
export const hasTime = (sql: PgClient.PgClient, now: Statement.Fragment) =>
  sql`(b.answer_until is null or b.answer_until > ${now})`

/** Whether a started attempt accepts answers: its time is not over, or the grace runs. */
export const acceptsAnswers = (sql: PgClient.PgClient, now: Statement.Fragment) =>
  sql`(b.answer_until is null or b.answer_until + ${seconds(sql, grace)} > ${now})`

/** Whether the time of a started attempt and the grace are over. */
export const isOverdue = (sql: PgClient.PgClient, now: Statement.Fragment) =>
  sql`b.answer_until <= ${now} - ${seconds(sql, grace)}`
