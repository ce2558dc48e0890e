/** Tags: words by which the members of an organization mark candidates (docs/workspace.md). */
import { Schema } from "effect"
import { lineErrors } from "../values/Fields.ts"
import { TagId } from "../values/Ids.ts"
import type { FieldError } from "../values/Problem.ts"

export const TagRef = Schema.Struct({
  id: TagId,
  name: Schema.String.annotate({ description: "As the organization calls the tag" }),
}).annotate({ identifier: "TagRef" })
export type TagRef = typeof TagRef.Type

/** `name`: in code points. `ofSubmission`, `ofOrganization`: the number of tags. */
export const tagLimits = { name: 40, ofSubmission: 20, ofOrganization: 200 } as const

/** As it is stored: in NFC, with one space between words. */
export const cleanTag = (typed: string): string => typed.normalize("NFC").trim().replaceAll(/\s+/g, " ")

/** Equal for spellings of one tag: without case, in the compatibility form of Unicode. */
export const tagKey = (name: string): string => cleanTag(name.normalize("NFKC").toLowerCase())

/** Of a cleaned name. */
export const tagErrors = (pointer: string, name: string): ReadonlyArray<FieldError> =>
  lineErrors(pointer, name, { isRequired: true, most: tagLimits.name })
