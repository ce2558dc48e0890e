/** Limits and content of CVs. */
import { Schema } from "effect"
import { evaluationWarnings } from "../values/Warning.ts"

export const maxCvBytes = 10 * 1024 * 1024

/** UTF-16 code units; longer text is cut. */
export const maxCvTextLength = 200_000

export const maxCvPages = 100

/** Larger pictures are not decoded, because a small file can be a huge picture. */
export const maxPicturePixels = 40_000_000

/** Pages of a scan on which text is recognized (OCR). */
export const maxOcrPages = 4

const text = Schema.String.check(Schema.isMaxLength(maxCvTextLength))
const short = Schema.NullOr(Schema.String.check(Schema.isMaxLength(254)))

const CvContacts = Schema.Struct({
  email: short,
  /** E.164. */
  phone: short,
  name: short,
})

export const CvContent = Schema.Struct({
  type: Schema.String.check(Schema.isMaxLength(100)),
  /** \n between lines, tabs between cells. Well-formed, without U+0000, never blank. */
  text,
  /** Sentences for people. */
  notes: Schema.Array(Schema.String.check(Schema.isMaxLength(500))).check(Schema.isMaxLength(20)),
  contacts: CvContacts,
  /** Why ratings of the text may be unreliable; evaluations of the CV get them. Absent without a reason. */
  warnings: evaluationWarnings,
})
export type CvContent = typeof CvContent.Type
