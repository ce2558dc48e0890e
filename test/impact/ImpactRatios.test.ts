import { describe, expect, it } from "vitest"
import { fisherExact, hiddenCrossed, hiddenRows, impactRows, minCell } from "../../src/impact/ImpactRatios.ts"

type Line = readonly [category: string, applicants: number, selected: number, rate: number, ratio: number]

// The example of 6 RCNY § 5-301 (b): people, selected ones, selection rate in percent, impact ratio.
const sex: ReadonlyArray<Line> = [
  ["male", 1390, 667, 48, 1],
  ["female", 1181, 555, 47, 0.979],
]
const ethnicity: ReadonlyArray<Line> = [
  ["hispanic", 408, 204, 50, 0.97],
  ["white", 797, 412, 52, 1],
  ["black", 390, 170, 44, 0.84],
  ["pacific_islander", 119, 52, 44, 0.85],
  ["asian", 616, 302, 49, 0.95],
  ["native_american", 41, 18, 44, 0.85],
  ["two_or_more", 213, 96, 45, 0.87],
]
const crossed: ReadonlyArray<Line> = [
  ["male hispanic", 205, 90, 43.9, 0.841],
  ["female hispanic", 190, 82, 43.2, 0.827],
  ["male white", 412, 215, 52.2, 1],
  ["male black", 226, 95, 42, 0.806],
  ["male pacific_islander", 87, 37, 42.5, 0.815],
  ["male asian", 321, 167, 52, 0.997],
  ["male native_american", 24, 11, 45.8, 0.878],
  ["male two_or_more", 115, 52, 45.2, 0.866],
  ["female white", 385, 197, 51.2, 0.981],
  ["female black", 164, 75, 45.7, 0.876],
  ["female pacific_islander", 32, 15, 46.9, 0.898],
  ["female asian", 295, 135, 45.8, 0.877],
  ["female native_american", 17, 7, 41.2, 0.789],
  ["female two_or_more", 98, 44, 44.9, 0.86],
]

// The example of 6 RCNY § 5-301 (d): scored above the median. It gives rates only; the counts follow from them.
const scored: ReadonlyArray<Line> = [
  ["hispanic", 28, 18, 64.2, 1],
  ["white", 40, 15, 37.5, 0.58],
  ["black", 32, 16, 50, 0.78],
  ["pacific_islander", 8, 5, 62.5, 0.97],
  ["asian", 24, 10, 41.7, 0.65],
  ["native_american", 16, 10, 62.5, 0.97],
  ["two_or_more", 20, 10, 50, 0.78],
]

const countsOf = (lines: ReadonlyArray<Line>) =>
  lines.map(([category, applicants, selected]) => ({ category, applicants, selected }))

const crossedOf = (lines: ReadonlyArray<Line>) =>
  lines.map(([name, applicants, selected]) => {
    const [one = "", other = ""] = name.split(" ")
    return { sex: one, ethnicity: other, applicants, selected }
  })

describe("impact ratios", () => {
  it.each([
    ["sex", sex],
    ["ethnicity", ethnicity],
    ["sex and ethnicity", crossed],
    ["scoring rates", scored],
  ])("has the numbers of the rule's example: %s", (_, lines) => {
    const rows = impactRows(countsOf(lines))
    expect(rows).toHaveLength(lines.length)
    lines.forEach(([category, , , rate, ratio], index) => {
      const row = rows[index]
      expect(row?.category).toBe(category)
      if (row === undefined || row.isHidden || row.ratio === null) throw new Error("no figures")
      // the rule rounds to different places, and cuts some numbers off
      expect(Math.abs(row.rate * 100 - rate)).toBeLessThan(rate % 1 === 0 ? 0.51 : 0.11)
      expect(Math.abs(row.ratio - ratio)).toBeLessThan(String(ratio).length <= 4 ? 0.0101 : 0.0021)
    })
  })

  it("marks ratios below four fifths, and small shares", () => {
    const rows = impactRows(countsOf(crossed))
    const marked = (mark: "isBelowFourFifths" | "isSmallShare") =>
      rows.flatMap((row) => (!row.isHidden && row[mark] ? [row.category] : []))
    expect(marked("isBelowFourFifths")).toEqual(["female native_american"])
    expect(marked("isSmallShare")).toEqual([
      "male native_american",
      "female pacific_islander",
      "female native_american",
    ])
  })

  it("gives no ratio when no one was selected", () => {
    const rows = impactRows([
      { category: "female", applicants: 10, selected: 0 },
      { category: "male", applicants: 10, selected: 0 },
      { category: "another", applicants: 0, selected: 0 },
    ])
    expect(rows.map((row) => (row.isHidden ? "hidden" : [row.category, row.ratio, row.isBelowFourFifths]))).toEqual([
      ["female", null, false],
      ["male", null, false],
    ])
  })

  it("computes Fisher's exact test", () => {
    // Fisher's tea tasting: 3 of 4 and 1 of 4, two-sided 34/70
    expect(fisherExact({ applicants: 4, selected: 3 }, { applicants: 4, selected: 1 })).toBeCloseTo(34 / 70, 10)
    expect(fisherExact({ applicants: 4, selected: 4 }, { applicants: 4, selected: 0 })).toBeCloseTo(2 / 70, 10)
    expect(fisherExact({ applicants: 10, selected: 5 }, { applicants: 10, selected: 5 })).toBeCloseTo(1, 10)
  })
})

describe("hidden numbers", () => {
  it("hides no row of the rule's example of selections", () => {
    expect([
      ...hiddenCrossed({ sex: countsOf(sex), ethnicity: countsOf(ethnicity), crossed: crossedOf(crossed) }),
    ]).toEqual([])
  })

  it("hides a second row, so that the total does not reveal the first", () => {
    const rows = countsOf([
      ["white", 50, 25, 0, 0],
      ["black", 30, 15, 0, 0],
      ["asian", 3, 1, 0, 0],
    ])
    expect([...hiddenRows(rows)].map(({ category }) => category).toSorted()).toEqual(["asian", "black"])
  })

  it("hides rows with few selected or few others", () => {
    const rows = countsOf([
      ["white", 50, 25, 0, 0],
      ["black", 40, 36, 0, 0],
      ["asian", 30, 2, 0, 0],
    ])
    expect([...hiddenRows(rows)].map(({ category }) => category).toSorted()).toEqual(["asian", "black"])
  })

  it("does not let one table reveal a hidden row of another", () => {
    const cells = [
      ["male", "white", 100, 50],
      ["female", "white", 100, 50],
      ["male", "black", 60, 30],
      ["female", "black", 60, 30],
      ["male", "asian", 40, 20],
      ["female", "asian", 3, 1],
    ] as const
    const ofCells = cells.map(([one, other, applicants, selected]) => ({
      sex: one,
      ethnicity: other,
      applicants,
      selected,
    }))
    const totals = (key: "sex" | "ethnicity", categories: ReadonlyArray<string>) =>
      categories.map((category) => {
        const own = ofCells.filter((cell) => cell[key] === category)
        const sum = (count: "applicants" | "selected") => own.reduce((all, cell) => all + cell[count], 0)
        return { category, applicants: sum("applicants"), selected: sum("selected") }
      })
    const tables = {
      sex: totals("sex", ["male", "female"]),
      ethnicity: totals("ethnicity", ["white", "black", "asian"]),
      crossed: ofCells,
    }
    const hidden = hiddenCrossed(tables)
    for (const [key, rows] of [
      ["sex", tables.sex],
      ["ethnicity", tables.ethnicity],
    ] as const) {
      for (const total of rows.filter((row) => !hidden.has(row))) {
        const own = ofCells.filter((cell) => cell[key] === total.category && hidden.has(cell))
        expect(own.length).not.toBe(1)
        const people = own.reduce((sum, { applicants }) => sum + applicants, 0)
        expect(people === 0 || people >= minCell).toBe(true)
      }
    }
    expect(ofCells.filter((cell) => hidden.has(cell))).toContain(ofCells[5])
  })

  it("computes ratios without hidden rows", () => {
    const rows = countsOf([
      ["white", 50, 25, 0, 0],
      ["black", 30, 15, 0, 0],
      ["asian", 8, 7, 0, 0],
    ])
    const figures = impactRows(rows, hiddenRows(rows))
    expect(figures.map((row) => (row.isHidden ? null : row.ratio))).toEqual([1, null, null])
  })
})
