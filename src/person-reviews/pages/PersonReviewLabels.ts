/** Words for requests for a person and their outcomes. */
import type { PersonReviewAnswer, PersonReviewKind, PersonReviewOutcome } from "../PersonReview.ts"

export const requestNames: Readonly<Record<PersonReviewKind, string>> = {
  instead: "a person instead of the evaluator",
  again: "a person to look at the result again",
}

export const outcomeNames: Readonly<Record<PersonReviewOutcome, string>> = {
  by_person: "granted: reviewed by a person, the score is not used",
  confirmed: "a person has looked, the score counts",
  declined: "declined: the evaluator is used",
  withdrawn: "withdrawn by the candidate",
}

export const answerNames: Readonly<Record<PersonReviewAnswer, string>> = {
  by_person: "Review by a person: the score is not used",
  confirmed: "A person has looked at it: the score counts again",
  declined: "Decline: the evaluator is used, and a person decides",
}

/** Undefined: not an answer of the form. */
export const findAnswer = (text: string | undefined): PersonReviewAnswer | undefined =>
  (["by_person", "confirmed", "declined"] as const).find((answer) => answer === text)

/** As the audit log has them; null: not known. */
export const pastOutcome = (outcome: unknown): string | null =>
  typeof outcome === "string" && outcome in outcomeNames ? outcomeNames[outcome as PersonReviewOutcome] : null
