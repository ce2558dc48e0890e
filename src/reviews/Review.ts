/** A member's review of a submission: a rating of each requirement, and a note. */
import { textErrors } from "../values/Fields.ts"
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
  const errors = [...textErrors("#/note", note, { most: maxNote })]
  if (Object.keys(ratings).some((id) => !requirements.some((requirement) => requirement === id)))
    errors.push(fieldError("#/ratings", "not_found", "names a requirement that the interview set does not have"))
  if (mentioned.length > maxMentions)
    errors.push(fieldError("#/mentioned", "too_many", `must have at most ${maxMentions} colleagues`))
  if (isSent && note.trim() === "" && Object.keys(ratings).length === 0)
    errors.push(fieldError("#/note", "required", "is empty: rate a requirement or write a note before you send"))
  return errors
}

interface Authored {
  readonly member: { readonly id: MemberId | null; readonly name: string }
  /** Null: a draft. */
  readonly sent_at: string | null
}

export interface VisibleReviews<Review> {
  /** Undefined: the member has none yet. */
  readonly own: Review | undefined
  /** Sent reviews of other members that the member may see, oldest first. */
  readonly others: ReadonlyArray<Review>
  /** Authors of sent reviews that are hidden until the member has sent one. */
  readonly hidden: ReadonlyArray<string>
}

/** `all`: reviews of one submission, drafts too. `hides`: the organization hides reviews of others until one is sent. */
export const visibleReviews = <Review extends Authored>(
  reader: MemberId,
  all: ReadonlyArray<Review>,
  hides: boolean,
): VisibleReviews<Review> => {
  const own = all.find(({ member }) => member.id === reader)
  const sent = all.filter(({ member, sent_at }) => member.id !== reader && sent_at !== null)
  const isHidden = hides && own?.sent_at == null
  return { own, others: isHidden ? [] : sent, hidden: isHidden ? sent.map(({ member }) => member.name) : [] }
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
