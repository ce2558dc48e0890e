/** What candidates need to take part in an interview, and the organization's answer. */
import type { AccommodationId } from "../values/Ids.ts"
import { cleanWritten } from "../values/WrittenText.ts"

/** `typing` instead of speaking; `other`: another way to take part, in the candidate's words. */
export const accommodationNeeds = ["time", "typing", "other"] as const
export type AccommodationNeed = (typeof accommodationNeeds)[number]

export const findNeeds = (texts: ReadonlyArray<string>): ReadonlyArray<AccommodationNeed> =>
  accommodationNeeds.filter((need) => texts.includes(need))

/** Of the candidate's text and of the answer, in code points. */
export const maxAccommodationText = 1000

/** Factors of time that can be granted. */
export const grantedFactors = [1.25, 1.5, 2, 3] as const
export const usualFactor = 1.5

export interface Accommodation {
  readonly id: AccommodationId
  readonly needs: ReadonlyArray<AccommodationNeed>
  readonly text: string
  /** ISO 8601, UTC. */
  readonly asked_at: string
  readonly answered_at: string | null
  /** Empty: declined. Null: not answered. */
  readonly granted: ReadonlyArray<AccommodationNeed> | null
  /** Granted; null: none. */
  readonly time_factor: number | null
  readonly answer: string
}

/** `granted` empty: declined. */
export interface AccommodationAnswer {
  readonly granted: ReadonlyArray<AccommodationNeed>
  /** With a granted `time`. */
  readonly timeFactor: number | null
  readonly text: string
}

/** Undefined: too long. */
export const cleanAccommodationText = (text: string): string | undefined => cleanWritten(text, maxAccommodationText)
