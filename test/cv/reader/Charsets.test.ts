/** The encodings of RTF, HTML and text. */
import { assert, describe, it } from "@effect/vitest"
import { decodeHtml, readText } from "../../../src/cv/reader/PlainText.ts"
import { readRtf } from "../../../src/cv/reader/Rtf.ts"

const latin = (text: string) => new Uint8Array(Buffer.from(text, "latin1"))

const fonts =
  "{\\fonttbl{\\f0\\fnil\\fcharset0 Arial;}{\\f1\\fnil\\fcharset238{\\*\\fname Arial;}Arial CE;}{\\f2\\fcharset204 Arial Cyr;}{\\f3\\fcharset128 MS Mincho;}{\\f4\\fcharset77 Helvetica;}{\\f5\\cpg1253 Arial;}{\\f6\\fcharset2 Wingdings;}}"
const rtf = (body: string, head = "\\ansi\\ansicpg1252") => latin(`{\\rtf1${head}\\deff0${fonts}${body}}`)

const documents: ReadonlyArray<readonly [what: string, file: Uint8Array, text: string]> = [
  ["Polish in a font", rtf("\\f1 \\'a3ukasz Wo\\'9fniak\\f0  J\\'fcrg"), "Łukasz Woźniak Jürg"],
  ["a font of a group", rtf("{\\f1 \\'a3}\\'a3"), "Ł£"],
  ["raw bytes", rtf("\\f1 \xa3ukasz"), "Łukasz"],
  ["Russian", rtf("\\f2\\'c8\\'e2\\'e0\\'ed"), "Иван"],
  ["Japanese, half escaped", rtf("\\f3\\'83e\\'83X\\'83g"), "テスト"],
  ["Japanese, over lines", rtf("\\f3\\'83\r\n\\'65\\'83\r\n\\'58"), "テス"],
  ["a font with a code page", rtf("\\f5\\'c1\\'e8\\'de\\'ed\\'e1"), "Αθήνα"],
  ["a font of Mac OS", rtf("\\f4 J\\'9frg"), "Jürg"],
  ["a document of Mac OS", rtf("J\\'9frg", "\\mac"), "Jürg"],
  ["a document of DOS", rtf("J\\'81rg", "\\pca"), "Jürg"],
  ["a document in the default font", latin(`{\\rtf1\\ansi\\deff1${fonts}\\'a3ukasz\\plain \\'a3}`), "ŁukaszŁ"],
  ["Unicode with a fallback", rtf("\\f1\\uc1\\u321\\'a3ukasz \\uc2\\u26085\\'93\\'fax"), "Łukasz 日x"],
  ["a bullet of Wingdings", rtf("{\\f6\\'a7} \\f1 \\'a3ukasz"), "• Łukasz"],
  ["pictures of faces", rtf("\\u-10179 ?\\u-8694 ?\\u128522?"), "😊😊"],
  ["Unicode beside text without it", rtf("{\\upr{?ukasz}{\\*\\ud{\\u321?ukasz}}}"), "Łukasz"],
]

const page = (head: string, body: Uint8Array) => new Uint8Array(Buffer.concat([Buffer.from(head), body]))

const pages: ReadonlyArray<readonly [what: string, file: Uint8Array, text: string]> = [
  ["a declared encoding", page('<meta charset="iso-8859-2">', latin("\xa3ukasz Wo\xbcniak")), "Łukasz Woźniak"],
  [
    "an encoding declared as a header",
    page('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', latin("\xc8\xe2\xe0\xed")),
    "Иван",
  ],
  ["another encoding than declared", page('<meta charset="iso-8859-1">', Buffer.from("Łukasz")), "Łukasz"],
  ["a byte order mark against a declaration", page('\ufeff<meta charset="iso-8859-1">', Buffer.from("é")), "é"],
  ["UTF-16", new Uint8Array(Buffer.from('\ufeff<meta charset="utf-16"><p>Łukasz', "utf16le")), "Łukasz"],
  ["no declaration", latin("<p>J\xfcrg M\xfcller, Z\xfcrich"), "Jürg Müller, Zürich"],
]

describe("the characters of", () => {
  it.each(documents)("RTF: %s", (_, file, text) => {
    assert.strictEqual(readRtf(file).text.trim(), text)
  })

  it.each(pages)("HTML: %s", (_, file, text) => {
    assert.include(decodeHtml(file), text)
  })

  it("text from Excel for Mac and from Windows", () => {
    assert.strictEqual(readText(latin("J\x9frg M\x9fller aus Z\x9frich, Stra\xa7e")), "Jürg Müller aus Zürich, Straße")
    assert.strictEqual(
      readText(latin("\xa3ukasz Wo\x9fniak, \xa3\xf3d\x9f, za\xbf\xf3\xb3\xe6")),
      "Łukasz Woźniak, Łódź, zażółć",
    )
  })
})
