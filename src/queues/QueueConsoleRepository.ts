/** Reads and changes the jobs of all queues (platform/queue/QueueSql.ts). */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database, first } from "../platform/database/Database.ts"
import type { StepRun } from "../platform/queue/QueueActivityRepository.ts"
import { cancelledAttempts, idType, type QueueTable, queueTables } from "../platform/queue/QueueSql.ts"
import type { OrganizationId } from "../values/Ids.ts"
import { failedDays, type JobAction, type JobState, maxCounted } from "./QueuedJob.ts"

/** Counts up to `maxCounted`. */
export interface QueueRow {
  readonly queue: QueueTable
  readonly running: number
  readonly due: number
  readonly waiting: number
  readonly parked: number
  /** Of the last `failedDays`. */
  readonly failed: number
  /** From when the job that has been due longest is due; null: none is due. */
  readonly oldest: Date | null
}

/** Of all organizations, in the last 24 hours. */
export interface OutcomeRow {
  readonly queue: QueueTable
  readonly outcome: string
  readonly attempts: number
}

export interface ProcessRow {
  readonly id: number
  readonly host: string
  readonly version: string
  readonly started_at: Date
  readonly ended_at: Date | null
}

export interface PauseRow {
  readonly queue: string
  readonly reason: string
  readonly paused_at: Date
}

export interface JobRow {
  readonly id: string
  readonly kind: string
  readonly attempts: number
  readonly due_at: Date | null
  readonly created_at: Date | null
  readonly error: string | null
  /** What it waits for besides its time; null: nothing else. */
  readonly waits_for: "candidate" | "recording" | "cv" | "endpoint" | "connection" | null
  readonly submission_id: string | null
  readonly endpoint_id: string | null
  readonly connection_id: string | null
}

export interface ChangedRow {
  readonly organization: OrganizationId
  readonly count: number
}

interface Source {
  readonly kind: string
  readonly error: string
  readonly created: string
  readonly submission: string
  readonly waits: string
  readonly isFailed: string
  readonly failedAt: string
}

/** The evaluation `q` may not begin yet (sql/14_notices.sql). */
const isForbidden = "coalesce(evaluable_at(q.submission_id) > n.at, false)"

/** Later times are those of jobs that are stopped: by a request for a person, or by a move of the organization. */
const stopped = "timestamptz '9000-01-01 00:00+00'"

/** Columns of the row `q`. */
const sources: Readonly<Record<QueueTable, Source>> = {
  webhook_delivery: {
    kind: "coalesce((select v.event_type || '.' || v.status from webhook_event v where v.id = q.event_id), 'test')",
    error: "q.attempt_log -> -1 ->> 'error'",
    created: "q.created_at",
    submission: "(select v.submission_id from webhook_event v where v.id = q.event_id)",
    waits: "case when q.state = 'parked' then 'endpoint' end",
    isFailed: "q.state = 'failed'",
    failedAt: "q.finished_at",
  },
  email: {
    kind: "q.kind",
    error: "q.error",
    created: "q.created_at",
    submission: "coalesce(q.submission_id, (select i.submission_id from invitation i where i.id = q.invitation_id))",
    waits: "null",
    isFailed: "q.state = 'failed'",
    failedAt: "q.created_at",
  },
  cv: {
    kind: "'cv'",
    error: "q.error",
    created: "q.created_at",
    submission: "q.submission_id",
    waits: "null",
    isFailed: "q.state = 'failed'",
    failedAt: "q.created_at",
  },
  evaluation: {
    kind: "q.evaluation_type",
    error: "q.error",
    created: "q.created_at",
    submission: "q.submission_id",
    waits: `case when ${isForbidden} then 'candidate' when q.evaluation_type = 'interview' and exists (select from recording r
        where r.submission_id = q.submission_id and r.attempt = q.attempt and r.state <> 'done') then 'recording'
      when q.evaluation_type = 'cv' and exists (select from cv v
        where v.submission_id = q.submission_id and v.state = 'queued') then 'cv' end`,
    isFailed: "q.state = 'done' and q.error is not null",
    failedAt: "q.evaluated_at",
  },
  recording: {
    kind: "q.kind",
    error: "coalesce(q.error, q.transcript_error)",
    created: "q.started_at",
    submission: "q.submission_id",
    waits: "null",
    isFailed: "q.state = 'done' and (q.error is not null or q.transcript_error is not null)",
    failedAt: "q.started_at",
  },
  ats_report: {
    kind: "case when q.order_id is null then 'synchronization' else 'report' end",
    error: "q.last_error",
    created: "null::timestamptz",
    submission: "(select o.submission_id from ats_order o where o.id = q.order_id)",
    waits: "case when q.state = 'parked' then 'connection' end",
    isFailed: "q.state = 'failed'",
    failedAt: "q.failed_at",
  },
}

const free = (at: string) => `(q.claim_id is null or coalesce(q.leased_until <= ${at}, true))`

const canPark = (queue: QueueTable) => queue === "webhook_delivery" || queue === "ats_report"

export class QueueConsoleRepository extends Context.Service<QueueConsoleRepository>()(
  "interview-invitations/queues/QueueConsoleRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database

      /** Undefined: jobs of all organizations. */
      const own = (organization: OrganizationId | undefined): Statement.Fragment =>
        organization === undefined ? sql`true` : sql`q.organization_id = ${organization}::int`

      /** Failed deliveries have moved to the history. */
      const tableOf = (queue: QueueTable, state: JobState) =>
        sql.literal(queue === "webhook_delivery" && state === "failed" ? "webhook_delivery_history" : queue)

      const isIn = (queue: QueueTable, state: JobState, at: Statement.Fragment): Statement.Fragment => {
        const { failedAt, isFailed } = sources[queue]
        switch (state) {
          case "running":
            return sql`q.due_at is not null and not ${sql.literal(free("n.at"))}`
          case "due":
            return sql`q.due_at <= ${at} and ${sql.literal(free("n.at"))}`
          case "waiting":
            return sql`q.due_at > ${at} and ${sql.literal(free("n.at"))}`
          case "parked":
            return canPark(queue) ? sql`q.state = 'parked'` : sql`false`
          case "failed":
            return sql`${sql.literal(isFailed)} and ${sql.literal(failedAt)} > ${at} - ${failedDays}::int * interval '1 day'`
        }
      }

      /** `makeDue`: jobs that wait for their time, so neither parked nor failed ones. `cancel`: jobs that do not run, parked ones not. */
      const mayChange = (queue: QueueTable, action: JobAction, at: Statement.Fragment) =>
        action === "makeDue"
          ? sql`q.due_at > ${at} and q.due_at < ${sql.literal(stopped)} and ${sql.literal(free("n.at"))}
              and ${sql.literal(queue === "evaluation" ? `not ${isForbidden}` : "true")}`
          : sql`q.due_at < ${sql.literal(stopped)} and ${sql.literal(free("n.at"))}
              and q.unended_attempts < ${cancelledAttempts}::int`

      const countOf = (queue: QueueTable, organization: OrganizationId | undefined, at: Statement.Fragment) => {
        const counted = (state: JobState) => sql`(select count(*) from (
          select from ${tableOf(queue, state)} q where ${isIn(queue, state, at)} and ${own(organization)}
          limit ${maxCounted}::int) c)::int as ${sql.literal(state)}`
        return sql`
          select ${queue}::text as queue, j.running, j.due, j.waiting, ${counted("parked")}, ${counted("failed")}, j.oldest
          from (select count(*) filter (where not q.is_free)::int as running,
            count(*) filter (where q.is_free and q.due_at <= ${at})::int as due,
            count(*) filter (where q.is_free and q.due_at > ${at})::int as waiting,
            min(q.due_at) filter (where q.is_free and q.due_at <= ${at}) as oldest
            from (select q.due_at, ${sql.literal(free("n.at"))} as is_free from ${sql(queue)} q, n
              where q.due_at is not null and ${own(organization)} order by q.due_at limit ${maxCounted}::int) q) j`
      }

      return {
        queues: Effect.fnUntraced(function* (organization: OrganizationId | undefined) {
          const at = yield* now
          const [head, ...rest] = queueTables.map((queue) => countOf(queue, organization, at))
          if (head === undefined) return []
          const counts = rest.reduce((all, one) => sql`${all} union all ${one}`, head)
          return yield* sql<QueueRow>`with n as (select ${at} as at) ${counts}`
        }),
        outcomes: Effect.gen(function* () {
          return yield* sql<OutcomeRow>`
            select queue, outcome, sum(attempts)::float8 as attempts from queue_hour
            where hour > ${yield* now} - interval '24 hours' group by queue, outcome order by queue, attempts desc`
        }),
        steps: sql<StepRun>`
          select name, seconds, ran_at, took_ms, done::float8 as done, failed_at, error from periodic_step order by name`,
        processes: sql<ProcessRow>`
          select id, host, version, started_at, ended_at from worker_process order by ended_at is not null, id desc limit 100`,
        pauses: sql<PauseRow>`select queue, reason, paused_at from queue_pause order by queue`,
        /** Those that are due first, or failed last, first. */
        jobs: Effect.fnUntraced(function* (
          organization: OrganizationId | undefined,
          queue: QueueTable,
          state: JobState,
          limit: number,
        ) {
          const at = yield* now
          const { created, error, failedAt, kind, submission, waits } = sources[queue]
          const order =
            state === "failed" ? `${failedAt} desc, q.id desc` : state === "parked" ? "q.id" : "q.due_at, q.id"
          return yield* sql<JobRow>`
            select q.id::text as id, ${sql.literal(kind)} as kind, q.attempts,
              ${sql.literal(state === "failed" ? "null::timestamptz" : `case when q.due_at < ${stopped} then q.due_at end`)} as due_at,
              ${sql.literal(created)} as created_at, ${sql.literal(error)} as error,
              ${sql.literal(state === "failed" ? "null" : waits)} as waits_for, ${sql.literal(submission)} as submission_id,
              ${sql.literal(queue === "webhook_delivery" ? "q.endpoint_id" : "null::uuid")} as endpoint_id,
              ${sql.literal(queue === "ats_report" ? "q.connection_id" : "null::uuid")} as connection_id
            from ${tableOf(queue, state)} q, (select ${at} as at) n
            where ${isIn(queue, state, at)} and ${own(organization)}
            order by ${sql.literal(order)} limit ${limit}::int`
        }),
        /** Ids of the jobs that `makeDue` or `cancel` would change now, those that are due first, first. */
        changeable: Effect.fnUntraced(function* (
          organization: OrganizationId | undefined,
          queue: QueueTable,
          action: JobAction,
        ) {
          const at = yield* now
          const rows = yield* sql<{ id: string }>`
            select q.id::text as id from ${sql(queue)} q, (select ${at} as at) n
            where ${mayChange(queue, action, at)} and ${own(organization)} order by q.due_at, q.id`
          return rows.map(({ id }) => id)
        }),
        /** Makes those of the jobs due that wait for their time. */
        makeDue: Effect.fnUntraced(function* (
          organization: OrganizationId | undefined,
          queue: QueueTable,
          ids: ReadonlyArray<string>,
        ) {
          const at = yield* now
          return yield* sql<ChangedRow>`
            with changed as (
              update ${sql(queue)} set due_at = ${at} where id = any(array(
                select q.id from ${sql(queue)} q, (select ${at} as at) n
                where ${mayChange(queue, "makeDue", at)} and ${own(organization)}
                  and q.id = any(${[...ids]}::text[]::${idType(sql, queue)}[])
                order by q.due_at for update of q skip locked))
              returning organization_id
            )
            select organization_id as organization, count(*)::int as count from changed group by organization_id`
        }),
        /** Lets those of the jobs end at their next turn without an attempt that do not run. */
        cancel: Effect.fnUntraced(function* (
          organization: OrganizationId | undefined,
          queue: QueueTable,
          ids: ReadonlyArray<string>,
        ) {
          const at = yield* now
          return yield* sql<ChangedRow>`
            with changed as (
              update ${sql(queue)} set due_at = ${at}, unended_attempts = ${cancelledAttempts}::int, alone = null
              where id = any(array(
                select q.id from ${sql(queue)} q, (select ${at} as at) n
                where ${mayChange(queue, "cancel", at)} and ${own(organization)}
                  and q.id = any(${[...ids]}::text[]::${idType(sql, queue)}[])
                order by q.due_at for update of q skip locked))
              returning organization_id
            )
            select organization_id as organization, count(*)::int as count from changed group by organization_id`
        }),
        /** False: it is paused already. */
        pause: Effect.fnUntraced(function* (queue: QueueTable, reason: string) {
          const rows = yield* sql`
            insert into queue_pause (queue, reason, paused_at) values (${queue}, ${reason}, ${yield* now})
            on conflict (queue) do nothing returning queue`
          return first(rows) !== undefined
        }),
        /** False: it is not paused. */
        resume: Effect.fnUntraced(function* (queue: QueueTable) {
          return first(yield* sql`delete from queue_pause where queue = ${queue} returning queue`) !== undefined
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
