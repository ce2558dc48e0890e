/** Letters about a decision: which ones a member may write, and when they leave. */
import { DateTime, Duration } from "effect"
import { lineErrors, textErrors } from "../values/Fields.ts"
import { type FieldError, fieldError } from "../values/Problem.ts"
import { letterTokens, tokenError, unclosedTokenError } from "./Invitation.ts"

/** A subject and a text with words in double braces. */
export interface LetterText {
  readonly subject: string
  readonly text: string
}

/** Decisions about which a candidate can get a letter. */
export const letterDecisions = ["advance", "reject"] as const
export type LetterDecision = (typeof letterDecisions)[number]

/** How long a letter waits, so that it can be undone. `morning`: the next 9:00 in the organization's time zone. */
export const letterDelays = [
  ["10m", "In 10 minutes"],
  ["1h", "In 1 hour"],
  ["morning", "Next morning at 9:00"],
] as const
export type LetterDelay = (typeof letterDelays)[number][0]

export const defaultDelay: LetterDelay = "10m"

export const readDelay = (text: string | undefined): LetterDelay =>
  letterDelays.find(([delay]) => delay === text)?.[0] ?? defaultDelay

/** Characters. */
export const letterLimits = { subject: 200, minText: 10, text: 5_000 } as const

const nextMorning = (now: Date, zone: string): Date => {
  const { day, hour, month, year } = DateTime.toParts(DateTime.makeZonedUnsafe(now, { timeZone: zone }))
  const date = { year, month, day: hour < 9 ? day : day + 1, hour: 9, minute: 0, second: 0, millisecond: 0 }
  return DateTime.toDateUtc(DateTime.makeZonedUnsafe(date, { timeZone: zone, adjustForTimeZone: true }))
}

const moments: Readonly<Record<LetterDelay, (now: Date, zone: string) => Date>> = {
  "10m": (now) => new Date(now.getTime() + Duration.toMillis("10 minutes")),
  "1h": (now) => new Date(now.getTime() + Duration.toMillis("1 hour")),
  morning: nextMorning,
}

/** `zone`: an IANA name that the service has checked. */
export const leavesAt = (delay: LetterDelay, now: Date, zone: string): Date => moments[delay](now, zone)

const tokenErrors = (pointer: string, text: string): ReadonlyArray<FieldError> => {
  const wrong = tokenError(text, letterTokens) ?? unclosedTokenError(text)
  return wrong === undefined ? [] : [fieldError(pointer, "unknown_token", wrong)]
}

/** Of trimmed texts. */
export const letterErrors = ({ subject, text }: LetterText): ReadonlyArray<FieldError> => {
  const ofSubject = lineErrors("#/subject", subject, { isRequired: true, most: letterLimits.subject })
  const ofText = textErrors("#/text", text, { least: letterLimits.minText, most: letterLimits.text })
  return [
    ...(ofSubject.length > 0 ? ofSubject : tokenErrors("#/subject", subject)),
    ...(ofText.length > 0 ? ofText : tokenErrors("#/text", text)),
  ]
}
