/**
 * Decodes text of unknown encoding: files of spreadsheets, CVs, web pages. In this order: the byte order mark, the given
 * encoding, UTF-8, UTF-16 and UTF-32 without a byte order mark, ISO-2022-JP, then a guess (EncodingGuess.ts).
 */
import { decodeAs, decodeStrictly, encodingNamed } from "./CodePages.ts"
import { guessEncoding } from "./EncodingGuess.ts"

export interface DecodedText {
  /** Without the byte order mark. */
  readonly text: string
  /** Lower-case name, such as utf-8, windows-1250, macintosh. */
  readonly encoding: string
  /** False if another encoding is almost as probable. */
  readonly isCertain: boolean
}

const startsWith = (bytes: Uint8Array, ...start: ReadonlyArray<number>): boolean =>
  start.every((byte, i) => bytes[i] === byte)

const markedEncoding = (bytes: Uint8Array): string | undefined => {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return "utf-8"
  if (startsWith(bytes, 0xff, 0xfe, 0, 0) && bytes.length % 4 === 0) return "utf-32le"
  if (startsWith(bytes, 0, 0, 0xfe, 0xff)) return "utf-32be"
  if (startsWith(bytes, 0xff, 0xfe)) return "utf-16le"
  return startsWith(bytes, 0xfe, 0xff) ? "utf-16be" : undefined
}

/** True if the text has no control characters other than white space and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const isText = (text: string): boolean => !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text)

const maxProbed = 4096

/** Wide encodings of text with ASCII in it, if only line breaks: the bytes have zeros, which other text has not. */
const wideEncoding = (bytes: Uint8Array): string | undefined => {
  const start = bytes.subarray(0, Math.min(maxProbed, bytes.length - (bytes.length % 4 || 4) + 4))
  const even = start.subarray(0, start.length - (start.length % 2))
  if (even.length < 2 || !even.includes(0)) return undefined
  const readings = ["utf-32le", "utf-32be", "utf-16le", "utf-16be"].flatMap((encoding) => {
    const text = decodeStrictly(encoding.startsWith("utf-32") ? start.subarray(0, start.length & ~3) : even, encoding)
    return text === undefined || text === "" || !isText(text) || /[\ufffe\uffff\u{10000}-\u{10ffff}]/u.test(text)
      ? []
      : [{ encoding, score: (text.match(/[\n\r\t ,;.@A-Za-z0-9]/g)?.length ?? 0) / text.length, length: text.length }]
  })
  return readings.toSorted((a, b) => b.score - a.score || a.length - b.length)[0]?.encoding
}

/** UTF-8 with few malformed bytes, as when a program cuts a text in the middle of a character. */
const isDamagedUtf8 = (text: string): boolean => {
  const malformed = text.match(/\ufffd+/g)?.length ?? 0
  const right = text.match(/[\u0080-\ufffc\u{10000}-\u{10ffff}]/gu)?.length ?? 0
  return right >= 5 && right > 5 * malformed
}

/** Letters of two bytes that few languages have: of these, or two bytes of another encoding, which are UTF-8 by chance. */
const odd =
  /[\u0180-\u018e\u0190-\u019f\u01a2-\u01ae\u01b1-\u01cc\u01dd-\u0217\u021c-\u0258\u025a-\u02b8\u0483-\u0489\u0500-\u052f\u0700-\u07ff]/g

const isOddUtf8 = (text: string): boolean => {
  const found = text.match(odd)?.length ?? 0
  return found > 0 && found * 2 >= (text.match(/[^\p{ASCII}]/gu)?.length ?? 0)
}

/** No word has letters of these two scripts, next to one another. */
const isChance = (text: string): boolean => /[A-Za-z][\u0700-\u07ff]|[\u0700-\u07ff][A-Za-z]/.test(text)

const isJisEscaped = (bytes: Uint8Array): boolean =>
  bytes.some(
    (byte, at) => byte === 0x1b && bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x42 || bytes[at + 2] === 0x40),
  )

const decoded = (bytes: Uint8Array, encoding: string, isCertain = true): DecodedText => ({
  text: encoding === "utf-8" ? decodedOnce(decodeAs(bytes, encoding)) : decodeAs(bytes, encoding),
  encoding,
  isCertain,
})

const extended = new Map(
  [
    ...decodeAs(
      Uint8Array.from({ length: 128 }, (_, i) => i + 128),
      "windows-1252",
    ),
  ].map((letter, i) => [letter, i + 128]),
)

/** Undoes a second encoding ("JÃ¼rg"): its text was UTF-8 that a program read as Windows-1252 and wrote as UTF-8. */
const decodedOnce = (text: string): string => {
  if (!/[\u00c2-\u00f4][^\p{ASCII}]/u.test(text)) return text
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const byte = code < 128 ? code : (extended.get(text[i] ?? "") ?? code)
    if (byte > 255) return text
    bytes[i] = byte
  }
  return decodeStrictly(bytes, "utf-8") ?? text
}

/**
 * Never fails: malformed bytes become U+FFFD. `given`: the label of a header or a document, or what a person chose; it is
 * ignored if it is unknown or the bytes are malformed in it.
 */
export const decodeText = (bytes: Uint8Array, given?: string): DecodedText => {
  const marked = markedEncoding(bytes)
  if (marked !== undefined) return decoded(bytes, marked)
  const named = given === undefined ? undefined : encodingNamed(given)
  if (named !== undefined) {
    const text = decodeStrictly(bytes, named)
    if (text !== undefined) return { text, encoding: named, isCertain: true }
  }
  const wide = wideEncoding(bytes)
  if (wide !== undefined) return decoded(bytes, wide)
  const utf8 = decodeAs(bytes, "utf-8")
  const isUtf8 = !utf8.includes("\ufffd")
  if (isUtf8 && !isChance(utf8))
    return isJisEscaped(bytes) ? decoded(bytes, "iso-2022-jp") : decoded(bytes, "utf-8", !isOddUtf8(utf8))
  if (!isUtf8 && isDamagedUtf8(utf8)) return { text: utf8, encoding: "utf-8", isCertain: false }
  const { encoding, isCertain } = guessEncoding(bytes)
  return isUtf8 && !isCertain ? decoded(bytes, "utf-8", false) : decoded(bytes, encoding, isCertain)
}

export type NotText = "empty" | "workbook" | "binary"

/** Why a file is not a text; `workbook`: XLSX, ODS (ZIP) or XLS. Undefined: it is one. */
export const notTextOf = (bytes: Uint8Array, text: string): NotText | undefined => {
  if (startsWith(bytes, 0x50, 0x4b, 3, 4) || startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) return "workbook"
  if (!isText(text) || startsWith(bytes, 0x25, 0x50, 0x44, 0x46)) return "binary"
  return text.trim() === "" ? "empty" : undefined
}
