/** Replacements within a text: applied at once, so that everything else stays as it was. */

/** UTF-16 indices; `end` is exclusive. */
export interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface Token {
  readonly start: number
  readonly end: number
  readonly text: string
  /** NFC, lower case. */
  readonly lower: string
}

/** Words of letters, in order. */
export const tokensOf = (text: string): ReadonlyArray<Token> =>
  [...text.matchAll(/\p{L}[\p{L}\p{M}]*/gu)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    text: found,
    lower: found.normalize("NFC").toLowerCase(),
  }))

/** Sorted, without those that overlap an earlier one. */
export const inOrder = (replacements: ReadonlyArray<Replacement>): ReadonlyArray<Replacement> => {
  let from = 0
  return replacements
    .toSorted((one, other) => one.start - other.start || other.end - one.end)
    .filter(({ end, start }) => {
      if (start < from) return false
      from = end
      return true
    })
}

/** `replacements` as `inOrder` returns them; those outside of `from` to `to` are left out. */
export const applied = (
  text: string,
  replacements: ReadonlyArray<Replacement>,
  from = 0,
  to: number = text.length,
): string => {
  let done = ""
  let at = from
  for (const one of replacements) {
    if (one.start < at || one.end > to) continue
    done += text.slice(at, one.start) + one.text
    at = one.end
  }
  return done + text.slice(at, to)
}

const isUpper = (text: string): boolean => text === text.toUpperCase() && text !== text.toLowerCase()

/** `word` in the case of `model`: capitals, a capital first letter, or lower case. */
export const inCaseOf = (model: string, word: string): string => {
  if (isUpper(model) && model.length > 1) return word.toUpperCase()
  const [first = ""] = model
  const [initial = ""] = word
  return isUpper(first) ? initial.toUpperCase() + word.slice(initial.length) : word.toLowerCase()
}

/** Characters that a shown sentence has at most on each side of a replacement. */
const reach = 200

export interface ChangedSentence {
  readonly before: string
  readonly after: string
}

const isBreak = (text: string, at: number): boolean =>
  text[at] === "\n" || (/[.!?]/.test(text[at] ?? "") && /\s/.test(text[at + 1] ?? " "))

const startOf = (text: string, at: number): number => {
  let start = at
  while (start > 0 && at - start < reach && !isBreak(text, start - 1)) start -= 1
  return start
}

const endOf = (text: string, at: number): number => {
  let end = at
  while (end < text.length && end - at < reach && !isBreak(text, end)) end += 1
  return Math.min(text.length, text[end] === "\n" ? end : end + 1)
}

/** The sentences that hold replacements, before and after, at most `limit`. `replacements` as `inOrder` returns them. */
export const changedSentences = (
  text: string,
  replacements: ReadonlyArray<Replacement>,
  limit: number,
): ReadonlyArray<ChangedSentence> => {
  const found: Array<ChangedSentence> = []
  let shownTo = 0
  for (const { end, start } of replacements) {
    if (found.length === limit) break
    if (start < shownTo) continue
    const from = Math.max(shownTo, startOf(text, start))
    let to = endOf(text, end)
    // a replacement that the end would cut is shown whole
    for (const one of replacements) if (one.start < to && one.end > to) to = one.end
    shownTo = to
    found.push({ before: text.slice(from, to).trim(), after: applied(text, replacements, from, to).trim() })
  }
  return found
}
