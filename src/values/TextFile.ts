/** Decodes text files that spreadsheets write: UTF-8, UTF-16 or Windows-1252, with or without a byte order mark. */
import { Result } from "effect"

export type NotText = "empty" | "workbook" | "binary"

const startsWith = (bytes: Uint8Array, ...start: ReadonlyArray<number>): boolean =>
  start.every((byte, i) => bytes[i] === byte)

/** Detects UTF-16 without a byte order mark by the first bytes: ASCII in UTF-16 has a zero in every other byte. */
const zerosAt = (bytes: Uint8Array, parity: 0 | 1): boolean => {
  const start = bytes.subarray(0, Math.min(200, bytes.length - (bytes.length % 2)))
  if (start.length < 4) return false
  const zeros = start.filter((byte, i) => i % 2 === parity && byte === 0).length
  return zeros > start.length / 4
}

const encodingOf = (bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" => {
  if (startsWith(bytes, 0xff, 0xfe) || zerosAt(bytes, 1)) return "utf-16le"
  return startsWith(bytes, 0xfe, 0xff) || zerosAt(bytes, 0) ? "utf-16be" : "utf-8"
}

/** True if the text has no control characters other than white space and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const isText = (text: string): boolean => !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text)

const decode = (bytes: Uint8Array): string => {
  const encoding = encodingOf(bytes)
  if (encoding !== "utf-8") return new TextDecoder(encoding).decode(bytes)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

/** Returns the text without the byte order mark. The error `workbook`: XLSX, ODS (ZIP) or XLS. */
export const decodeText = (bytes: Uint8Array): Result.Result<string, NotText> => {
  if (startsWith(bytes, 0x50, 0x4b, 3, 4) || startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) return Result.fail("workbook")
  const text = decode(bytes)
  if (!isText(text) || startsWith(bytes, 0x25, 0x50, 0x44, 0x46)) return Result.fail("binary")
  return text.trim() === "" ? Result.fail("empty") : Result.succeed(text)
}
