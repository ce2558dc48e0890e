/** Plain text, in the encodings that people's editors write. */
import { Unreadable } from "./Unreadable.ts"

/** Everything but control characters that no text has. */
const isText = (text: string) => !/[^\P{Cc}\t\n\v\f\r\u0085]/u.test(text)

/** UTF-8, UTF-16 with its mark, else Windows-1252, which holds Latin-1. */
export const decodeText = (bytes: Uint8Array): string => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

export const readText = (bytes: Uint8Array): string => {
  const text = decodeText(bytes)
  if (!isText(text)) throw new Unreadable("unsupported")
  return text
}
