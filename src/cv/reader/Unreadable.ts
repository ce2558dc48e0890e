/** What format readers throw and return. */
import type { UnreadableCv } from "../Cv.ts"

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
  /** Author and title of the file; perhaps a template's. */
  readonly names: ReadonlyArray<string>
}
