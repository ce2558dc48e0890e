/** Reads lists page by page with their cursors. */
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import { type ListName, type Page, type PageRequest, positionOf } from "../../src/values/Cursor.ts"
import type { OrganizationId } from "../../src/values/Ids.ts"
import { amount } from "./thorough.ts"

type List<A, E, R> = (page: PageRequest) => Effect.Effect<Page<A>, E, R>

export const firstPage: PageRequest = { limit: 100, after: undefined }

export const Sizes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 }))).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(5),
)

/** For properties of Sizes, because each run reads whole lists. */
export const fewRuns = { arbitrary: { runs: amount(5, 25) } }

const lists = {
  project: "projects",
  job_post: "job-posts",
  interview_set: "interview-sets",
  invitation: "invitations",
  submission: "submissions",
} as const satisfies Record<string, ListName>

/** Reads the whole list with the page sizes in turn; runs `between` after each page but the last. */
export const readAll = Effect.fnUntraced(function* <A, E, R, E2 = never, R2 = never>(
  name: ListName,
  list: List<A, E, R>,
  sizes: ReadonlyArray<number>,
  between: Effect.Effect<unknown, E2, R2> = Effect.void,
) {
  const all: Array<A> = []
  let after: PageRequest["after"]
  for (let page = 0; page < 1000; page++) {
    const limit = sizes[page % sizes.length] ?? 1
    const { next_cursor, results } = yield* list({ limit, after })
    assert.isAtMost(results.length, limit)
    all.push(...results)
    if (next_cursor === null) return all
    assert.lengthOf(results, limit)
    after = yield* Effect.fromNullishOr(positionOf(name, next_cursor))
    yield* between
  }
  return assert.fail("the list does not end")
})

/**
 * Checks that records which exist before the first page are returned once each, newest first, although `add` runs between
 * pages. Some records share `created_at` and some differ by microseconds.
 */
export const assertPaging = Effect.fnUntraced(function* <A extends { readonly id: string }, E, R, E2, R2>(
  table: keyof typeof lists,
  organization: OrganizationId,
  list: List<A, E, R>,
  sizes: ReadonlyArray<number>,
  add: Effect.Effect<unknown, E2, R2>,
) {
  const { sql } = yield* Database
  yield* sql`
    update ${sql(table)} set created_at = created_at + get_byte(uuid_send(id), 15) % 4 * interval '1 microsecond'
    where organization_id = ${organization}::int`
  const before = yield* sql<{ id: string }>`
    select id from ${sql(table)} where organization_id = ${organization}::int order by created_at desc, id desc`
  const ids = before.map(({ id }) => id)
  const read = (yield* readAll(lists[table], list, sizes, add)).map(({ id }) => id)
  assert.lengthOf(new Set(read), read.length)
  assert.deepStrictEqual(
    read.filter((id) => ids.includes(id)),
    ids,
  )
})
