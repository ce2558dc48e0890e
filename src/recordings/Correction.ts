/** The text that a candidate types instead of the transcript of a recording. */
import { shortHashOf } from "../platform/crypto/ShortHash.ts"
import { storable } from "../values/Fields.ts"

/** What is stored of a text that a candidate typed instead of the transcript; empty: the transcript again. */
export const correctedText = (typed: string): string => storable(typed.replaceAll("\r\n", "\n")).trim()

/** Tells the versions of a transcript or its correction apart. */
export const transcriptVersion = (text: string): string => shortHashOf(correctedText(text))
