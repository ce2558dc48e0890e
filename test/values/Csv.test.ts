/** CSV as people paste it and as spreadsheets read it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { candidatesOf } from "../../src/invitations/PastedCandidates.ts"
import { formatCsv, parseCsv } from "../../src/values/Csv.ts"

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

  it("writes numbers unquoted, and null as an empty cell", () => {
    assert.strictEqual(formatCsv([[-1.5, null, 8]]), "-1.5,,8\r\n")
  })
})

describe("candidatesOf", () => {
  const entries = (text: string) => Result.getOrThrow(candidatesOf(text)).map(({ entry }) => entry)

  it.each([
    ["E-Mail;Name\nada@example.com;Ada", [{ email: "ada@example.com", name: "Ada" }]],
    [
      "first name,Last Name,EMAIL ADDRESS,notes\nAda,Lovelace,a@b.example,x",
      [{ firstname: "Ada", lastname: "Lovelace", email: "a@b.example" }],
    ],
    ["Prénom,nom,courriel\nAda,L,a@b.example", [{ lastname: "L", email: "a@b.example" }]],
    ["cv\nhttps://cv.example/a.pdf", [{ cv_link: "https://cv.example/a.pdf" }]],
    [
      "ada@example.com\ngrace@example.com",
      [
        { email: "ada@example.com", name: null, cv_link: null },
        { email: "grace@example.com", name: null, cv_link: null },
      ],
    ],
    ["Ada Lovelace <ada@example.com>", [{ email: "ada@example.com", name: "Ada Lovelace", cv_link: null }]],
    [
      "Ada,ada@example.com,https://cv.example/a",
      [{ email: "ada@example.com", name: "Ada", cv_link: "https://cv.example/a" }],
    ],
    ["email,name", []],
    ["", []],
  ] as const)("reads %j", (text, expected) => {
    const known = text.startsWith("Prénom") ? [{ firstname: "Ada", ...expected[0] }] : expected
    assert.deepEqual(entries(text), known as ReadonlyArray<object>)
  })

  it("refuses a table without a column for addresses or CVs", () => {
    assert.isTrue(Result.isFailure(candidatesOf("name,phone\nAda,1")))
  })

  it.effect.prop("reads any text or returns the line of an error", [Schema.String], ([text]) =>
    Effect.sync(() => {
      const read = candidatesOf(text)
      if (Result.isFailure(read)) assert.isAtLeast(read.failure.line, 1)
    }),
  )
})
