/** Lower bounds below what `npm run bench evaluation` measures, to detect regressions. */
import { assert, describe, it, layer as withLayer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { development } from "../../bench/evaluation/development.ts"
import { configuredEvaluator, fixedDate } from "../../bench/evaluation/evaluator.ts"
import { heldOut } from "../../bench/evaluation/heldOut.ts"
import { longDevelopment } from "../../bench/evaluation/longDevelopment.ts"
import { longHeldOut } from "../../bench/evaluation/longHeldOut.ts"
import { measureLong, measurePairs } from "../../bench/evaluation/measure.ts"
import { orderWithin, tauB } from "../../bench/evaluation/statistics.ts"

const evaluator = Layer.mergeAll(configuredEvaluator, fixedDate)

withLayer(evaluator)("agreement with labels", (it) => {
  it.effect.each([
    ["development", development],
    ["held out", heldOut],
  ] as const)("exceeds the lower bounds: %s", ([, pairs]) =>
    Effect.gen(function* () {
      const measured = yield* measurePairs(pairs)
      assert.isAtLeast(measured.tauB, 0.7)
      assert.isAtLeast(measured.orderWithin, 0.85)
      assert.isAtLeast(measured.exact, 0.6)
      assert.isAtLeast(measured.withinOne, 0.88)
      for (const { category, withinOne } of measured.categories) assert.isAtLeast(withinOne, 0.6, category)
    }),
  )

  it.effect("a long CV that fits the job scores above 6, one that does not below 2.5", () =>
    Effect.gen(function* () {
      const totals = [...(yield* measureLong(longDevelopment)), ...(yield* measureLong(longHeldOut))]
      for (const { fit, name, score } of totals) {
        if (fit === "fit") assert.isAbove(score, 6, name)
        if (fit === "none") assert.isBelow(score, 2.5, name)
      }
    }),
  )
})

describe("statistics", () => {
  it("tauB is 1 for the same order, -1 for the opposite, and less than 1 with ties", () => {
    assert.strictEqual(
      tauB([
        [1, 1],
        [2, 2],
        [3, 3],
      ]),
      1,
    )
    assert.strictEqual(
      tauB([
        [1, 3],
        [2, 2],
        [3, 1],
      ]),
      -1,
    )
    assert.approximately(
      tauB([
        [1, 1],
        [1, 2],
        [2, 2],
        [3, 3],
      ]),
      0.8,
      1e-9,
    )
  })

  it("orderWithin counts ties half", () => {
    assert.strictEqual(
      orderWithin([
        [
          [0, 0],
          [1, 1],
        ],
        [
          [0, 1],
          [1, 1],
        ],
      ]),
      0.75,
    )
  })
})
