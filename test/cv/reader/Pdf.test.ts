import { assert, describe, it } from "@effect/vitest"
import { readPdf } from "../../../src/cv/reader/Pdf.ts"
import { pdf } from "../../port/cvFiles/pdf.ts"

const read = async (write: Parameters<typeof pdf>[0]) => readPdf(await pdf(write), { maxPages: 1 })

const prose =
  "Built a billing system for three hundred shops with PostgreSQL and TypeScript, designed its schema, tuned the slow queries and ran the migrations every Tuesday for four years without an outage."

describe("The text of a PDF", () => {
  it("keeps two columns with lines side by side apart", async () => {
    const left = `Left ${prose} ${prose}`
    const right = `Right ${prose} ${prose}`
    const { text } = await read((page) => {
      page.fontSize(18).text("Grace Hopper", 50, 50)
      page.fontSize(10).text(left, 50, 100, { width: 220 }).text(right, 310, 100, { width: 220 })
    })
    assert.strictEqual(text.replaceAll(/\n+/g, "\n"), ["Grace Hopper", left, right].join("\n"))
  })

  it("keeps a table's rows together", async () => {
    const skills = [
      ["Skill", "Years"],
      ["Python", "5"],
      ["Rust", "2"],
      ["SQL", "9"],
    ]
    const { text } = await read((page) => {
      page.fontSize(10)
      skills.forEach(([skill = "", years = ""], i) => {
        page.text(skill, 50, 60 + i * 14).text(years, 200, 60 + i * 14)
      })
      for (const period of ["2019 to 2023", "2015 to 2019", "2011 to 2015", "2009 to 2011"]) {
        const y = page.y + 12
        page.text(period, 50, y).text(prose, 150, y, { width: 350 })
      }
    })
    for (const row of skills) assert.include(text, row.join("\t"))
    assert.include(text, `2015 to 2019\t${prose}`)
  })

  it("joins hyphenated words and keeps list items apart", async () => {
    const { text } = await read((page) => {
      page.text("• I am responsible for the whole of the data ware-", 50, 60).text("house and more", 50, 74)
      page.text("• I ran it", 50, 88)
    })
    assert.include(text, "the data warehouse and more\n• I ran it")
  })
})
