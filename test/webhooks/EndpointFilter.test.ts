/** Endpoints limited to interview sets and projects. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { operator } from "../../src/accounts/Viewer.ts"
import { InterviewSets } from "../../src/interview-sets/InterviewSets.ts"
import { Projects } from "../../src/interview-sets/Projects.ts"
import { Database } from "../../src/platform/database/Database.ts"
import { Endpoints } from "../../src/webhooks/endpoints/Endpoints.ts"
import * as Pod from "../support/Pod.ts"
import * as Scenario from "../support/Scenario.ts"
import { start } from "../support/Webhooks.ts"

const question = { content: Scenario.question, question_mode: "interview", question_type: "text" } as const

/** An organization with a project with the set `inProject`, and two other sets; a candidate in each. */
const furnished = Effect.gen(function* () {
  yield* TestClock.setTime(start)
  const organization = yield* Scenario.organization()
  const by = operator(organization.id)
  const project = yield* (yield* Projects).create(by, "Backend")
  const sets = yield* InterviewSets
  const make = (title: string, project_id?: typeof project) =>
    sets.create(by, { title, iai_questions: [question], ...(project_id === undefined ? {} : { project_id }) })
  const inProject = yield* make("In the project", project)
  const chosen = yield* make("Chosen")
  const other = yield* make("Other")
  const invited = (set: typeof chosen, email: string) => Scenario.invited({ id: organization.id, set }, email)
  return {
    organization,
    by,
    project,
    sets: { inProject, chosen, other },
    candidates: {
      inProject: yield* invited(inProject, "a@example.com"),
      chosen: yield* invited(chosen, "b@example.com"),
      other: yield* invited(other, "c@example.com"),
    },
  }
})

/** Numbers of queued deliveries by the endpoint's name. */
const queuedByName = Effect.gen(function* () {
  const { sql } = yield* Database
  const rows = yield* sql<{ name: string; count: number }>`
    select e.name, count(d.id)::int as count from webhook_endpoint e left join webhook_delivery d on d.endpoint_id = e.id
    where e.deleted_at is null group by e.name`
  return Object.fromEntries(rows.map(({ count, name }) => [name, count]))
})

describe("an endpoint with a choice", () => {
  it.effect("receives events of the chosen sets, and of all sets in the chosen projects", () =>
    Effect.gen(function* () {
      const { candidates, organization, project, sets } = yield* furnished
      const endpoints = yield* Endpoints
      const make = (name: string, choice: object) =>
        endpoints.create(operator(organization.id), { name, url: "https://receiver.example/", ...choice })
      yield* make("all", {})
      yield* make("set", { interview_set_ids: [sets.chosen.id] })
      yield* make("project", { project_ids: [project.toUpperCase()] })
      yield* make("both", { interview_set_ids: [sets.chosen.id, sets.chosen.id], project_ids: [project] })
      // one event and several are published by different functions
      for (const candidate of Object.values(candidates)) yield* Scenario.publish(candidate)
      assert.deepStrictEqual(yield* queuedByName, { all: 3, set: 1, project: 1, both: 2 })
      for (const candidate of Object.values(candidates)) yield* Scenario.publish(candidate, 2)
      assert.deepStrictEqual(yield* queuedByName, { all: 9, set: 3, project: 3, both: 6 })
    }).pipe(Pod.provide({})),
  )

  it.effect(
    "receives nothing, and not everything, once all that was chosen is deleted; a change keeps the deleted set",
    () =>
      Effect.gen(function* () {
        const { by, candidates, organization, project, sets } = yield* furnished
        const endpoints = yield* Endpoints
        const { id } = yield* endpoints.create(operator(organization.id), {
          ...{ name: "chosen", url: "https://receiver.example/" },
          interview_set_ids: [sets.chosen.id],
        })
        const { sql } = yield* Database
        yield* sql`update interview_set set deleted_at = now() where id = ${sets.chosen.id}::uuid`
        yield* Scenario.publish(candidates.other)
        assert.deepStrictEqual(yield* queuedByName, { chosen: 0 })
        // events of interviews that were under way
        yield* Scenario.publish(candidates.chosen)
        assert.deepStrictEqual(yield* queuedByName, { chosen: 1 })
        const change = { interview_set_ids: [sets.chosen.id, sets.other.id], project_ids: [project] }
        assert.deepInclude(yield* endpoints.update(operator(organization.id), id, change), change)
        // a deleted record cannot be chosen again
        const another = endpoints.create(operator(organization.id), {
          name: "x",
          url: "https://x.example/",
          ...change,
        })
        const refused = yield* Effect.flip(another)
        assert.strictEqual(refused._tag, "Invalid")
        assert.isDefined(by)
      }).pipe(Pod.provide({})),
  )

  it.effect("accepts only records of its organization", () =>
    Effect.gen(function* () {
      const { organization, project, sets } = yield* furnished
      const foreign = yield* Scenario.organization({}, "Foreign")
      const endpoints = yield* Endpoints
      const choice = { interview_set_ids: [sets.chosen.id, foreign.set.id], project_ids: [project, sets.chosen.id] }
      const refused = yield* Effect.flip(
        endpoints.create(operator(organization.id), { name: "x", url: "https://x.example/", ...choice }),
      )
      assert.deepStrictEqual(
        refused._tag === "Invalid" ? refused.errors.map(({ code, pointer }) => [pointer, code]) : [],
        [
          ["#/interview_set_ids/1", "not_found"],
          ["#/project_ids/1", "not_found"],
        ],
      )
    }).pipe(Pod.provide({})),
  )

  it.effect("does not slow down publishing for other organizations: the plan reads no submission", () =>
    Effect.gen(function* () {
      const { candidates, organization } = yield* furnished
      yield* (yield* Endpoints).create(operator(organization.id), { name: "all", url: "https://a.example/" })
      const { sql } = yield* Database
      const reads = Effect.map(
        sql<{ reads: number }>`
          select (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as reads from pg_stat_xact_user_tables
          where relname = 'interview_set'`,
        (rows) => rows[0]?.reads ?? 0,
      )
      const { transaction } = yield* Database
      const before = yield* transaction(
        Effect.gen(function* () {
          const first = yield* reads
          yield* Scenario.publish(candidates.chosen, 50)
          yield* Scenario.publish(candidates.chosen)
          return (yield* reads) - first
        }),
      )
      assert.strictEqual(before, 0)
    }).pipe(Pod.provide({})),
  )
})
