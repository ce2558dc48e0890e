/** Looks for words of a set near the word at `at`. `reach` is a number of words. */
import type { Word } from "./Text.ts"

type Words = ReadonlyArray<Word>
type WordSet = ReadonlySet<string>

export const holdsAny = (words: Words, set: WordSet): boolean => words.some(({ folded }) => set.has(folded))

export const soonAfter = (words: Words, at: number, reach: number, set: WordSet): boolean =>
  holdsAny(words.slice(at + 1, at + 1 + reach), set)

export const soonBefore = (words: Words, at: number, reach: number, set: WordSet): boolean =>
  holdsAny(words.slice(Math.max(0, at - reach), at), set)

/** As `soonAfter`, not beyond a pause or a word of `ends`. */
export const justAfter = (words: Words, at: number, reach: number, set: WordSet, ends: WordSet): boolean => {
  const after = words.slice(at + 1, at + 1 + reach)
  const end = after.findIndex(({ folded, pause }) => pause || ends.has(folded))
  return holdsAny(end === -1 ? after : after.slice(0, end), set)
}

/** As `soonBefore`, not beyond a pause or a word of `ends`. */
export const justBefore = (words: Words, at: number, reach: number, set: WordSet, ends: WordSet): boolean => {
  let from = Math.max(0, at - reach)
  for (let one = from; one <= at; one += 1) {
    if (words[one]?.pause === true) from = one
    if (one < at && ends.has(words[one]?.folded ?? "")) from = one + 1
  }
  return holdsAny(words.slice(from, at), set)
}
