/** Finds text that repeats the requirements or the questions. */
import type { Language } from "./Language.ts"
import type { Word } from "./Text.ts"
import { fillers, stemIn, stopWords } from "./WordLists.ts"

type Words = ReadonlyArray<Word>

const shingles = (content: ReadonlyArray<string>): ReadonlyArray<string> =>
  content.slice(2).map((third, index) => `${content[index]} ${content[index + 1]} ${third}`)

/** 1 for equal sets, 0 for disjoint ones. */
export const diceCoefficient = (shared: number, one: number, other: number): number => (2 * shared) / (one + other)

/** Minimum likeness of two texts that count as the same. */
export const sameFrom = 0.8

/** Maximum share of new words in a repetition. */
const newPart = 0.15

export interface Saying {
  readonly content: ReadonlyArray<string>
  readonly phrase: string
}

const phraseOf = (words: Words): string => ` ${words.map(({ folded }) => folded).join(" ")} `

/** Does not use the lexicon: a paraphrase is no copy. */
export const sayingOf = (words: Words, language: Language): Saying => ({
  content: words
    .filter(({ folded }) => folded.length > 1 && !stopWords.has(folded))
    .map(({ folded }) => stemIn(folded, language))
    .filter((key) => !fillers.has(key)),
  phrase: phraseOf(words),
})

/**
 * Returns a test for text that has nearly the words of a reference, is a piece of one word for word, or consists mostly
 * of three-word runs of the references.
 */
export const repetitionOf = (references: ReadonlyArray<Saying>): ((saying: Saying) => boolean) => {
  const known = references.map(({ content, phrase }) => ({ size: new Set(content).size, phrase }))
  const byWord = new Map<string, Array<number>>()
  for (const [index, { content }] of references.entries()) {
    for (const word of new Set(content)) {
      const holders = byWord.get(word)
      if (holders === undefined) byWord.set(word, [index])
      else holders.push(index)
    }
  }
  const runs = new Set(references.flatMap(({ content }) => shingles(content)))
  return ({ content, phrase }: Saying): boolean => {
    const words = new Set(content)
    const shared = new Map<number, number>()
    for (const word of words) {
      for (const index of byWord.get(word) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1)
    }
    for (const [index, count] of shared) {
      const reference = known[index]
      if (reference === undefined) continue
      const nearly = reference.size < 4 ? 1 : sameFrom
      const isNew = words.size - count > Math.max(1, words.size * newPart)
      if (diceCoefficient(count, words.size, reference.size) >= nearly && !isNew) return true
      if (count === words.size && reference.phrase.includes(phrase)) return true
    }
    const own = shingles(content)
    return own.length > 0 && own.filter((run) => runs.has(run)).length >= 0.7 * own.length
  }
}

/** `isCopied`: is in a reference word for word. `isPieced`: consists of at most three such pieces. */
export const copyOf = (references: ReadonlyArray<Saying>) => {
  const all = references.map(({ phrase }) => phrase).join("\n")
  const isCopied = (words: Words): boolean => all.includes(phraseOf(words))
  const isPieced = (words: Words, pieces = 3): boolean => {
    if (words.length === 0 || isCopied(words)) return true
    let length = Math.min(words.length - 1, 60)
    while (length > 1 && !isCopied(words.slice(0, length))) length -= 1
    return pieces > 1 && length > 1 && isPieced(words.slice(length), pieces - 1)
  }
  return { isCopied, isPieced }
}
