/** The child process of ChildCvReader.ts. Reads a file from stdin; writes "ready", then a line of JSON. */
import { stdin, stdout } from "node:process"
import { contactsOf } from "./Contacts.ts"
import { type Format, formatOf } from "./Format.ts"
import { decodeHtml, finish, readText } from "./PlainText.ts"
import { type Reading, Unreadable } from "./Reading.ts"

const [maxTextLength = 0, maxPages = 0] = process.argv.slice(2).map(Number)

/** Imported on use, because loading pdf.js takes long. */
const readers: Readonly<Record<Format, (file: Uint8Array) => Promise<Reading>>> = {
  pdf: async (file) => (await import("./Pdf.ts")).readPdf(file, { maxPages }),
  doc: async (file) => (await import("./Doc.ts")).readDoc(file),
  docx: async (file) => (await import("./Docx.ts")).readDocx(file),
  odt: async (file) => (await import("./Odt.ts")).readOdt(file),
  rtf: async (file) => (await import("./Rtf.ts")).readRtf(file),
  html: async (file) => (await import("./Html.ts")).readWebPage(decodeHtml(file)),
  mhtml: async (file) => (await import("./Html.ts")).readWebPage((await import("./Mhtml.ts")).pageOf(file)),
  text: async (file) => ({ text: readText(file), hidden: "", names: [] }),
}

const read = async (file: Uint8Array) => {
  const { format, mediaType } = formatOf(file)
  const { hidden, names, text } = await readers[format](file)
  const { notes, text: plain } = finish(text, hidden, maxTextLength)
  if (!/[\p{L}\p{N}]/u.test(plain)) throw new Unreadable("no_text")
  return { type: mediaType, text: plain, notes, contacts: contactsOf(plain, names) }
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
  (error: unknown) => ({ reason: reasonOf(error) }),
)
stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0))
