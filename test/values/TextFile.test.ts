import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decodeText } from "../../src/values/TextFile.ts"

const text = "Name;E-Mail\r\nÉva Müller;eva@example.com\r\n"
const utf16be = (content: string) => Buffer.from(content, "utf16le").swap16()

describe("decodeText", () => {
  it.each([
    ["UTF-8", Buffer.from(text)],
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${text}`)],
    ["UTF-16 LE with a byte order mark", Buffer.from(`\ufeff${text}`, "utf16le")],
    ["UTF-16 LE", Buffer.from(text, "utf16le")],
    ["UTF-16 BE with a byte order mark", utf16be(`\ufeff${text}`)],
    ["UTF-16 BE", utf16be(text)],
    ["Windows-1252", Buffer.from(text, "latin1")],
  ])("reads %s", (_, bytes) => {
    assert.deepStrictEqual(decodeText(bytes), Result.succeed(text))
  })

  it("reads the euro sign of Windows-1252, and UTF-8 that begins with ASCII", () => {
    assert.deepStrictEqual(decodeText(Buffer.from([0x35, 0x20, 0x80])), Result.succeed("5 €"))
    assert.deepStrictEqual(decodeText(Buffer.from(`${"a".repeat(500)}é`)), Result.succeed(`${"a".repeat(500)}é`))
  })

  it.each([
    ["empty", Buffer.from("")],
    ["empty", Buffer.from("\ufeff \r\n")],
    ["workbook", Buffer.from("PK\u0003\u0004rest")],
    ["workbook", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1])],
    ["binary", Buffer.from("%PDF-1.7 text")],
    ["binary", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 1])],
  ] as const)("refuses a file that is %s", (reason, bytes) => {
    assert.deepStrictEqual(decodeText(bytes), Result.fail(reason))
  })
})
