/** Builds PDF fixtures: with pdfkit, or as raw objects where pdfkit cannot make the file. */
import { createRequire } from "node:module"
import { constants, deflateSync } from "node:zlib"
import type Kit from "pdfkit"

// pdfkit's ES module is its build for browsers, which has no fonts
const require = createRequire(import.meta.url)
const PDFDocument: typeof Kit = require("pdfkit")

export const pdf = (
  draw: (document: PDFKit.PDFDocument) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Uint8Array> =>
  new Promise((done, fail) => {
    const document = new PDFDocument({ size: "A4", margin: 50, ...options })
    const chunks: Array<Buffer> = []
    document.on("data", (chunk: Buffer) => chunks.push(chunk))
    document.on("end", () => done(new Uint8Array(Buffer.concat(chunks))))
    document.on("error", fail)
    draw(document)
    document.end()
  })

/** The first object is the catalog. */
export const rawPdf = (objects: ReadonlyArray<string | Buffer>): Uint8Array => {
  const parts: Array<Buffer> = [Buffer.from("%PDF-1.7\n")]
  const offsets: Array<number> = []
  let length = parts[0]?.length ?? 0
  const add = (part: Buffer) => {
    parts.push(part)
    length += part.length
  }
  objects.forEach((object, i) => {
    offsets.push(length)
    add(Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n")]))
  })
  const start = length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  add(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`))
  add(Buffer.from(`trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`))
  return new Uint8Array(Buffer.concat(parts))
}

const stream = (dictionary: string, content: Buffer) =>
  Buffer.concat([
    Buffer.from(`<<${dictionary}/Length ${content.length}>>stream\n`),
    content,
    Buffer.from("\nendstream"),
  ])

const catalog = "<</Type/Catalog/Pages 2 0 R>>"
const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"

/** `content` is already encoded with `filters`. */
export const pageOf = (content: Buffer, filters = ""): Uint8Array =>
  rawPdf([
    catalog,
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
    stream(filters, content),
    font,
  ])

/** A deflated stream that repeats `content`; compresses it only once. */
export const bomb = (content: Buffer, times: number): Buffer => {
  const whole = deflateSync(content, { finishFlush: constants.Z_FULL_FLUSH })
  const [header, block] = [whole.subarray(0, 2), whole.subarray(2)]
  return Buffer.concat([header, ...Array.from({ length: times }, () => block), Buffer.from([3, 0])])
}

export const manyPages = (count: number): Uint8Array => {
  const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 3 0 R/Resources<</Font<</F 4 0 R>>>>>>"
  const kids = Array.from({ length: count }, (_, i) => `${i + 5} 0 R`).join(" ")
  return rawPdf([
    catalog,
    `<</Type/Pages/Kids[${kids}]/Count ${count}>>`,
    stream("", Buffer.from("BT /F 12 Tf 72 700 Td (Page) Tj ET")),
    font,
    ...Array.from({ length: count }, () => page),
  ])
}

/** Text in a font that is not embedded, encoded by one of Adobe's character maps (ISO 32000-2, 9.7.5.2). */
export const japanesePage = (map: string, text: Buffer): Uint8Array =>
  rawPdf([
    catalog,
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
    stream("", Buffer.from(`BT /F 20 Tf 50 700 Td <${text.toString("hex")}> Tj ET`)),
    `<</Type/Font/Subtype/Type0/BaseFont/Ryumin-Light/Encoding/${map}/DescendantFonts[6 0 R]>>`,
    "<</Type/Font/Subtype/CIDFontType0/BaseFont/Ryumin-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/DW 1000/FontDescriptor 7 0 R>>",
    "<</Type/FontDescriptor/FontName/Ryumin-Light/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>",
  ])
