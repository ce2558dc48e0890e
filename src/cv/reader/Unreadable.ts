/** How a reader says that a file can not be read. */
import type { UnreadableCv } from "../Cv.ts"

export class Unreadable extends Error {
  readonly reason: UnreadableCv
  constructor(reason: UnreadableCv) {
    super(reason)
    this.reason = reason
  }
}

/** What a reader makes of a file. */
export interface Reading {
  readonly text: string
  /** Text that a person would not see. */
  readonly hidden: string
  /** Names that the file's properties give: of its author, of the document. A hint and no more: templates have authors too. */
  readonly names: ReadonlyArray<string>
}
