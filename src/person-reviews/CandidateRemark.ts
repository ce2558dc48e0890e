/** Corrections and remarks of candidates about their result. */
import type { CandidateRemarkId } from "../values/Ids.ts"
import { cleanWritten } from "../values/WrittenText.ts"

export const remarkKinds = ["correction", "remark"] as const
export type RemarkKind = (typeof remarkKinds)[number]

export const findRemarkKind = (text: string | undefined): RemarkKind | undefined =>
  remarkKinds.find((kind) => kind === text)

/** `count`: of a submission; `length`: in code points. */
export const remarkLimits = { count: 10, length: 1000 } as const

export interface CandidateRemark {
  readonly id: CandidateRemarkId
  readonly kind: RemarkKind
  readonly text: string
  /** ISO 8601, UTC. */
  readonly sent_at: string
}

/** Undefined: too long. */
export const cleanRemark = (text: string): string | undefined => cleanWritten(text, remarkLimits.length)
