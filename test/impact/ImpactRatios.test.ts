import { describe, expect, it } from "vitest"
import { type EarlierReport, isAboutSame, isRevealingBeside } from "../../src/impact/EarlierReports.ts"
import { fisherExact, hiddenCrossed, hiddenRows, impactRows, minCell } from "../../src/impact/ImpactRatios.ts"
import { hiddenCategories, type ImpactSelection, reportOf, totalsOf } from "../../src/impact/ImpactReport.ts"
import { HiringStageId, InterviewSetId } from "../../src/values/Ids.ts"

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
  lines.map(([category, applicants, selected]) => {
    const [one = "", other = ""] = category.split(" ")
    return { category, sex: one, ethnicity: other, applicants, selected }
  })

const peopleOf = (rows: ReadonlyArray<{ readonly applicants: number }>) =>
  rows.reduce((sum, { applicants }) => sum + applicants, 0)

const figuresOf = (lines: ReadonlyArray<Line>) => impactRows(countsOf(lines), peopleOf(countsOf(lines)))

describe("impact ratios", () => {
  it.each([
    ["sex", sex],
    ["ethnicity", ethnicity],
    ["sex and ethnicity", crossed],
    ["scoring rates", scored],
  ])("has the numbers of the rule's example: %s", (_, lines) => {
    const rows = figuresOf(lines)
    expect(rows).toHaveLength(lines.length)
    lines.forEach(([category, , , rate, ratio], index) => {
      const row = rows[index]
      expect(row?.category).toBe(category)
      if (row === undefined || row.ratio === null) throw new Error("no figures")
      // the rule rounds to different places, and cuts some numbers off
      expect(Math.abs(row.rate * 100 - rate)).toBeLessThan(rate % 1 === 0 ? 0.51 : 0.11)
      expect(Math.abs(row.ratio - ratio)).toBeLessThan(String(ratio).length <= 4 ? 0.0101 : 0.0021)
      expect(row.isReference).toBe(ratio === 1)
    })
  })

  it("marks ratios below four fifths, and small shares", () => {
    const rows = figuresOf(crossed)
    const marked = (mark: "isBelowFourFifths" | "isSmallShare") =>
      rows.flatMap((row) => (row[mark] ? [row.category] : []))
    expect(marked("isBelowFourFifths")).toEqual(["female native_american"])
    expect(marked("isSmallShare")).toEqual([
      "male native_american",
      "female pacific_islander",
      "female native_american",
    ])
  })

  it("gives no ratio when no one was selected", () => {
    const rows = figuresOf([
      ["female", 10, 0, 0, 0],
      ["male", 10, 0, 0, 0],
    ])
    expect(rows.map(({ isBelowFourFifths, ratio }) => [ratio, isBelowFourFifths])).toEqual([
      [null, false],
      [null, false],
    ])
    expect(impactRows([], 0)).toEqual([])
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
    const tables = { sex: countsOf(sex), ethnicity: countsOf(ethnicity), crossed: crossedOf(crossed) }
    expect([...hiddenCrossed(tables)]).toEqual([])
  })

  it.each([
    ["few people, and a second row, so that the total does not reveal the first", ["asian", 3, 1]],
    ["few selected people", ["asian", 30, 2]],
    ["few people who were not selected", ["asian", 40, 36]],
  ] as const)("hides %s", (_, [category, applicants, selected]) => {
    const rows = countsOf([
      ["white", 50, 25, 0, 0],
      ["black", 45, 15, 0, 0],
      [category, applicants, selected, 0, 0],
    ])
    expect([...hiddenRows(rows)].map((row) => row.category).toSorted()).toEqual(["asian", "black"])
  })

  it("hides a second row beside one that is hidden for another reason", () => {
    const rows = countsOf([
      ["white", 50, 25, 0, 0],
      ["black", 45, 15, 0, 0],
    ])
    expect(hiddenRows(rows, rows.slice(0, 1)).size).toBe(2)
  })

  it("does not let one table reveal a hidden row of another", () => {
    const ofCells = crossedOf([
      ["male white", 100, 50, 0, 0],
      ["female white", 100, 50, 0, 0],
      ["male black", 60, 30, 0, 0],
      ["female black", 60, 30, 0, 0],
      ["male asian", 40, 20, 0, 0],
      ["female asian", 3, 1, 0, 0],
    ])
    const totals = (key: "sex" | "ethnicity", categories: ReadonlyArray<string>) =>
      categories.map((category) => {
        const own = ofCells.filter((cell) => cell[key] === category)
        const selected = own.reduce((all, cell) => all + cell.selected, 0)
        return { category, applicants: peopleOf(own), selected }
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
        expect(peopleOf(own) === 0 || peopleOf(own) >= minCell).toBe(true)
      }
    }
    expect(ofCells.filter((cell) => hidden.has(cell))).toContain(ofCells[5])
  })
})

describe("reports", () => {
  const group = (one: string | null, other: string | null, applicants: number, selected: number, own?: string) => ({
    sex: one,
    ethnicity: other,
    own: own ?? null,
    applicants,
    selected,
  })

  it("count people by each list, and the others as unknown", () => {
    const content = reportOf(
      [
        group("female", "white", 20, 10, "Yes"),
        group("female", null, 10, 5, "No"),
        group("male", "white", 30, 12),
        group(null, "black", 10, 5),
        group(null, null, 7, 0),
      ],
      { question: "Veteran?", categories: ["Yes"] },
      () => false,
    )
    expect(content).toMatchObject({ people: 77, selected: 32, question: "Veteran?" })
    const shown = content.tables.map(({ name, rows, unknown }) => [
      name,
      unknown,
      rows.map(({ applicants, category, selected }) => [category, applicants, selected].join(" ")),
    ])
    expect(shown).toEqual([
      ["sex", 17, ["female 30 15", "male 30 12"]],
      ["ethnicity", 17, ["white 50 22", "black 10 5"]],
      ["crossed", 27, ["female white 20 10", "male white 30 12"]],
      ["own", 47, ["Yes 20 10", "No 10 5"]],
    ])
    expect(hiddenCategories(content.tables[0] ?? expect.fail("no table"))).toEqual(["another"])
  })

  it("leave out lists that no one answered, and say of few unknown people only that they are few", () => {
    const content = reportOf(
      [group("female", null, 20, 10), group(null, null, 3, 1)],
      { question: "", categories: [] },
      () => false,
    )
    expect(content.tables.map(({ name, unknown }) => [name, unknown])).toEqual([["sex", null]])
  })
})

describe("reports beside earlier ones", () => {
  const [setA, setB] = ["00000000-0000-7000-8000-00000000000a", "00000000-0000-7000-8000-00000000000b"].map((id) =>
    InterviewSetId.make(id),
  )
  const stageId = HiringStageId.make("00000000-0000-7000-8000-0000000000cc")
  const chosen: ImpactSelection = {
    set: null,
    from: "2026-01",
    to: "2026-12",
    outcome: "advanced",
    stage: null,
  }
  type Row = readonly [applicants: number, selected: number]
  const earlier = (changes: Partial<ImpactSelection>, [applicants, selected]: Row): EarlierReport => ({
    ...chosen,
    ...changes,
    content: {
      people: applicants,
      selected,
      tables: [{ name: "sex", unknown: 0, categories: [], rows: [{ category: "female", applicants, selected }] }],
    },
  })
  const isRevealing = (
    changes: Partial<ImpactSelection>,
    [applicants, selected]: Row,
    ...reports: ReadonlyArray<EarlierReport>
  ) => isRevealingBeside({ ...chosen, ...changes }, reports)("sex", { category: "female", applicants, selected })

  it.each<readonly [string, Partial<ImpactSelection>, Row, boolean]>([
    ["the same people, unchanged", {}, [50, 25], false],
    ["the same people, one of whom withdrew", {}, [51, 25], true],
    ["the same people, one of whom was selected later", {}, [50, 24], true],
    ["more changes than a small number", {}, [60, 30], false],
    ["ten more people, of whom one was selected", {}, [40, 24], true],
    ["a month less", { to: "2026-11" }, [48, 20], true],
    ["one of the sets", { set: setA ?? null }, [46, 20], true],
    ["a period that only overlaps", { from: "2025-06", to: "2026-06" }, [48, 20], false],
    ["another outcome with two more selected", { outcome: "stage", stage: stageId }, [50, 27], true],
    ["another outcome with many more selected", { outcome: "stage", stage: stageId }, [50, 35], false],
    ["scores of fewer people", { outcome: "scored" }, [47, 20], true],
    ["scores of the same people", { outcome: "scored" }, [50, 27], false],
  ])("differ from %s: hidden %3$s", (_, changes, row, expected) => {
    expect(isRevealing({}, [50, 25], earlier(changes, row))).toBe(expected)
    // in the other order
    expect(isRevealing(changes, row, earlier({}, [50, 25]))).toBe(expected)
  })

  it("leave few people after the parts of a whole, in any order", () => {
    type Part = readonly [Partial<ImpactSelection>, Row]
    const sets: readonly [Part, Part] = [
      [{ set: setA ?? null }, [30, 15]],
      [{ set: setB ?? null }, [20, 10]],
    ]
    const periods: readonly [Part, Part] = [
      [{ to: "2026-06" }, [30, 15]],
      [{ from: "2026-07", to: "2026-11" }, [20, 10]],
    ]
    for (const [one, other] of [sets, periods]) {
      const [first, second] = [earlier(one[0], one[1]), earlier(other[0], other[1])]
      expect(isRevealing({}, [52, 26], first, second)).toBe(true)
      expect(isRevealing(other[0], other[1], first, earlier({}, [52, 26]))).toBe(true)
      expect(isRevealing({}, [60, 30], first, second)).toBe(false)
    }
  })

  it("compare only numbers that the earlier report shows", () => {
    const hidden = { ...earlier({}, [51, 25]), content: { people: 51, selected: 25, tables: [] } }
    expect(isRevealing({}, [50, 25], hidden)).toBe(false)
  })

  it("show no category if one would tell the answer of a person who was decided about in between", () => {
    const own = { question: "", categories: [] }
    const counts: Record<string, Row> = { white: [60, 30], black: [40, 20], asian: [30, 15], hispanic: [20, 10] }
    const groupsWithout = (one?: string) =>
      Object.entries(counts).map(([ethnicity, [applicants, selected]]) => ({
        sex: null,
        ethnicity,
        own: null,
        applicants,
        selected: ethnicity === one ? selected - 1 : selected,
      }))
    const first = { ...chosen, content: reportOf(groupsWithout(), own, () => false) }
    const shownAfter = (groups: ReturnType<typeof groupsWithout>, changes: Partial<ImpactSelection> = {}) => {
      const selection = { ...chosen, ...changes }
      const ofSame = isAboutSame(selection, totalsOf(groups), first) ? [first] : []
      const { tables } = reportOf(
        groups,
        own,
        isRevealingBeside(selection, [first]),
        isRevealingBeside(selection, ofSame),
      )
      return tables.flatMap(({ rows }) => rows.map(({ category }) => category))
    }
    for (const one of Object.keys(counts)) {
      expect(shownAfter(groupsWithout(one))).toEqual([])
      expect(shownAfter(groupsWithout(one), { set: setA ?? null })).toEqual([])
      expect(shownAfter(groupsWithout(one), { outcome: "stage", stage: stageId })).toEqual([])
    }
    expect(shownAfter(groupsWithout())).toHaveLength(4)
    // other people: only what is small is hidden
    const more = groupsWithout().map((group) => ({
      ...group,
      applicants: group.applicants + (group.ethnicity === "asian" ? 3 : 8),
    }))
    expect(shownAfter(more, { to: "2027-01" })).toEqual(["white", "black"])
  })
})

/** Variables that linear equations determine, by Gaussian elimination: each row has the coefficients of the variables. */
const determined = (equations: ReadonlyArray<ReadonlyArray<number>>, variables: number): ReadonlySet<number> => {
  const rows = equations.map((row) => [...row])
  let done = 0
  for (let column = 0; column < variables; column += 1) {
    const pivot = rows.findIndex((row, index) => index >= done && Math.abs(row[column] ?? 0) > 1e-9)
    if (pivot < 0) continue
    const [row = []] = rows.splice(pivot, 1)
    const scaled = row.map((one) => one / (row[column] ?? 1))
    for (const [index, other] of rows.entries()) {
      const factor = other[column] ?? 0
      rows[index] = other.map((one, at) => one - factor * (scaled[at] ?? 0))
    }
    rows.splice(done, 0, scaled)
    done += 1
  }
  const single = rows.map((row) => row.flatMap((one, index) => (Math.abs(one) > 1e-9 ? [index] : [])))
  return new Set(single.flatMap((columns) => (columns.length === 1 ? columns : [])))
}

describe("hidden numbers of random tables", () => {
  // a linear congruential generator, so that each run has the same tables
  const random = (seed: number) => {
    let state = seed
    return (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((state / 2_147_483_648) * below)
    }
  }

  it("are not determined by the shown ones, also when each person answered both lists", () => {
    const sexes = ["female", "male", "another"]
    const ethnicities = ["hispanic", "white", "black", "asian", "two_or_more"]
    let hiddenCount = 0
    for (let seed = 1; seed <= 400; seed += 1) {
      const below = random(seed)
      const most = [8, 30, 200][seed % 3] ?? 8
      const crossedRows = sexes.flatMap((one) =>
        ethnicities.map((other) => {
          const applicants = below(4) === 0 ? 0 : below(most)
          const selected = below(applicants + 1)
          return { category: `${one} ${other}`, sex: one, ethnicity: other, applicants, selected }
        }),
      )
      const total = (key: "sex" | "ethnicity", category: string) => {
        const own = crossedRows.filter((row) => row[key] === category)
        return { category, applicants: peopleOf(own), selected: own.reduce((sum, row) => sum + row.selected, 0) }
      }
      const tables = {
        sex: sexes.map((one) => total("sex", one)),
        ethnicity: ethnicities.map((one) => total("ethnicity", one)),
        crossed: crossedRows,
      }
      const hidden = [...hiddenCrossed(tables)].filter(({ applicants }) => applicants > 0)
      const variable = (row: object) => hidden.findIndex((one) => Object.is(one, row))
      // of sums that are known: each table; and zero: a total without its cells
      const equation = (plus: ReadonlyArray<object>, minus: ReadonlyArray<object> = []) =>
        hidden.map((row) => (plus.includes(row) ? 1 : 0) - (minus.includes(row) ? 1 : 0))
      const equations = [
        equation(tables.sex),
        equation(tables.ethnicity),
        equation(tables.crossed),
        ...tables.sex.map((row) =>
          equation(
            [row],
            crossedRows.filter((cell) => cell.sex === row.category),
          ),
        ),
        ...tables.ethnicity.map((row) =>
          equation(
            [row],
            crossedRows.filter((cell) => cell.ethnicity === row.category),
          ),
        ),
      ]
      const found = determined(equations, hidden.length)
      const revealed = hidden.filter((row) => found.has(variable(row)))
      hiddenCount += hidden.length
      expect(revealed.map((row) => `${seed}: ${row.category} ${row.applicants}`)).toEqual([])
    }
    expect(hiddenCount).toBeGreaterThan(1_000)
  })
})
