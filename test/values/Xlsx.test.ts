import { assert, it } from "@effect/vitest"
import { strFromU8, unzipSync } from "fflate"
import { makeXlsxWriter } from "../../src/values/Xlsx.ts"

it("writes numbers and moments as such, and text that is never a formula", () => {
  const { end, row } = makeXlsxWriter()
  const bytes = [
    row(["Name", "Score", "At"]),
    row(["=1+1", 7.5, new Date("2026-11-27T12:00:00Z")]),
    row([" <Łukasz> & \u0001_x0041_", null, Number.NaN]),
    end(),
  ]
  const files = unzipSync(Buffer.concat(bytes))
  assert.sameMembers(Object.keys(files), [
    "[Content_Types].xml",
    "_rels/.rels",
    "xl/workbook.xml",
    "xl/_rels/workbook.xml.rels",
    "xl/styles.xml",
    "xl/worksheets/sheet1.xml",
  ])
  const sheet = strFromU8(files["xl/worksheets/sheet1.xml"] ?? assert.fail())
  const cells = [...sheet.matchAll(/<c[ />].*?(?:<\/c>|\/>)/g)].map(([cell]) => cell)
  const text = (at: string, content: string) =>
    `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${content}</t></is></c>`
  assert.deepStrictEqual(cells.slice(3), [
    text("A2", "=1+1"),
    '<c r="B2"><v>7.5</v></c>',
    '<c r="C2" s="1"><v>46353.5</v></c>',
    text("A3", " &lt;Łukasz&gt; &amp; _x005F_x0041_"),
  ])
})
