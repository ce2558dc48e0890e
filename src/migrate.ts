/** Migrates a database: sql/, then the order of events. */

import type { DatabaseOptions } from "./platform/database/Database.ts"
import { applyMigrations } from "./platform/database/Migrations.ts"
import { continueOrder } from "./webhooks/EventOrderSql.ts"

/** Returns the names of the applied files of `directory` (sql/). */
export const migrate = (options: Pick<DatabaseOptions, "url">, directory?: URL) =>
  applyMigrations(options, continueOrder, directory)
