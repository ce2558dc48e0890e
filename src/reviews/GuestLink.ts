/** Links with which people without an account read one submission, and may review it. */
import { isEmailAddress } from "../values/EmailAddress.ts"
import { lineErrors } from "../values/Fields.ts"
import { type FieldError, fieldError } from "../values/Problem.ts"

/** Days for which a link works. */
export const linkDays = [1, 7, 30] as const
export type LinkDays = (typeof linkDays)[number]

export const defaultLinkDays: LinkDays = 7

export const guestLimits = {
  /** Links of a submission that work at the same time. */
  links: 20,
  /** Browsers that open a link for the first time, of one client address and hour. */
  opens: 20,
  /** Shown with a link; the last ones. */
  readers: 50,
} as const

/** Hours after which another visit of a guest is an entry of the audit log again. */
export const visitHours = 1

export interface GuestLinkOptions {
  readonly days: LinkDays
  /** The guest can send a review. */
  readonly may_review: boolean
  /** The guest sees the score; if the guest can send a review, after sending it. */
  readonly shows_scores: boolean
}

export interface GuestIdentity {
  readonly name: string
  readonly email: string
}

/** In characters. */
export const maxGuestName = 100

export const guestErrors = ({ email, name }: GuestIdentity): ReadonlyArray<FieldError> => [
  ...lineErrors("#/name", name, { isRequired: true, most: maxGuestName }),
  ...(isEmailAddress(email) ? [] : [fieldError("#/email", "invalid_email", "is not an email address")]),
]
