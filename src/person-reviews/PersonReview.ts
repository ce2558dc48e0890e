/** Requests of candidates for a person, instead of the evaluator or after its result, and their answers. */
import type { PersonReviewId } from "../values/Ids.ts"
import { cleanWritten } from "../values/WrittenText.ts"

/** `instead`: there was no result yet. `again`: the candidate contests a result. */
export type PersonReviewKind = "instead" | "again"

/**
 * `by_person`: members review by hand, and the score stays unused. `confirmed`: a person has looked, and the score counts.
 * `declined`: the evaluator is used. `withdrawn`: by the candidate.
 */
export type PersonReviewOutcome = "by_person" | "confirmed" | "declined" | "withdrawn"
export type PersonReviewAnswer = Exclude<PersonReviewOutcome, "withdrawn">

/** What members can answer. */
export const answersTo: Readonly<Record<PersonReviewKind, ReadonlyArray<PersonReviewAnswer>>> = {
  instead: ["by_person", "declined"],
  again: ["by_person", "confirmed"],
}

/** Of the candidate's text and of the answer, in code points. */
export const maxPersonReviewText = 1000

/** Of a submission, with those that the candidate withdrew: each sends emails to members. */
export const maxPersonReviews = 10

export interface PersonReview {
  readonly id: PersonReviewId
  readonly kind: PersonReviewKind
  readonly text: string
  /** ISO 8601, UTC. */
  readonly requested_at: string
  readonly due_at: string
  readonly answered_at: string | null
  readonly outcome: PersonReviewOutcome | null
  readonly answer: string
}

/** Undefined: too long. */
export const cleanPersonReviewText = (text: string): string | undefined => cleanWritten(text, maxPersonReviewText)

export interface NewestPersonReview extends PersonReview {
  /** There are `maxPersonReviews`. */
  readonly is_last: boolean
}

/** A new request is pointless while one is open, and after one was granted. */
export const canRequest = (newest: Pick<NewestPersonReview, "outcome" | "is_last"> | null): boolean =>
  newest === null || (newest.outcome !== null && newest.outcome !== "by_person" && !newest.is_last)
