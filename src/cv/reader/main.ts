/** The child process of ChildCvReader.ts. Reads a file from stdin; writes "ready", then a line of JSON. */
import { stdin, stdout } from "node:process"
import { contactsOf } from "./Contacts.ts"
import { type Format, formatOf } from "./Format.ts"
import { decodeHtml, finish, readText } from "./PlainText.ts"
import type { OcrLanguage, ReaderOptions } from "./ReaderOptions.ts"
import { type Reading, Unreadable } from "./Reading.ts"

const options: ReaderOptions = JSON.parse(process.argv[2] ?? "")
const { maxOcrPages, maxPages, maxPicturePixels, maxTextLength, ocr } = options

/** Fewer words: the file is a scan, possibly with a line of the scanner. */
const minWords = 20

class NeedsOcr extends Error {}

/** Imported on use, because loading pdf.js and Tesseract takes long. */
const makeReader = async (languages: ReadonlyArray<OcrLanguage>) => {
  const { makeRecognizer } = await import("./ocr/Recognizer.ts")
  const { makePageReader } = await import("./ocr/ReadPage.ts")
  return makePageReader(await makeRecognizer(languages))
}

const readPdf = async (file: Uint8Array): Promise<Reading> => {
  const pdf = await import("./Pdf.ts")
  if (typeof ocr === "string") {
    const reading = await pdf.readPdf(file, { maxPages })
    if (ocr === "later" && (reading.text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) < minWords) throw new NeedsOcr()
    return reading
  }
  const readPage = await makeReader(ocr.languages)
  return pdf.readPdf(file, { maxPages, ocr: { maxPages: maxOcrPages, maxPixels: maxPicturePixels, readPage } })
}

const readPicture = async (file: Uint8Array, type: "png" | "jpeg"): Promise<Reading> => {
  if (ocr === "off") throw new Unreadable("ocr_off")
  const { checkPicture, drawPicture } = await import("./ocr/Picture.ts")
  checkPicture(file, type, maxPicturePixels)
  if (ocr === "later") throw new NeedsOcr()
  const { picturePixels } = await import("./Pdf.ts")
  const { isCut, page } = await drawPicture(file, type, (pdf) => picturePixels(pdf, maxPicturePixels))
  const text = (await makeReader(ocr.languages))(page)
  return { text, hidden: "", names: [], recognized: { pages: 1, of: 1, isCut } }
}

const readers: Readonly<Record<Format, (file: Uint8Array) => Promise<Reading>>> = {
  pdf: readPdf,
  png: (file) => readPicture(file, "png"),
  jpeg: (file) => readPicture(file, "jpeg"),
  doc: async (file) => (await import("./Doc.ts")).readDoc(file),
  docx: async (file) => (await import("./Docx.ts")).readDocx(file),
  odt: async (file) => (await import("./Odt.ts")).readOdt(file),
  rtf: async (file) => (await import("./Rtf.ts")).readRtf(file),
  html: async (file) => (await import("./Html.ts")).readWebPage(decodeHtml(file)),
  mhtml: async (file) => (await import("./Html.ts")).readWebPage((await import("./Mhtml.ts")).pageOf(file)),
  text: async (file) => ({ text: readText(file), hidden: "", names: [] }),
}

const namesOf = (languages: ReadonlyArray<string>): string => {
  const names = new Intl.DisplayNames("en", { type: "language" })
  return new Intl.ListFormat("en").format(languages.map((language) => names.of(language) ?? language))
}

const warningsOf = ({ recognized }: Reading) => {
  if (recognized === undefined || typeof ocr === "string") return {}
  const { isCut = false, of, pages } = recognized
  const readAs = `The CV was read by OCR (text recognition in pictures), as ${namesOf(ocr.languages)}. Some words may be wrong.`
  const warnings = [
    { code: "read_by_ocr", message: readAs },
    ...(of > maxOcrPages
      ? [{ code: "part_not_read", message: `Only the first ${maxOcrPages} of ${of} pages were read by OCR.` }]
      : []),
    ...(isCut
      ? [{ code: "part_not_read", message: "The picture's file is cut off: the missing part was not read." }]
      : []),
  ]
  return pages === 0 ? {} : { warnings }
}

const read = async (file: Uint8Array) => {
  const { format, mediaType } = formatOf(file)
  const reading = await readers[format](file)
  const { hidden, names, text } = reading
  const { notes, text: plain } = finish(text, hidden, maxTextLength)
  if (!/[\p{L}\p{N}]/u.test(plain)) throw new Unreadable("no_text")
  return { type: mediaType, text: plain, notes, contacts: contactsOf(plain, names), ...warningsOf(reading) }
}

/** RangeError: out of stack, for example. */
const reasonOf = (error: unknown) => {
  if (error instanceof Unreadable) return error.reason
  return error instanceof RangeError ? "too_complex" : "damaged"
}

// libraries' rejected promises must not end the process
process.on("unhandledRejection", () => {})

stdout.write("ready\n")
const chunks: Array<Uint8Array> = []
for await (const chunk of stdin) chunks.push(chunk)
const answer = await read(new Uint8Array(Buffer.concat(chunks))).then(
  (content) => ({ content }),
  (error: unknown) => (error instanceof NeedsOcr ? { needsOcr: true } : { reason: reasonOf(error) }),
)
stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0))
