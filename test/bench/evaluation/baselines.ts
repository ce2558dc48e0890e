/** Baselines that only count words. An evaluator should measure better than each. */
import { languageOf } from "../../../src/evaluations/keyword/Language.ts"
import { wordsOf } from "../../../src/evaluations/keyword/Text.ts"
import { stemIn, stopWords } from "../../../src/evaluations/keyword/WordLists.ts"

/** `requirement` and `text` are plain text; a larger number is a better match. */
export type Baseline = (requirement: string, text: string) => number

const stemsOf = (text: string): ReadonlyArray<string> => {
  const language = languageOf(text, "en") ?? "en"
  return wordsOf(text)
    .filter(({ folded }) => !stopWords.has(folded))
    .map(({ folded }) => stemIn(folded, language))
}

const countsOf = (stems: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  return counts
}

const recall =
  (weight: (stem: string) => number): Baseline =>
  (requirement, text) => {
    const wanted = [...new Set(stemsOf(requirement))]
    const found = new Set(stemsOf(text))
    const sum = (stems: ReadonlyArray<string>) => stems.reduce((total, stem) => total + weight(stem), 0)
    return sum(wanted.filter((stem) => found.has(stem))) / (sum(wanted) || 1)
  }

const cosine =
  (idf: (stem: string) => number): Baseline =>
  (requirement, text) => {
    const one = countsOf(stemsOf(requirement))
    const other = countsOf(stemsOf(text))
    let product = 0
    for (const [stem, count] of one) product += count * (other.get(stem) ?? 0) * idf(stem) ** 2
    const norm = (counts: ReadonlyMap<string, number>) =>
      Math.sqrt([...counts].reduce((sum, [stem, count]) => sum + (count * idf(stem)) ** 2, 0))
    return product / (norm(one) * norm(other) || 1)
  }

/** Share of the requirement's words in the text; the same weighted by rarity; cosine of the rarity-weighted words. */
export const baselinesOf = (texts: ReadonlyArray<string>): Readonly<Record<string, Baseline>> => {
  const holding = countsOf(texts.flatMap((text) => [...new Set(stemsOf(text))]))
  const idf = (stem: string) => Math.log((texts.length + 1) / ((holding.get(stem) ?? 0) + 1)) + 1
  return { "word recall": recall(() => 1), "IDF recall": recall(idf), "TF-IDF cosine": cosine(idf) }
}
