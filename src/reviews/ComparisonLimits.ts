/** Limits of the page that compares candidates. They keep it below about 60 KB. */
export const comparisonLimits = {
  candidates: 4,
  /** Ids in the address that are looked up. */
  ids: 20,
  /** The set's first questions. */
  questions: 40,
  /** The set's most important requirements. */
  requirements: 40,
  /** Characters of all answers and quotes together. */
  text: 24_000,
  /** Characters of one answer, at least and at most. */
  answer: { least: 100, most: 2000 },
  /** Characters of one CV. */
  cv: 1200,
  /** Characters of a quote. */
  quote: 160,
  /** Candidates that the page offers to add: the newest ones with answers. */
  others: 50,
} as const

/** How many candidates a comparison has, in words. */
export const candidateRange = "two to four"

/** Characters shown of each answer. */
export const answerLength = (candidates: number, questions: number): number => {
  const { answer, text } = comparisonLimits
  const each = Math.floor(text / Math.max(1, candidates * questions) / 50) * 50
  return Math.min(answer.most, Math.max(answer.least, each))
}
