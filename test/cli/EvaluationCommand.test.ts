/** Commands for evaluations. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as cli from "../support/cli.ts"
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

/** A set with two evaluated submissions, whose stored scores are the wrong way round; returns its id. */
const compared = `
  with s as (
    insert into interview_set (id, organization_id, title) values (gen_random_uuid(), 1, 'x') returning id
  ), c as (
    insert into candidate (id, organization_id) select gen_random_uuid(), 1 from generate_series(1, 2) returning id
  ), b as (
    insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at, created_at)
    select gen_random_uuid(), 1, s.id, c.id, 'interview', 'evaluated', now(), now() + row_number() over () * interval '1 second'
    from s, c returning id, created_at
  ), texts as (
    select b.id, t.text, t.score from (select id, row_number() over (order by created_at) as n from b) b join (values
      (1, 'I ran PostgreSQL for four years: I tuned PostgreSQL queries and restored PostgreSQL backups.', 0),
      (2, 'I baked bread every morning and sold it on the market with my brother.', 10)) as t(n, text, score) on t.n = b.n
  ), e as (
    insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, state, due_at, evaluator, input,
      result, evaluated_at)
    select gen_random_uuid(), 1, id, 'interview', 1, 'done', null, 'keyword/8',
      jsonb_build_object('interview_title', 'x', 'position', null, 'language', 'en', 'requirements', jsonb_build_array(
          jsonb_build_object('id', '01980000-0000-7000-8000-000000000001', 'title', 'PostgreSQL', 'content', null, 'hint', null,
            'cfg_importance_id', 273)),
        'sources', jsonb_build_array(jsonb_build_object('source', 'answer', 'question_id',
          '01980000-0000-7000-8000-000000000002', 'question', 'What did you do?', 'text', text))),
      jsonb_build_object('score', score, 'score_status', 'scored', 'summary', '', 'strengths', '[]'::jsonb, 'gaps', '[]'::jsonb,
        'recommendations', '[]'::jsonb, 'criteria', jsonb_build_array(jsonb_build_object(
          'requirement_id', '01980000-0000-7000-8000-000000000001', 'title', 'PostgreSQL', 'cfg_importance_id', 273,
          'weight', 4, 'score', score, 'score_status', 'scored', 'rationale', '', 'evidence', '[]'::jsonb))),
      now() from texts returning id
  )
  select s.id from s, (select count(*) from e) counted`

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

  it.live("compare evaluators by the stored texts of a set, and store nothing", () =>
    Effect.gen(function* () {
      const commands = yield* begin
      const { json, refused } = commands
      const state = `
        select (select jsonb_agg(to_jsonb(e)) from evaluation e) as evaluations, (select count(*)::int from audit_log) as entries`
      const sql = <A extends object>(text: string) =>
        Effect.flatMap(PgClient.PgClient, (client) => client.unsafe<A>(text).unprepared).pipe(
          Effect.provide(PgClient.layer({ url: Redacted.make(commands.environment.DATABASE_URL) }), { local: true }),
        )
      const [row] = yield* sql<{ id: string }>(compared)
      const before = yield* sql(state)
      const set = ["evaluation", "compare", "--set", row?.id ?? ""]
      const { mean_change, ...counts } = yield* json(...set, "--evaluator", "keyword")
      assert.deepStrictEqual(counts, {
        submissions: 2,
        up: 1,
        down: 1,
        unchanged: 0,
        not_comparable: 0,
        largest_change: 10,
      })
      assert.isAbove(Number(mean_change), 8)
      const csv = (yield* cli.run(commands.environment, ...set, "--csv")).stdout.trim().split("\r\n")
      assert.strictEqual(
        csv[0],
        "submission,direction,score_before,score_after,place_before,place_after,met_before,met_after,reason",
      )
      const moved = csv.slice(1).map((line) => line.split(",").slice(1).join(","))
      assert.match(moved[0] ?? "", /^up,0,\d(\.\d)?,2,1,0,1,$/)
      assert.strictEqual(moved[1], "down,10,0,1,2,1,0,")
      assert.deepStrictEqual(yield* sql(state), before)
      assert.strictEqual(yield* refused("evaluation", "compare", "--set", unknownId), "there is no such interview set")
      assert.match(yield* refused(...set, "--evaluator", "model"), /MODEL_URL/)
    }),
  )
})
