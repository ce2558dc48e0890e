/** What format readers throw and return. */
import type { UnreadableCv } from "../UnreadableCv.ts"

export class Unreadable extends Error {
  readonly reason: UnreadableCv
  constructor(reason: UnreadableCv) {
    super(reason)
    this.reason = reason
  }
}

export interface Reading {
  readonly text: string
  readonly hidden: string
  /** Author and title from the file's properties, possibly those of a template. */
  readonly names: ReadonlyArray<string>
  /** Pages on which text was recognized in pictures (OCR), and all pages. `isCut`: a picture's file is incomplete. */
  readonly recognized?: { readonly pages: number; readonly of: number; readonly isCut?: boolean } | undefined
}
