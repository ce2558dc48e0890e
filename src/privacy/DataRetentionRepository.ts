/** Periods of retention, and the rows that are older (sql/06_submissions.sql `kept_since`). */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import * as AdvisoryLocks from "../platform/database/AdvisoryLocks.ts"
import { Database, first } from "../platform/database/Database.ts"
import { isHeld } from "../submissions/SubmissionSql.ts"
import { type BlobId, CandidateId, type OrganizationId } from "../values/Ids.ts"
import type { RetainedKind, RetentionPeriods } from "./RetentionPeriods.ts"

export interface StoredPeriods extends RetentionPeriods {
  /** Counts the changes. */
  readonly version: number
}

/** What a period would delete now. */
export interface DueCount {
  readonly due: number
  /** Old enough, and kept by a legal hold. */
  readonly held: number
  /** The earliest moment from which its days count; null: nothing is due. */
  readonly oldest: Date | null
}

/** Rows that were deleted, by organization. */
export type Deleted = ReadonlyArray<{ readonly organization: OrganizationId; readonly rows: number }>

interface DueRow {
  readonly organization: OrganizationId
  readonly id: string
}

const columns: Readonly<Record<RetainedKind, string>> = {
  recordings: "recordings_kept_days",
  cvs: "cvs_kept_days",
  answers: "answers_kept_days",
  candidates: "candidates_kept_days",
  events: "events_kept_days",
  audit: "audit_kept_days",
}

const deletedOf = (rows: ReadonlyArray<DueRow>): Deleted => {
  const byOrganization = new Map<OrganizationId, Set<string>>()
  for (const { id, organization } of rows) {
    byOrganization.set(organization, (byOrganization.get(organization) ?? new Set()).add(id))
  }
  return [...byOrganization].map(([organization, ids]) => ({ organization, rows: ids.size }))
}

export class DataRetentionRepository extends Context.Service<DataRetentionRepository>()(
  "interview-invitations/privacy/DataRetentionRepository",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const { now, sql } = database

      const old = (at: Statement.Fragment) => sql`${at} - o.days * interval '1 day'`
      const since = sql.literal(`kept_since(o.kept_from, b.status,
        last_active(b.created_at, b.initiated_at, b.started_at, b.completed_at, b.declined_at), b.expires_at, b.decision,
        b.decided_at)`)
      const isEvaluated = sql.literal(
        "(b.score_unused or not exists (select from evaluation e where e.submission_id = b.id and e.state = 'queued'))",
      )
      const isSubmissionHeld = sql.literal(isHeld("o.id"))

      /** The candidate can still open the answers of submission `b` again. */
      const canReopen = (at: Statement.Fragment) => sql`coalesce(b.improvement_until > ${at}, false)`

      /** By kind: the rows of an organization `o` (id, days, kept_from) that are old enough. */
      const due = (at: Statement.Fragment) => ({
        recordings: {
          id: sql.literal("r.id"),
          since: sql.literal("r.received_at"),
          held: isSubmissionHeld,
          from: sql`recording r join submission b on b.id = r.submission_id
            where r.organization_id = o.id and r.deleted_at is null and r.discarded_at is null and r.received_at <= ${old(at)}`,
        },
        cvs: {
          id: sql.literal("b.id"),
          since,
          held: isSubmissionHeld,
          // all CVs of a submission are deleted at once: not before the newest, which may have replaced one that failed
          from: sql`cv v join submission b on b.id = v.submission_id
            where v.organization_id = o.id and v.created_at <= ${old(at)} and ${since} <= ${old(at)}
              and not exists (select from cv n where n.submission_id = b.id
                and (n.created_at > ${old(at)} or n.state = 'queued'))
              and not ${canReopen(at)} and ${isEvaluated}`,
        },
        answers: {
          id: sql.literal("b.id"),
          since,
          held: isSubmissionHeld,
          from: sql`submission b
            where b.organization_id = o.id and b.started_at <= ${old(at)} and b.answers_deleted_at is null
              and ${since} <= ${old(at)} and not ${canReopen(at)} and ${isEvaluated}
              and not exists (select from recording r where r.submission_id = b.id and r.state <> 'done')`,
        },
        candidates: {
          id: sql.literal("c.id"),
          since: sql`(select max(${since}) from submission b where b.candidate_id = c.id and b.organization_id = o.id)`,
          // without the offset, all candidates are compared with all held submissions, of which the planner expects few
          held: sql.literal(`exists (select from submission b where b.candidate_id = c.id and b.organization_id = o.id
            and ${isHeld("o.id")} offset 0)`),
          from: sql`candidate c
            where c.organization_id = o.id and c.erased_at is null and c.created_at <= ${old(at)}
              and exists (select from submission b where b.candidate_id = c.id and b.organization_id = o.id)
              and not exists (select from submission b where b.candidate_id = c.id and b.organization_id = o.id
                and (coalesce(${since} > ${old(at)}, true) or ${canReopen(at)}))`,
        },
        events: {
          id: sql.literal("v.id"),
          since: sql.literal("v.created_at"),
          held: sql.literal(`exists (select from submission b where b.id = v.submission_id and ${isHeld("o.id")})`),
          // The first condition is evaluated once: where the first event is young, as after most steps, no other is read.
          from: sql`webhook_event v
            where (select f.created_at from webhook_event f where f.organization_id = o.id
                order by f.xid, f.seq limit 1) <= ${old(at)}
              and v.organization_id = o.id and v.created_at <= ${old(at)}
              and coalesce(v.resent_at <= ${old(at)}, true)
              and not exists (select from webhook_delivery d where d.event_id = v.id and d.state = 'parked')
              and v.id <> all(array(select d.event_id from webhook_delivery d
                where d.due_at is not null and d.organization_id = o.id and d.created_at <= ${old(at)}))`,
        },
        audit: {
          id: sql.literal("a.id"),
          since: sql.literal("a.created_at"),
          held: sql.literal(
            "exists (select from legal_hold h where h.organization_id = o.id and h.released_at is null)",
          ),
          from: sql`audit_log a where a.organization_id = o.id and a.created_at <= ${old(at)}`,
        },
      })

      /** Those that have a period, as `o`. */
      const retaining = (kind: RetainedKind) => sql`(
        select id, ${sql.literal(columns[kind])} as days, kept_from from organization
        where ${sql.literal(columns[kind])} is not null and id <> all(array(select id from suspended_organization))) o`

      /** Rows to delete, of all organizations; `lock` ends the statement of each. */
      const dueRows = Effect.fnUntraced(function* (
        kind: Exclude<RetainedKind, "recordings">,
        limit: number,
        lock: Statement.Fragment,
      ) {
        const { from, id, held } = due(yield* now)[kind]
        return yield* sql<DueRow>`
          select o.id as organization, r.id::text as id
          from ${retaining(kind)}
          join lateral (
            select ${id} as id from ${from} and not ${held} limit ${limit}::int ${lock}
          ) r on true limit ${limit}::int`
      })

      /**
       * Those that no hold keeps that was placed since they were found; later holds wait for the transaction. `free`: those of the
       * rows that no hold keeps now, of rows of these organizations.
       */
      const notHeld = Effect.fnUntraced(function* (
        rows: ReadonlyArray<DueRow>,
        free: (
          ids: ReadonlyArray<string>,
          own: Statement.Fragment,
        ) => Effect.Effect<ReadonlyArray<{ readonly id: string }>>,
      ) {
        if (rows.length === 0) return []
        const organizations = [...new Set(rows.map(({ organization }) => organization))]
        yield* AdvisoryLocks.shareAll(database, "legal_hold", organizations)
        const found = yield* free(
          rows.map(({ id }) => id),
          sql`any(${organizations.map(Number)}::int[])`,
        )
        const ids = new Set(found.map(({ id }) => id))
        return rows.filter(({ id }) => ids.has(id))
      })

      const freeSubmissions = (ids: ReadonlyArray<string>, own: Statement.Fragment) => sql<{ id: string }>`
        select b.id from submission b where b.id = any(${[...ids]}::uuid[]) and b.organization_id = ${own}
          and not ${sql.literal(isHeld("b.organization_id"))}`

      const freeEvents = (ids: ReadonlyArray<string>, own: Statement.Fragment) => sql<{ id: string }>`
        select v.id from webhook_event v where v.id = any(${[...ids]}::uuid[]) and v.organization_id = ${own}
          and not exists (select from submission b where b.id = v.submission_id and ${sql.literal(isHeld("v.organization_id"))})`

      const freeEntries = (ids: ReadonlyArray<string>, own: Statement.Fragment) => sql<{ id: string }>`
        select a.id::text as id from audit_log a where a.id = any(${[...ids]}::text[]::bigint[]) and a.organization_id = ${own}
          and not exists (select from legal_hold h where h.organization_id = a.organization_id and h.released_at is null)`

      const forget = (
        files: ReadonlyArray<{ readonly id: BlobId }>,
        organizations: ReadonlyArray<OrganizationId>,
      ) => sql`
        update blob set erased = true where id = any(${files.map(({ id }) => id)}::uuid[])
          and organization_id = any(${organizations.map(Number)}::int[])`

      return {
        find: Effect.fnUntraced(function* (organization: OrganizationId) {
          const rows = yield* sql<StoredPeriods>`
            select recordings_kept_days as recordings, cvs_kept_days as cvs, answers_kept_days as answers,
              candidates_kept_days as candidates, events_kept_days as events, audit_kept_days as audit, kept_from as "from", retention_version as version
            from organization where id = ${organization}::int`
          return yield* Effect.fromNullishOr(first(rows))
        }, Effect.orDie),
        /** False: another version than `seen` is stored. */
        save: Effect.fnUntraced(function* (organization: OrganizationId, periods: RetentionPeriods, seen: number) {
          const rows = yield* sql`
            update organization set recordings_kept_days = ${periods.recordings}::int, cvs_kept_days = ${periods.cvs}::int,
              answers_kept_days = ${periods.answers}::int, candidates_kept_days = ${periods.candidates}::int,
              events_kept_days = ${periods.events}::int, audit_kept_days = ${periods.audit}::int, kept_from = ${periods.from}, retention_version = retention_version + 1
            where id = ${organization}::int and retention_version = ${seen}::int returning id`
          return rows.length > 0
        }),
        count: Effect.fnUntraced(function* (
          organization: OrganizationId,
          kind: RetainedKind,
          days: number,
          keptFrom: RetentionPeriods["from"],
        ) {
          const { from, held, id, since: start } = due(yield* now)[kind]
          const rows = yield* sql<DueCount>`
            select count(*) filter (where not r.held)::int as due, count(*) filter (where r.held)::int as held,
              min(r.since) filter (where not r.held) as oldest
            from (select ${organization}::int as id, ${days}::int as days, ${keptFrom}::text as kept_from) o
            cross join lateral (
              select distinct on (${id}) ${start} as since, ${held} as held from ${from} order by ${id}) r`
          return yield* Effect.fromNullishOr(first(rows))
        }, Effect.orDie),
        /** The CVs of at most `limit` submissions, with what was evaluated of them. Needs a transaction. */
        deleteCvs: Effect.fnUntraced(function* (limit: number) {
          const at = yield* now
          const found = yield* dueRows("cvs", limit, sql`for update of v, b skip locked`)
          const rows = yield* notHeld(found, freeSubmissions)
          if (rows.length === 0) return []
          const submissions = [...new Set(rows.map(({ id }) => id))]
          const organizations = [...new Set(rows.map(({ organization }) => organization))]
          const own = sql`organization_id = any(${organizations.map(Number)}::int[])`
          const files = yield* sql<{ id: BlobId }>`
            select blob_id as id from cv where submission_id = any(${submissions}::uuid[]) and ${own} and blob_id is not null`
          yield* forget(files, organizations)
          yield* sql`delete from cv where submission_id = any(${submissions}::uuid[]) and ${own}`
          yield* sql`
            update evaluation set input = null, raw = null where submission_id = any(${submissions}::uuid[]) and ${own}
              and evaluation_type in ('cv', 'holistic')`
          yield* sql`update submission set cv_deleted_at = ${at} where id = any(${submissions}::uuid[]) and ${own}`
          return deletedOf(rows)
        }),
        /** The answers and recordings of at most `limit` submissions, with what was evaluated of them. Needs a transaction. */
        deleteAnswers: Effect.fnUntraced(function* (limit: number) {
          const at = yield* now
          const found = yield* dueRows("answers", limit, sql`for update of b skip locked`)
          const rows = yield* notHeld(found, freeSubmissions)
          if (rows.length === 0) return []
          const submissions = rows.map(({ id }) => id)
          const organizations = [...new Set(rows.map(({ organization }) => organization))]
          const own = sql`organization_id = any(${organizations.map(Number)}::int[])`
          const files = yield* sql<{ id: BlobId }>`
            select blob_id as id from answer where submission_id = any(${submissions}::uuid[]) and ${own} and blob_id is not null
            union all select blob_id from recording
            where submission_id = any(${submissions}::uuid[]) and ${own} and blob_id is not null`
          yield* forget(files, organizations)
          yield* sql`delete from answer where submission_id = any(${submissions}::uuid[]) and ${own}`
          yield* sql`delete from recording where submission_id = any(${submissions}::uuid[]) and ${own}`
          yield* sql`
            update evaluation set input = null, raw = null where submission_id = any(${submissions}::uuid[]) and ${own}
              and evaluation_type in ('interview', 'holistic')`
          yield* sql`update submission set answers_deleted_at = ${at} where id = any(${submissions}::uuid[]) and ${own}`
          return deletedOf(rows)
        }),
        /** Candidates to erase: all their interviews have ended long enough ago. */
        dueCandidates: (limit: number) =>
          Effect.map(dueRows("candidates", limit, sql``), (rows) =>
            rows.map(({ id, organization }) => ({ organization, id: CandidateId.make(id) })),
          ),
        /** Still, after `dueCandidates`. */
        isCandidateDue: Effect.fnUntraced(function* (organization: OrganizationId, id: CandidateId) {
          const { from, held } = due(yield* now).candidates
          const rows = yield* sql`
            select from ${retaining("candidates")}
            join lateral (select from ${from} and not ${held} and c.id = ${id}::uuid) r on true
            where o.id = ${organization}::int`
          return rows.length > 0
        }),
        /** At most `limit` events, with their finished deliveries. Needs a transaction. */
        deleteEvents: Effect.fnUntraced(function* (limit: number) {
          const found = yield* notHeld(yield* dueRows("events", limit, sql`for update of v skip locked`), freeEvents)
          if (found.length === 0) return []
          const ids = found.map(({ id }) => id).sort()
          const own = sql`organization_id = any(${[...new Set(found.map(({ organization }) => Number(organization)))]}::int[])`
          // the range finds their blocks in the BRIN index, without a lookup for each
          yield* sql`
            delete from webhook_delivery_history where event_id between ${ids[0]}::uuid and ${ids.at(-1)}::uuid
              and event_id = any(${ids}::uuid[]) and ${own}`
          yield* sql`delete from webhook_event where id = any(${ids}::uuid[]) and ${own}`
          return deletedOf(found)
        }),
        /** At most `limit` entries. Needs a transaction. */
        deleteAudit: Effect.fnUntraced(function* (limit: number) {
          const rows = yield* notHeld(yield* dueRows("audit", limit, sql`for update of a skip locked`), freeEntries)
          if (rows.length > 0) yield* sql`delete from audit_log where id = any(${rows.map(({ id }) => id)}::bigint[])`
          return deletedOf(rows)
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
