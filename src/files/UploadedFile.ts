/**
 * Files that candidates upload: how large, of which types, under what name they are kept. The type is what the bytes say;
 * the name's ending only tells apart what looks the same inside (a DOCX and an ODT are both ZIP archives). Pure.
 */

/** Bytes: 10 MiB (contract, Candidate's interview). */
export const maxFileBytes = 10 * 1024 * 1024

/** Bytes of a file's beginning that tell its type. */
export const headLength = 4096

/** Longest kept name, in code points. */
const longestName = 150

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
/** Compound File Binary: what Word wrote until 2003. */
const isCompound = startsWith(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)

/** The name of a ZIP archive's first entry, with what follows it (APPNOTE 4.3.7: the name begins at 30). */
const firstEntry = (head: Uint8Array): string =>
  startsWith(0x50, 0x4b, 0x03, 0x04)(head) ? ascii(head, 30, 30 + 128) : ""

/** Office Open XML (ECMA-376, part 2): the archive begins with one of its own parts. */
const isOpenXml: Sort = (head) =>
  /^(\[Content_Types\]\.xml|_rels\/|docProps\/|word\/|xl\/|ppt\/)/.test(firstEntry(head))

/** OpenDocument (1.3, part 2, 3.3): its first entry is its type, not compressed. */
const isOpenDocument =
  (kind: string): Sort =>
  (head) =>
    firstEntry(head).startsWith(`mimetypeapplication/vnd.oasis.opendocument.${kind}`)

/** UTF-8 without control characters; a character that the head cuts off is none. */
const isText: Sort = (head) => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true })
    return !/[^\P{Cc}\t\n\r\f]/u.test(text)
  } catch {
    return false
  }
}

const office = "application/vnd.openxmlformats-officedocument"

/** Every type that is taken, with the endings that names of its files have. */
const types: ReadonlyArray<readonly [endings: ReadonlyArray<string>, type: string, is: Sort]> = [
  [["pdf"], "application/pdf", isPdf],
  [["docx"], `${office}.wordprocessingml.document`, isOpenXml],
  [["xlsx"], `${office}.spreadsheetml.sheet`, isOpenXml],
  [["pptx"], `${office}.presentationml.presentation`, isOpenXml],
  [["odt"], "application/vnd.oasis.opendocument.text", isOpenDocument("text")],
  [["doc"], "application/msword", isCompound],
  [["png"], "image/png", isPng],
  [["jpg", "jpeg"], "image/jpeg", isJpeg],
  [["webp"], "image/webp", isWebp],
  [["txt", "md", "csv"], "text/plain", isText],
]

/** Endings of every type that is taken, with the dot. */
export const acceptedEndings: ReadonlyArray<string> = types.flatMap(([endings]) => endings.map((one) => `.${one}`))

/** The type of a file by its name and its first bytes; undefined: it is of none that is taken, or not what it is called. */
export const fileType = (name: string, head: Uint8Array): string | undefined => {
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase()
  return types.find(([endings, , is]) => endings.includes(ending) && is(head))?.[1]
}

/** The last part of a path, without what could mislead a reader or a file system; never empty. */
export const fileName = (given: string): string => {
  const name = (given.split(/[/\\]/).at(-1) ?? "").replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029<>:"|?*]/gu, "").trim()
  const points = [...name.replace(/^\.+/, "")]
  if (points.length === 0) return "file"
  if (points.length <= longestName) return points.join("")
  const ending = /\.\w{1,8}$/.exec(points.join(""))?.[0] ?? ""
  return points.slice(0, longestName - ending.length).join("") + ending
}
