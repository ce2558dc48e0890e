/** CSV as people paste it and as spreadsheets read it. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { csvFormatFor, formatCsv, guessSeparator, parseCsv } from "../../src/values/Csv.ts"

const cells = (text: string) => Result.getOrThrow(parseCsv(text)).map((row) => row.cells)

describe("parseCsv", () => {
  it.each([
    [
      "a,b\r\nc,d\r\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "\ufeffa;b\nc;d",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a\tb\rc\td\r",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ['"a, b",c\n', [["a, b", "c"]]],
    ['"a; b";c,d', [["a; b", "c,d"]]],
    ['"say ""hi""",x', [['say "hi"', "x"]]],
    [
      '"two\nlines",x\ny,z',
      [
        ["two\nlines", "x"],
        ["y", "z"],
      ],
    ],
    ['a 5" nail,b', [['a 5" nail', "b"]]],
    [
      '="0123", ="King, Ada"\n=1+1,x',
      [
        ["0123", "King, Ada"],
        ["=1+1", "x"],
      ],
    ],
    [' "a" ,  b ', [["a", "b"]]],
    [
      "a,\n\n , \n,b",
      [
        ["a", ""],
        ["", "b"],
      ],
    ],
    ["a,", [["a", ""]]],
    ["", []],
    ["\n\n", []],
    ["one\ntwo", [["one"], ["two"]]],
  ] as const)("reads %j", (text, expected) => {
    assert.deepStrictEqual(cells(text), expected as ReadonlyArray<ReadonlyArray<string>>)
  })

  it("returns the line of an error, and of each row", () => {
    assert.deepStrictEqual(
      parseCsv('a,b\n"c,d\ne,f'),
      Result.fail({ line: 2, reason: "a quote is opened and not closed" }),
    )
    assert.deepStrictEqual(
      Result.getOrThrow(parseCsv('a\n\n"b\nc"\nd')).map(({ line }) => line),
      [1, 3, 5],
    )
  })

  it("reads what formatCsv wrote, except for the apostrophe of a formula and surrounding blanks", () => {
    const rows = [
      ["name", 'a "quoted", cell'],
      ["two\r\nlines", "semi;colon"],
      ["tab\tinside", "x"],
    ]
    assert.deepStrictEqual(cells(formatCsv(rows)), rows)
  })
})

describe("guessSeparator", () => {
  it.each([
    ["Name, Vorname;E-Mail\nJürg Müller;j@example.com\nAda King;a@example.com", ";"],
    ["Name, Vorname;E-Mail\nMüller, Jürg;j@example.com\nKing, Ada;a@example.com", ";"],
    ['Name;E-Mail;Note\nAda;a@example.com;"one, two, three"\nEva;e@example.com;', ";"],
    ["Name;E-Mail;Salary (EUR)\nAda;a@example.com;1,5\nEva;e@example.com;2,5", ";"],
    ["Name\tMail\nKing, Ada\ta@example.com\nKing, Eva; Dr.\te@example.com", "\t"],
    ["Name|Mail\nKing, Ada|a@example.com\nKing, Eva|e@example.com", "|"],
    ["email,tags\na@example.com,x;y\nb@example.com,x;y;z\nc@example.com,", ","],
    ["Report, May; all sites\nname,email,site\nAda,a@example.com,Bern\nEva,e@example.com,Graz", ","],
    ["King, Ada <a@example.com>; King, Eva <e@example.com>", ";"],
    ["one\ntwo", ","],
  ])("divides %j at %j", (text, separator) => {
    assert.deepStrictEqual(guessSeparator(text), { separator, isCertain: true })
  })

  it("is in doubt if two separators divide the rows alike", () => {
    assert.isFalse(guessSeparator("a,b;c\nd,e;f").isCertain)
  })

  it("uses the given separator", () => {
    assert.deepStrictEqual(
      Result.getOrThrow(parseCsv("a,b;c", ",")).map((row) => row.cells),
      [["a", "b;c"]],
    )
  })
})

describe("formatCsv", () => {
  it.each([
    ["=1+1", '"\'=1+1"'],
    ["+49 40 123", '"\'+49 40 123"'],
    ["-2", '"\'-2"'],
    ["@SUM(A1)", '"\'@SUM(A1)"'],
    ["  =cmd|'/c calc'!A0", "\"'  =cmd|'/c calc'!A0\""],
    ["\t=1", '"\'\t=1"'],
    ["\r=1", '"\'\r=1"'],
    ["\u200b=1", '"\'\u200b=1"'],
    ["\uff1d1", '"\'\uff1d1"'],
    ["a=b", "a=b"],
    ["O'Neill", '"O\'Neill"'],
    ["Ada", "Ada"],
  ])("writes %j so that it is text", (cell, expected) => {
    assert.strictEqual(formatCsv([[cell]]), `${expected}\r\n`)
  })

  it.each([
    ["de-DE,de;q=0.9,en;q=0.8", 'a;7,5;"1;2"\r\n'],
    ["fr", 'a;7,5;"1;2"\r\n'],
    ["pt-BR", 'a;7,5;"1;2"\r\n'],
    ["de-CH", 'a;7.5;"1;2"\r\n'],
    ["en-GB,de;q=0.5", 'a,7.5,"1;2"\r\n'],
    ["ja", 'a,7.5,"1;2"\r\n'],
    ["*", 'a,7.5,"1;2"\r\n'],
    [undefined, 'a,7.5,"1;2"\r\n'],
  ])("writes for spreadsheets in %s", (languages, expected) => {
    assert.strictEqual(formatCsv([["a", 7.5, "1;2"]], csvFormatFor(languages)), expected)
  })

  it("writes numbers unquoted, and null as an empty cell", () => {
    assert.strictEqual(formatCsv([[-1.5, null, 8]]), "-1.5,,8\r\n")
  })
})
