/** Charts of the workspace's home: sizes and positions of their bars. */
import { assert, describe, it } from "@effect/vitest"
import { funnelChart, scoreChart } from "../../src/reviews/pages/HomeCharts.ts"

const attributes = (chart: unknown, ...names: ReadonlyArray<string>) =>
  [...String(chart).matchAll(/<rect class="bar"([^>]*)>/g)].map(([, text = ""]) =>
    names.map((name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(text)?.[1])),
  )

describe("the funnel's chart", () => {
  const chart = funnelChart("f", "set", [
    { milestone: "invited", count: 1000, share: 1 },
    { milestone: "opened", count: 500, share: 0.5 },
    { milestone: "started", count: 1, share: 0.001 },
    { milestone: "submitted", count: 0, share: 0 },
  ])

  it("has one bar below the other, as wide as the share, and visible above 0", () => {
    assert.deepStrictEqual(attributes(chart, "y", "width"), [
      [3, 150],
      [27, 75],
      [51, 2],
      [75, 0],
    ])
  })

  it("does not round a share to 0% or 100%", () => {
    const shares = (...of: ReadonlyArray<number>) =>
      [
        ...String(
          funnelChart(
            "f",
            "set",
            of.map((share) => ({ milestone: "opened" as const, count: 1, share })),
          ),
        ).matchAll(/<td>([^<]*%)</g),
      ].map(([, text]) => text)
    assert.deepStrictEqual(shares(0, 0.001, 0.5, 0.999, 1), ["0%", "under 1%", "50%", "over 99%", "100%"])
  })
})

describe("the scores' chart", () => {
  it("has a bar for each score, side by side, the highest for the most frequent", () => {
    const bins = [0, 1, 0, 0, 0, 0, 0, 200, 100, 0]
    const bars = attributes(scoreChart("s", bins), "x", "y", "height")
    assert.lengthOf(bars, 10)
    assert.deepStrictEqual(bars.slice(6), [
      [174, 100, 0],
      [202, 16, 84],
      [230, 58, 42],
      [258, 100, 0],
    ])
    assert.deepStrictEqual(bars[1], [34, 98, 2])
  })
})
