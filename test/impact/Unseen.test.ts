/** Where a candidate's voluntary answers are, and where they are not: pages, files, the API, tables, SQL objects and the log. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import * as Api from "../support/Api.ts"
import { pathOf, valuesOf } from "../support/Furnished.ts"
import * as LogWatch from "../support/LogWatch.ts"
import { passingTime } from "../support/passingTime.ts"
import { Routes } from "../support/Routes.ts"
import * as Tables from "../support/Tables.ts"
import { closed, formOf, stage, visit, World } from "../support/Walk.ts"

/** In no form and no other record. */
const word = "zyzzyva"

layer(stage, { timeout: "120 seconds" })("a candidate's voluntary answers", (it) => {
  it.effect("are on no page and in no file of the workspace but the export of the person", () =>
    Effect.gen(function* () {
      const { own } = yield* World
      const { sql } = yield* Database
      LogWatch.secret(word)
      const rows = yield* sql`
        update self_identification set own = ${word} where submission_id = ${own.ids.submission}::uuid returning 1`
      assert.lengthOf(rows, 1)
      const seen: Array<string> = []
      for (const member of [own.owner, own.reviewer]) {
        for (const { method, path } of yield* closed) {
          if (method !== "GET") continue
          const to = pathOf(path, valuesOf(path, own.ids))
          const { text } = yield* visit([], method, to, { cookie: member.cookie })
          if (text.includes(word)) seen.push(path)
        }
      }
      assert.deepStrictEqual([...new Set(seen)], [])
      const path = `/settings/people/${own.ids.candidate}/export`
      const exported = yield* visit([], "POST", path, { ...formOf({}), cookie: own.owner.cookie }, false)
      assert.include(exported.text, word)
    }),
  )

  it.effect("are found by no search", () =>
    Effect.gen(function* () {
      const { own } = yield* World
      for (const path of ["/submissions", "/submissions.csv", "/settings/people"]) {
        const { text } = yield* visit([], "GET", `${path}?q=${word}`, { cookie: own.owner.cookie })
        assert.notInclude(text, own.ids.submission)
        assert.notInclude(text, own.ids.candidate)
      }
    }),
  )

  it.effect("are in no answer of the API", () =>
    Effect.gen(function* () {
      const { own } = yield* World
      const { key } = yield* passingTime(Api.keyOf(own.organization))
      const { invitation, project, set, submission } = own.ids
      const kinds = { submissions: submission, invitations: invitation, "interview-sets": set }
      const routes = (yield* Routes).all.filter(({ method, path }) => method === "GET" && path.startsWith("/company/"))
      const answered: Array<string> = []
      for (const { path } of routes) {
        const [, id = project] = Object.entries(kinds).find(([kind]) => path.includes(`/${kind}/`)) ?? []
        const { body, status } = yield* Api.call("GET", path.replaceAll(/:\w+/g, id), { key })
        if (status === 200) answered.push(path)
        assert.notInclude(JSON.stringify(body ?? ""), word, path)
      }
      assert.isAbove(answered.length, 5)
    }),
  )

  it.effect("are in one table, which no function or view reads", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      assert.deepStrictEqual(yield* Tables.placesOf([word]), [`self_identification.own: ${word}`])
      const objects = yield* sql<{ name: string }>`
        select proname::text as name from pg_proc
        where pronamespace = current_schema()::regnamespace and prosrc ~ '\\mself_identification\\M'
        union all select viewname::text from pg_views
        where schemaname = current_schema() and definition ~ '\\mself_identification\\M'`
      assert.deepStrictEqual(objects, [])
    }),
  )
})
