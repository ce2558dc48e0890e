/** Figures of the workspace's home: shares, and the sizes and positions of bars. */
import { assert, describe, it } from "@effect/vitest"
import { funnelCells, scoreChart } from "../../src/reviews/pages/HomeCharts.ts"

describe("the funnel's cells", () => {
  it("do not round a share to 0% or 100%", () => {
    const shares = (...of: ReadonlyArray<number>) =>
      [
        ...String(
          funnelCells(
            "set",
            of.map((share) => ({ milestone: "opened" as const, count: 1, share })),
          ),
        ).matchAll(/<span class="share">([^<]*)</g),
      ].map(([, text]) => text)
    // the first is that of all invited
    assert.deepStrictEqual(shares(1, 0, 0.001, 0.5, 0.999, 1), ["0%", "under 1%", "50%", "over 99%", "100%"])
  })
})

describe("the scores' chart", () => {
  it("has a bar for each score, side by side, the highest for the most frequent", () => {
    const bins = [0, 1, 0, 0, 0, 0, 0, 200, 100, 0]
    const bars = [...String(scoreChart("s", bins)).matchAll(/<rect class="bar"([^>]*)>/g)].map(([, text = ""]) =>
      ["x", "y", "height"].map((name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(text)?.[1])),
    )
    assert.lengthOf(bars, 10)
    assert.deepStrictEqual(bars.slice(6), [
      [67, 24, 0],
      [78, 0, 24],
      [89, 12, 12],
      [100, 24, 0],
    ])
    assert.deepStrictEqual(bars[1], [12, 22, 2])
  })
})
