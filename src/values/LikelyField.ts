/** Finds the field or parameter that a request probably meant by an unknown name. */
import { editDistance } from "./EditDistance.ts"
import { isSimilar, maxWord, wordsIn } from "./WordSimilarity.ts"

const joined = (name: string): string =>
  name
    .slice(0, 2 * maxWord)
    .replaceAll(/[-_.\s]/g, "")
    .toLowerCase()

/** The field with the most similar spelling; else the one with the most words in common; else the only one with all words. */
export const likelyField = (name: string, fields: Iterable<string>): string | undefined => {
  const names = [...fields]
  const own = joined(name)
  const nearest = names
    .filter((field) => isSimilar(own, joined(field)))
    .toSorted((one, other) => editDistance(own, joined(one)) - editDistance(own, joined(other)))
  if (nearest[0] !== undefined) return nearest[0]
  const words = new Set(wordsIn(name.slice(0, 2 * maxWord)))
  const compared = names.map((field) => {
    const other = wordsIn(field)
    const common = other.filter((word) => [...words].some((each) => isSimilar(each, word))).length
    return { field, common, similarity: common / (words.size + other.length - common) }
  })
  const [best] = compared.toSorted((one, other) => other.similarity - one.similarity)
  if (best !== undefined && best.similarity >= minSimilarity) return best.field
  const [only, ...others] = compared.filter(({ common }) => common > 0 && common >= words.size)
  return others.length === 0 ? only?.field : undefined
}

/** Share of the words of both names that are in both. */
const minSimilarity = 0.4
