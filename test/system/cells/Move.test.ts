/** An organization moves to another cell: all rows, once, while it works; or not at all. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { furnished } from "../../support/Furnished.ts"
import * as Scenario from "../../support/Scenario.ts"
import { rowsOf } from "../../support/Tables.ts"
import { cell, inCell, server, started, timeout } from "./stage.ts"

describe("organization move", () => {
  it.live(
    "moves all rows of the organization and none of another, and deletes them with --finish",
    () =>
      Effect.gen(function* () {
        const { url } = yield* server
        const [source, target] = [yield* cell(url, 0), yield* cell(url, 1)]
        yield* started(target)
        const { other, organization } = yield* inCell(source)(
          Effect.gen(function* () {
            const { organization } = yield* furnished((what) => `Our ${what} in words`)
            const { id } = yield* Scenario.organization({}, "Other")
            return { organization, other: id }
          }),
        )
        const before = yield* inCell(source)(rowsOf(organization))
        const ofOther = yield* inCell(source)(rowsOf(other))
        assert.deepStrictEqual(yield* inCell(target)(rowsOf(organization)), before)
        assert.deepStrictEqual(yield* inCell(target)(rowsOf(other)), [])
        assert.deepStrictEqual(yield* inCell(source)(rowsOf(organization)), [])
        assert.deepStrictEqual(yield* inCell(source)(rowsOf(other)), ofOther)
      }).pipe(Effect.scoped),
    timeout,
  )
})
