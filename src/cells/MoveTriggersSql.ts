/**
 * Temporary triggers of a move: guards refuse writes or record the changed rows, holds keep jobs from being claimed
 * (sql/11_cells.sql).
 */
import { Effect } from "effect"
import type { Client } from "../platform/database/CommandClient.ts"
import { queueTables } from "../platform/queue/QueueSql.ts"
import type { OrganizationId } from "../values/Ids.ts"
import { briefly, isOwn, quoted, type Table } from "./MoveTablesSql.ts"

/**
 * Guards of several organizations may exist: they stay in the source until its rows are deleted. The names sort before those of
 * other triggers, which run after them.
 */
const guardOf = (organization: OrganizationId) => `a_moving_guard_${organization}`
const holdOf = (organization: OrganizationId) => `a_moving_hold_${organization}`

const hasTrigger = (sql: Client, table: string, trigger: string) =>
  Effect.map(
    sql`select from pg_trigger where tgrelid = ${table}::regclass and tgname = ${trigger}`,
    (rows) => rows.length > 0,
  )

const addTrigger = Effect.fnUntraced(function* (sql: Client, table: string, trigger: string, definition: string) {
  if (yield* hasTrigger(sql, table, trigger)) return
  yield* briefly(sql, `create trigger ${trigger} ${definition}`)
})

const dropTrigger = Effect.fnUntraced(function* (sql: Client, table: string, trigger: string) {
  if (!(yield* hasTrigger(sql, table, trigger))) return
  yield* briefly(sql, `drop trigger if exists ${trigger} on ${quoted(table)}`)
})

/** Adds triggers that refuse writes of pods, or record the changed rows, depending on the state of the move. */
export const addGuards = Effect.fnUntraced(function* (
  sql: Client,
  all: ReadonlyArray<Table>,
  organization: OrganizationId,
) {
  const guard = guardOf(organization)
  for (const table of all) {
    const parameters = [String(organization), table.name, ...table.keys.map(({ name }) => name)]
    const call = `execute function guard_moving_organization(${parameters.map((text) => `'${text}'`).join(", ")})`
    const on = (event: string, row: string) =>
      `before ${event} on ${quoted(table.name)} for each row when (${isOwn(table, organization, row)}) ${call}`
    yield* addTrigger(sql, table.name, guard, on("insert or update", "new"))
    yield* addTrigger(sql, table.name, `${guard}_delete`, on("delete", "old"))
  }
})

export const dropGuards = Effect.fnUntraced(function* (
  sql: Client,
  all: ReadonlyArray<Table>,
  organization: OrganizationId,
) {
  const guard = guardOf(organization)
  for (const { name } of all) {
    yield* dropTrigger(sql, name, guard)
    yield* dropTrigger(sql, name, `${guard}_delete`)
  }
})

/** Adds triggers that hold jobs. In the target they fire only for rows that replication writes, because pods write none. */
export const addHolds = Effect.fnUntraced(function* (
  sql: Client,
  side: "source" | "target",
  organization: OrganizationId,
) {
  const hold = holdOf(organization)
  for (const table of queueTables) {
    const condition = `new.organization_id = ${organization} and new.due_at < job_held_until()`
    yield* addTrigger(
      sql,
      table,
      hold,
      `before insert or update on ${table} for each row when (${condition}) execute function hold_job('${side}')`,
    )
    if (side === "target") yield* briefly(sql, `alter table ${table} enable replica trigger ${hold}`)
  }
})

export const dropHolds = (sql: Client, organization: OrganizationId) =>
  Effect.forEach(queueTables, (table) => dropTrigger(sql, table, holdOf(organization)), { discard: true })

/**
 * Holds the source's jobs, including claimed ones whose lease or process has ended; returns the number in flight. Its
 * updates fire the trigger of `addHolds`, which holds the jobs. They run in batches: a long transaction would delay events.
 */
export const holdJobs = Effect.fnUntraced(function* (sql: Client, organization: OrganizationId) {
  let inFlight = 0
  for (const table of queueTables) {
    for (let held = 1; held > 0; ) {
      const rows = yield* sql.unsafe(
        `update ${table} q set claim_id = null where q.ctid = any(array(
           select ctid from ${table} where organization_id = ${organization} and due_at < job_held_until()
             and (claim_id is null or coalesce(leased_until <= now(), true)
               or claimed_by in (select id from worker_process where ended_at is not null))
           limit 5000 for update skip locked))
         returning 1`,
      )
      held = rows.length
    }
    const [row] = yield* sql.unsafe<{ count: number }>(
      `select count(*)::int as count from ${table} where organization_id = ${organization} and due_at < job_held_until()`,
    )
    inFlight += row?.count ?? 0
  }
  return inFlight
})

/** Makes held jobs due as before, and wakes workers. */
export const releaseJobs = Effect.fnUntraced(function* (sql: Client, organization: OrganizationId) {
  for (const table of queueTables) {
    for (let released = 1; released > 0; ) {
      const rows = yield* sql.unsafe(
        `update ${table} q set due_at = coalesce(q.leased_until, now()), leased_until = null where q.ctid = any(array(
           select ctid from ${table} where organization_id = ${organization} and due_at = job_held_until()
           limit 5000 for update skip locked))
         returning 1`,
      )
      released = rows.length
    }
    yield* sql`select notify_of_due(${table})`
  }
})
