/** Inserts CVs that were read, or failed to be read, with their evaluation queued. */
import { Effect } from "effect"
import { EvaluationRepository } from "../../src/evaluations/EvaluationRepository.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { ids } from "../../src/platform/NewIds.ts"
import { CvId, EvaluationId } from "../../src/values/Ids.ts"
import type { Invited } from "./Scenario.ts"

export const text = "Four years of PostgreSQL at a bank."

export const unread = "The file has a password."

/** Null inserts a CV that could not be read. */
export const read = Effect.fnUntraced(function* (
  { organization, subject: { submission_id } }: Invited,
  words: string | null = text,
) {
  const { now, sql, transaction } = yield* Database
  const newId = yield* ids
  const at = yield* now
  const id = yield* newId(CvId)
  yield* transaction(
    Effect.andThen(
      sql`
        insert into cv (id, organization_id, submission_id, link, text, error, read_at, created_at, state, due_at)
        values (${id}::uuid, ${organization}::int, ${submission_id}::uuid, ${`https://cv.example/${id}.pdf`}, ${words},
          ${words === null ? unread : null}, ${at}, ${at}, ${words === null ? "failed" : "read"}, null)`,
      (yield* EvaluationRepository).queue(organization, {
        id: yield* newId(EvaluationId),
        submissionId: submission_id,
        type: "cv",
      }),
    ),
  )
}, Effect.orDie)
