/**
 * Indexes of tables that may be large, made while everybody goes on writing. Postgres can not do so in a transaction, so
 * they are no part of sql/*.sql: `migrate` makes those that are missing, and pods do when they have started. Until they are
 * there nothing is wrong, only slow.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Name, and what it is on. */
const indexes = {
  /** Who has a name or an address that begins so (sql/0019_search.sql). */
  candidate_words: "candidate using gin (person_words(organization_id, name, firstname, lastname, email, cv_email))",
  candidate_newest: "candidate (organization_id, created_at, id)",
  audit_log_moment: "audit_log (organization_id, created_at)",
  /** Who was invited at an address has it no more when the hiring system has corrected it since. */
  invitation_email: "invitation (organization_id, lower(email))",
  /** Scores in order, a person's own in place of the evaluator's; where nobody is rated, there is none. */
  submission_score_ranked:
    "submission_score (organization_id, coalesce(own, score), submission_id) where coalesce(own, score) is not null",
  submission_score_set_ranked: "submission_score (interview_set_id, coalesce(own, score), submission_id)",
}

const history = "webhook_delivery_history_event"

interface Missing {
  readonly name: string
  readonly definition: string
  /** The index of the whole table, where this is one of a partition. */
  readonly whole: string | null
}

const lock = "hashtext('large indexes')"

/**
 * Makes those that are missing or were left half made, one after the other. Of several pods that start together one does
 * it, and the others do not wait. One that can not be made is told and tried again at the next start.
 */
export const buildIndexes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const missing = sql<Missing>`
    select n.name, n.definition, null as whole
    from jsonb_each_text(${JSON.stringify(indexes)}::text::jsonb) as n (name, definition)
    where not exists (select from pg_index x where x.indexrelid = to_regclass(n.name) and x.indisvalid)
    union all
    select c.relname || '_event', format('%I (event_id)', c.relname), ${history}
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhook_delivery_history'::regclass and not exists (
      select from pg_inherits a join pg_index x on x.indexrelid = a.inhrelid
      where a.inhparent = to_regclass(${history}) and x.indrelid = c.oid and x.indisvalid)`
  const build = Effect.fnUntraced(
    function* ({ definition, name, whole }: Missing) {
      // one that was given up is there, and no use
      yield* sql`drop index concurrently if exists ${sql(name)}`.unprepared
      yield* sql`create index concurrently ${sql(name)} on ${sql.literal(definition)}`.unprepared
      if (whole !== null) yield* sql`alter index ${sql(whole)} attach partition ${sql(name)}`.unprepared
    },
    (building, { name }) =>
      Effect.catch(building, (error) => Effect.logWarning(`the index ${name} could not be made`, error)),
  )
  yield* Effect.acquireUseRelease(
    Effect.map(
      sql<{ mine: boolean }>`select pg_try_advisory_lock(${sql.literal(lock)}) as mine`,
      ([row]) => row?.mine === true,
    ),
    // looked for under the lock: what another pod has just made is not made again
    (mine) => (mine ? Effect.flatMap(missing, Effect.forEach(build, { discard: true })) : Effect.void),
    (mine) => (mine ? Effect.orDie(sql`select pg_advisory_unlock(${sql.literal(lock)})`) : Effect.void),
  )
}).pipe(Effect.withSpan("LargeIndexes.buildIndexes"))
