/** The sweep of unreferenced files. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { BlobRepository } from "../../src/files/BlobRepository.ts"
import { Database } from "../../src/platform/database/Database.ts"
import * as Pod from "../support/Pod.ts"
import { overtaken } from "../support/races.ts"
import * as Scenario from "../support/Scenario.ts"

const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`

/** Eight files, one a minute; those in `kept` are answers. */
const begin = Effect.fnUntraced(function* (kept: ReadonlyArray<number>) {
  yield* TestClock.setTime(Date.UTC(2026, 0, 10))
  const { organization, set, subject } = yield* Scenario.invited(yield* Scenario.organization())
  const { sql } = yield* Database
  const question = set.iai_questions[0]?.id ?? assert.fail()
  for (let n = 1; n <= 8; n++) {
    yield* sql`
      insert into blob (id, organization_id, created_at)
      values (${idOf(n)}::uuid, ${organization}::int, ${new Date(Date.UTC(2026, 0, 1, 0, n))})`
    if (!kept.includes(n)) continue
    yield* sql`
      insert into answer (organization_id, submission_id, attempt, question_id, blob_id)
      values (${organization}::int, ${subject.submission_id}::uuid, ${n}::int, ${question}::uuid, ${idOf(n)}::uuid)`
  }
  const { abandoned } = yield* BlobRepository
  /** The numbers of the files that one call finds among the three it reads. */
  return Effect.map(abandoned(3), (found) => found.map(({ id }) => Number(id.slice(-12))).toSorted())
})

describe("BlobRepository.abandoned", () => {
  it.effect("reads files in batches from the oldest on, and starts over at the end", () =>
    Effect.gen(function* () {
      const find = yield* begin([1, 2, 3, 5, 6, 8])
      const { sql } = yield* Database
      assert.deepStrictEqual(yield* find, [], "the first three are kept")
      assert.deepStrictEqual(yield* find, [4])
      assert.deepStrictEqual(yield* find, [7])
      yield* sql`delete from answer where blob_id = ${idOf(2)}::uuid`
      assert.deepStrictEqual(yield* find, [2], "what was kept once is looked at again")
      assert.deepStrictEqual(yield* find, [4])
    }).pipe(Pod.provide()),
  )

  it.effect("skips files younger than a day, which may still be uploading", () =>
    Effect.gen(function* () {
      const find = yield* begin([])
      yield* TestClock.setTime(Date.UTC(2026, 0, 2, 0, 2))
      assert.deepStrictEqual(yield* find, [1, 2])
      yield* TestClock.setTime(Date.UTC(2026, 0, 2, 0, 4))
      assert.deepStrictEqual(yield* find, [1, 2, 3])
      assert.deepStrictEqual(yield* find, [4])
    }).pipe(Pod.provide()),
  )

  it.effect("runs in one process at a time", () =>
    Effect.gen(function* () {
      const find = yield* begin([])
      assert.deepStrictEqual(yield* Effect.flatMap(overtaken(find, find), Effect.fromResult), [])
      assert.deepStrictEqual(yield* find, [4, 5, 6])
    }).pipe(Pod.provide()),
  )
})
