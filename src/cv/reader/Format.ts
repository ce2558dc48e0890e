/** Detects the format of a file from its bytes. */
import { partsOf } from "./Package.ts"
import { Unreadable } from "./Unreadable.ts"

export type Format = "pdf" | "docx" | "odt" | "rtf" | "html" | "text"

export const mediaTypes: Readonly<Record<Format, string>> = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  odt: "application/vnd.oasis.opendocument.text",
  rtf: "application/rtf",
  html: "text/html",
  text: "text/plain",
}

/** A PDF header may be anywhere in these bytes (ISO 32000-1, Annex H, note 13). */
const headLength = 1024

const startsWith = (file: Uint8Array, ...signature: ReadonlyArray<number>) =>
  signature.every((byte, i) => byte < 0 || file[i] === byte)

const isPicture = (file: Uint8Array, head: string) =>
  startsWith(file, 0xff, 0xd8, 0xff) ||
  startsWith(file, 0x89, 0x50, 0x4e, 0x47) ||
  startsWith(file, 0x49, 0x49, 0x2a, 0) ||
  startsWith(file, 0x4d, 0x4d, 0, 0x2a) ||
  /^GIF8[79]a|^BM.{4}\0{4}|^RIFF.{4}WEBP|^.{4}ftyp(heic|heix|mif1|avif)|^<(\?xml[^>]*>\s*<)?svg/s.test(head)

const utf16 = (text: string) => Buffer.from(text, "utf16le")

/** Compound File (MS-CFB): Word before 2007, or an encrypted DOCX (MS-OFFCRYPTO). */
const compoundFileReason = (file: Uint8Array) => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (bytes.includes(utf16("EncryptedPackage"))) return "encrypted"
  return bytes.includes(utf16("WordDocument")) ? "old_word" : "unsupported"
}

const archiveFormat = (file: Uint8Array): Format => {
  const parts = new Set(partsOf(file))
  if ([...parts].some((part) => /^word\/document\d*\.xml$/.test(part))) return "docx"
  if (parts.has("content.xml") && parts.has("META-INF/manifest.xml")) return "odt"
  throw new Unreadable(parts.has("[Content_Types].xml") && parts.has("word/") ? "damaged" : "unsupported")
}

export const formatOf = (file: Uint8Array): Format => {
  if (file.length === 0) throw new Unreadable("empty")
  const head = Buffer.from(file.subarray(0, headLength)).toString("latin1")
  if (head.includes("%PDF-")) return "pdf"
  if (startsWith(file, 0x50, 0x4b, 3, 4)) return archiveFormat(file)
  if (startsWith(file, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)) throw new Unreadable(compoundFileReason(file))
  if (isPicture(file, head)) throw new Unreadable("picture")
  if (head.startsWith("{\\rtf")) return "rtf"
  const plain = head.replaceAll("\0", "").replace(/^[\xef\xbb\xbf\xfe\xff]+/, "")
  if (
    /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<(!doctype html|html|head|body|title|meta|div|table)[\s>]/i.test(plain)
  )
    return "html"
  return "text"
}
