/**
 * Migrates a database: applies sql/, then continues the order of events (webhooks/events/EventOrderSql.ts), and sets the ranges of the
 * cell's ids on new columns (cells/CellRangesSql.ts).
 */
import { Effect } from "effect"
import { continueRanges } from "./cells/CellRangesSql.ts"
import type { DatabaseOptions } from "./platform/database/Database.ts"
import { applyMigrations } from "./platform/database/Migrations.ts"
import { continueOrder } from "./webhooks/events/EventOrderSql.ts"

/** Returns the names of the applied files of `directory` (sql/). */
export const migrate = (options: Pick<DatabaseOptions, "url" | "directUrl" | "schema">, directory?: URL) =>
  applyMigrations(options, Effect.andThen(continueOrder, continueRanges), directory)
