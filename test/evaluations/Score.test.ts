import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  countOutcomes,
  Level,
  levelOf,
  levelScore,
  outcomeOf,
  scoreStatus,
  totalScore,
} from "../../src/evaluations/Score.ts"
import { importanceOf, importances } from "../../src/interview-sets/Importance.ts"

describe("importance", () => {
  it("has names and weights for the four ids", () => {
    assert.deepStrictEqual(
      importances.map(({ id, name, weight }) => [id, name, weight]),
      [
        [244, "Good To Have", 1],
        [245, "Important", 2],
        [272, "Very Important", 3],
        [273, "Must Have", 4],
      ],
    )
    for (const importance of importances) assert.strictEqual(importanceOf(importance.id), importance)
  })

  it("treats an absent or unknown id as 244", () => {
    for (const id of [null, undefined, 0, 4, 246, -1, Number.NaN]) assert.strictEqual(importanceOf(id).id, 244)
  })
})

describe("levelScore", () => {
  it("is 0, 2.5, 5, 7.5 or 10", () => {
    assert.deepStrictEqual(Level.literals.map(levelScore), [0, 2.5, 5, 7.5, 10])
  })
})

describe("outcomeOf", () => {
  it("returns met for strong and full, partly met for weak and partial, no match found for none", () => {
    assert.deepStrictEqual([...Level.literals.map(levelScore), null].map(outcomeOf), [
      "no match found",
      "partly met",
      "partly met",
      "met",
      "met",
      "not rated",
    ])
  })

  it("is met from the score from which the database counts a requirement as met", () => {
    const schema = readFileSync("sql/07_evaluations.sql", "utf8")
    const metFrom = Number(/@ >= ([\d.]+)\)'\)\)::smallint end as met/.exec(schema)?.[1])
    assert.deepStrictEqual([metFrom - 0.01, metFrom].map(outcomeOf), ["partly met", "met"])
  })
})

describe("countOutcomes", () => {
  it("counts met requirements of all, then the other outcomes that occur", () => {
    const count = (scores: ReadonlyArray<number | null>) => countOutcomes(scores.map((score) => ({ score })))
    assert.strictEqual(count([10, 7.5, 2.5, 5, 0, null]), "2 of 6 met, 2 partly met, 1 not rated, 1 no match found")
    assert.strictEqual(count([10]), "1 of 1 met")
    assert.strictEqual(count([0]), "0 of 1 met, 1 no match found")
  })
})

describe("levelOf", () => {
  it("is the level with the nearest score", () => {
    for (const level of Level.literals) assert.strictEqual(levelOf(levelScore(level)), level)
    assert.deepStrictEqual([0, 1.2, 1.3, 3.7, 3.8, 6.2, 6.3, 8.7, 8.8, 10].map(levelOf), [
      "none",
      "none",
      "weak",
      "weak",
      "partial",
      "partial",
      "strong",
      "strong",
      "full",
      "full",
    ])
  })
})

describe("scoreStatus", () => {
  it("is not_scored without requirements and without a rating", () => {
    assert.strictEqual(scoreStatus([]), "not_scored")
    assert.strictEqual(scoreStatus(["not_scored", "not_scored"]), "not_scored")
  })
  it("is cannot_evaluate when none could be rated, scored as soon as one is", () => {
    assert.strictEqual(scoreStatus(["cannot_evaluate", "not_scored"]), "cannot_evaluate")
    assert.strictEqual(scoreStatus(["cannot_evaluate", "scored"]), "scored")
  })
})

describe("totalScore", () => {
  it("weighs the rated requirements and ignores the others", () => {
    const scores = [
      { weight: 4, score: 7.5 },
      { weight: 1, score: 0 },
      { weight: 3, score: null },
    ]
    assert.strictEqual(totalScore(scores), 6)
  })

  it("is null when nothing is rated", () => {
    assert.isNull(totalScore([]))
    assert.isNull(totalScore([{ weight: 4, score: null }]))
  })

  it("rounds half up in decimal arithmetic", () => {
    const even = (...scores: ReadonlyArray<number>) => totalScore(scores.map((score) => ({ weight: 1, score })))
    assert.strictEqual(even(5, 5, 5, 10), 6.3)
    assert.strictEqual(even(0, 0, 0, 5), 1.3)
    assert.strictEqual(even(0, 2.5, 2.5), 1.7)
    assert.strictEqual(even(1.15), 1.2)
    assert.strictEqual(even(8.35), 8.4)
    assert.strictEqual(even(1.1, 1.2, 1.15, 1.15), 1.2)
    assert.strictEqual(even(9.949), 9.9)
  })

  const rated = Schema.NonEmptyArray(
    Schema.Struct({ level: Level, weight: Schema.Literals(importances.map(({ weight }) => weight)) }),
  )
  type Rated = typeof rated.Type
  const total = (items: ReadonlyArray<Rated[number]>, scale = 1) => {
    const score = totalScore(items.map(({ level, weight }) => ({ weight: weight * scale, score: levelScore(level) })))
    assert.isNotNull(score)
    return score ?? Number.NaN
  }

  it.prop("stays within 0 and 10, and between the lowest and the highest score", [rated], ([items]) => {
    const scores = items.map(({ level }) => levelScore(level))
    assert.isAtLeast(total(items), Math.min(...scores))
    assert.isAtMost(total(items), Math.max(...scores))
    assert.isTrue(Number.isInteger(Math.round(total(items) * 1e9) / 1e8))
  })

  it.prop("never falls when a level rises", [rated, Schema.Int, Level], ([items, seed, level]) => {
    const at = Math.abs(seed) % items.length
    const raised = items.map((item, index) =>
      index === at && levelScore(level) > levelScore(item.level) ? { ...item, level } : item,
    )
    assert.isAtLeast(total(raised), total(items))
  })

  const factor = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))
  it.prop("does not depend on the scale of the weights or the order", [rated, factor], ([items, scale]) => {
    assert.strictEqual(total(items, scale), total(items))
    assert.strictEqual(total(items.toReversed()), total(items))
  })
})
