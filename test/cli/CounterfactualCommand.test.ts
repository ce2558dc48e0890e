/** The command that audits a set, with the keyword evaluator in its child processes. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as cli from "../support/cli.ts"
import { onFreshDatabase, unknownId } from "./onFreshDatabase.ts"

const text =
  "Ada Lovelace\nLondon\nI was a waitress for five years and served forty guests each evening.\nMSc, University of Leeds, 2012"

/** A set with an evaluated CV. */
const evaluated = `
  with s as (
    insert into interview_set (id, organization_id, title) values (gen_random_uuid(), 1, 'Kitchen') returning id
  ), r as (
    insert into requirement (id, organization_id, interview_set_id, title, ordinal)
    select gen_random_uuid(), 1, id, title, place from s, unnest(array['Waiting tables', 'Lives in London']) with ordinality t (title, place)
  ), c as (
    insert into candidate (id, organization_id, name, firstname, lastname)
    values (gen_random_uuid(), 1, 'Ada Lovelace', 'Ada', 'Lovelace') returning id
  ), b as (
    insert into submission (id, organization_id, interview_set_id, candidate_id, flow, status, expires_at)
    select gen_random_uuid(), 1, s.id, c.id, 'cv', 'evaluated', now() from s, c returning id
  ), v as (
    insert into cv (id, organization_id, submission_id, link, text, state, due_at, read_at)
    select gen_random_uuid(), 1, id, 'https://cv.example/ada.pdf', $text$${text}$text$, 'read', null, now() from b
  ), e as (
    insert into evaluation (id, organization_id, submission_id, evaluation_type, attempt, state, due_at, result, evaluated_at)
    select gen_random_uuid(), 1, id, 'cv', 1, 'done', null, '{"score": 5, "score_status": "scored", "criteria": []}', now() from b
  )
  select id from s`

const begin = Effect.gen(function* () {
  const commands = yield* onFreshDatabase
  yield* commands.json("organization", "create", "--name", "Acme")
  const [set] = yield* Effect.flatMap(
    PgClient.PgClient,
    (sql) => sql.unsafe<{ id: string }>(evaluated).unprepared,
  ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(commands.environment.DATABASE_URL) }), { local: true }))
  return { ...commands, set: set?.id ?? "" }
})

describe("evaluation counterfactual", () => {
  it.live("prints which scores move, as text, JSON and CSV", () =>
    Effect.gen(function* () {
      const { environment, json, refused, set } = yield* begin
      const audit = ["evaluation", "counterfactual", "--set", set]
      const { evaluator, moves, submissions, swaps } = yield* json(...audit)
      assert.match(String(evaluator), /^keyword\//)
      assert.strictEqual(submissions, 1)
      assert.deepInclude(swaps, { swap: "female", tested: 0, changed: 0, asked: 0, largest: 0, mean: null })
      assert.deepInclude(swaps, { swap: "male", tested: 1, changed: 0, asked: 0, largest: 0, mean: 0 })
      assert.deepInclude(swaps, { swap: "jamal_washington", tested: 1, changed: 0, asked: 0, largest: 0, mean: 0 })
      // the requirement asks for the place
      assert.isArray(moves)
      for (const move of Array.isArray(moves) ? moves : [])
        assert.deepInclude(move, { title: "Lives in London", is_asked: true })
      assert.include(JSON.stringify(moves), '"swap":"south"')
      const shown = yield* cli.run(environment, ...audit, "--kind", "gender")
      assert.match(shown.stdout, /Pronouns and gendered words +Words for men +1 +0 +0 +0 +0\n/)
      assert.include(shown.stdout, "no score moved")
      const csv = yield* cli.run(environment, ...audit, "--kind", "school", "--csv")
      assert.include(csv.stdout, "Swaps,Schools,Well-known universities,,1,0,0,0,0,\r\n")
      assert.strictEqual(
        yield* refused("evaluation", "counterfactual", "--set", unknownId),
        "there is no such interview set",
      )
    }),
  )
})
