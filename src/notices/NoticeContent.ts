/** What a notice says for a set: the organization's words, and facts that the service knows. A version keeps it. */
import { hash } from "node:crypto"
import type { EvaluatorDescription } from "../evaluations/Evaluator.ts"
import { byImportance, importanceOf } from "../interview-sets/Importance.ts"
import { canonicalJson } from "../record/CanonicalJson.ts"
import type { NoticeTerms } from "./Notice.ts"

export interface RatedRequirement {
  readonly title: string
  /** An id of interview-sets/Importance.ts. */
  readonly importance: number
}

/** Days; null: until they are deleted or erased. */
export interface KeptDays {
  readonly cvs: number | null
  readonly answers: number | null
  readonly recordings: number
  readonly candidates: number | null
  /** From when the days count. */
  readonly from: "end" | "decision"
}

/** Facts of a set and its organization. */
export interface NoticeFacts {
  readonly interview: string
  /** CVs only; no interview. */
  readonly is_cv_only: boolean
  readonly is_spoken: boolean
  readonly requirements: ReadonlyArray<RatedRequirement>
  readonly kept: KeptDays
}

export interface NoticeContent extends NoticeFacts, Omit<NoticeTerms, "interview_set_id"> {
  /** Null: a program without a description. */
  readonly evaluator: EvaluatorDescription | null
}

/** Of a requirement's text, in code points. */
const maxTitle = 500

export const ratedRequirements = (
  requirements: ReadonlyArray<{
    readonly title: string | null
    readonly content: string | null
    readonly cfg_importance_id: number
  }>,
): ReadonlyArray<RatedRequirement> =>
  byImportance(requirements).flatMap(({ cfg_importance_id, content, title }) => {
    const text = title?.trim() || content?.trim() || ""
    if (text === "") return []
    return [{ title: [...text].slice(0, maxTitle).join(""), importance: importanceOf(cfg_importance_id).id }]
  })

export const contentOf = (
  { alternative, contact, days, meanwhile, place, posted_on, words }: NoticeTerms,
  { interview, is_cv_only, is_spoken, kept, requirements }: NoticeFacts,
  evaluator: EvaluatorDescription | null,
): NoticeContent => ({
  interview,
  is_cv_only,
  is_spoken,
  requirements,
  kept,
  place,
  words,
  contact,
  alternative,
  days,
  meanwhile,
  posted_on,
  evaluator,
})

/** SHA-256 of the canonical JSON, so that others can compute it from an export. */
export const contentHash = (content: NoticeContent): Buffer => hash("sha256", canonicalJson(content), "buffer")
