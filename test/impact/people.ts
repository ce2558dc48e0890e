/** Test data: people with an evaluated interview, and what they said about themselves. */
import { Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"

export interface Group {
  readonly count: number
  readonly sex?: string
  readonly ethnicity?: string
  readonly own?: string
  /** Of 10; undefined: the interview has no score. */
  readonly score?: number
  readonly decision?: "advance" | "reject"
  readonly stage?: string
  /** When the interviews were submitted. */
  readonly at?: string
  /** Of the answers; a day of the month. */
  readonly answered?: string
}

/** Returns the ids of the submissions. */
export const people = Effect.fnUntraced(function* (organization: OrganizationId, set: string, group: Group) {
  const { sql } = yield* Database
  const { answered = "2026-09-01", at = "2026-09-15T12:00:00Z", count, score = null } = group
  const { decision = null, ethnicity = null, own = null, sex = null, stage = null } = group
  const rows = yield* sql<{ id: string }>`
    with person as (
      insert into candidate (id, organization_id, name, created_at)
      select gen_random_uuid(), ${organization}::int, 'A person', ${at}::timestamptz from generate_series(1, ${count}::int)
      returning id
    )
    insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at, started_at,
      completed_at, decision, stage_id)
    select gen_random_uuid(), ${organization}::int, ${set}::uuid, id, 'interview', 'evaluated', ${at}::timestamptz,
      ${at}::timestamptz, ${at}::timestamptz, ${decision}, ${stage}::uuid
    from person returning id`
  const ids = rows.map(({ id }) => id)
  if (score !== null)
    yield* sql`
      insert into submission_score (submission_id, organization_id, interview_set_id, score, score_status)
      select id, ${organization}::int, ${set}::uuid, ${score}::numeric, 'scored' from unnest(${ids}::uuid[]) id`
  if (sex !== null || ethnicity !== null || own !== null)
    yield* sql`
      insert into self_identification (submission_id, organization_id, sex, ethnicity, own, answered_month)
      select id, ${organization}::int, ${sex}, ${ethnicity}, ${own}, ${answered}::date from unnest(${ids}::uuid[]) id`
  return ids
})
