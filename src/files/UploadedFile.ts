/** Rules for uploaded files: size, types, names. The bytes determine the type (FileType.ts); the extension must match. */
import { type FileType, mediaTypeOf } from "./FileType.ts"

export const maxFileBytes = 10 * 1024 * 1024

/** Code points. */
const maxNameLength = 150

/** Groups of file types that a question can allow. */
export const fileKinds = ["pdf", "word", "spreadsheet", "presentation", "image", "text"] as const
export type FileKind = (typeof fileKinds)[number]

interface Rule {
  readonly kinds: ReadonlyArray<FileKind>
  readonly endings: ReadonlyArray<string>
  /** What files with these endings contain, the usual type first: programs open all of them. */
  readonly types: readonly [FileType, ...ReadonlyArray<FileType>]
  /** Accepted, but not offered: phones send a JPEG, which browsers show, only if the file chooser does not name this format. */
  readonly isConverted?: true
}

const images = ["jpeg", "png", "webp", "gif", "heic"] as const
/** Many programs export a table or a page of HTML under the name of an Office file. */
const pages = ["html", "mhtml"] as const

const rules: ReadonlyArray<Rule> = [
  { kinds: ["pdf"], endings: ["pdf"], types: ["pdf"] },
  { kinds: ["word"], endings: ["docx"], types: ["docx", "ooxml"] },
  { kinds: ["spreadsheet"], endings: ["xlsx"], types: ["xlsx", "ooxml"] },
  { kinds: ["presentation"], endings: ["pptx"], types: ["pptx", "ooxml"] },
  { kinds: ["word"], endings: ["odt"], types: ["odt", "odf"] },
  { kinds: ["word"], endings: ["doc"], types: ["doc", "docx", "rtf", ...pages] },
  { kinds: ["word"], endings: ["rtf"], types: ["rtf", "doc", "docx"] },
  { kinds: ["spreadsheet"], endings: ["ods"], types: ["ods", "odf"] },
  { kinds: ["spreadsheet"], endings: ["xls"], types: ["xls", "xlsx", "text", ...pages] },
  { kinds: ["presentation"], endings: ["odp"], types: ["odp", "odf"] },
  { kinds: ["presentation"], endings: ["ppt"], types: ["ppt", "pptx"] },
  { kinds: ["image"], endings: ["png"], types: ["png", ...images] },
  { kinds: ["image"], endings: ["jpg", "jpeg", "jfif"], types: ["jpeg", ...images] },
  { kinds: ["image"], endings: ["webp"], types: ["webp", ...images] },
  { kinds: ["image"], endings: ["gif"], types: ["gif", ...images] },
  { kinds: ["image"], endings: ["heic", "heif"], types: ["heic", ...images], isConverted: true },
  { kinds: ["text"], endings: ["txt", "md"], types: ["text", "html", "mhtml", "svg"] },
  { kinds: ["text", "spreadsheet"], endings: ["csv"], types: ["text", "html", "mhtml", "svg"] },
]

/** Kinds of files that a question allows; null: all. */
export type AllowedFiles = ReadonlyArray<string> | null

const rulesOf = (allowed: AllowedFiles): ReadonlyArray<Rule> =>
  rules.filter(({ kinds }) => allowed === null || kinds.some((kind) => allowed.includes(kind)))

const dotted = (some: ReadonlyArray<Rule>): ReadonlyArray<string> =>
  some.flatMap(({ endings }) => endings.map((one) => `.${one}`))

/** File name extensions with the dot. */
export const endingsOf = (allowed: AllowedFiles): ReadonlyArray<string> => dotted(rulesOf(allowed))

/** The extensions that a question names to candidates, in its text and in its file chooser. */
export const offeredEndings = (allowed: AllowedFiles): ReadonlyArray<string> =>
  dotted(rulesOf(allowed).filter(({ isConverted }) => isConverted !== true))

/** Types that are safe and useful only under the usual media type of the extension. */
const disguised: ReadonlyArray<FileType> = ["ooxml", "odf", "text", "svg", ...pages]

const endingOf = (name: string): string => (name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : "")

/** Whether the name has an extension that the question allows. */
export const isAllowedName = (name: string, allowed: AllowedFiles): boolean =>
  rulesOf(allowed).some(({ endings }) => endings.includes(endingOf(name).toLowerCase()))

/** Media types of stored files. */
export const uploadTypes: ReadonlyArray<string> = [
  ...new Set(
    rules.flatMap(({ types }) => [types[0], ...types.filter((type) => !disguised.includes(type))]).map(mediaTypeOf),
  ),
]

/** Undefined: the type is not allowed, or the content does not match the extension. */
export const uploadType = (
  name: string,
  type: FileType | undefined,
  allowed: AllowedFiles = null,
): string | undefined => {
  const ending = endingOf(name).toLowerCase()
  const rule = rulesOf(allowed).find(({ endings }) => endings.includes(ending))
  if (rule === undefined || type === undefined || !rule.types.includes(type)) return undefined
  return mediaTypeOf(disguised.includes(type) ? rule.types[0] : type)
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
