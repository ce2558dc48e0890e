/** Dead rows and size of the queue's table, and the pages that statements have read of it. */
import { Effect } from "effect"
import * as Postgres from "../support/postgres.ts"

export interface TableState {
  /** Deleted and updated rows that are still stored. */
  readonly dead: number
  /** Megabytes, with indexes. */
  readonly size: number
  /** Pages of the table and its indexes that statements have read so far. */
  readonly pages: number
}

/** A connection writes its statistics within a second after its last statement. */
const flushed = "1200 millis"

export const stateOf = (url: string) =>
  Effect.andThen(
    Effect.sleep(flushed),
    Postgres.query<TableState>(
      url,
      `select n_dead_tup::float8 as dead, (pg_total_relation_size(relid) / 1e6)::float8 as size,
         (heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::float8 as pages
       from pg_stat_user_tables join pg_statio_user_tables using (relid)
       where pg_stat_user_tables.relname = 'webhook_delivery'`,
    ),
  )
