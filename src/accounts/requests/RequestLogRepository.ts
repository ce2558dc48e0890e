/** Stores and reads the request log. */
import { Context, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database, first, recordset } from "../../platform/database/Database.ts"
import { iso, type Positioned, paging, when } from "../../platform/database/Paging.ts"
import { minIdOf } from "../../platform/NewIds.ts"
import type { PageRequest } from "../../values/Cursor.ts"
import type { ApiKeyId, OrganizationId } from "../../values/Ids.ts"
import type { EndedRequest, LoggedError, RequestFilter, StatusFilter } from "./LoggedRequest.ts"

/** `age_ms`: since it began. */
export interface NewRequest extends Omit<EndedRequest, "endedAt" | "durationMs"> {
  readonly id: string
  readonly duration_ms: number
  readonly age_ms: number
}

export interface RequestRow {
  readonly id: string
  readonly request_id: string
  readonly api_key_id: ApiKeyId
  readonly key_name: string | null
  /** Null: the key was deleted. */
  readonly key_prefix: string | null
  readonly method: string
  readonly operation: string
  readonly path: string
  readonly query: Readonly<Record<string, string | null>> | null
  readonly status: number
  readonly problem: string | null
  readonly errors: ReadonlyArray<LoggedError> | null
  readonly warnings: ReadonlyArray<LoggedError> | null
  readonly requests: number
  readonly duration_ms: number
  readonly has_idempotency_key: boolean
  readonly is_replayed: boolean
  readonly client: string | null
  readonly created_at: string
}

/** Requests of one operation that failed with the same problem. */
export interface FailureRow {
  readonly operation: string
  readonly status: number
  readonly problem: string | null
  readonly requests: number
  readonly last_at: Date
}

const columns = `id uuid, organization_id integer, api_key_id uuid, request_id text, method text, operation text, path text,
  query jsonb, status smallint, problem text, errors jsonb, warnings jsonb, requests integer, duration_ms integer, has_idempotency_key boolean, is_replayed boolean,
  client text, age_ms float8`

const inserted = `id, organization_id, api_key_id, request_id, method, operation, path, query, status, problem, errors,
  warnings, requests, duration_ms, has_idempotency_key, is_replayed, client`

/** Literals, so that the planner uses the index of failed requests. */
const ranges: Readonly<Record<StatusFilter, string>> = {
  "2xx": "r.status between 200 and 299",
  "4xx": "r.status between 400 and 499",
  "5xx": "r.status >= 500",
  failed: "r.status >= 400",
}

/** Deleted at once. */
const batch = 5_000

export class RequestLogRepository extends Context.Service<RequestLogRepository>()(
  "interview-invitations/accounts/requests/RequestLogRepository",
  {
    make: Effect.gen(function* () {
      const { now, sql } = yield* Database

      const shown =
        sql.literal(`r.id, r.request_id, r.api_key_id, r.method, r.operation, r.path, r.query, r.status, r.problem,
        r.errors, r.warnings, r.requests, r.duration_ms, r.has_idempotency_key, r.is_replayed, r.client`)

      const select = (position: Statement.Fragment, condition: Statement.Fragment) => sql<Positioned<RequestRow>>`
        select ${shown}, ${iso(sql, "r.created_at")} as created_at, k.name as key_name, k.prefix as key_prefix, ${position}
        from api_request r left join api_key k on k.id = r.api_key_id and k.organization_id = r.organization_id
        where ${condition}`

      const isMatch = (organization: OrganizationId, filter: RequestFilter) => sql`
        r.organization_id = ${organization}::int
          and ${when(sql, filter.api_key_id, (key) => sql`r.api_key_id = ${key}::uuid`)}
          and ${when(sql, filter.status, (status) => sql.literal(ranges[status]))}
          and ${when(sql, filter.operation, (operation) => sql`r.operation = ${operation}`)}
          and ${when(sql, filter.problem, (problem) => sql`r.problem = ${problem} and r.status >= 400`)}
          and ${when(sql, filter.request_id, (id) => sql`r.request_id = ${id}`)}
          and ${when(sql, filter.since, (since) => sql`r.created_at >= ${since}::timestamptz`)}
          and ${when(sql, filter.until, (until) => sql`r.created_at < ${until}::timestamptz`)}`

      return {
        /** Leaves out organizations that only a move may write. A row that is sent again is stored once. */
        insert: Effect.fnUntraced(function* (rows: ReadonlyArray<NewRequest>) {
          const at = yield* now
          yield* sql`
            with new as materialized (
              select ${sql.literal(inserted)}, ${at} - age_ms * interval '1 millisecond' as created_at
              from ${recordset(sql, rows, columns)}
              where organization_id <> all(array(select id from suspended_organization))
            )
            insert into api_request (${sql.literal(inserted)}, created_at)
            select ${sql.literal(inserted)}, created_at from new on conflict (id) do nothing`
        }),
        /** Newest first. */
        list: Effect.fnUntraced(function* (organization: OrganizationId, filter: RequestFilter, page: PageRequest) {
          const { behind, newestFirst, position } = paging(sql, "r", page)
          return yield* select(position, sql`${isMatch(organization, filter)} and ${behind} ${newestFirst}`)
        }),
        find: Effect.fnUntraced(function* (organization: OrganizationId, id: string) {
          return first(
            yield* select(
              sql`null::jsonb as position`,
              sql`r.id = ${id}::uuid and r.organization_id = ${organization}::int`,
            ),
          )
        }),
        /** The most frequent failures, at most `limit`. */
        failures: Effect.fnUntraced(function* (organization: OrganizationId, filter: RequestFilter, limit: number) {
          return yield* sql<FailureRow>`
            select r.operation, r.status::int as status, r.problem, sum(r.requests)::int as requests, max(r.created_at) as last_at
            from api_request r where ${isMatch(organization, filter)} and r.status >= 400
            group by r.operation, r.status, r.problem order by sum(r.requests) desc, max(r.created_at) desc limit ${limit}::int`
        }),
        /** Deletes a batch of those stored before the time. */
        deleteOld: Effect.fnUntraced(function* (before: Date) {
          const rows = yield* sql`
            delete from api_request where id = any(array(
              select id from api_request where id < ${minIdOf(before)}::uuid
                and organization_id <> all(array(select id from suspended_organization))
              order by id limit ${batch}::int))
            returning id`
          return rows.length
        }),
        /**
         * Deletes a batch of the oldest ones of organizations with more than `kept`. Counting reads an index entry of each row, so
         * it looks at organizations with at least `busy` rows since a time, and at one of `parts` of all. 2,000 organizations of
         * 5,000 rows: 5 s for all at once.
         */
        deleteSurplus: Effect.fnUntraced(function* (
          kept: number,
          {
            busy,
            part,
            parts,
            since,
          }: { readonly busy: number; readonly since: Date; readonly part: number; readonly parts: number },
        ) {
          const rows = yield* sql`
            delete from api_request where id = any(array(
              select s.id from (
                select organization_id as id from api_request where id >= ${minIdOf(since)}::uuid
                group by organization_id having count(*) >= ${busy}::int
                union select id from organization where id % ${parts}::int = ${part}::int
              ) o cross join lateral (
                select id from api_request r where r.organization_id = o.id
                order by r.created_at desc, r.id desc offset ${kept}::int limit ${batch}::int
              ) s
              where o.id <> all(array(select id from suspended_organization))
              limit ${batch}::int))
            returning id`
          return rows.length
        }),
      }
    }),
  },
) {
  static readonly layer = Layer.effect(this, this.make)
}
