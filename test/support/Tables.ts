/** Reads all tables of the schema, including new ones, by the catalogue. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"

const named = Effect.gen(function* () {
  const { sql } = yield* Database
  return yield* sql<{ name: string; owned: boolean }>`
    select c.relname as name, exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id') as owned
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`
})

/**
 * The number of rows of each table, and the newest transaction that wrote one. Equal results before and after a request
 * mean that it wrote nothing, except to idempotency_key and to api_key, which stores the last use.
 */
export const writes = Effect.gen(function* () {
  const { sql } = yield* Database
  const tables = (yield* named).filter(({ name }) => !["api_key", "idempotency_key"].includes(name))
  const counts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::int as rows, max(xmin::text::bigint)::text as newest from "${name}"`,
  )
  const rows = yield* sql<{
    name: string
    rows: number
    newest: string | null
  }>`${sql.literal(counts.join(" union all "))}`
  return Object.fromEntries(rows.map(({ name, ...rest }) => [name, rest]))
})

/** Which rows of a table without `organization_id` belong to an organization. */
const belonging: Record<string, (organization: number) => string> = {
  organization: (organization) => `id = ${organization}`,
  webhook_endpoint_hour: (organization) => ofEndpoint(organization),
}

const ofEndpoint = (organization: number) =>
  `endpoint_id in (select id from webhook_endpoint where organization_id = ${organization})`

/** All rows as sorted JSON texts, without last_used_at, idempotency_key and organization_move. */
export const rowsOf = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  const dumps = (yield* named).flatMap(({ name, owned }) => {
    if (["idempotency_key", "organization_move"].includes(name)) return []
    const condition = owned ? `organization_id = ${organization}` : belonging[name]?.(organization)
    return condition === undefined
      ? []
      : [`select '${name}' as name, (to_jsonb(t) - 'last_used_at')::text as text from "${name}" t where ${condition}`]
  })
  const rows = yield* sql<{ name: string; text: string }>`${sql.literal(dumps.join(" union all "))} order by 1, 2`
  return rows.map(({ name, text }) => `${name} ${text}`)
})

/** Finds the columns that contain one of the texts (lower case), also in bytea and JSON. */
export const placesOf = Effect.fnUntraced(function* (texts: ReadonlyArray<string>) {
  const { sql } = yield* Database
  const columns = yield* sql<{ table: string; column: string; type: string }>`
    select c.relname as table, a.attname as column, t.typname as type
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`
  assert.isAbove(columns.length, 100)
  const hits: Array<string> = []
  for (const { column, table, type } of columns) {
    const text = type === "bytea" ? `encode("${column}", 'escape')` : `"${column}"::text`
    for (const one of texts) {
      const rows = yield* sql<{ n: number }>`
        select count(*)::int as n from ${sql(table)} where position(${one} in lower(${sql.literal(text)})) > 0`
      if ((rows[0]?.n ?? 0) > 0) hits.push(`${table}.${column}: ${one}`)
    }
  }
  return hits
})

export const count = Effect.fnUntraced(function* (
  table: "email" | "invitation" | "candidate" | "webhook_event" | "submission",
  organization: OrganizationId,
) {
  const { sql } = yield* Database
  const [row] = yield* sql<{ n: number }>`
    select count(*)::int as n from ${sql(table)} where organization_id = ${organization}::int`
  return row?.n ?? 0
})

/** What members did, as the audit log has it, oldest first. */
export const memberActions = Effect.fnUntraced(function* (organization: OrganizationId) {
  const { sql } = yield* Database
  const rows = yield* sql<{ action: string }>`
    select action from audit_log where organization_id = ${organization}::int and member_id is not null order by id`
  return rows.map(({ action }) => action)
})
