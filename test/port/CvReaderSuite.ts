/** Tests that every implementation of the CvReader port must pass: readable files, and files that are damaged or attacks. */
import { assert, describe, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { maxCvTextLength } from "../../src/cv/Cv.ts"
import { CvReader } from "../../src/cv/CvReader.ts"
import type { UnreadableCv } from "../../src/cv/UnreadableCv.ts"
import { doc } from "./cvFiles/doc.ts"
import { compound, docx, docxOf, odt, paragraph, run, zipBomb } from "./cvFiles/office.ts"
import { bomb, manyPages, pageOf, pdf } from "./cvFiles/pdf.ts"

const lines = [
  "Grace Hopper",
  "g.hopper@navy.example, +1 212 736 5000",
  "I wrote the first compiler, and led a team of eight who ran it.",
  "Zürich, Łódź, Đà Nẵng",
]
const latin = lines.map((line) => line.replace("Zürich, Łódź, Đà Nẵng", "Zürich, Málaga"))

const utf16 = (text: string) => new Uint8Array(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]))
const bytes = (text: string) => new TextEncoder().encode(text)

type Make = () => Uint8Array | Promise<Uint8Array>

const readable: ReadonlyArray<readonly [name: string, type: string, make: Make, expected: ReadonlyArray<string>]> = [
  ["a PDF", "application/pdf", () => pdf((page) => latin.forEach((line) => void page.text(line))), latin],
  [
    "a DOCX",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    () => docx(lines.map((line) => paragraph(run(line))).join("")),
    lines,
  ],
  ["a DOC", "application/msword", () => doc([[lines.join("\r"), "plain"]]), lines],
  [
    "an ODT",
    "application/vnd.oasis.opendocument.text",
    () => odt(lines.map((line) => `<text:p>${line}</text:p>`).join("")),
    lines,
  ],
  [
    "RTF",
    "application/rtf",
    () =>
      bytes(`{\\rtf1\\ansi ${latin.map((line) => line.replace("ü", "\\'fc").replace("á", "\\u225?")).join("\\par ")}}`),
    latin,
  ],
  [
    "HTML",
    "text/html",
    () => bytes(`<!doctype html><title>CV</title>${lines.map((line) => `<p>${line}</p>`).join("")}`),
    lines,
  ],
  ["text in UTF-8", "text/plain", () => bytes(lines.join("\n")), lines],
  ["text in UTF-16", "text/plain", () => utf16(lines.join("\r\n")), lines],
  ["text in Latin-1", "text/plain", () => new Uint8Array(Buffer.from(latin.join("\n"), "latin1")), latin],
]

const blanks = Buffer.alloc(1024 * 1024, " ")
const laughs = (depth: number) =>
  `<!DOCTYPE w [<!ENTITY a0 "ha">${Array.from({ length: depth }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join("")}]><w>&a${depth};</w>`

/** Files with the reasons that are accepted for each. */
const unreadable: ReadonlyArray<readonly [name: string, make: Make, ...reasons: ReadonlyArray<UnreadableCv>]> = [
  ["an empty file", () => new Uint8Array(), "empty"],
  ["a picture of another type", () => bytes("GIF89a\0\0"), "picture"],
  ["half a JPEG", () => new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70]), "damaged", "picture"],
  ["a program", () => new Uint8Array(Buffer.from("\x7fELF\x02\x01\x01\0\0\0\0", "latin1")), "unsupported"],
  ["a spreadsheet", () => zipBomb("xl/workbook.xml", 1), "unsupported"],
  ["a DOC without a document", () => compound("WordDocument"), "damaged", "too_complex"],
  ["half a DOC", () => doc([["Hello", "plain"]]).slice(0, 3_000), "damaged", "too_complex", "no_text"],
  ["a DOC with a password", () => doc([["Hello", "plain"]], { flags: 0x0300 }), "encrypted"],
  ["a document of Word 95", () => doc([["Hello", "plain"]], { ident: 0xa5dc }), "old_word"],
  ["an encrypted DOCX", () => compound("EncryptedPackage"), "encrypted"],
  ["an encrypted ODT", () => odt("", { manifest: "<manifest:encryption-data/>" }), "encrypted"],
  ["an encrypted PDF", () => pdf((page) => void page.text("secret"), { userPassword: "no" }), "encrypted"],
  ["a sign-in page", () => bytes("<!doctype html><form><input type=Password></form>"), "sign_in"],
  [
    "an application's page",
    () => bytes('<!doctype html><title>cv.pdf</title><script src="app.js"></script><div id="root">Loading</div>'),
    "web_page",
  ],
  ["a scan", () => pageOf(Buffer.from("0 0 595 842 re f")), "no_text"],
  ["a PDF of blank pages", () => pdf((page) => void page.addPage()), "no_text"],
  ["half a PDF", async () => (await pdf((page) => void page.text("Hello"))).slice(0, 400), "damaged", "no_text"],
  ["half a DOCX", () => docx(paragraph(run("Hello"))).slice(0, 400), "damaged"],
  ["text that begins like a PDF", () => bytes("%PDF-1.7 is what I call myself"), "damaged"],
  ["3,000 pages", () => manyPages(3_000), "too_many_pages"],
  ["a ZIP bomb", () => zipBomb("word/document.xml", 2_000), "too_large"],
  ["a ZIP bomb that declares a small size", () => zipBomb("word/document.xml", 2_000, 1_000), "damaged", "too_large"],
  ["a PDF bomb", () => pageOf(bomb(blanks, 3_000), "/Filter/FlateDecode"), "too_complex", "too_large", "no_text"],
  ["nested XML entities (a billion laughs)", () => docxOf(laughs(9)), "damaged"],
  ["deeply nested XML", () => docxOf("<a>".repeat(100_000)), "too_complex", "damaged"],
  ["deeply nested HTML", () => bytes(`<!doctype html>${"<div>".repeat(200_000)}`), "too_complex", "no_text"],
  ["deeply nested RTF", () => bytes(`{\\rtf1${"{".repeat(200_000)}`), "too_complex", "damaged"],
  [
    "a PDF with 50 million operators that save the graphics state",
    () => pageOf(bomb(Buffer.from("q ".repeat(500_000)), 100), "/Filter/FlateDecode"),
    "too_complex",
  ],
]

/**
 * Defines the tests of a CvReader layer. `name` is part of their title. The layer is built once for all tests and runs
 * with the live clock. Needs `pdfkit`.
 */
export const cvReaderSuite = <E>(name: string, layer: Layer.Layer<CvReader, E>): void => {
  const read = Effect.fnUntraced(function* (make: Make) {
    const file = yield* Effect.promise(async () => make())
    return yield* (yield* CvReader).read(file, ["en"])
  })

  describe(`CvReader: ${name}`, () => {
    withLayer(layer, { excludeTestServices: true })((it) => {
      it.effect.each(readable)("reads %s", ([, type, make, expected]) =>
        Effect.gen(function* () {
          const cv = yield* read(make)
          assert.strictEqual(cv.type, type)
          assert.strictEqual(cv.text, expected.join("\n"))
          assert.deepStrictEqual(cv.notes, [])
          assert.deepStrictEqual(cv.contacts, {
            email: "g.hopper@navy.example",
            phone: "+12127365000",
            name: "Grace Hopper",
          })
        }),
      )

      it.effect.each(unreadable)("returns a reason for %s", ([, make, ...reasons]) =>
        Effect.gen(function* () {
          const { reason } = yield* Effect.flip(read(make))
          assert.include(reasons, reason)
        }),
      )

      it.effect("cuts a text that is too long, and adds a note", () =>
        Effect.gen(function* () {
          const { notes, text } = yield* read(() => bytes("Long 😀😀 words. ".repeat(500_000)))
          assert.isAtMost(text.length, maxCvTextLength)
          assert.isAbove(text.length, maxCvTextLength - 10)
          assert.isTrue(text.isWellFormed())
          assert.lengthOf(notes, 1)
        }),
      )

      it.effect("returns well-formed Unicode without NUL, which Postgres can store", () =>
        Effect.gen(function* () {
          const { text } = yield* read(() => bytes("<html><p>a&#0;b&#xD800;c&#x1F600;\0d"))
          assert.isTrue(text.isWellFormed())
          assert.notInclude(text, "\0")
        }),
      )

      it.effect("reads files concurrently although one of them fails", () =>
        Effect.gen(function* () {
          const makes = [() => bytes(lines.join("\n")), () => docxOf(laughs(9)), () => bytes("Another CV")]
          const found = yield* Effect.forEach(makes, (make) => Effect.option(read(make)), { concurrency: "unbounded" })
          assert.deepStrictEqual(
            found.map((one) => one._tag),
            ["Some", "None", "Some"],
          )
        }),
      )
    })
  })
}
