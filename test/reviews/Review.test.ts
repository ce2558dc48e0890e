import { assert, describe, it } from "@effect/vitest"
import { averageRatings, ratingNames, readRating } from "../../src/reviews/Review.ts"

describe("averageRatings", () => {
  it("is the mean of the reviews that rated a requirement, out of 10 with one decimal", () => {
    const reviews = [
      { ratings: { a: 4, b: 0 } },
      { ratings: { a: 3 } },
      { ratings: { a: 3 } },
      { ratings: {} },
    ] as const
    assert.deepStrictEqual(
      [...averageRatings(reviews)],
      [
        ["a", { score: 8.3, count: 3 }],
        ["b", { score: 0, count: 1 }],
      ],
    )
  })
})

describe("readRating", () => {
  it("reads the number of a rating and nothing else", () => {
    assert.deepStrictEqual(
      ratingNames.map((_, index) => readRating(String(index))),
      [0, 1, 2, 3, 4],
    )
    for (const text of ["", "5", "-1", "1.0", " 1", "x", undefined]) assert.isUndefined(readRating(text))
  })
})
