/** What candidates of an organization can see of their result, and how long it takes to answer them at most. */
import { type FieldError, fieldError } from "../values/Problem.ts"

/** From when candidates can open the page with their result. */
export const resultPages = ["off", "evaluation", "decision"] as const
export type ResultPage = (typeof resultPages)[number]

export const findResultPage = (text: string | undefined): ResultPage | undefined =>
  resultPages.find((page) => page === text)

/** Days until a request for a person is to be answered. GDPR, Article 12(3), gives one month. */
export const answerDays = { least: 1, most: 90 } as const

export interface CandidateRights {
  readonly person_review_days: number
  readonly result_page: ResultPage
  readonly result_shows_score: boolean
}

export const candidateRightsErrors = ({ person_review_days: days }: CandidateRights): ReadonlyArray<FieldError> =>
  Number.isInteger(days) && days >= answerDays.least && days <= answerDays.most
    ? []
    : [
        fieldError(
          "#/person_review_days",
          "out_of_range",
          `must be a whole number from ${answerDays.least} to ${answerDays.most}`,
        ),
      ]
