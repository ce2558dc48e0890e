/** A table's partitions by day, named after it and the day. Rows of a day without one are in the table's default partition. */
import { Effect } from "effect"
import { type LockName, lock } from "./AdvisoryLocks.ts"
import type { Database } from "./Database.ts"

const day = 86_400_000

/** `moment`: the column that divides the rows. */
export const dayPartitions = (
  { nameInSchema, sql, transaction }: Pick<Database["Service"], "nameInSchema" | "sql" | "transaction">,
  table: LockName & `${string}_history`,
  moment: string,
) => {
  const nameOf = (start: Date) => `${table}_${start.toISOString().slice(0, 10).replaceAll("-", "")}`
  // Waiting for a lock on the table blocks its writers, so give up after 2 s. The advisory lock admits one pod.
  const briefly = Effect.andThen(
    sql`set local lock_timeout = '2s'`.unprepared,
    sql`select ${lock({ nameInSchema, sql }, table)}`,
  )
  return {
    /** Skips a day that has rows in the default partition. */
    make: Effect.fnUntraced(function* (at: Date, days: number) {
      const first = Math.floor(at.getTime() / day) * day
      const missing = yield* sql<{ day: Date }>`
        select day from unnest(${Array.from({ length: days }, (_, i) => new Date(first + i * day))}::timestamptz[]) as day
        where to_regclass(${table} || '_' || to_char(day at time zone 'UTC', 'YYYYMMDD')) is null
          and not exists (select from ${sql(`${table}_default`)}
            where ${sql(moment)} >= day and ${sql(moment)} < day + interval '1 day')`
      // 'f' during a move of an organization (cells/MoveReplicationSql.ts): otherwise updates of the partition would fail
      const [parent] = yield* sql<{ isFull: boolean }>`
        select relreplident = 'f' as "isFull" from pg_class where oid = ${table}::regclass`
      for (const { day: start } of missing) {
        const [from, to] = [start, new Date(start.getTime() + day)].map((time) => time.toISOString())
        const name = nameOf(start)
        yield* transaction(
          Effect.all(
            [
              briefly,
              sql`create table if not exists ${sql(name)} partition of ${sql(table)}
                for values from (${sql.literal(`'${from}'`)}) to (${sql.literal(`'${to}'`)})`.unprepared,
              parent?.isFull ? sql`alter table ${sql(name)} replica identity full`.unprepared : Effect.void,
            ],
            { discard: true },
          ),
        )
      }
    }),
    /** Drops the partitions of days before that of `before`; returns their number. */
    drop: Effect.fnUntraced(function* (before: Date) {
      // the two cells of an open move must have the same rows
      if ((yield* sql`select from organization_move where ended_at is null`).length > 0) return 0
      const old = yield* sql<{ name: string }>`
        select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = ${table}::regclass and c.relname ~ '_[0-9]{8}$' and c.relname collate "C" < ${nameOf(before)}
        order by c.relname`
      for (const { name } of old) {
        yield* transaction(Effect.andThen(briefly, sql`drop table if exists ${sql(name)}`.unprepared))
      }
      return old.length
    }),
  }
}
