/**
 * Rules for uploaded files: size, types, names. The bytes determine the type; the extension distinguishes types with
 * the same signature, such as DOCX and XLSX.
 */

export const maxFileBytes = 10 * 1024 * 1024

export const headLength = 4096

/** Code points. */
const maxNameLength = 150

type Sort = (head: Uint8Array) => boolean

const startsWith =
  (...signature: ReadonlyArray<number>): Sort =>
  (head) =>
    signature.every((byte, i) => head[i] === byte)

const ascii = (head: Uint8Array, from: number, to: number): string => String.fromCharCode(...head.subarray(from, to))

const isPdf: Sort = (head) => ascii(head, 0, 5) === "%PDF-"
const isPng = startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const isJpeg = startsWith(0xff, 0xd8, 0xff)
const isWebp: Sort = (head) => ascii(head, 0, 4) === "RIFF" && ascii(head, 8, 12) === "WEBP"
/** Compound File Binary: Word until 2003. */
const isCompound = startsWith(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)

/** APPNOTE 4.3.7: the name of the first entry is at offset 30. */
const firstEntry = (head: Uint8Array): string =>
  startsWith(0x50, 0x4b, 0x03, 0x04)(head) ? ascii(head, 30, 30 + 128) : ""

/** ECMA-376, part 2. */
const isOpenXml: Sort = (head) =>
  /^(\[Content_Types\]\.xml|_rels\/|docProps\/|word\/|xl\/|ppt\/)/.test(firstEntry(head))

/** OpenDocument 1.3, part 2, 3.3. */
const isOpenDocument =
  (kind: string): Sort =>
  (head) =>
    firstEntry(head).startsWith(`mimetypeapplication/vnd.oasis.opendocument.${kind}`)

/** `head` may end inside a character. */
const isText: Sort = (head) => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true })
    return !/[^\P{Cc}\t\n\r\f]/u.test(text)
  } catch {
    return false
  }
}

const office = "application/vnd.openxmlformats-officedocument"

/** Groups of file types that a question can allow. */
export const fileKinds = ["pdf", "word", "spreadsheet", "presentation", "image", "text"] as const
export type FileKind = (typeof fileKinds)[number]

const types: ReadonlyArray<readonly [kind: FileKind, endings: ReadonlyArray<string>, type: string, is: Sort]> = [
  ["pdf", ["pdf"], "application/pdf", isPdf],
  ["word", ["docx"], `${office}.wordprocessingml.document`, isOpenXml],
  ["spreadsheet", ["xlsx"], `${office}.spreadsheetml.sheet`, isOpenXml],
  ["presentation", ["pptx"], `${office}.presentationml.presentation`, isOpenXml],
  ["word", ["odt"], "application/vnd.oasis.opendocument.text", isOpenDocument("text")],
  ["word", ["doc"], "application/msword", isCompound],
  ["image", ["png"], "image/png", isPng],
  ["image", ["jpg", "jpeg"], "image/jpeg", isJpeg],
  ["image", ["webp"], "image/webp", isWebp],
  ["text", ["txt", "md", "csv"], "text/plain", isText],
]

/** Kinds of files that a question allows; null: all. */
export type AllowedFiles = ReadonlyArray<string> | null

/** File name extensions with the dot, as the attribute `accept` needs them. */
export const endingsOf = (allowed: AllowedFiles): ReadonlyArray<string> =>
  types.flatMap(([kind, endings]) =>
    allowed === null || allowed.includes(kind) ? endings.map((one) => `.${one}`) : [],
  )

export const acceptedEndings: ReadonlyArray<string> = endingsOf(null)

/** Undefined: the type is not allowed, or the content does not match the extension. */
export const fileType = (name: string, head: Uint8Array, allowed: AllowedFiles = null): string | undefined => {
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase()
  return types.find(
    ([kind, endings, , is]) => (allowed === null || allowed.includes(kind)) && endings.includes(ending) && is(head),
  )?.[2]
}

/** Without path, control, format and reserved characters. */
export const fileName = (given: string): string => {
  const name = (given.split(/[/\\]/).at(-1) ?? "").replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029<>:"|?*]/gu, "").trim()
  const points = [...name.replace(/^\.+/, "")]
  if (points.length === 0) return "file"
  if (points.length <= maxNameLength) return points.join("")
  const ending = /\.\w{1,8}$/.exec(points.join(""))?.[0] ?? ""
  return points.slice(0, maxNameLength - ending.length).join("") + ending
}
