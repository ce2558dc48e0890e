import { assert, describe, it } from "@effect/vitest"
import { strToU8, type Zippable, zipSync } from "fflate"
import { formatOf } from "../../src/cv/reader/Format.ts"
import { Unreadable } from "../../src/cv/reader/Reading.ts"
import { type FileType, FileTypeDetector, fileTypeOf, recordedFormatOf, viewOf } from "../../src/files/FileType.ts"
import { endingsOf, offeredEndings, uploadType } from "../../src/files/UploadedFile.ts"
import { compound } from "../port/cvFiles/office.ts"

const latin = (text: string) => new Uint8Array(Buffer.from(text, "latin1"))
const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16 = (text: string, mark = "\ufeff") => new Uint8Array(Buffer.from(mark + text, "utf16le"))

const zip = (...names: ReadonlyArray<string>) =>
  zipSync(Object.fromEntries(names.map((name) => [name, strToU8(`<${name}>`)])))
/** Noise does not deflate: the directory begins after it. */
const long = new Uint8Array(Array.from({ length: 400_000 }, (_, i) => (i * 7_919 * (1 + (i >> 8))) >> 3))
const openDocument = (type: string): Zippable => ({
  mimetype: [strToU8(`application/vnd.oasis.opendocument.${type}`), { level: 0 }],
  "content.xml": strToU8("<a/>"),
})
const ftyp = (brand: string) => latin(`\0\0\0\x18ftyp${brand}\0\0\0\0mif1`)

/** APPNOTE 4.3.12, after the signature. */
const directoryEntry = (name: string, comment = "") => {
  const entry = Buffer.alloc(46)
  entry.write("PK\u0001\u0002", "latin1")
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt16LE(comment.length, 32)
  return `${entry.toString("latin1")}${name}${comment}`
}
const zipOf = (directory: string) => {
  const end = Buffer.alloc(22)
  end.write("PK\u0005\u0006", "latin1")
  end.writeUInt32LE(directory.length, 12)
  return latin(`PK\u0003\u0004${directory}${end.toString("latin1")}`)
}

/** The names of streams begin at multiples of 128 bytes; this text does not. */
const mentioning = compound("Workbook")
mentioning.set(utf16("WordDocument\0", ""), 100)

const office = "application/vnd.openxmlformats-officedocument"
const wordType = `${office}.wordprocessingml.document`
const opendocument = "application/vnd.oasis.opendocument"

/** `upload`: the media type under which the name is accepted. `cv`: the format, or why it is not read. */
const cases: ReadonlyArray<
  readonly [what: string, file: Uint8Array, type: FileType | undefined, name: string, upload: string | null, cv: string]
> = [
  ["a PDF", latin("%PDF-1.7\n"), "pdf", "cv.PDF", "application/pdf", "pdf"],
  ["a PDF after a byte order mark", latin("\xef\xbb\xbf%PDF-1.7\n"), "pdf", "cv.pdf", "application/pdf", "pdf"],
  ["a PDF after CRLF", latin("\r\n%PDF-1.4\n"), "pdf", "cv.pdf", "application/pdf", "pdf"],
  ["a PDF after 900 bytes", latin(`${"x".repeat(899)}\n%PDF-1.4\n`), "pdf", "cv.pdf", "application/pdf", "pdf"],
  ["a PDF after 2,000 bytes", latin(`${"x".repeat(1_999)}\n%PDF-1.4\n`), "text", "cv.pdf", null, "text"],
  ["text about PDF", utf8("A file begins with %PDF-1.7 and more."), "text", "notes.md", "text/plain", "text"],
  ["a PDF named as a DOCX", latin("%PDF-1.7\n"), "pdf", "cv.docx", null, "pdf"],
  ["a DOCX", zip("[Content_Types].xml", "_rels/.rels", "word/document.xml"), "docx", "cv.docx", wordType, "docx"],
  [
    "a DOCX that begins with customXml/",
    zip("customXml/item1.xml", "word/document.xml", "[Content_Types].xml"),
    "docx",
    "cv.docx",
    wordType,
    "docx",
  ],
  [
    "a DOCX that begins with docMetadata/",
    zip("docMetadata/LabelInfo.xml", "_rels/.rels", "word/document.xml"),
    "docx",
    "cv.docx",
    wordType,
    "docx",
  ],
  [
    "a DOCX that begins with a long picture",
    zipSync({ "word/media/image1.png": long, "word/document.xml": strToU8("<a/>"), "_rels/.rels": strToU8("<a/>") }),
    "docx",
    "cv.docx",
    wordType,
    "docx",
  ],
  [
    "a DOCX with capital letters and backslashes",
    zip("[CONTENT_TYPES].XML", "Word\\Document.xml"),
    "docx",
    "cv.docx",
    wordType,
    "docx",
  ],
  ["a DOCX with a table inside", zip("_rels/.rels", "word/document.xml", "xl/x"), "docx", "cv.xlsx", null, "docx"],
  ["a DOCX named .doc", zip("_rels/.rels", "word/document.xml"), "docx", "cv.doc", wordType, "docx"],
  [
    "an XLSX",
    zip("[Content_Types].xml", "xl/workbook.xml"),
    "xlsx",
    "a.xlsx",
    `${office}.spreadsheetml.sheet`,
    "unsupported",
  ],
  ["an XLSX named as a DOCX", zip("[Content_Types].xml", "xl/workbook.xml"), "xlsx", "a.docx", null, "unsupported"],
  ["a PPTX", zip("_rels/.rels", "ppt/a.xml"), "pptx", "a.pptx", `${office}.presentationml.presentation`, "unsupported"],
  ["another Office file", zip("[Content_Types].xml", "main.xml"), "ooxml", "cv.docx", wordType, "docx"],
  ["an ODT", zipSync(openDocument("text")), "odt", "cv.odt", `${opendocument}.text`, "odt"],
  ["an ODS", zipSync(openDocument("spreadsheet")), "ods", "a.ods", `${opendocument}.spreadsheet`, "odt"],
  ["an ODS named as an ODT", zipSync(openDocument("spreadsheet")), "ods", "a.odt", null, "odt"],
  ["an ODP", zipSync(openDocument("presentation")), "odp", "a.odp", `${opendocument}.presentation`, "odt"],
  [
    "an ODT that was packed again",
    zip("META-INF/manifest.xml", "content.xml", "mimetype"),
    "odf",
    "cv.odt",
    `${opendocument}.text`,
    "odt",
  ],
  ["an archive", zip("photo.jpg"), "zip", "a.docx", null, "unsupported"],
  [
    "an archive with an entry in a comment",
    zipOf(directoryEntry("photo.jpg", directoryEntry("word/document.xml"))),
    "zip",
    "a.docx",
    null,
    "unsupported",
  ],
  [
    "an archive of entries within entries",
    zipOf(`${"PK\u0001\u0002".repeat(60_000)}${directoryEntry("word/document.xml")}`),
    "zip",
    "a.docx",
    null,
    "unsupported",
  ],
  ["a DOC", compound("WordDocument"), "doc", "cv.doc", "application/msword", "doc"],
  ["an XLS", compound("Workbook"), "xls", "a.xls", "application/vnd.ms-excel", "unsupported"],
  ["an XLS with the name of a stream in a cell", mentioning, "xls", "a.xls", "application/vnd.ms-excel", "unsupported"],
  ["an XLS named as a DOC", compound("Workbook"), "xls", "a.doc", null, "unsupported"],
  ["a PPT", compound("PowerPoint Document"), "ppt", "a.ppt", "application/vnd.ms-powerpoint", "unsupported"],
  ["a DOCX with a password", compound("EncryptedPackage"), "encrypted", "cv.docx", null, "encrypted"],
  ["an Outlook message", compound("__properties_version1.0"), "compound", "cv.doc", null, "unsupported"],
  ["RTF", latin("{\\rtf1 x}"), "rtf", "cv.rtf", "application/rtf", "rtf"],
  ["RTF named .doc", latin("{\\rtf1 x}"), "rtf", "cv.doc", "application/rtf", "rtf"],
  ["HTML named .doc", utf8("<html><p>x</p></html>"), "html", "cv.doc", "application/msword", "html"],
  ["HTML named .xls", utf8("<table><tr><td>x</table>"), "html", "a.xls", "application/vnd.ms-excel", "html"],
  ["HTML", utf8("<!doctype html><p>x"), "html", "cv.html", null, "html"],
  ["HTML after comments", utf8(`<?xml version="1.0"?>\n${"<!-- -->\n".repeat(300)}<html>`), "html", "a", null, "html"],
  ["text after comments", utf8(`${"<!---->".repeat(500)}x`), "text", "a.txt", "text/plain", "text"],
  ["a comment without an end", utf8(`<!-- <html>${"<!--".repeat(900)}`), "text", "a.txt", "text/plain", "text"],
  [
    "a web page in one file",
    utf8("From: <Saved by a browser>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\tboundary=b\r\n\r\n"),
    "mhtml",
    "cv.doc",
    "application/msword",
    "mhtml",
  ],
  ["text in UTF-8", utf8("Grüße"), "text", "a.txt", "text/plain", "text"],
  ["a table in Windows-1252", latin("Name;Stadt\nJ\xfcrg;M\xfcnchen\n"), "text", "a.csv", "text/plain", "text"],
  ["text in UTF-16", utf16("Grüße"), "text", "a.txt", "text/plain", "text"],
  ["text in UTF-16 without a mark", utf16("Gruesse an alle", ""), "text", "a.txt", "text/plain", "text"],
  ["a table named .xls", utf8("a\tb\n1\t2\n"), "text", "a.xls", "application/vnd.ms-excel", "text"],
  ["a script in text", utf8("<script>alert(1)</script>"), "text", "a.svg", null, "text"],
  ["a JPEG", latin("\xff\xd8\xff\xe0\0"), "jpeg", "a.jfif", "image/jpeg", "jpeg"],
  ["a JPEG named .png", latin("\xff\xd8\xff\xe0\0"), "jpeg", "a.png", "image/jpeg", "jpeg"],
  ["a PNG", latin("\x89PNG\r\n\x1a\n"), "png", "a.png", "image/png", "png"],
  ["a GIF", latin("GIF89a\0"), "gif", "a.gif", "image/gif", "picture"],
  ["a WebP", latin("RIFF\0\0\0\0WEBP"), "webp", "a.webp", "image/webp", "picture"],
  ["a HEIC", ftyp("heic"), "heic", "a.heic", "image/heic", "picture"],
  ["a HEIF", ftyp("mif1"), "heic", "a.HEIF", "image/heic", "picture"],
  ["an SVG", utf8('<?xml version="1.0"?><svg><script/></svg>'), "svg", "a.png", null, "picture"],
  ["an SVG named as text", utf8("<svg><script/></svg>"), "svg", "a.txt", "text/plain", "picture"],
  ["an SVG named as a table", utf8("<svg><script/></svg>"), "svg", "a.csv", "text/plain", "picture"],
  ["a video", ftyp("isom"), "mp4", "a.heic", null, "unsupported"],
  ["a video of an iPhone", ftyp("qt  "), "quicktime", "a.mov", null, "unsupported"],
  ["a video of an Android phone", ftyp("3gp4"), "mp4", "a.mp4", null, "unsupported"],
  ["sound of an iPhone", ftyp("M4A "), "mp4", "a.m4a", null, "unsupported"],
  [
    "a WebM",
    latin("\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webm"),
    "webm",
    "a.webm",
    null,
    "unsupported",
  ],
  ["a Matroska", latin("\x1aE\xdf\xa3\xa3B\x82\x88matroska"), undefined, "a.mkv", null, "unsupported"],
  ["an Ogg", latin("OggS\0\x02"), "ogg", "a.ogg", null, "unsupported"],
  ["a WAV", latin("RIFF\0\0\0\0WAVEfmt "), "wav", "a.wav", null, "unsupported"],
  ["an MP3", latin("ID3\x04\0\0\0\0\0\0"), "mp3", "a.mp3", null, "unsupported"],
  ["an MP3 without a tag", latin("\xff\xfb\x90\0\0\0"), "mp3", "a.mp3", null, "unsupported"],
  ["a program", latin("MZ\0\0"), undefined, "a.txt", null, "unsupported"],
  ["nothing", new Uint8Array(), "text", "a.exe", null, "empty"],
]

const cvOf = (file: Uint8Array): string => {
  try {
    return formatOf(file).format
  } catch (error) {
    if (error instanceof Unreadable) return error.reason
    throw error
  }
}

describe("the type of a file", () => {
  it.each(cases)("%s", (_, file, type, name, upload, cv) => {
    assert.strictEqual(fileTypeOf(file), type)
    const detector = new FileTypeDetector()
    for (let at = 0; at < file.length; at += 1_000) detector.add(file.subarray(at, at + 1_000))
    if (file.length > 0) assert.strictEqual(detector.type, type, "in pieces")
    assert.strictEqual(uploadType(name, type) ?? null, upload)
    assert.strictEqual(cvOf(file), cv)
  })

  it("names the formats of recordings after what they hold", () => {
    assert.deepStrictEqual(recordedFormatOf("mp4", "audio"), { contentType: "audio/mp4", ending: "m4a" })
    assert.deepStrictEqual(recordedFormatOf("webm", "video"), { contentType: "video/webm", ending: "webm" })
    assert.isUndefined(recordedFormatOf("ogg", "video"))
    assert.isUndefined(recordedFormatOf("pdf", "audio"))
  })

  it("decides what a browser may show", () => {
    assert.deepStrictEqual(
      ["application/pdf", "image/jpeg", "image/heic", "image/svg+xml", "text/html", null].map(viewOf),
      ["pdf", "image", undefined, undefined, undefined, undefined],
    )
  })

  it("names HEIC neither in the page nor in the file chooser, so that phones send a JPEG", () => {
    assert.include(endingsOf(["image"]), ".heic")
    assert.notInclude(offeredEndings(["image"]), ".heic")
    assert.strictEqual(new Set(endingsOf(null)).size, endingsOf(null).length)
  })
})
