/** Commands for evaluations. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { onFreshDatabase, unknownId } from "./onFreshDatabase.ts"

/** Inserts a submission whose evaluation failed because the evaluator was unavailable. */
const unanswered = `
  with s as (
    insert into interview_set (id, organization_id, title) values (gen_random_uuid(), 1, 'x') returning id
  ), c as (
    insert into candidate (id, organization_id) values (gen_random_uuid(), 1) returning id
  ), b as (
    insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at)
    select gen_random_uuid(), 1, s.id, c.id, 'interview', 'evaluated', now() from s, c returning id
  )
  insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, state, due_at, error, result,
    evaluated_at)
  select gen_random_uuid(), 1, id, 'interview', 1, 'done', null, 'refused', '{}', now() - interval '1 hour' from b
  returning submission_id as id`

/** A database with an organization and two such submissions; returns their ids. */
const begin = Effect.gen(function* () {
  const commands = yield* onFreshDatabase
  yield* commands.json("organization", "create", "--name", "Acme")
  const rows = yield* Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    return yield* Effect.forEach([1, 2], () => sql.unsafe<{ id: string }>(unanswered).unprepared)
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(commands.environment.DATABASE_URL) }), { local: true }))
  return { ...commands, ids: rows.flat().map(({ id }) => id) }
})

describe("evaluation commands", () => {
  it.live("queue a submission's evaluation once at a time", () =>
    Effect.gen(function* () {
      const { ids, json, refused } = yield* begin
      const [id = ""] = ids
      assert.deepStrictEqual(yield* json("evaluation", "again", id), { id, types: ["interview"] })
      assert.strictEqual(yield* refused("evaluation", "again", id), "the submission is being evaluated already")
      assert.strictEqual(yield* refused("evaluation", "again", unknownId), "there is no such submission")
      assert.match(yield* refused("evaluation", "again", "7"), /^<submission> "7" must be a UUID/)
    }),
  )

  it.live("queue all evaluations that the evaluator was unavailable for", () =>
    Effect.gen(function* () {
      const { ids, json, refused } = yield* begin
      const all = ["evaluation", "again", "--organization", "1", "--not-scored", "--since"]
      assert.deepStrictEqual(yield* json(...all, "30m"), { queued: 0 })
      assert.deepStrictEqual(yield* json(...all, "2h"), { queued: 2 })
      assert.deepStrictEqual(yield* json(...all, "2h"), { queued: 0 })
      const usage = "give a submission's id, or --organization with --not-scored and --since"
      for (const given of [
        ["--organization", "1", "--not-scored"],
        [ids[0] ?? "", "--not-scored"],
      ]) {
        assert.strictEqual(yield* refused("evaluation", "again", ...given), usage)
      }
    }),
  )
})
