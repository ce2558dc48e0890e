/** Detects texts that are too short for a reliable rating (docs/evaluation.md). */

const minWords = 20

/** Each character of a script without spaces counts as a word. */
const word =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{N}][[\p{L}\p{M}\p{N}'’\-]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]]*/gv

/** Returns the number of words in all `texts` if it is below `minWords`, otherwise null. */
export const tooFewWords = (texts: ReadonlyArray<string>): number | null => {
  let count = 0
  for (const text of texts) {
    for (const _ of text.matchAll(word)) {
      count += 1
      if (count === minWords) return null
    }
  }
  return count
}

/** A sentence for people if the texts of an interview or a CV are too short; empty without texts. */
export const shortTextRemarks = (type: "cv" | "interview", texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const count = texts.length === 0 ? null : tooFewWords(texts)
  if (count === null) return []
  const what = type === "cv" ? "The CV has" : "The written answers have"
  return [`${what} ${count === 1 ? "one word" : `${count} words`} in total, too few for a reliable rating.`]
}
