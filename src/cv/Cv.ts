/** CVs: how large, of which types, what is read of them, and why one is not read. Pure. */
import { Schema } from "effect"

/** Bytes of the largest file that is fetched: 10 MiB. */
export const largestCv = 10 * 1024 * 1024

/** Longest text that is kept of a CV, in UTF-16 code units. */
export const longestCvText = 200_000

/** Most pages of a CV. */
export const mostCvPages = 100

const text = Schema.String.check(Schema.isMaxLength(longestCvText))
const short = Schema.NullOr(Schema.String.check(Schema.isMaxLength(254)))

/** What a CV says about who wrote it; null where it does not say so beyond doubt. */
const CvContacts = Schema.Struct({
  /** An address that a mail could be sent to. */
  email: short,
  /** E.164: a plus sign and digits. */
  phone: short,
  name: short,
})

/** A CV that was read. */
export const CvContent = Schema.Struct({
  /** Media type by what the bytes are. */
  type: Schema.String.check(Schema.isMaxLength(100)),
  /** In reading order, lines ended by \n, cells of a table parted by tabs; well-formed and without U+0000. Never blank. */
  text,
  /** What people should know of the reading, each a sentence: that hidden text was left out, for example. */
  notes: Schema.Array(Schema.String.check(Schema.isMaxLength(500))).check(Schema.isMaxLength(20)),
  contacts: CvContacts,
})
export type CvContent = typeof CvContent.Type

/** Why a file can not be read, for people: what is the matter, and what to do next. */
export const unreadableCvs = {
  empty: "The file is empty. Send a link to the CV itself.",
  unsupported: "The file is of no type that is read. Send a PDF, DOCX, ODT, RTF, HTML or plain text file.",
  sign_in: "The link leads to a page that asks for a password. Send a link to the file that needs no sign-in.",
  picture: "The file is a picture, whose text is not read. Send a PDF or a DOCX with text.",
  old_word: "The file is a Word document of before 2007 (.doc). Save it as DOCX or PDF, and send that.",
  encrypted: "The file is protected by a password. Send one without.",
  no_text:
    "The file holds no text that can be seen and read, as a scanned page does not. Send a PDF or a DOCX with text.",
  too_many_pages: `The file has more than ${mostCvPages} pages. Send the CV alone.`,
  too_large: "The file becomes too large when it is unpacked. Save the CV anew without pictures, and send that.",
  too_complex:
    "The file takes too much time or memory to read. Save the CV anew as a plain PDF or DOCX, and send that.",
  damaged: "The file is damaged or incomplete. Save the CV anew, check that it opens, and send that.",
} as const

export const UnreadableCv = Schema.Literals(Object.keys(unreadableCvs) as ReadonlyArray<keyof typeof unreadableCvs>)
export type UnreadableCv = typeof UnreadableCv.Type
