/** Which reader reads a file, and why some are not read. */
import { type FileType, fileTypeOf, mediaTypeOf, pictures } from "../../files/FileType.ts"
import { Unreadable } from "./Reading.ts"

export type Format = "png" | "jpeg" | "pdf" | "doc" | "docx" | "odt" | "rtf" | "html" | "mhtml" | "text"

const formats: Partial<Record<FileType, Format>> = {
  pdf: "pdf",
  doc: "doc",
  docx: "docx",
  ooxml: "docx",
  odt: "odt",
  ods: "odt",
  odp: "odt",
  odf: "odt",
  rtf: "rtf",
  html: "html",
  mhtml: "mhtml",
  text: "text",
  png: "png",
  jpeg: "jpeg",
}

/** The media type of a file whose type says less than its format. */
const usual: Partial<Record<FileType, FileType>> = { ooxml: "docx", odf: "odt" }

export interface Recognized {
  readonly format: Format
  readonly mediaType: string
}

export const formatOf = (file: Uint8Array): Recognized => {
  if (file.length === 0) throw new Unreadable("empty")
  const type = fileTypeOf(file)
  if (type === undefined) throw new Unreadable("unsupported")
  if (type === "encrypted") throw new Unreadable("encrypted")
  const format = formats[type]
  if (format === undefined && pictures.includes(type)) throw new Unreadable("picture")
  if (format === undefined) throw new Unreadable("unsupported")
  return { format, mediaType: mediaTypeOf(usual[type] ?? type) }
}
