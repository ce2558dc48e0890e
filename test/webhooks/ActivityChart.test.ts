/** The chart of attempts: heights and positions of its bars. */
import { assert, describe, it } from "@effect/vitest"
import { activityChart, activityText } from "../../src/webhooks/endpoints/pages/ActivityChart.ts"

const hours = (...counts: ReadonlyArray<readonly [delivered: number, failed: number]>) =>
  counts.map(([delivered, failed], index) => ({ hour: new Date(index * 3_600_000), delivered, failed }))

/** Bars of a class as [x, y of the lower edge, height]; the chart is 24 high. */
const bars = (chart: unknown, name: "good" | "bad") => {
  const [, path = ""] = new RegExp(`<path class="${name}" d="([^"]*)"`).exec(String(chart)) ?? []
  return [...path.matchAll(/M(\d+) (\d+)v-(\d+)h4v\d+z/g)].map((found) => found.slice(1, 4).map(Number))
}

describe("the chart of attempts", () => {
  it("is as high as the hour with the most attempts, with failures above successes", () => {
    const chart = activityChart(hours([6, 2], [0, 0], [2, 0], [0, 4]))
    assert.deepStrictEqual(bars(chart, "good"), [
      [0, 24, 18],
      [10, 24, 6],
    ])
    assert.deepStrictEqual(bars(chart, "bad"), [
      [0, 6, 6],
      [15, 24, 12],
    ])
    assert.include(String(chart), 'viewBox="0 0 19 25"')
  })

  it("shows one failure among many successes, within its height", () => {
    const chart = activityChart(hours([1000, 1]))
    assert.deepStrictEqual(bars(chart, "good"), [[0, 24, 23]])
    assert.deepStrictEqual(bars(chart, "bad"), [[0, 1, 1]])
  })

  it("has its numbers as text", () => {
    assert.strictEqual(activityText(hours([0, 0])), "no attempts in the last 24 hours")
    assert.strictEqual(activityText(hours([1, 0])), "1 attempt in the last 24 hours, none failed")
    assert.strictEqual(activityText(hours([2, 1], [0, 2])), "5 attempts in the last 24 hours, 3 failed")
    assert.include(String(activityChart(hours([2, 1]))), 'aria-label="3 attempts in the last 24 hours, 1 failed"')
  })
})
