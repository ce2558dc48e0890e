/** Which result of an evaluation is shown. */
import type { Statement } from "effect/sql"
import type { Sql } from "../platform/database/Sql.ts"

/** The result of evaluation `e` of submission `b`; without a score while the score is not used (docs/candidate-rights.md). */
export const usedResult = (sql: Sql): Statement.Fragment => sql`used_result(e.result, b.score_unused)`
