import { editDistance } from "../../values/EditDistance.ts"
import type { FieldError } from "../../values/Problem.ts"

/** Never sent, but subscribable. */
export const reserved = "invitation.status.update.invitation_email_accepted"

const maxLength = 100

/** A known name with this ending (`completed`), or the nearest within a third of its length. */
const similarName = (name: string, known: ReadonlyArray<string>): string | undefined => {
  if (name === "" || name.length > maxLength) return undefined
  const ending = known.filter((each) => each.endsWith(`.${name}`) || each.endsWith(`_${name}`))
  if (ending.length === 1) return ending[0]
  const [nearest] = known
    .map((each) => ({ each, away: editDistance(name, each) }))
    .sort((a, b) => a.away - b.away)
    .filter(({ away, each }) => away <= each.length / 3)
  return nearest?.each
}

export const unknownEvent = (pointer: string, name: string, known: ReadonlyArray<string>): FieldError => {
  const guess = similarName(name, known)
  const hint = guess === undefined ? "" : `; did you mean ${guess}?`
  return { pointer, code: "unknown_event", message: `${name === "" ? '""' : name} is not an event or sub-event${hint}` }
}
