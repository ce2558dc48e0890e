/** The rules of InterviewClock.ts, for submission `b` and interview set `s`. */
import type { PgClient } from "@effect/sql-pg"
import { Duration } from "effect"
import type { Statement } from "effect/sql"
import { later } from "../platform/database/Database.ts"
import { minutes } from "../submissions/SubmissionSql.ts"
import { grace } from "./InterviewClock.ts"

const seconds = (sql: PgClient.PgClient, duration: Duration.Duration) =>
  sql`${Duration.toSeconds(duration)}::float8 * interval '1 second'`

export const clockOf = (sql: PgClient.PgClient, now: Statement.Fragment) => sql`
  b.status, b.attempt, s.number_of_retakes, ${minutes(sql)}::float8 as minutes, b.started_at, b.answer_until,
  floor(extract(epoch from b.answer_until - ${now}))::float8 as seconds_left, b.completed_at, b.improvement_until,
  coalesce(b.improvement_until > ${now}, false) as improvement_open`

/** Null: no limit. */
export const endOfAttempt = (sql: PgClient.PgClient, now: Statement.Fragment) =>
  later(sql, now, sql`${minutes(sql)}::float8 * interval '1 minute'`)

export const endOfRetake = (sql: PgClient.PgClient, now: Statement.Fragment) =>
  sql`least(b.improvement_until, ${endOfAttempt(sql, now)})`

/** Null: no window. An open one keeps its end. */
export const endOfWindow = (sql: PgClient.PgClient, now: Statement.Fragment, window: Duration.Duration | undefined) =>
  window === undefined
    ? sql`null::timestamptz`
    : sql`coalesce(b.improvement_until, ${later(sql, now, seconds(sql, window))})`

export const hasTime = (sql: PgClient.PgClient, now: Statement.Fragment) =>
  sql`(b.answer_until is null or b.answer_until > ${now})`

export const acceptsAnswers = (sql: PgClient.PgClient, now: Statement.Fragment) =>
  sql`(b.answer_until is null or b.answer_until + ${seconds(sql, grace)} > ${now})`

export const isOverdue = (sql: PgClient.PgClient, now: Statement.Fragment) =>
  sql`b.answer_until <= ${now} - ${seconds(sql, grace)}`
