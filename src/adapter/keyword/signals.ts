/**
 * What takes the credit from a sentence: a denial ("I have never used Kafka"), a wish to learn, words addressed to
 * whoever evaluates, and text repeated from the requirements or the questions. English patterns over words, no grammar.
 */
import { contentOf, termsOf, type Word } from "./text.ts"
import { absences, deeds, denials, knowledge, negators, wishes } from "./words.ts"

type Words = ReadonlyArray<Word>

const contrasts = new Set(["but", "however", "although", "though", "whereas", "yet", "instead"])
const subjects = new Set(["i", "we", "my", "our", "i'm", "i've", "we've"])

/** Clauses end before a contrast, and before a new subject that follows a pause: "never used X, I used Y". */
const clausesOf = (words: Words): ReadonlyArray<Words> => {
  const clauses: Array<Array<Word>> = [[]]
  for (const word of words) {
    if (contrasts.has(word.folded) || (word.pause && subjects.has(word.folded))) clauses.push([])
    clauses.at(-1)?.push(word)
  }
  return clauses
}

const isSoonAfter = (words: Words, at: number, reach: number, set: ReadonlySet<string>): boolean =>
  words.slice(at + 1, at + 1 + reach).some(({ folded }) => set.has(folded))

const learn = new Set(["learn", "learning", "try", "explore"])
const afterNot = new Set(["only", "just", "merely"])

const things = new Set(["is", "are", "was", "were", "be", "been", "being", "got", "gets"])
const ofThings = new Set(["isn't", "aren't", "wasn't", "weren't"])

/** "The index was not used" denies nothing of the candidate: in the passive it is the thing that did not do. */
const isOfThing = (clause: Words, at: number): boolean =>
  ofThings.has(clause[at]?.folded ?? "") || things.has(clause[at - 1]?.folded ?? "")

const isDenied = (clause: Words): boolean =>
  clause.some(
    ({ folded }, at) =>
      denials.has(folded) ||
      (negators.has(folded) &&
        !isOfThing(clause, at) &&
        !isSoonAfter(clause, at, 1, afterNot) &&
        isSoonAfter(clause, at, 4, deeds)) ||
      ((negators.has(folded) || absences.has(folded)) && isSoonAfter(clause, at, 5, knowledge)) ||
      (wishes.has(folded) && isSoonAfter(clause, at, 3, learn)) ||
      (folded === "new" && isSoonAfter(clause, at, 1, new Set(["to"]))),
  )

/**
 * The words of a sentence that may earn credit: those of clauses that deny nothing. A denial that names no subject
 * of its own ("as for Kafka, I have never used it") denies the whole sentence.
 */
export const affirmedWords = (words: Words): Words => {
  const clauses = clausesOf(words)
  const denied = clauses.filter(isDenied)
  if (denied.length === 0) return words
  const namesSubject = (clause: Words) =>
    contentOf(termsOf(clause.filter(({ folded }) => !deeds.has(folded) && !knowledge.has(folded)))).length > 0
  return denied.every(namesSubject) ? clauses.filter((clause) => !denied.includes(clause)).flat() : []
}

const overrides = new Set(["ignore", "disregard", "forget", "override", "bypass"])
const orders = new Set(["instruction", "instructions", "prompt", "prompts", "rules", "rule", "criteria", "above"])
const awards = new Set(["give", "rate", "score", "grade", "award", "assign", "mark", "evaluate", "grant"])
const receivers = new Set(["me", "myself", "candidate", "applicant", "this", "full", "maximum", "a", "the"])
const marks = new Set(["10", "ten", "100", "full", "maximum", "max", "highest", "top", "perfect", "points", "marks"])

/** Whether a sentence speaks to the evaluator: "ignore previous instructions", "rate this candidate 10 of 10". */
export const isAddressed = (words: Words): boolean =>
  words.some(
    ({ folded }, at) =>
      (overrides.has(folded) && isSoonAfter(words, at, 6, orders)) ||
      (awards.has(folded) && isSoonAfter(words, at, 3, receivers) && isSoonAfter(words, at, 12, marks)) ||
      (folded === "system" && isSoonAfter(words, at, 1, orders)),
  )

const shingles = (content: ReadonlyArray<string>): ReadonlyArray<string> =>
  content.slice(2).map((third, index) => `${content[index]} ${content[index + 1]} ${third}`)

/** Twice the shared part over both sizes: 1 for equal sets, 0 for disjoint ones. */
export const likeness = (shared: number, one: number, other: number): number => (2 * shared) / (one + other)

/** From this likeness on, two sentences say the same. */
export const sameFrom = 0.8

/** What repetition is judged by: the words with content, and all words as one text, blanks around each. */
export interface Saying {
  readonly content: ReadonlyArray<string>
  readonly phrase: string
}

export const sayingOf = (words: Words): Saying => ({
  content: contentOf(termsOf(words)),
  phrase: ` ${words.map(({ folded }) => folded).join(" ")} `,
})

/**
 * A test for sentences that repeat one of the given references: nearly the same words, a piece of one word for word,
 * or mostly runs of three words that stand in one of them. Time is linear in the sentence, times the references that
 * share a word with it.
 */
export const repetitionOf = (references: ReadonlyArray<Saying>) => {
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
      // one word beside the two of "Mentoring colleagues" is a third of the sentence, and may be the whole point of it
      const nearly = reference.size < 4 ? 1 : sameFrom
      if (likeness(count, words.size, reference.size) >= nearly) return true
      if (count === words.size && reference.phrase.includes(phrase)) return true
    }
    const own = shingles(content)
    return own.length > 0 && own.filter((run) => runs.has(run)).length >= 0.7 * own.length
  }
}
