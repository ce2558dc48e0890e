/** What a requirement is looked for by: its words with content, each with a weight, over the set it belongs to. */
import type { EvaluationRequirement } from "../../domain/Evaluation.ts"
import { termsOf, wordsOf } from "./text.ts"
import { commonWords, fillers } from "./words.ts"

/** One word to look for; `label` is how the requirement writes it. */
interface ProfileTerm {
  readonly label: string
  readonly weight: number
}

/**
 * The words of one requirement by stem, heaviest first. `enough` is the weight that counts as full coverage: that of
 * its six heaviest words, because nobody repeats every word of a long description.
 */
export interface Profile {
  readonly id: string
  readonly terms: ReadonlyMap<string, ProfileTerm>
  readonly enough: number
}

const enoughTerms = 6
const partWeights = { title: 3, content: 1, hint: 0.5 } as const
const commonFactor = 0.3

const termsOfRequirement = (requirement: EvaluationRequirement): Map<string, ProfileTerm> => {
  const terms = new Map<string, ProfileTerm>()
  for (const part of ["title", "content", "hint"] as const) {
    for (const { raw, stem } of termsOf(wordsOf(requirement[part] ?? ""))) {
      if (terms.has(stem) || fillers.has(stem) || /^\d/.test(stem)) continue
      terms.set(stem, { label: raw, weight: partWeights[part] * (commonWords.has(stem) ? commonFactor : 1) })
    }
  }
  return terms
}

/** The profiles of a set of requirements. A word weighs more the fewer of them hold it: 1 + ln(all / holding). */
export const profilesOf = (requirements: ReadonlyArray<EvaluationRequirement>): ReadonlyArray<Profile> => {
  const all = requirements.map(termsOfRequirement)
  const holding = new Map<string, number>()
  for (const terms of all) for (const stem of terms.keys()) holding.set(stem, (holding.get(stem) ?? 0) + 1)
  return requirements.map(({ id }, index) => {
    const weighted = [...(all[index] ?? [])].map(([stem, { label, weight }]): [string, ProfileTerm] => {
      const rarity = 1 + Math.log(all.length / (holding.get(stem) ?? 1))
      return [stem, { label, weight: weight * rarity }]
    })
    weighted.sort(([, one], [, other]) => other.weight - one.weight)
    const enough = weighted.slice(0, enoughTerms).reduce((sum, [, { weight }]) => sum + weight, 0)
    return { id, terms: new Map(weighted), enough }
  })
}
