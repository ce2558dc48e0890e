/** Names of events and sub-events as people write them: which are reserved, and which one was meant. */
import type { FieldError } from "../values/Problem.ts"

/** In the catalogue, so that it can be subscribed to, and never sent (spec, Invitation email status). */
export const reserved = "invitation.status.update.invitation_email_accepted"

/** How many letters have to be added, left out or replaced to make one text of the other (Levenshtein). */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** Longer than any name: nothing was meant by it, and it costs nothing to say so. */
const longest = 100

/** The name that was meant: one that ends so, as in `completed`, or the one that is a third of its letters away at most. */
const meant = (name: string, known: ReadonlyArray<string>): string | undefined => {
  if (name === "" || name.length > longest) return undefined
  const ending = known.filter((each) => each.endsWith(`.${name}`) || each.endsWith(`_${name}`))
  if (ending.length === 1) return ending[0]
  const [nearest] = known
    .map((each) => ({ each, away: distance(name, each) }))
    .sort((a, b) => a.away - b.away)
    .filter(({ away, each }) => away <= each.length / 3)
  return nearest?.each
}

/** What is wrong with a name that is none of the known ones. */
export const unknownEvent = (pointer: string, name: string, known: ReadonlyArray<string>): FieldError => {
  const guess = meant(name, known)
  const hint = guess === undefined ? "" : `; did you mean ${guess}?`
  return { pointer, code: "unknown_event", message: `${name === "" ? '""' : name} is not an event or sub-event${hint}` }
}
