/**
 * Determines the type of a file from its bytes: of uploads, CVs, recordings, and of downloads that a browser may show. The file
 * name's extension is not read; it is often wrong.
 */

interface Facts {
  readonly mediaType: string
  /** Browsers show the file without running scripts in it. */
  readonly view?: "pdf" | "image"
  /** What a recording in this container may hold, with the ending of its file's name; one for video may hold sound alone. */
  readonly recorded?: Readonly<Partial<Record<RecordedKind, string>>>
}

/** What a recording contains. */
export type RecordedKind = "audio" | "video"

const openXml = "application/vnd.openxmlformats-officedocument"
const openDocument = "application/vnd.oasis.opendocument"

const facts = {
  pdf: { mediaType: "application/pdf", view: "pdf" },
  docx: { mediaType: `${openXml}.wordprocessingml.document` },
  xlsx: { mediaType: `${openXml}.spreadsheetml.sheet` },
  pptx: { mediaType: `${openXml}.presentationml.presentation` },
  /** Office Open XML whose main part has an unusual name. */
  ooxml: { mediaType: "application/zip" },
  odt: { mediaType: `${openDocument}.text` },
  ods: { mediaType: `${openDocument}.spreadsheet` },
  odp: { mediaType: `${openDocument}.presentation` },
  /** OpenDocument without its media type. */
  odf: { mediaType: "application/zip" },
  zip: { mediaType: "application/zip" },
  doc: { mediaType: "application/msword" },
  xls: { mediaType: "application/vnd.ms-excel" },
  ppt: { mediaType: "application/vnd.ms-powerpoint" },
  /** Office Open XML with a password (MS-OFFCRYPTO). */
  encrypted: { mediaType: "application/octet-stream" },
  compound: { mediaType: "application/octet-stream" },
  png: { mediaType: "image/png", view: "image" },
  jpeg: { mediaType: "image/jpeg", view: "image" },
  webp: { mediaType: "image/webp", view: "image" },
  gif: { mediaType: "image/gif", view: "image" },
  heic: { mediaType: "image/heic" },
  avif: { mediaType: "image/avif" },
  tiff: { mediaType: "image/tiff" },
  bmp: { mediaType: "image/bmp" },
  svg: { mediaType: "image/svg+xml" },
  rtf: { mediaType: "application/rtf" },
  html: { mediaType: "text/html" },
  /** A web page saved as one file (RFC 2557). */
  mhtml: { mediaType: "multipart/related" },
  text: { mediaType: "text/plain" },
  webm: { mediaType: "video/webm", recorded: { audio: "webm", video: "webm" } },
  /** Also of phones: 3GPP (TS 26.244) is the same container. */
  mp4: { mediaType: "video/mp4", recorded: { audio: "m4a", video: "mp4" } },
  ogg: { mediaType: "audio/ogg", recorded: { audio: "ogg" } },
  mp3: { mediaType: "audio/mpeg", recorded: { audio: "mp3" } },
  wav: { mediaType: "audio/wav", recorded: { audio: "wav" } },
  quicktime: { mediaType: "video/quicktime", recorded: { audio: "mov", video: "mov" } },
} satisfies Record<string, Facts>

export type FileType = keyof typeof facts

export const mediaTypeOf = (type: FileType): string => facts[type].mediaType

/** The types of files that may be recordings. */
export type RecordedType = {
  [Type in FileType]: "recorded" extends keyof (typeof facts)[Type] ? Type : never
}[FileType]

interface RecordedFormat {
  /** Containers for video are named after what the recording holds. */
  readonly contentType: string
  /** Of a file's name, without the dot. */
  readonly ending: string
}

const recordedKinds: ReadonlyArray<RecordedKind> = ["audio", "video"]

const formatOf = ({ mediaType, recorded }: Facts, kind: RecordedKind): RecordedFormat | undefined => {
  const ending = recorded?.[kind]
  return ending === undefined ? undefined : { contentType: mediaType.replace(/^(?:audio|video)\//, `${kind}/`), ending }
}

/** Undefined: files of this type hold no recording of this kind. */
export const recordedFormatOf = (type: FileType | undefined, kind: RecordedKind): RecordedFormat | undefined =>
  type === undefined ? undefined : formatOf(facts[type], kind)

/** As browsers record, and as files of other recorders are. */
export const recordedFormats: ReadonlyArray<RecordedFormat> = Object.values<Facts>(facts).flatMap((one) =>
  recordedKinds.flatMap((kind) => formatOf(one, kind) ?? []),
)

export const pictures: ReadonlyArray<FileType> = ["png", "jpeg", "webp", "gif", "heic", "avif", "tiff", "bmp", "svg"]

/** How browsers show files of this media type; undefined: they download them. */
export const viewOf = (mediaType: string | null): "pdf" | "image" | undefined =>
  Object.values<Facts>(facts).find((one) => one.mediaType === mediaType)?.view

const headLength = 4096
/** A PDF header may be anywhere in these bytes (ISO 32000-1, Annex H, note 13). */
const pdfHeadLength = 1024
/** Longer than a ZIP directory of 2,000 entries, its comment included. */
const tailLength = 256 * 1024

const bytes = (...values: ReadonlyArray<number>) => Buffer.from(values)
const zipEntry = bytes(0x50, 0x4b, 3, 4)
const zipDirectoryEntry = bytes(0x50, 0x4b, 1, 2)
const zipEnd = bytes(0x50, 0x4b, 5, 6)
const compoundFile = bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)

const startsWith = (file: Buffer, start: Buffer) => file.subarray(0, start.length).equals(start)

/** Some programs write backslashes and capital letters in names of ZIP entries. */
export const partName = (name: string): string => name.replaceAll("\\", "/").replace(/^\/+/, "").toLowerCase()

/** More than Office programs write; an upload may have any number. */
const maxNames = 2000
const maxNameLength = 512

/** APPNOTE 4.3.12: the names in a ZIP's directory, or in local headers if the directory is missing. */
const zipNames = (head: Buffer, tail: Buffer): ReadonlyArray<string> => {
  const end = tail.lastIndexOf(zipEnd)
  if (end >= 0 && end + 16 <= tail.length) {
    const start = end - tail.readUInt32LE(end + 12)
    const isThere = start >= 0 && startsWith(tail.subarray(start), zipDirectoryEntry)
    const names = directoryNames(tail.subarray(0, end), isThere ? start : tail.indexOf(zipDirectoryEntry))
    if (names.length > 0) return names
  }
  return localNames(head)
}

const nameAt = (from: Buffer, start: number, length: number): string =>
  partName(from.toString("utf8", start, start + Math.min(length, maxNameLength)))

const directoryNames = (directory: Buffer, start: number): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (let at = start; at >= 0 && at + 46 <= directory.length && names.length < maxNames; ) {
    if (!startsWith(directory.subarray(at), zipDirectoryEntry)) break
    const length = directory.readUInt16LE(at + 28)
    names.push(nameAt(directory, at + 46, length))
    at += 46 + length + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return names
}

const localNames = (head: Buffer): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (let at = 0; at >= 0 && at + 30 <= head.length; ) {
    const length = head.readUInt16LE(at + 26)
    names.push(nameAt(head, at + 30, length))
    at = head.indexOf(zipEntry, at + 30 + length)
  }
  return names
}

const isIn =
  (names: ReadonlyArray<string>) =>
  (name: RegExp): boolean =>
    names.some((one) => name.test(one))

const zipType = (head: Buffer, tail: Buffer): FileType => {
  // OpenDocument 1.3, part 2, 3.3: the first entry, not compressed
  const declared = /^.{26}mimetype.{0,64}?application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/s.exec(
    head.toString("latin1", 4, 256),
  )?.[1]
  if (declared !== undefined) return declared === "text" ? "odt" : declared === "spreadsheet" ? "ods" : "odp"
  const has = isIn(zipNames(head, tail))
  const isPackage = has(/^\[content_types\]\.xml$/) || has(/^_rels\/\.rels$/)
  if (has(/^word\/document\d*\.xml$/) || (isPackage && has(/^word\//))) return "docx"
  if (isPackage) return has(/^xl\//) ? "xlsx" : has(/^ppt\//) ? "pptx" : "ooxml"
  return has(/^content\.xml$/) && has(/^meta-inf\/manifest\.xml$/) ? "odf" : "zip"
}

/** Streams of a Compound File, by which its types differ. */
const streams: ReadonlyArray<readonly [name: string, type: FileType]> = [
  ["EncryptedPackage", "encrypted"],
  ["WordDocument", "doc"],
  ["PowerPoint Document", "ppt"],
  ["Workbook", "xls"],
  ["Book", "xls"],
]
/** MS-CFB 2.6.1: entries of the directory are 128 bytes long, in sectors of 512 bytes or more. */
const directoryEntry = 128

const isZeroAt = (file: Buffer, parity: 0 | 1): boolean => {
  const start = file.subarray(0, Math.min(400, file.length - (file.length % 2)))
  let zeros = 0
  for (let i = parity; i < start.length; i += 2) if (start[i] === 0) zeros++
  return start.length >= 4 && zeros > start.length / 4
}

/** True for text in UTF-8, UTF-16 or any 8-bit encoding: no control characters but white space and escape. */
const isText = (head: Buffer): boolean => {
  const isMarked16 = startsWith(head, bytes(0xff, 0xfe)) || startsWith(head, bytes(0xfe, 0xff))
  if (isMarked16 || isZeroAt(head, 0) || isZeroAt(head, 1)) {
    const isBig = startsWith(head, bytes(0xfe, 0xff)) || (!isMarked16 && isZeroAt(head, 0))
    const even = head.subarray(0, head.length - (head.length % 2))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
    return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(new TextDecoder(isBig ? "utf-16be" : "utf-16le").decode(even))
  }
  return !head.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 0x1b))
}

const ftyp: Record<string, FileType> = { heic: "heic", heix: "heic", hevc: "heic", hevx: "heic", heim: "heic" }
/** Brands of ISO 14496-12, of 3GPP and of Apple. */
const isMp4 = (brand: string): boolean => /^(?:iso\w|mp4\w|avc1|dash|m4[av] |3g[pr2]\w|msnv|cmf\w)$/.test(brand)
const ftypMore: Record<string, FileType> = { heis: "heic", mif1: "heic", msf1: "heic", avif: "avif", avis: "avif" }

const htmlElement = /<(?:!doctype html|html|head|body|title|meta|div|table|form|h1|p)[\s>]/iy
const xmlDeclaration = /<\?xml[^>]*>/y

/** Begins with an element of HTML, after white space, an XML declaration and comments. */
const isHtml = (text: string): boolean => {
  const from = (index: number) => index + text.slice(index).search(/\S|$/)
  let at = from(0)
  xmlDeclaration.lastIndex = at
  if (xmlDeclaration.test(text)) at = from(xmlDeclaration.lastIndex)
  while (text.startsWith("<!--", at)) {
    const end = text.indexOf("-->", at + 4)
    if (end < 0) return false
    at = from(end + 3)
  }
  htmlElement.lastIndex = at
  return htmlElement.test(text)
}

/** The type of a file whose first bytes determine it. */
const headType = (head: Buffer): FileType | undefined => {
  const latin = head.toString("latin1")
  if (/(?:^|[^\x20-\x7e])%PDF-\d/.test(latin.slice(0, pdfHeadLength)) || latin.startsWith("%PDF-")) return "pdf"
  if (startsWith(head, bytes(0xff, 0xd8, 0xff))) return "jpeg"
  if (startsWith(head, bytes(0x89, 0x50, 0x4e, 0x47))) return "png"
  if (/^(?:II\*\0|MM\0\*)/.test(latin)) return "tiff"
  if (/^GIF8[79]a/.test(latin)) return "gif"
  if (/^BM.{4}\0{4}/s.test(latin)) return "bmp"
  if (/^RIFF.{4}WEBP/s.test(latin)) return "webp"
  if (/^RIFF.{4}WAVE/s.test(latin)) return "wav"
  // EBML (RFC 8794) with the document type of WebM
  if (startsWith(head, bytes(0x1a, 0x45, 0xdf, 0xa3)) && latin.slice(0, 64).includes("webm")) return "webm"
  if (latin.startsWith("OggS")) return "ogg"
  const brand = /^.{4}ftyp(.{4})/s.exec(latin)?.[1]?.toLowerCase() ?? ""
  const container = ftyp[brand] ?? ftypMore[brand]
  if (container !== undefined) return container
  if (brand === "qt  ") return "quicktime"
  if (isMp4(brand)) return "mp4"
  // a tag (ID3v2), or the head of a frame of MPEG layer III, whose first bits no text has
  if (latin.startsWith("ID3") || /^\xff[\xe2\xe3\xf2\xf3\xfa\xfb]/.test(latin)) return "mp3"
  // text in UTF-16 begins alike
  const plain = latin.replaceAll("\0", "").replace(/^[\xef\xbb\xbf\xfe\xff]+/, "")
  if (/^\s*\{\\rtf/.test(plain)) return "rtf"
  if (/^\s*<(\?xml[^>]*>\s*<)?(!doctype )?svg[\s>]/i.test(plain)) return "svg"
  if (isHtml(plain)) return "html"
  if (!isText(head)) return undefined
  if (/^(?:[\w-]+:[^\n]*\n(?:[ \t][^\n]*\n)*)+/.test(plain) && /^content-type:\s*multipart\/related/im.test(plain))
    return "mhtml"
  return "text"
}

/** Takes the bytes of a file in pieces, and keeps at most 260 KiB of them. */
export class FileTypeDetector {
  #head: Buffer = Buffer.alloc(0)
  #tail: Array<Uint8Array> = []
  #tailLength = 0
  #size = 0
  #stream: FileType | undefined
  #before: Buffer = Buffer.alloc(0)

  add(piece: Uint8Array): void {
    if (piece.length === 0) return
    if (this.#head.length < headLength)
      this.#head = Buffer.concat([this.#head, piece.subarray(0, headLength - this.#head.length)])
    if (this.#isCompound) this.#findStream(piece)
    else if (this.#isZip) this.#keepTail(piece)
    this.#size += piece.length
  }

  get #isZip(): boolean {
    return startsWith(this.#head, zipEntry)
  }

  get #isCompound(): boolean {
    return startsWith(this.#head, compoundFile)
  }

  #keepTail(piece: Uint8Array): void {
    this.#tail.push(piece)
    this.#tailLength += piece.length
    for (let first = this.#tail[0]; first !== undefined; first = this.#tail[0]) {
      if (this.#tailLength - first.length < tailLength) return
      this.#tail.shift()
      this.#tailLength -= first.length
    }
  }

  #findStream(piece: Uint8Array): void {
    if (this.#stream !== undefined) return
    const window = Buffer.concat([this.#before, piece])
    const start = this.#size - this.#before.length
    let first = window.length
    for (const [name, type] of streams) {
      const entry = Buffer.from(`${name}\0`, "utf16le")
      for (let at = window.indexOf(entry); at >= 0 && at < first; at = window.indexOf(entry, at + 2)) {
        if ((start + at) % directoryEntry !== 0) continue
        first = at
        this.#stream = type
      }
    }
    this.#before = window.subarray(-directoryEntry)
  }

  /** True for ZIP and Compound Files: `type` is right only at the end of the file. */
  get needsEnd(): boolean {
    return this.#isZip || this.#isCompound
  }

  /** The type of the whole file; undefined: unknown. */
  get type(): FileType | undefined {
    if (this.#isCompound) return this.#stream ?? "compound"
    return this.#isZip ? zipType(this.#head, Buffer.concat(this.#tail)) : headType(this.#head)
  }
}

export const fileTypeOf = (file: Uint8Array): FileType | undefined => {
  const detector = new FileTypeDetector()
  detector.add(file)
  return detector.type
}
