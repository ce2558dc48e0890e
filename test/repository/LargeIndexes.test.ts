/** Indexes that are made while others write: a start makes those that are missing, or were left half made. */
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Database, migrate } from "../../src/repository/Database.ts"
import { execute } from "../support/databases.ts"
import { freshDatabase } from "../support/TestDatabase.ts"

const names = [
  "audit_log_moment",
  "candidate_newest",
  "candidate_words",
  "invitation_email",
  "submission_score_ranked",
  "submission_score_set_ranked",
  "webhook_delivery_history_event",
]

/** Which of the indexes are valid, and the history's partitions that have none by event. */
const standing = Effect.gen(function* () {
  const { sql } = yield* Database
  const valid = yield* sql<{ name: string }>`
    select c.relname as name from pg_index x join pg_class c on c.oid = x.indexrelid
    where c.relname = any(${names}::text[]) and x.indisvalid order by 1`
  const without = yield* sql`
    select from pg_inherits i where i.inhparent = 'webhook_delivery_history'::regclass and not exists (
      select from pg_index x join pg_inherits a on a.inhrelid = x.indexrelid
      where x.indrelid = i.inhrelid and x.indisvalid and a.inhparent = 'webhook_delivery_history_event'::regclass)`
  return { valid: valid.map(({ name }) => name), without: without.length }
})

const whole = { valid: names, without: 0 }

describe("indexes of large tables", () => {
  it.live("are made where they are missing, and anew where one was left half made", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const apply = migrate({ url: Redacted.make(url) })
      const look = standing.pipe(
        Effect.provide(Database.layer({ url: Redacted.make(url), maxConnections: 2 }), { local: true }),
      )
      assert.deepStrictEqual(yield* look, whole)
      yield* execute(
        url,
        `do $$ begin
           drop index candidate_words, invitation_email, webhook_delivery_history_event;
           create index webhook_delivery_history_event on only webhook_delivery_history (event_id);
           -- as a pod of the version before makes the next day
           create table webhook_delivery_history_20250101 partition of webhook_delivery_history
             for values from ('2025-01-01 00:00+00') to ('2025-01-02 00:00+00');
         end $$`,
      )
      // one that fails on its way stays behind, and is no use
      yield* Effect.flip(execute(url, "create unique index concurrently invitation_email on language ((1))"))
      const broken = yield* look
      assert.deepStrictEqual(broken.valid, [
        "audit_log_moment",
        "candidate_newest",
        "submission_score_ranked",
        "submission_score_set_ranked",
      ])
      assert.isAbove(broken.without, 0)
      yield* Effect.all([apply, apply, apply], { concurrency: "unbounded" })
      yield* apply
      assert.deepStrictEqual(yield* look, whole)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
  )
})
