/** The languages of interview sets are those of the texts for candidates. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../src/platform/database/Database.ts"
import { catalogues, languageNames } from "../../src/texts/Texts.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

layer(TestDatabase.layer)("table language", (it) => {
  it.effect("has each language of the texts once, under its own name", () =>
    Effect.gen(function* () {
      const { sql } = yield* Database
      const rows = yield* sql<{ tag: string; name: string }>`select tag, name from language order by tag`
      const names = languageNames.map(([tag, name]) => ({ tag, name })).toSorted((a, b) => (a.tag < b.tag ? -1 : 1))
      assert.deepStrictEqual([...rows], names)
      assert.deepStrictEqual(
        rows.map(({ tag }) => tag),
        Object.keys(catalogues).toSorted(),
      )
    }),
  )
})
