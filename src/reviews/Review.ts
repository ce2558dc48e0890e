/** A member's review of a submission: a rating of each requirement, and a note. */
import { isStorable } from "../values/Fields.ts"
import type { MemberId, RequirementId } from "../values/Ids.ts"
import { type FieldError, fieldError } from "../values/Problem.ts"

/** A rating is stored as an index; times 2.5 it is on the evaluator's scale of 0 to 10. */
export const ratingNames = ["Strong no", "No", "Mixed", "Yes", "Strong yes"] as const
export type Rating = 0 | 1 | 2 | 3 | 4

export const readRating = (text: string | undefined): Rating | undefined =>
  ([0, 1, 2, 3, 4] as const).find((rating) => String(rating) === text)

/** By requirement id; requirements without a rating are absent. */
export type Ratings = Readonly<Record<string, Rating>>

/** In code points. */
export const maxNote = 5000

export const maxMentions = 20

export interface ReviewChange {
  readonly ratings: Ratings
  readonly note: string
  /** Members to notify; only when the review is sent. */
  readonly mentioned: ReadonlyArray<MemberId>
}

/** `requirements`: those of the set. */
export const reviewErrors = (
  { mentioned, note, ratings }: ReviewChange,
  requirements: ReadonlyArray<RequirementId>,
  isSent: boolean,
): ReadonlyArray<FieldError> => {
  const errors: Array<FieldError> = []
  if ([...note.trim()].length > maxNote)
    errors.push(fieldError("#/note", "too_long", `must have at most ${maxNote} characters`))
  else if (!isStorable(note))
    errors.push(fieldError("#/note", "unstorable_text", "must not contain U+0000 or half of a surrogate pair"))
  if (Object.keys(ratings).some((id) => !requirements.some((requirement) => requirement === id)))
    errors.push(fieldError("#/ratings", "not_found", "names a requirement that the interview set does not have"))
  if (mentioned.length > maxMentions)
    errors.push(fieldError("#/mentioned", "too_many", `must have at most ${maxMentions} colleagues`))
  if (isSent && note.trim() === "" && Object.keys(ratings).length === 0)
    errors.push(fieldError("#/note", "required", "is empty: rate a requirement or write a note before you send"))
  return errors
}

export interface AverageRating {
  /** Out of 10, one decimal. */
  readonly score: number
  /** Reviews that rated the requirement. */
  readonly count: number
}

/** By requirement id. */
export const averageRatings = (
  reviews: ReadonlyArray<{ readonly ratings: Ratings }>,
): ReadonlyMap<string, AverageRating> => {
  const all = Map.groupBy(
    reviews.flatMap(({ ratings }) => Object.entries(ratings)),
    ([requirement]) => requirement,
  )
  return new Map(
    [...all].map(([requirement, rated]) => {
      const sum = rated.reduce((total, [, rating]) => total + rating, 0)
      return [requirement, { score: Math.round((sum * 25) / rated.length) / 10, count: rated.length }]
    }),
  )
}
